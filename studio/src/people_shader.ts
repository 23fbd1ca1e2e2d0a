// What the graphics card does for everybody: finds them in the textures of the crowd, moves them between two frames, mixes
// two clips, bends the body and dresses it.

import { Color, type Material, type WebGLProgramParametersWithUniforms } from 'three';

import { CLIPS, Clip, ROWS, MOMENTS, SECONDS } from './clips';
import { CYCLES } from './gait';
import { HAIRS, SKINS } from './looks';
import { Bone, JOINTS } from './skeleton';

/** People in a row of the textures, and texels of each. */
export const ACROSS = 256;
export const MOVES = 4;
export const LOOKS = 2;

export type PeopleUniforms = Record<string, { value: unknown }>;

const colours = (list: number[]): string =>
  list
    .map((rgb) => new Color(rgb))
    .map((c) => `vec3(${c.r.toFixed(4)}, ${c.g.toFixed(4)}, ${c.b.toFixed(4)})`)
    .join(', ');

/** Who this instance is, where they are now, and the colours of their parts. For all three representations. */
export const WHO = /* glsl */ `
attribute uint slot;
uniform highp sampler2D uMoves;
uniform highp sampler2D uLooks;
uniform float uMix;
uniform float uSpan;   // s between the two frames
uniform float uIdle;   // s, for clips that go on with time

vec4 moveFrom, moveTo, pace, doing, look, body;
void meet() {
  ivec2 at = ivec2(int(slot) % ${ACROSS} * ${MOVES}, int(slot) / ${ACROSS});
  moveFrom = texelFetch(uMoves, at, 0);
  moveTo = texelFetch(uMoves, at + ivec2(1, 0), 0);
  pace = texelFetch(uMoves, at + ivec2(2, 0), 0);   // phase before and now, speed before and now (-1: even)
  doing = texelFetch(uMoves, at + ivec2(3, 0), 0);  // gait before and now; clip, its weights, level; gaze, density
  at = ivec2(int(slot) % ${ACROSS} * ${LOOKS}, int(slot) / ${ACROSS});
  look = texelFetch(uLooks, at, 0);                 // packLook(), top, bottom, accent
  body = texelFetch(uLooks, at + ivec2(1, 0), 0);   // height, seed, population, impostor's body
}
/** Place and way of the phase between two frames: cubic, with the speeds of both (Hermite). */
vec3 placeNow(out float along) {
  vec3 way = moveTo.xyz - moveFrom.xyz;
  float t = uMix, t2 = t * t, t3 = t2 * t, far = max(length(way.xy), 1e-4);
  float a = t3 - 2.0 * t2 + t, b = t3 - t2, c = 3.0 * t2 - 2.0 * t3;
  if (pace.z < 0.0) { along = t; return mix(moveFrom.xyz, moveTo.xyz, t); }
  float f = min(pace.z * uSpan / far, 2.0), g = min(pace.w * uSpan / far, 2.0);
  along = a * f + b * g + c;
  vec2 begins = vec2(cos(moveFrom.w), sin(moveFrom.w)) * f * far, ends = vec2(cos(moveTo.w), sin(moveTo.w)) * g * far;
  return vec3(moveFrom.xy + a * begins + b * ends + c * way.xy, mix(moveFrom.z, moveTo.z, t));
}
int lookBits(int shift, int mask) { return (int(look.x + 0.5) >> shift) & mask; }
#define KIND lookBits(20, 7)
#define BUILD lookBits(17, 7)
#define HAIRSTYLE lookBits(9, 3)
#define WEAR lookBits(7, 3)
#define LOAD lookBits(5, 3)
#define PROP lookBits(3, 3)
float clipWeight() {
  int d = int(doing.z + 0.5);
  return smoothstep(0.0, 1.0, mix(float((d >> 5) & 255), float((d >> 13) & 255), uMix) / 255.0);
}
int clipNow() { return int(doing.z + 0.5) & 31; }
`;

/** The colour of a part: needs \`look\`, \`body\` and \`doing\` as floats, also where they come as varyings. */
export const DRESS = /* glsl */ `
uniform int uColour;
uniform vec3 uPopulation[16];
const vec3 SKINS[8] = vec3[8](${colours(SKINS)});
const vec3 HAIRS[8] = vec3[8](${colours(HAIRS)});
const vec3 LEVELS[5] = vec3[5](${colours([0x4575b4, 0x74add1, 0xabd9e9, 0xfdae61, 0xd73027])});
vec3 unpacked(float rgb) {
  int n = int(rgb + 0.5);
  return pow(vec3(float(n >> 16), float((n >> 8) & 255), float(n & 255)) / 255.0, vec3(2.2));
}
vec3 ramp3(float s) {
  s = clamp(s, 0.0, 1.0);
  return s < 0.5 ? mix(vec3(0.72, 0.07, 0.07), vec3(0.9, 0.68, 0.12), s * 2.0) : mix(vec3(0.9, 0.68, 0.12), vec3(0.07, 0.42, 0.2), s * 2.0 - 1.0);
}
vec3 paint(int part, vec4 look, vec4 body, vec4 doing, float speed) {
  int bits = int(look.x + 0.5);
  vec3 skin = SKINS[(bits >> 14) & 7], hair = HAIRS[(bits >> 11) & 7];
  if (part == 0) return skin;
  if (part == 1 || part == 2 || part == 22) return hair;
  if (part == 19) return vec3(0.03, 0.025, 0.025);
  if (part == 20) return skin * vec3(0.72, 0.42, 0.4);
  vec3 top = unpacked(look.y), bottom = unpacked(look.z), accent = unpacked(look.w);
  if (uColour != 0) {
    if (uColour == 1) top = uPopulation[int(body.z + 0.5) & 15];
    else if (uColour == 2) top = ramp3(speed / 1.8);
    else if (uColour == 3) {
      int level = (int(doing.z + 0.5) >> 21) & 7;
      top = LEVELS[min(level, 4)];
    } else {
      float d = float(int(doing.w + 0.5) >> 16) / 32.0;
      top = d < 0.31 ? vec3(0.04, 0.2, 0.66) : d < 0.43 ? vec3(0.04, 0.38, 0.16) : d < 0.72 ? vec3(0.33, 0.56, 0.05) : d < 1.08 ? vec3(0.89, 0.58, 0.04) : d < 2.17 ? vec3(0.86, 0.23, 0.03) : vec3(0.68, 0.02, 0.04);
    }
    bottom = top * 0.5;
    accent = top * 0.75;
  }
  if (part == 3) return top;
  if (part == 4) return ((bits >> 2) & 1) == 1 ? skin : top;
  if (part == 5) return (bits & 1) == 1 && uColour == 0 ? mix(vec3(0.8), accent, 0.15) : top * 0.96;
  if (part == 6) return bottom;
  if (part == 7) return ((bits >> 1) & 1) == 1 || ((bits >> 7) & 3) == 1 ? skin : bottom;
  if (part == 8) return mix(accent * 0.45, vec3(0.03, 0.028, 0.026), 0.4);
  if (part == 9) return ((bits >> 13) & 1) == 1 ? vec3(0.62) : vec3(0.03);
  if (part == 10) return (bits & 1) == 1 || ((bits >> 7) & 3) != 0 ? top * 0.9 : accent * 0.5;
  if (part == 11) return bottom;
  if (part == 12) return top * 0.97;
  if (part == 15) return accent * 1.3;
  if (part == 16 || part == 18 || part == 23) return vec3(0.05);
  if (part == 17) return mix(accent, bottom, 0.5);
  if (part == 21) return vec3(0.3, 0.2, 0.12);
  return accent;
}
`;

/** Bends a vertex of a figure: needs \`skin\` and \`tag\`. */
export const POSE = /* glsl */ `
attribute vec4 skin;
attribute vec2 tag;
uniform sampler2D uClips;
const float SECONDS[${Clip.Queue - CYCLES.length + 1}] = float[${Clip.Queue - CYCLES.length + 1}](${Array.from({ length: Clip.Queue - CYCLES.length + 1 }, (_, i) => SECONDS[CYCLES.length + i].toFixed(2)).join(', ')});

float rowA, rowB, weightB, rowCarry;
float rowOf(int clip, float phase) { return (float(clip * ${ROWS}) + fract(phase) * ${MOMENTS}.0 + 0.5) / ${(CLIPS * ROWS).toFixed(1)}; }
vec4 clipTexel(int x, float row) { return texture(uClips, vec2((float(x) + 0.5) / 51.0, row)); }

struct Turn { vec4 x, y, z; };
Turn boneNow(int bone) {
  int x = bone * 3;
  Turn t = Turn(clipTexel(x, rowA), clipTexel(x + 1, rowA), clipTexel(x + 2, rowA));
  if (weightB > 0.002) {
    t.x = mix(t.x, clipTexel(x, rowB), weightB);
    t.y = mix(t.y, clipTexel(x + 1, rowB), weightB);
    t.z = mix(t.z, clipTexel(x + 2, rowB), weightB);
  }
  return t;
}
void turned(Turn t, inout vec3 p, inout vec3 n) {
  vec4 q = vec4(p, 1.0);
  p = vec3(dot(t.x, q), dot(t.y, q), dot(t.z, q));
  n = vec3(dot(t.x.xyz, n), dot(t.y.xyz, n), dot(t.z.xyz, n));
}
void byBone(int bone, inout vec3 p, inout vec3 n, int prop, float gaze) {
  if (bone >= 17) return;
  bool carries = prop == 2 ? bone >= 3 && bone <= 8 : prop != 0 && bone >= 6 && bone <= 8;
  if (carries) {
    int x = bone * 3;
    turned(Turn(clipTexel(x, rowCarry), clipTexel(x + 1, rowCarry), clipTexel(x + 2, rowCarry)), p, n);
    bone = ${Bone.Chest};
  }
  Turn t = boneNow(bone);
  if (bone == ${Bone.Head} && gaze != 0.0) {
    // The head turns about its joint, as it is at rest.
    vec3 joint = vec3(${JOINTS[Bone.Head].map((v) => v.toFixed(4)).join(', ')});
    float c = cos(gaze), s = sin(gaze);
    mat2 m = mat2(c, s, -s, c);
    p.xy = m * (p.xy - joint.xy) + joint.xy;
    n.xy = m * n.xy;
  }
  turned(t, p, n);
}

/** What this person does not wear or carry shrinks to nothing. */
bool worn(int part, bool sits) {
  int style = HAIRSTYLE, wear = WEAR;
  if (part == 1) return style != 3;
  if (part == 2) return style == 1;
  if (part == 22) return style == 2;
  if (part == 11) return wear == 1;
  if (part == 12) return wear == 2;
  if (part == 13) return LOAD == 1;
  if (part == 14) return LOAD == 2;
  if (part == 15 || part == 16) return PROP == 1 && !sits;
  if (part == 17 || part == 18) return PROP == 2 && !sits;
  if (part == 23) return PROP == 3 && !sits;
  return part != 21 || sits;
}

/** Builds and ages, on the body at rest. */
void shape(inout vec3 p, int bone) {
  int kind = KIND;
  bool woman = (kind & 1) == 1, child = kind == 2 || kind == 3;
  float stout = float(BUILD) / 7.0 - 0.43;
  if (bone <= 1) {
    float belly = exp(-pow((p.z - 0.62) / 0.06, 2.0));
    p.y *= 1.0 + 0.2 * stout + 0.16 * max(stout, 0.0) * belly;
    p.x *= 1.0 + 0.22 * stout + (p.x > 0.0 ? 0.75 : 0.25) * max(stout, 0.0) * belly;
    if (woman && !child) {
      float waist = exp(-pow((p.z - 0.64) / 0.045, 2.0)), bust = exp(-pow((p.z - 0.735) / 0.032, 2.0)), hips = exp(-pow((p.z - 0.52) / 0.05, 2.0));
      p.y *= (p.z > 0.68 ? 0.92 : 1.0) * (1.0 - 0.09 * waist + 0.05 * hips);
      if (p.x > 0.02) p.x += 0.02 * bust * smoothstep(0.085, 0.04, abs(p.y));
    }
  } else if (bone == 2) {
    float big = child ? 1.28 - 0.12 * clamp((body.x - 1.1) / 0.4, 0.0, 1.0) : 1.0;
    p = (p - vec3(0.0, 0.0, 0.865)) * big + vec3(0.0, 0.0, 0.865);
  } else if (bone < 17) {
    float middle = (bone <= 8 ? 0.108 : 0.05) * ((bone <= 5 || (bone >= 9 && bone <= 12)) ? 1.0 : -1.0);
    float thick = 1.0 + (bone <= 8 ? 0.3 : 0.24) * stout - (woman && bone <= 8 ? 0.12 : 0.0);
    if (bone != 11 && bone != 12 && bone < 15 || bone == 13 || bone == 14) {
      p.y = middle + (p.y - middle) * thick;
      p.x *= thick;
    }
    if (bone <= 8) p.y += sign(middle) * (0.02 * stout - (woman && !child ? 0.008 : 0.0));
  }
}

/** From rest to where it is now, in metres; false for a part that this person does not have. */
bool pose(inout vec3 p, inout vec3 n) {
  meet();
  int part = int(tag.x + 0.5), clip = clipNow();
  float idle = clipWeight(), along;
  bool sits = clip == ${Clip.Sit} && idle > 0.5;
  vec3 place = placeNow(along);
  if (!worn(part, sits)) {
    p = place;
    n = vec3(0.0, 0.0, 1.0);
    return false;
  }
  int prop = sits ? 0 : PROP;
  int hold = prop == 0 ? ${Clip.Stand} : prop == 1 ? ${Clip.Umbrella} : prop == 2 ? ${Clip.Push} : ${Clip.Phone};
  float gait = mix(doing.x, doing.y, uMix), phase = mix(pace.x, pace.y, along) + body.y;
  int k = int(min(floor(gait), ${CYCLES.length - 2}.0));
  float ownTime = uIdle * (0.85 + 0.3 * body.y) + body.y * 40.0;
  if (idle > 0.0) {
    rowA = rowOf(int(gait + 0.5), phase);
    rowB = rowOf(clip, ownTime / SECONDS[clip - ${CYCLES.length}]);
    weightB = idle;
  } else {
    rowA = rowOf(k, phase);
    rowB = rowOf(k + 1, phase);
    weightB = gait - float(k);
  }
  rowCarry = rowOf(hold, phase);
  int gazes = int(doing.w + 0.5);
  float gaze = mix(float(gazes & 255), float((gazes >> 8) & 255), uMix) / 255.0 * 3.0 - 1.5;
  if (abs(gaze) < 0.012) gaze = 0.0;
  int first = int(skin.x + 0.5), second = int(skin.y + 0.5);
  shape(p, skin.z > 0.5 ? second : first);
  vec3 q = p, m = n;
  byBone(first, p, n, prop, gaze);
#if DETAIL == 0
  if (skin.z > 0.002 && second != first) {
    byBone(second, q, m, prop, gaze);
    p = mix(p, q, skin.z);
    n = mix(n, m, skin.z);
  }
#endif
  // Old people stoop.
  if (KIND >= 4 && first < 9) {
    float above = max(p.z - 0.6, 0.0), much = 0.3 + 0.5 * body.y;
    p.x += much * above * above;
    p.z -= 0.25 * much * above * above;
  }
  p *= body.x;
  float turn = moveTo.w - moveFrom.w, facing = moveFrom.w + turn * uMix, c = cos(facing), s = sin(facing);
  mat2 m2 = mat2(c, s, -s, c);
  p.xy = m2 * p.xy;
  n.xy = m2 * n.xy;
  p += place;
  return true;
}
`;

/** Three's own material with the vertices of people. */
export function peopled<M extends Material>(material: M, uniforms: PeopleUniforms, detail: 0 | 1, coloured: boolean): M {
  material.defines = { ...material.defines, DETAIL: detail };
  material.onBeforeCompile = (shader: WebGLProgramParametersWithUniforms) => {
    Object.assign(shader.uniforms, uniforms);
    let vertex = shader.vertexShader;
    if (coloured) {
      vertex = vertex
        .replace('#include <common>', `#include <common>\n${WHO}${DRESS}${POSE}varying vec3 vCloth;`)
        .replace('#include <beginnormal_vertex>', 'vec3 posed = position, objectNormal = normal;\npose(posed, objectNormal);\nvCloth = paint(int(tag.x + 0.5), look, body, doing, max(pace.w, 0.0)) * tag.y;')
        .replace('#include <begin_vertex>', 'vec3 transformed = posed;');
      shader.fragmentShader = shader.fragmentShader
        .replace('#include <common>', '#include <common>\nvarying vec3 vCloth;')
        .replace('#include <color_fragment>', 'diffuseColor.rgb *= vCloth;');
    } else {
      vertex = vertex
        .replace('#include <common>', `#include <common>\n${WHO}${POSE}`)
        .replace('#include <begin_vertex>', 'vec3 transformed = position, unusedNormal = normal;\npose(transformed, unusedNormal);');
    }
    shader.vertexShader = vertex;
  };
  material.customProgramCacheKey = () => `people${detail}${coloured}`;
  return material;
}
