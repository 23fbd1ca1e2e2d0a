// People far away: a rectangle with a picture. The pictures are rendered from the figure when the page opens, as normals and
// numbers of parts, so that everybody keeps their own clothes and the light falls on them from where it comes.

import {
  Color,
  DataTexture,
  FloatType,
  GLSL3,
  InstancedBufferAttribute,
  InstancedBufferGeometry,
  Mesh,
  MeshDepthMaterial,
  MeshLambertMaterial,
  NearestFilter,
  BufferAttribute,
  OrthographicCamera,
  RGBADepthPacking,
  RGBAFormat,
  Scene,
  ShaderMaterial,
  Vector3,
  Vector4,
  WebGLRenderTarget,
  DoubleSide,
  NoBlending,
  type Texture,
  type WebGLProgramParametersWithUniforms,
  type WebGLRenderer,
} from 'three';

import { Clip } from './clips';
import { figure } from './figure';
import { BODIES, packLook } from './looks';
import { ACROSS, DRESS, LOOKS, MOVES, POSE, WHO, type PeopleUniforms } from './people_shader';

/** Directions around a body and above it, moments of a step; then standing and sitting. */
export const AROUND = 16;
export const ABOVE = 4;
export const STEPS = 8;
const POSES = STEPS + 2;
/** Radians that the lowest picture is seen from above, and from one to the next. */
const LOWEST = 0.06;
const RISE = 0.45;
/** px of a picture, and how much of a body of height 1 it covers. */
const WIDE = 32;
const HIGH = 48;
const COVER_WIDE = 0.76;
const COVER_HIGH = 1.14;
/** The gait that far people are drawn with: an everyday walk. */
const GAIT = 4;

const COLUMNS = AROUND * ABOVE;
const LINES = BODIES.length * POSES;

const GRID = `const vec2 GRID = vec2(${COLUMNS}.0, ${LINES}.0), COVER = vec2(${COVER_WIDE}, ${COVER_HIGH});`;

/** The pictures' people: every body in every pose, at the origin, looking along x. */
function models(): { moves: DataTexture; looks: DataTexture } {
  const make = (texels: number): DataTexture => {
    const texture = new DataTexture(new Float32Array(ACROSS * texels * 4), ACROSS * texels, 1, RGBAFormat, FloatType);
    texture.minFilter = texture.magFilter = NearestFilter;
    texture.needsUpdate = true;
    return texture;
  };
  const moves = make(MOVES);
  const looks = make(LOOKS);
  BODIES.forEach((body, b) => {
    for (let p = 0; p < POSES; ++p) {
      const slot = b * POSES + p;
      const idle = p === STEPS ? Clip.Stand : p > STEPS ? Clip.Sit : 0;
      (moves.image.data as unknown as Float32Array).set(
        [0, 0, 0, 0, 0, 0, 0, 0, (p % STEPS) / STEPS, (p % STEPS) / STEPS, -1, -1, GAIT, GAIT, idle + (idle ? (255 << 5) + (255 << 13) : 0), 127.5 + 127.5 * 256],
        slot * MOVES * 4,
      );
      (looks.image.data as unknown as Float32Array).set([packLook(body), 0, 0, 0, 1, 0, 0, 0], slot * LOOKS * 4);
    }
  });
  return { moves, looks };
}

export class Impostors {
  readonly geometry = new InstancedBufferGeometry();
  readonly material: MeshLambertMaterial;
  readonly depth: MeshDepthMaterial;
  /** Where the sun is: shadows are pictures as the sun sees them. */
  readonly sun = { value: new Vector3(0, 0, 1) };
  private atlas = new WebGLRenderTarget(COLUMNS * WIDE, LINES * HIGH, { minFilter: NearestFilter, magFilter: NearestFilter, generateMipmaps: false });

  constructor(uniforms: PeopleUniforms) {
    this.geometry.setAttribute('position', new BufferAttribute(new Float32Array([-0.5, -0.5, 0, 0.5, -0.5, 0, 0.5, 0.5, 0, -0.5, 0.5, 0]), 3));
    this.geometry.setAttribute('normal', new BufferAttribute(new Float32Array([0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1]), 3));
    this.geometry.setIndex([0, 1, 2, 0, 2, 3]);
    const own = { ...uniforms, uAtlas: { value: this.atlas.texture }, uSun: this.sun };
    this.material = this.patched(new MeshLambertMaterial({ alphaToCoverage: true, side: DoubleSide }), own, true);
    this.depth = this.patched(new MeshDepthMaterial({ depthPacking: RGBADepthPacking, side: DoubleSide }), own, false);
  }

  private patched<T extends MeshLambertMaterial | MeshDepthMaterial>(material: T, uniforms: PeopleUniforms, coloured: boolean): T {
    material.onBeforeCompile = (shader: WebGLProgramParametersWithUniforms) => {
      Object.assign(shader.uniforms, uniforms);
      shader.vertexShader = shader.vertexShader
        .replace('#include <common>', `#include <common>\n${WHO}${GRID}${FACE}`)
        .replace('#include <beginnormal_vertex>', coloured ? 'vec3 posed = faceViewer(cameraPosition, false), objectNormal = vec3(0.0, 0.0, 1.0);' : '')
        .replace('#include <begin_vertex>', coloured ? 'vec3 transformed = posed;' : 'vec3 transformed = faceViewer(uSun, true);');
      shader.fragmentShader = shader.fragmentShader
        .replace('#include <common>', `#include <common>\n${coloured ? DRESS : ''}${GRID}${TAPS}`)
        .replace(coloured ? '#include <color_fragment>' : '#include <map_fragment>', coloured ? 'vec3 picked; diffuseColor *= taken(picked);' : 'if (tap(vAt).a < 0.01) discard;');
      if (coloured)
        shader.fragmentShader = shader.fragmentShader.replace(
          '#include <normal_fragment_maps>',
          'normal = normalize(mat3(viewMatrix) * vec3(picked.x * vTurn.x - picked.y * vTurn.y, picked.x * vTurn.y + picked.y * vTurn.x, picked.z));',
        );
    };
    material.customProgramCacheKey = () => `impostor${coloured}`;
    return material;
  }

  /** All pictures in one go: an instance for each. */
  render(renderer: WebGLRenderer, clips: Texture): void {
    const geometry = figure(1);
    const views = COLUMNS * LINES;
    const slot = new Uint32Array(views);
    const view = new Float32Array(views);
    for (let i = 0; i < views; ++i) {
      slot[i] = Math.floor(i / COLUMNS);
      view[i] = i % COLUMNS;
    }
    geometry.setAttribute('slot', new InstancedBufferAttribute(slot, 1));
    geometry.setAttribute('view', new InstancedBufferAttribute(view, 1));
    geometry.instanceCount = views;
    const { moves, looks } = models();
    const material = new ShaderMaterial({
      glslVersion: GLSL3,
      side: DoubleSide,
      blending: NoBlending,
      defines: { DETAIL: 1 },
      uniforms: { uMoves: { value: moves }, uLooks: { value: looks }, uMix: { value: 0 }, uSpan: { value: 1 }, uIdle: { value: 0 }, uClips: { value: clips } },
      vertexShader: `${WHO}${POSE}${GRID}
        attribute float view;
        out vec3 vNormalAt;
        out vec2 vInside;
        flat out float vPart;
        void main() {
          vec3 p = position, n = normal;
          bool there = pose(p, n);
          float azimuth = 6.2831853 * mod(view, ${AROUND}.0) / ${AROUND}.0, rise = ${LOWEST} + ${RISE} * floor(view / ${AROUND}.0);
          vec3 d = vec3(cos(azimuth) * cos(rise), sin(azimuth) * cos(rise), sin(rise));
          vec3 right = vec3(-d.y, d.x, 0.0) / cos(rise), up = cross(d, right);
          vec3 q = p - vec3(0.0, 0.0, 0.5);
          vec2 in_cell = vec2(dot(q, right), dot(q, up)) / COVER;
          vInside = in_cell;
          vec2 cell = vec2(view, float(slot));
          gl_Position = vec4((cell + 0.5 + in_cell) / GRID * 2.0 - 1.0, -dot(q, d) * 0.5, 1.0);
          if (!there) gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
          vNormalAt = n;
          vPart = tag.x;
        }`,
      fragmentShader: `in vec3 vNormalAt; in vec2 vInside; flat in float vPart; out vec4 seen;
        void main() {
          if (abs(vInside.x) > 0.49 || abs(vInside.y) > 0.49) discard;
          seen = vec4(normalize(vNormalAt) * 0.5 + 0.5, (vPart + 1.0) * 8.0 / 255.0);
        }`,
    });
    const mesh = new Mesh(geometry, material);
    mesh.frustumCulled = false;
    const scene = new Scene();
    scene.add(mesh);
    const clear = renderer.getClearColor(new Color());
    const alpha = renderer.getClearAlpha();
    const before = renderer.getRenderTarget();
    const port = renderer.getViewport(new Vector4());
    renderer.setClearColor(0x000000, 0);
    renderer.setRenderTarget(this.atlas);
    renderer.clear();
    renderer.render(scene, new OrthographicCamera());
    renderer.setRenderTarget(before);
    renderer.setViewport(port);
    renderer.setClearColor(clear, alpha);
    geometry.dispose();
    material.dispose();
    moves.dispose();
    looks.dispose();
  }
}

/** The rectangle, turned towards who looks, and which picture is on it. */
const FACE = /* glsl */ `
uniform vec3 uSun;
varying vec2 vAt;
flat varying vec2 vCell;
flat varying vec2 vTurn;
flat varying vec4 vLook, vBody, vDoing;
flat varying float vSpeed;
vec3 faceViewer(vec3 eye, bool parallel) {
  meet();
  float along;
  vec3 place = placeNow(along), centre = place + vec3(0.0, 0.0, 0.5 * body.x);
  vec3 d = parallel ? normalize(eye) : normalize(eye - centre);
  vec3 right = normalize(vec3(-d.y, d.x, 1e-5)), up = cross(d, right);
  float facing = mix(moveFrom.w, moveTo.w, uMix);
  float azimuth = atan(d.y, d.x) - facing;
  float column = mod(floor(azimuth / 6.2831853 * ${AROUND}.0 + 0.5), ${AROUND}.0);
  float rise = clamp(floor((asin(clamp(d.z, -1.0, 1.0)) - ${LOWEST}) / ${RISE} + 0.5), 0.0, ${ABOVE - 1}.0);
  float phase = fract(mix(pace.x, pace.y, along) + body.y);
  float idle = clipWeight(), gait = mix(doing.x, doing.y, uMix);
  float line = idle > 0.5 && clipNow() == ${Clip.Sit} ? ${STEPS + 1}.0 : idle > 0.5 || gait < 0.6 ? ${STEPS}.0 : mod(floor(phase * ${STEPS}.0 + 0.5), ${STEPS}.0);
  vCell = vec2(column + rise * ${AROUND}.0, body.w * ${POSES}.0 + line);
  vAt = position.xy;
  vTurn = vec2(cos(facing), sin(facing));
  vLook = look;
  vBody = body;
  vDoing = doing;
  vSpeed = max(pace.w, 0.0);
  float stout = 1.0 + 0.14 * (float(BUILD) / 7.0 - 0.43);
  return centre + (right * position.x * COVER.x * stout + up * position.y * COVER.y) * body.x;
}
`;

/** Four looks at the picture for a pixel, so that small people do not flicker. */
const TAPS = /* glsl */ `
uniform sampler2D uAtlas;
varying vec2 vAt;
flat varying vec2 vCell;
flat varying vec2 vTurn;
flat varying vec4 vLook, vBody, vDoing;
flat varying float vSpeed;
vec4 tap(vec2 at) {
  if (abs(at.x) > 0.499 || abs(at.y) > 0.499) return vec4(0.0);
  return textureLod(uAtlas, (vCell + 0.5 + at) / GRID, 0.0);
}
#ifndef DEPTH_PACKING
vec4 taken(out vec3 picked) {
  vec2 dx = dFdx(vAt) * 0.25, dy = dFdy(vAt) * 0.25;
  picked = vec3(0.0);
  vec3 colour = vec3(0.0);
  float n = 0.0;
  for (int k = 0; k < 4; ++k) {
    vec4 t = tap(vAt + (k < 2 ? dx : -dx) + ((k & 1) == 0 ? dy : -dy));
    if (t.a < 0.01) continue;
    n += 1.0;
    picked += t.xyz * 2.0 - 1.0;
    colour += paint(int(t.a * 255.0 / 8.0 + 0.5) - 1, vLook, vBody, vDoing, vSpeed);
  }
  if (n < 0.5) discard;
  return vec4(colour / n, n * 0.25);
}
#endif
`;
