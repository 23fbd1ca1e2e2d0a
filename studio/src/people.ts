// The crowd: three instanced figures, chosen by distance, posed and dressed on the graphics card. Script touches people only
// when a frame comes; between frames a single number moves them.

import {
  Color,
  DynamicDrawUsage,
  Group,
  InstancedInterleavedBuffer,
  InterleavedBufferAttribute,
  Mesh,
  MeshDepthMaterial,
  MeshLambertMaterial,
  RGBADepthPacking,
  Vector3,
  type InstancedBufferGeometry,
  type Material,
  type WebGLProgramParametersWithUniforms,
} from 'three';

import { figure } from './figure';
import { ANKLE, LEG, STANCE, cycleLength } from './gait';
import { People } from './protocol';

/** m from the camera up to which a detail is used, and how many people at most. */
const REACH = [22, 75, Infinity];
const MOST = [700, 6000, Infinity];
const FLOATS = 16;

/** 32 well-mixed bits (PCG); the shader has the same. */
export function hash(n: number): number {
  let state = (Math.imul(n >>> 0, 747796405) + 2891336453) >>> 0;
  state = Math.imul((state >>> ((state >>> 28) + 4)) ^ state, 277803737) >>> 0;
  return ((state >>> 22) ^ state) >>> 0;
}

/** m: a person's height, by their number alone. A twelfth are children. */
export function bodyHeight(id: number): number {
  const h = hash(id);
  const even = (h >>> 8) / 2 ** 24;
  if ((h & 255) < 20) return 1.05 + 0.4 * even;
  const woman = (h & 1) === 1;
  const spread = (even + hash(h) / 2 ** 32) / 2; // nearer to the middle than evenly
  return (woman ? 1.52 : 1.63) + 0.32 * spread;
}

const POSE = /* glsl */ `
attribute vec2 tag;
attribute vec4 poseFrom;
attribute vec4 poseTo;
attribute vec4 gait;   // phase before, phase now, cycle length, id
attribute vec4 about;  // population, speed, body height, density
uniform float uMix;
uniform float uTime;
uniform int uColour;
uniform vec3 uPopulation[16];
varying vec3 vCloth;

uint mixed(uint n) {
  uint s = n * 747796405u + 2891336453u;
  s = ((s >> ((s >> 28u) + 4u)) ^ s) * 277803737u;
  return (s >> 22u) ^ s;
}
float unit(uint n) { return float(n >> 8u) / 16777216.0; }

// In the plane of walking: forward and up.
vec3 swing(vec3 p, float a) {
  float c = cos(a), s = sin(a);
  return vec3(p.x * c - p.z * s, p.y, p.x * s + p.z * c);
}
vec3 twist(vec3 p, float a) {
  float c = cos(a), s = sin(a);
  return vec3(p.x * c - p.y * s, p.x * s + p.y * c, p.z);
}
vec3 spread(vec3 p, float a) {
  float c = cos(a), s = sin(a);
  return vec3(p.x, p.y * c - p.z * s, p.y * s + p.z * c);
}

// Before (+) or behind the hip, and lift: footAt() of gait.ts.
vec2 footAt(float phase, float cycle) {
  float u = fract(phase), reach = ${STANCE} * cycle;
  if (u < ${STANCE}) return vec2(reach * (0.5 - u / ${STANCE}), 0.0);
  float s = (u - ${STANCE}) / (1.0 - ${STANCE});
  return vec2(reach * (s * s * (3.0 - 2.0 * s) - 0.5), sin(3.14159265 * s));
}

void limb(inout vec3 p, inout vec3 n, vec3 joint, float angle) {
  p = swing(p, angle) + joint;
  n = swing(n, angle);
}

void leg(inout vec3 p, inout vec3 n, int bone, bool left, float phase, float cycle, float hip) {
  vec2 foot = footAt(phase, cycle);
  float down = hip - ${ANKLE} - foot.y * (0.02 + 0.09 * min(cycle, 1.0));
  float far = length(vec2(foot.x, down));
  // A foot that the leg does not reach is lifted, not dragged: the heel comes off the ground.
  if (far > ${LEG}) down = sqrt(max(${(LEG * LEG).toFixed(6)} - foot.x * foot.x, 0.0));
  far = min(length(vec2(foot.x, down)), ${LEG} * 0.9999);
  float along = atan(foot.x, down), bend = acos(far / ${LEG});
  vec3 joint = vec3(0.0, left ? 0.047 : -0.047, hip);
#if DETAIL == 2
  limb(p, n, joint, along);
#else
  if (bone == 0) { limb(p, n, joint, along + bend); return; }
  vec3 knee = joint + swing(vec3(0.0, 0.0, -${LEG / 2}), along + bend);
  if (bone == 1) { limb(p, n, knee, along - bend); return; }
  vec3 ankle = knee + swing(vec3(0.0, 0.0, -${LEG / 2}), along - bend);
  limb(p, n, ankle, clamp(foot.x * 1.4 + foot.y * 0.15, -0.6, 0.3));
#endif
}

void pose(inout vec3 p, inout vec3 n) {
  uint id = uint(gait.w + 0.5);
  uint h = mixed(id);
  int bone = int(tag.x + 0.5), part = int(tag.y + 0.5);
  float tall = about.z;
  float phase = mix(gait.x, gait.y, uMix) + unit(mixed(h + 7u));
  float cycle = gait.z / tall;                       // in body heights
  float effort = clamp((cycle - 0.12) / 0.7, 0.0, 1.2);
  float still = 1.0 - min(effort * 3.0, 1.0);
  float woman = float(h & 1u);
  bool child = (h & 255u) < 20u;

  // What this person does not wear shrinks into the body.
  bool worn = part == 6 ? (woman > 0.5 && ((h >> 9u) & 3u) == 0u)
            : part == 5 ? (woman > 0.5 && ((h >> 11u) & 3u) != 0u)
            : part == 7 ? ((h >> 13u) & 3u) == 0u : true;
  if (!worn) p = vec3(0.0, 0.0, 0.1);
  float build = 0.92 + 0.2 * unit(mixed(h + 3u));
  if (bone == 0) p.xy *= vec2(build, build * (woman > 0.5 ? 0.9 : 1.0));
  if (bone == 1 && child) p *= 1.25;

  float hip = ${ANKLE} + ${LEG} * sqrt(max(1.0 - pow(0.5 * ${STANCE} * cycle * 0.62 / ${LEG}, 2.0), 0.4));
  float beat = 6.2831853 * phase;
  hip += 0.008 * effort * -cos(2.0 * beat + 0.6);
  float arms = 0.62 * effort;
  float lean = 0.015 + 0.03 * effort;
  float turn = 0.09 * effort * cos(beat) + 0.05 * still * sin(uTime * 0.5 + float(h & 63u));
  vec3 centre = vec3(0.0, 0.0, hip);
  if (bone >= 6) {
    bool left = bone < 9;
    leg(p, n, left ? bone - 6 : bone - 9, left, left ? phase : phase + 0.5, cycle, hip);
  } else if (bone >= 2) {
    bool left = bone < 4;
    float side = left ? 1.0 : -1.0;
    float angle = -side * arms * cos(beat) + 0.05;
    float elbow = 0.18 + 0.45 * effort * (0.5 - 0.5 * side * cos(beat)) + (((h >> 15u) & 7u) == 0u ? 1.1 : 0.0);
    bool lower = bone == 3 || bone == 5;
    if (lower) { p = swing(p, elbow) + vec3(0.0, 0.0, -0.175); n = swing(n, elbow); }
    p = spread(swing(p, angle), side * 0.09); n = spread(swing(n, angle), side * 0.09);
    p += vec3(0.0, side * 0.116 * build * (woman > 0.5 ? 0.9 : 1.0), 0.25);
    p = twist(swing(p, -lean), turn) + centre; n = twist(swing(n, -lean), turn);
  } else {
    float yaw = turn;
    if (bone == 1) {
      float look = 0.5 * still * sin(uTime * 0.37 + float(h & 255u)) - turn;
      p = twist(p, look) + vec3(0.01, 0.0, 0.335); n = twist(n, look);
    }
    p = twist(swing(p, -lean), yaw) + centre; n = twist(swing(n, -lean), yaw);
  }
  p *= tall;
  float facing = mix(poseFrom.w, poseTo.w, uMix);
  p = twist(p, facing) + mix(poseFrom.xyz, poseTo.xyz, uMix);
  n = twist(n, facing);
}

vec3 pick(uint n, vec3 a, vec3 b, vec3 c, vec3 d) {
  uint k = n & 3u;
  return k == 0u ? a : k == 1u ? b : k == 2u ? c : d;
}

vec3 cloth() {
  uint h = mixed(uint(gait.w + 0.5));
  int part = int(tag.y + 0.5);
  uint k = mixed(h + 11u);
  vec3 skin = mix(vec3(0.93, 0.74, 0.6), vec3(0.33, 0.2, 0.13), pow(unit(mixed(h + 1u)), 1.8));
  vec3 hair = pick(k >> 2u, vec3(0.05, 0.04, 0.035), vec3(0.16, 0.09, 0.05), vec3(0.36, 0.22, 0.1), vec3(0.55, 0.5, 0.45));
  vec3 top = ((k >> 6u) & 1u) == 0u
    ? pick(k >> 4u, vec3(0.1, 0.16, 0.29), vec3(0.82, 0.8, 0.75), vec3(0.12, 0.12, 0.14), vec3(0.42, 0.44, 0.47))
    : ((k >> 7u) & 1u) == 0u
      ? pick(k >> 4u, vec3(0.62, 0.12, 0.1), vec3(0.18, 0.36, 0.24), vec3(0.76, 0.52, 0.16), vec3(0.2, 0.42, 0.6))
      : pick(k >> 4u, vec3(0.48, 0.3, 0.18), vec3(0.7, 0.36, 0.3), vec3(0.36, 0.26, 0.45), vec3(0.62, 0.66, 0.58));
  vec3 trousers = pick(k >> 10u, vec3(0.09, 0.12, 0.2), vec3(0.07, 0.07, 0.08), vec3(0.3, 0.27, 0.22), vec3(0.17, 0.25, 0.4));
  top *= 0.85 + 0.3 * unit(mixed(h + 5u));
  if (uColour == 1) { top = uPopulation[int(about.x + 0.5) & 15]; trousers = top * 0.55; }
  if (uColour == 2) {
    float s = clamp(about.y / 1.8, 0.0, 1.0);
    top = s < 0.5 ? mix(vec3(0.75, 0.1, 0.08), vec3(0.9, 0.75, 0.15), s * 2.0) : mix(vec3(0.9, 0.75, 0.15), vec3(0.1, 0.5, 0.25), s * 2.0 - 1.0);
    trousers = top * 0.6;
  }
  if (part == 0) return skin;
  if (part == 1 || part == 5) return hair;
  if (part == 2) return top;
  if (part == 6) return ((h >> 20u) & 1u) == 0u ? top * 0.85 : trousers;
  if (part == 7) return pick(k >> 14u, vec3(0.25, 0.15, 0.09), vec3(0.08), vec3(0.5, 0.16, 0.12), vec3(0.16, 0.24, 0.2));
  return part == 3 ? trousers : vec3(0.07, 0.06, 0.055);
}
`;

export interface PeopleUniforms {
  uMix: { value: number };
  uTime: { value: number };
  uColour: { value: number };
  uPopulation: { value: Color[] };
}

function patched<M extends Material>(material: M, uniforms: PeopleUniforms, detail: number, coloured: boolean): M {
  material.defines = { ...material.defines, DETAIL: detail };
  material.onBeforeCompile = (shader: WebGLProgramParametersWithUniforms) => {
    Object.assign(shader.uniforms, uniforms);
    let vertex = shader.vertexShader.replace('#include <common>', `#include <common>\n${POSE}`);
    if (coloured) {
      vertex = vertex
        .replace('#include <beginnormal_vertex>', 'vec3 posed = position, objectNormal = normal;\npose(posed, objectNormal);\nvCloth = cloth();')
        .replace('#include <begin_vertex>', 'vec3 transformed = posed;');
      shader.fragmentShader = shader.fragmentShader
        .replace('#include <common>', '#include <common>\nvarying vec3 vCloth;')
        .replace('#include <color_fragment>', 'diffuseColor.rgb *= vCloth;');
    } else {
      vertex = vertex.replace('#include <begin_vertex>', 'vec3 transformed = position, unusedNormal = normal;\npose(transformed, unusedNormal);');
    }
    shader.vertexShader = vertex;
  };
  material.customProgramCacheKey = () => `people${detail}${coloured}`;
  return material;
}

/** One detail of the figure, for as many people as there are. */
class Bucket {
  readonly mesh: Mesh;
  readonly triangles: number;
  private geometry: InstancedBufferGeometry;
  private buffer!: InstancedInterleavedBuffer;
  data = new Float32Array(0);
  count = 0;

  constructor(detail: 0 | 1 | 2, uniforms: PeopleUniforms) {
    this.geometry = figure(detail);
    this.triangles = (this.geometry.index?.count ?? 0) / 3;
    const material = patched(new MeshLambertMaterial({ color: 0xffffff }), uniforms, detail, true);
    this.mesh = new Mesh(this.geometry, material);
    this.mesh.frustumCulled = false;
    this.mesh.castShadow = true;
    this.mesh.receiveShadow = detail < 2;
    this.mesh.customDepthMaterial = patched(new MeshDepthMaterial({ depthPacking: RGBADepthPacking }), uniforms, detail, false);
    this.reserve(256);
  }

  reserve(people: number): void {
    if (this.data.length >= people * FLOATS) return;
    const capacity = Math.max(people, Math.ceil((this.data.length / FLOATS) * 1.5));
    this.data = new Float32Array(capacity * FLOATS);
    this.buffer = new InstancedInterleavedBuffer(this.data, FLOATS, 1);
    this.buffer.setUsage(DynamicDrawUsage);
    ['poseFrom', 'poseTo', 'gait', 'about'].forEach((name, i) =>
      this.geometry.setAttribute(name, new InterleavedBufferAttribute(this.buffer, 4, i * 4)),
    );
    // The old buffer is given back with the attributes of the geometry.
    this.geometry.dispose();
  }

  upload(): void {
    this.geometry.instanceCount = this.count;
    this.mesh.visible = this.count > 0;
    this.buffer.clearUpdateRanges();
    this.buffer.addUpdateRange(0, this.count * FLOATS);
    this.buffer.needsUpdate = true;
  }
}

/** The crowd in the scene. Places are relative to `origin`, so that 32-bit numbers are enough far from zero. */
export class Crowd {
  readonly group = new Group();
  readonly origin = new Vector3();
  frame = new People();
  private last = new People();
  private phase = new Float32Array(0);
  private cycle = new Float32Array(0);
  private phaseBefore = new Float32Array(0);
  private bodies = new Map<number, number>();
  private buckets: Bucket[];
  readonly uniforms: PeopleUniforms = {
    uMix: { value: 1 },
    uTime: { value: 0 },
    uColour: { value: 0 },
    uPopulation: { value: Array.from({ length: 16 }, () => new Color(0x888888)) },
  };

  constructor() {
    this.buckets = ([0, 1, 2] as const).map((detail) => new Bucket(detail, this.uniforms));
    for (const bucket of this.buckets) this.group.add(bucket.mesh);
  }

  /** s, of the frame that people come from. */
  get timeBefore(): number {
    return this.last.time;
  }

  get triangles(): number {
    return this.buckets.reduce((sum, bucket) => sum + bucket.count * bucket.triangles, 0);
  }

  private height(id: number): number {
    let height = this.bodies.get(id);
    if (height === undefined) {
      if (this.bodies.size > 400_000) this.bodies.clear();
      height = bodyHeight(id);
      this.bodies.set(id, height);
    }
    return height;
  }

  /** The next frame: everybody walks there from where they were. */
  advance(next: People): void {
    const last = this.frame;
    const n = next.count;
    const phase = new Float32Array(n);
    const phaseBefore = new Float32Array(n);
    const cycle = new Float32Array(n);
    const elapsed = next.time - last.time;
    if (elapsed === 0) {
      this.replace(next);
      return;
    }
    for (let i = 0; i < n; ++i) {
      const b = next.before[i];
      const height = this.height(next.id[i]);
      if (b < 0 || elapsed < 0) {
        cycle[i] = cycleLength(next.speed[i], height);
        continue;
      }
      const way = Math.hypot(next.x[i] - last.x[b], next.y[i] - last.y[b]);
      const speed = elapsed > 1e-6 ? Math.min(way / elapsed, 3) : next.speed[i];
      // Steps get longer and shorter over some of them.
      cycle[i] = 0.8 * this.cycle[b] + 0.2 * cycleLength(speed, height);
      const at = this.phase[b] % 64;
      phaseBefore[i] = at;
      phase[i] = way < 5 ? at + way / cycle[i] : at;
    }
    this.last = last;
    this.frame = next;
    this.phase = phase;
    this.phaseBefore = phaseBefore;
    this.cycle = cycle;
  }

  /** The same moment again, because the camera sees others now: everybody goes on walking from where they were. */
  private replace(next: People): void {
    const n = next.count;
    const phase = new Float32Array(n);
    const phaseBefore = new Float32Array(n);
    const cycle = new Float32Array(n);
    for (let i = 0; i < n; ++i) {
      const b = next.before[i];
      next.before[i] = b >= 0 ? this.frame.before[b] : -1;
      phase[i] = b >= 0 ? this.phase[b] : 0;
      phaseBefore[i] = b >= 0 ? this.phaseBefore[b] : 0;
      cycle[i] = b >= 0 ? this.cycle[b] : cycleLength(next.speed[i], this.height(next.id[i]));
    }
    this.frame = next;
    this.phase = phase;
    this.phaseBefore = phaseBefore;
    this.cycle = cycle;
  }

  /** Puts everybody into the detail that their distance asks for. After a frame, and when the camera has moved. */
  arrange(camera: Vector3): void {
    const { frame } = this;
    const near: number[] = [];
    const middle: number[] = [];
    const cx = camera.x + this.origin.x;
    const cy = camera.y + this.origin.y;
    const cz = camera.z + this.origin.z;
    const far = this.buckets[2];
    for (const bucket of this.buckets) bucket.count = 0;
    far.reserve(frame.count);
    for (let i = 0; i < frame.count; ++i) {
      const dx = frame.x[i] - cx;
      const dy = frame.y[i] - cy;
      const dz = frame.z[i] - cz;
      const square = dx * dx + dy * dy + dz * dz;
      if (square < REACH[0] * REACH[0] && near.length < MOST[0]) near.push(i);
      else if (square < REACH[1] * REACH[1] && middle.length < MOST[1]) middle.push(i);
      else this.write(far, i);
    }
    [near, middle].forEach((rows, detail) => {
      const bucket = this.buckets[detail];
      bucket.reserve(rows.length);
      for (const row of rows) this.write(bucket, row);
    });
    for (const bucket of this.buckets) bucket.upload();
  }

  private write(bucket: Bucket, i: number): void {
    const { frame, last, origin } = this;
    const { data } = bucket;
    const at = bucket.count++ * FLOATS;
    const x = frame.x[i] - origin.x;
    const y = frame.y[i] - origin.y;
    const z = frame.z[i] - origin.z;
    const heading = frame.heading[i];
    let fx = x;
    let fy = y;
    let fz = z;
    let turned = heading;
    const b = frame.before[i];
    if (b >= 0 && b < last.count) {
      const px = last.x[b] - origin.x;
      const py = last.y[b] - origin.y;
      if (Math.abs(px - x) + Math.abs(py - y) < 5) {
        fx = px;
        fy = py;
        fz = last.z[b] - origin.z;
      }
      let turn = last.heading[b] - heading;
      if (turn > Math.PI) turn -= 2 * Math.PI;
      else if (turn < -Math.PI) turn += 2 * Math.PI;
      turned = heading + turn;
    }
    data[at] = fx;
    data[at + 1] = fy;
    data[at + 2] = fz;
    data[at + 3] = turned;
    data[at + 4] = x;
    data[at + 5] = y;
    data[at + 6] = z;
    data[at + 7] = heading;
    data[at + 8] = this.phaseBefore[i];
    data[at + 9] = this.phase[i];
    data[at + 10] = this.cycle[i];
    data[at + 11] = frame.id[i];
    data[at + 12] = frame.population[i];
    data[at + 13] = frame.speed[i];
    data[at + 14] = this.height(frame.id[i]);
    data[at + 15] = 0;
  }

  /** Row of somebody in view, or -1. */
  row(id: number): number {
    const { frame } = this;
    let low = 0;
    let high = frame.count - 1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      if (frame.id[middle] === id) return middle;
      if (frame.id[middle] < id) low = middle + 1;
      else high = middle - 1;
    }
    return -1;
  }

  /** Where somebody is drawn now. */
  place(row: number, out: Vector3): Vector3 {
    const { frame, last, origin } = this;
    const t = this.uniforms.uMix.value;
    const b = frame.before[row];
    out.set(frame.x[row], frame.y[row], frame.z[row]);
    if (b >= 0 && b < last.count && Math.abs(last.x[b] - out.x) + Math.abs(last.y[b] - out.y) < 5)
      out.set(last.x[b] + (out.x - last.x[b]) * t, last.y[b] + (out.y - last.y[b]) * t, last.z[b] + (out.z - last.z[b]) * t);
    return out.sub(origin);
  }

  /** Who is nearest to a ray, within arm's length or what a finger covers; 0 for nobody. */
  pick(from: Vector3, direction: Vector3, wide: number): number {
    const { frame } = this;
    const at = new Vector3();
    let best = 0;
    let least = Infinity;
    for (let i = 0; i < frame.count; ++i) {
      this.place(i, at);
      at.z += 0.9;
      at.sub(from);
      const along = at.dot(direction);
      if (along <= 0) continue;
      const off = Math.sqrt(Math.max(at.lengthSq() - along * along, 0));
      if (off < 0.45 + wide * along && along + off * 20 < least) {
        least = along + off * 20;
        best = frame.id[i];
      }
    }
    return best;
  }
}
