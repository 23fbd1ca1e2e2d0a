// A person's body, clothes and what they carry, built in code: rings around bones, in shares of the body's height, standing
// at rest as skeleton.ts has it. Each vertex knows two bones with a weight, the part it belongs to and how much light
// reaches it; people.ts moves and colours them.

import { BufferAttribute, InstancedBufferGeometry } from 'three';

import { ANKLE, Bone, HIP_SIDE, JOINTS, SHOULDER_SIDE } from './skeleton';

/** What a vertex is of; the shader has the same numbers. */
export const enum Part {
  Skin,
  Hair,
  LongHair,
  Top,
  Sleeve,
  Inner,
  Trousers,
  Shin,
  Shoes,
  Sole,
  Belt,
  Skirt,
  Coat,
  Backpack,
  Bag,
  Umbrella,
  Pole,
  Pram,
  Dark,
  Eye,
  Mouth,
  Stool,
  Bun,
  Phone,
}
export const PARTS = Part.Phone + 1;
/** Bone of what stands beside the body and moves with nothing of it. */
export const STILL = 17;

interface Ring {
  z: number;
  side: number;
  front: number;
  forward?: number;
  /** Sideways, from the middle. */
  at?: number;
}
type Skinning = (x: number, y: number, z: number) => [number, number, number];

const ramp = (a: number, b: number, v: number): number => Math.max(0, Math.min(1, (v - a) / (b - a)));
const only = (bone: number): Skinning => () => [bone, bone, 0];

/** From one bone to the next around the height where they meet. */
function bend(upper: number, lower: number, at: number, soft: number): Skinning {
  return (_x, _y, z) => [upper, lower, ramp(at + soft, at - soft, z)];
}

class Builder {
  positions: number[] = [];
  normals: number[] = [];
  skin: number[] = [];
  tags: number[] = [];
  indices: number[] = [];

  constructor(private rigid: boolean) {}

  private vertex(p: number[], n: number[], skinning: Skinning, part: Part, shade: number): void {
    this.positions.push(p[0], p[1], p[2]);
    const l = Math.hypot(n[0], n[1], n[2]) || 1;
    this.normals.push(n[0] / l, n[1] / l, n[2] / l);
    let [a, b, w] = skinning(p[0], p[1], p[2]);
    if (this.rigid) [a, b, w] = w > 0.5 ? [b, b, 0] : [a, a, 0];
    this.skin.push(a, b, w, 0);
    this.tags.push(part, shade);
  }

  /** The same vertex, of another part. */
  private again(vertex: number, part: number): number {
    this.positions.push(...this.positions.slice(3 * vertex, 3 * vertex + 3));
    this.normals.push(...this.normals.slice(3 * vertex, 3 * vertex + 3));
    this.skin.push(...this.skin.slice(4 * vertex, 4 * vertex + 4));
    this.tags.push(part, this.tags[2 * vertex + 1]);
    return this.tags.length / 2 - 1;
  }

  /** Rings one above the other, lowest first, closed at both ends; part and shade may depend on where on the ring. */
  tube(sides: number, rings: Ring[], skinning: Skinning, part: Part | ((angle: number, ring: number) => Part), shade: (z: number, angle: number) => number = () => 1): void {
    const base = this.positions.length / 3;
    const partAt = typeof part === 'function' ? part : () => part;
    rings.forEach((ring, r) => {
      const up = rings[Math.min(r + 1, rings.length - 1)];
      const down = rings[Math.max(r - 1, 0)];
      for (let s = 0; s < sides; ++s) {
        const angle = (2 * Math.PI * (s + 0.5)) / sides;
        const c = Math.cos(angle);
        const d = Math.sin(angle);
        const place = (q: Ring): [number, number, number] => [q.front * c + (q.forward ?? 0), q.side * d + (q.at ?? 0), q.z];
        const [a, b] = [place(down), place(up)];
        // The normal is across the ring's tangent and the way from ring to ring.
        const t = [-ring.front * d, ring.side * c, 0];
        const w = [b[0] - a[0], b[1] - a[1], b[2] - a[2]];
        const n = [t[1] * w[2], -t[0] * w[2], t[0] * w[1] - t[1] * w[0]];
        if (r === rings.length - 1) n[2] = Math.max(n[2], 0.4 * Math.hypot(n[0], n[1]));
        this.vertex(place(ring), n, skinning, partAt(angle, r), shade(ring.z, angle));
      }
    });
    const last = rings.length - 1;
    const cap = (r: number, down: boolean): void => {
      const q = rings[r];
      this.vertex([q.forward ?? 0, q.at ?? 0, q.z], [0, 0, down ? -1 : 1], skinning, partAt(0, r), shade(q.z, 0));
    };
    cap(0, true);
    cap(last, false);
    const bottom = base + rings.length * sides;
    for (let s = 0; s < sides; ++s) {
      const t = (s + 1) % sides;
      for (let r = 0; r < last; ++r) {
        let corners = [base + r * sides + s, base + r * sides + t, base + (r + 1) * sides + s, base + (r + 1) * sides + t];
        const parts = corners.map((corner) => this.tags[2 * corner]);
        const least = Math.min(...parts);
        // Colours end at an edge, and do not run into one another.
        corners = corners.map((corner, k) => (parts[k] === least ? corner : this.again(corner, least)));
        const [as, at, bs, bt] = corners;
        this.indices.push(as, at, bs, bs, at, bt);
      }
      this.indices.push(bottom, base + t, base + s, bottom + 1, base + last * sides + s, base + last * sides + t);
    }
  }

  /** Arches from back to front over a sole: a shoe. Cuts are x, half width and height as shares. */
  lengthwise(cuts: [number, number, number][], at: number, low: number, high: number, wide: number, skinning: Skinning, part: Part): void {
    const base = this.positions.length / 3;
    const arch = cuts.length > 3 ? [[1, 0], [1, 0.45], [0.6, 0.95], [-0.6, 0.95], [-1, 0.45], [-1, 0]] : [[1, 0], [0.75, 0.9], [-0.75, 0.9], [-1, 0]];
    for (const [k, [x, w, h]] of cuts.entries()) {
      const lean = k === 0 ? -0.8 : k === cuts.length - 1 ? 0.9 : k > cuts.length / 2 ? 0.35 : 0;
      for (const [side, up] of arch) this.vertex([x, at + side * w * wide, low + up * h * (high - low)], [lean, side, up > 0.9 ? 1.2 : 0.1], skinning, part, up < 0.4 ? 0.75 : 1);
    }
    const n = arch.length;
    for (let k = 0; k + 1 < cuts.length; ++k)
      for (let s = 0; s < n; ++s) {
        const [a, b] = [base + k * n + s, base + k * n + ((s + 1) % n)];
        this.indices.push(a, a + n, b, b, a + n, b + n);
      }
    for (const [k, flip] of [[0, true], [cuts.length - 1, false]] as [number, boolean][])
      for (let s = 1; s + 1 < n; ++s) {
        const a = base + k * n;
        this.indices.push(a, a + (flip ? s : s + 1), a + (flip ? s + 1 : s));
      }
  }

  /** A box with its middle, half sizes and a turn about y. */
  box(middle: number[], half: number[], skinning: Skinning, part: Part, pitch = 0): void {
    const [c, s] = [Math.cos(pitch), Math.sin(pitch)];
    const tip = (x: number, y: number, z: number): number[] => [x * c - z * s, y, x * s + z * c];
    for (let axis = 0; axis < 3; ++axis)
      for (const sign of [-1, 1]) {
        const base = this.positions.length / 3;
        const n = [0, 0, 0];
        n[axis] = sign;
        for (const [u, v] of [[-1, -1], [1, -1], [1, 1], [-1, 1]]) {
          const p = [0, 0, 0];
          p[axis] = sign * half[axis];
          p[(axis + 1) % 3] = u * half[(axis + 1) % 3];
          p[(axis + 2) % 3] = v * half[(axis + 2) % 3];
          const q = tip(p[0], p[1], p[2]);
          this.vertex([q[0] + middle[0], q[1] + middle[1], q[2] + middle[2]], tip(n[0], n[1], n[2]), skinning, part, 1);
        }
        const [a, b] = sign > 0 ? [1, 3] : [3, 1];
        this.indices.push(base, base + a, base + 2, base, base + 2, base + b);
      }
  }

  /** A disc across the way people walk: a wheel. */
  wheel(x: number, y: number, radius: number, sides: number): void {
    for (const sign of [-1, 1]) {
      const base = this.positions.length / 3;
      const turn = only(STILL);
      this.vertex([x, y + sign * 0.006, radius], [0, sign, 0], turn, Part.Dark, 1);
      for (let s = 0; s < sides; ++s) {
        const angle = (2 * Math.PI * s) / sides;
        this.vertex([x + radius * Math.cos(angle), y + sign * 0.006, radius + radius * Math.sin(angle)], [0.5 * Math.cos(angle), sign, 0.5 * Math.sin(angle)], turn, Part.Dark, 1);
      }
      for (let s = 0; s < sides; ++s) {
        const [p, q] = [base + 1 + s, base + 1 + ((s + 1) % sides)];
        this.indices.push(base, sign > 0 ? q : p, sign > 0 ? p : q);
      }
    }
  }

  /** Triangles turn the way their normals point. */
  private orient(): void {
    const at = (list: number[], k: number): number[] => list.slice(k * 3, k * 3 + 3);
    for (let t = 0; t < this.indices.length; t += 3) {
      const [a, b, c] = [0, 1, 2].map((k) => at(this.positions, this.indices[t + k]));
      const [u, v] = [[0, 1, 2].map((k) => b[k] - a[k]), [0, 1, 2].map((k) => c[k] - a[k])];
      const face = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
      let facing = 0;
      for (let k = 0; k < 3; ++k) at(this.normals, this.indices[t + k]).forEach((n, axis) => (facing += n * face[axis]));
      if (facing < 0) [this.indices[t + 1], this.indices[t + 2]] = [this.indices[t + 2], this.indices[t + 1]];
    }
  }

  geometry(): InstancedBufferGeometry {
    this.orient();
    const geometry = new InstancedBufferGeometry();
    geometry.setAttribute('position', new BufferAttribute(new Float32Array(this.positions), 3));
    geometry.setAttribute('normal', new BufferAttribute(new Float32Array(this.normals), 3));
    geometry.setAttribute('skin', new BufferAttribute(new Float32Array(this.skin), 4));
    geometry.setAttribute('tag', new BufferAttribute(new Float32Array(this.tags), 2));
    geometry.setIndex(this.indices);
    return geometry;
  }
}

const r = (z: number, side: number, front: number, forward = 0, at = 0): Ring => ({ z, side, front, forward, at });

/** 0: skinned, for near by; 1: rigid and simple; 2: what few people push, hold up or sit on, for both. */
export function figure(detail: 0 | 1 | 2): InstancedBufferGeometry {
  const b = new Builder(detail !== 0);
  if (detail === 2) {
    props(b);
    return b.geometry();
  }
  const fine = detail === 0;
  torso(b, fine);
  head(b, fine);
  for (const left of [true, false]) {
    arm(b, fine, left);
    leg(b, fine, left);
  }
  clothes(b, fine);
  carried(b, fine);
  return b.geometry();
}

function torso(b: Builder, fine: boolean): void {
  const skinning = bend(Bone.Chest, Bone.Hips, 0.61, 0.05);
  const shade = (z: number, angle: number): number => (z < 0.5 ? 0.72 : z > 0.7 && z < 0.79 && Math.abs(Math.sin(angle)) > 0.85 ? 0.75 : 1);
  const rings = fine
    ? [
        r(0.462, 0.03, 0.03),
        r(0.482, 0.078, 0.058, -0.004),
        r(0.515, 0.097, 0.07, -0.006),
        r(0.55, 0.096, 0.066, -0.003),
        r(0.575, 0.088, 0.06),
        r(0.588, 0.086, 0.059),
        r(0.625, 0.081, 0.057, 0.001),
        r(0.68, 0.091, 0.064, 0.002),
        r(0.735, 0.103, 0.069, 0.002),
        r(0.78, 0.108, 0.064, -0.002),
        r(0.808, 0.104, 0.054, -0.005),
        r(0.826, 0.082, 0.045, -0.005),
        r(0.84, 0.05, 0.038, -0.004),
      ]
    : [r(0.465, 0.06, 0.045), r(0.52, 0.096, 0.07, -0.005), r(0.582, 0.087, 0.06), r(0.63, 0.082, 0.058), r(0.76, 0.108, 0.069), r(0.815, 0.1, 0.05), r(0.84, 0.045, 0.036)];
  // Trousers up to the belt, and what is worn above hanging a little over it.
  const belt = fine ? 5 : 3;
  const lower = rings.slice(0, belt);
  const upper = [r(0.566, rings[belt - 1].side + 0.003, rings[belt - 1].front + 0.003), ...rings.slice(belt)];
  b.tube(fine ? 14 : 6, lower, skinning, Part.Trousers, shade);
  if (fine) b.tube(14, [r(0.572, 0.0895, 0.0615), r(0.588, 0.0885, 0.0605)], skinning, Part.Belt);
  b.tube(fine ? 14 : 6, upper, skinning, (angle) => {
    // A stripe in front: what is worn under an open jacket.
    return fine && Math.abs(angle > Math.PI ? angle - 2 * Math.PI : angle) < 0.8 ? Part.Inner : Part.Top;
  }, shade);
  if (fine) {
    b.tube(8, [r(0.815, 0.033, 0.034, -0.006), r(0.85, 0.029, 0.031, -0.003), r(0.885, 0.028, 0.03, 0.002)], bend(Bone.Head, Bone.Chest, 0.86, 0.02), Part.Skin, (z) => (z > 0.87 ? 0.7 : 0.9));
    b.tube(8, [r(0.826, 0.046, 0.046, -0.006), r(0.85, 0.037, 0.038, -0.006)], only(Bone.Chest), Part.Inner);
  }
}

function head(b: Builder, fine: boolean): void {
  const bone = only(Bone.Head);
  const skull = fine
    ? [
        r(0.868, 0.012, 0.014, 0.026),
        r(0.874, 0.024, 0.03, 0.018),
        r(0.888, 0.034, 0.043, 0.013),
        r(0.905, 0.039, 0.051, 0.009),
        r(0.926, 0.0425, 0.054, 0.006),
        r(0.948, 0.0435, 0.055, 0.003),
        r(0.97, 0.041, 0.051, 0),
        r(0.987, 0.031, 0.04, 0),
        r(0.996, 0.016, 0.02, 0),
      ]
    : [r(0.868, 0.02, 0.024, 0.02), r(0.9, 0.038, 0.048, 0.01), r(0.95, 0.043, 0.055, 0.003), r(0.99, 0.024, 0.03)];
  b.tube(fine ? 14 : 6, skull, bone, Part.Skin, (z, angle) => (z < 0.88 ? 0.8 : z > 0.92 && z < 0.936 && Math.cos(angle) > 0.8 ? 0.93 : 1));
  // A cap of hair: lower behind, above the forehead in front.
  const cap = fine
    ? [
        r(0.893, 0.034, 0.014, -0.036),
        r(0.908, 0.043, 0.025, -0.026),
        r(0.93, 0.0465, 0.037, -0.0195),
        r(0.952, 0.0475, 0.049, -0.0095),
        r(0.968, 0.0465, 0.0575, 0),
        r(0.985, 0.038, 0.048, 0),
        r(0.999, 0.022, 0.029, -0.002),
        r(1.004, 0.006, 0.008, -0.002),
      ]
    : [r(0.9, 0.042, 0.022, -0.028), r(0.955, 0.047, 0.05, -0.009), r(0.985, 0.038, 0.048), r(1.003, 0.012, 0.014)];
  b.tube(fine ? 14 : 6, cap, bone, Part.Hair, (z) => (z < 0.91 ? 0.8 : 1));
  b.tube(
    fine ? 10 : 5,
    fine
      ? [r(0.815, 0.034, 0.012, -0.05), r(0.84, 0.045, 0.018, -0.046), r(0.88, 0.05, 0.026, -0.036), r(0.92, 0.0505, 0.034, -0.026), r(0.955, 0.048, 0.042, -0.016)]
      : [r(0.82, 0.042, 0.016, -0.046), r(0.95, 0.05, 0.036, -0.022)],
    bend(Bone.Head, Bone.Chest, 0.85, 0.05),
    Part.LongHair,
    (z) => 0.75 + 0.25 * ramp(0.82, 0.92, z),
  );
  if (!fine) return;
  b.tube(6, [r(0.955, 0.012, 0.012, -0.055), r(0.968, 0.022, 0.02, -0.058), r(0.984, 0.016, 0.014, -0.056)], bone, Part.Bun);
  b.tube(5, [r(0.913, 0.0095, 0.011, 0.061), r(0.919, 0.01, 0.013, 0.0615), r(0.932, 0.0055, 0.0075, 0.0585), r(0.943, 0.004, 0.004, 0.0555)], bone, Part.Skin);
  for (const side of [-1, 1]) {
    b.tube(5, [r(0.915, 0.004, 0.006, 0.0, side * 0.0425), r(0.927, 0.007, 0.011, -0.003, side * 0.0455), r(0.94, 0.005, 0.008, -0.004, side * 0.045)], bone, Part.Skin, () => 0.85);
    b.tube(6, [r(0.931, 0.0045, 0.002, 0.0535, side * 0.0185), r(0.9345, 0.0068, 0.004, 0.0535, side * 0.0185), r(0.938, 0.0045, 0.002, 0.0535, side * 0.0185)], bone, Part.Eye);
    b.box([0.0545, side * 0.0185, 0.9455], [0.0025, 0.0095, 0.0014], bone, Part.Hair);
  }
  b.box([0.0585, 0, 0.8995], [0.003, 0.0125, 0.0022], bone, Part.Mouth);
}

function arm(b: Builder, fine: boolean, left: boolean): void {
  const [upper, lower, hand] = left ? [Bone.UpperArmLeft, Bone.LowerArmLeft, Bone.HandLeft] : [Bone.UpperArmRight, Bone.LowerArmRight, Bone.HandRight];
  const at = left ? SHOULDER_SIDE : -SHOULDER_SIDE;
  const x = JOINTS[upper][0];
  const [elbow, wrist] = [JOINTS[lower][2], JOINTS[hand][2]];
  const ring = (z: number, side: number, front: number): Ring => r(z, side, front, x, at);
  const inner = (z: number, angle: number): number => (z > 0.55 && Math.sin(angle) * (left ? 1 : -1) < -0.4 ? 0.72 : 1);
  const upperSkin: Skinning = (px, py, z) => (z > 0.8 ? [Bone.Chest, upper, 1 - 0.55 * ramp(0.8, 0.845, z)] : bend(upper, lower, elbow, 0.022)(px, py, z));
  b.tube(
    fine ? 8 : 4,
    fine
      ? [ring(elbow - 0.012, 0.0225, 0.024), ring(elbow + 0.012, 0.023, 0.0245), ring(elbow + 0.05, 0.0245, 0.027), ring(0.745, 0.027, 0.031), ring(0.79, 0.03, 0.034), ring(0.815, 0.028, 0.032), ring(0.832, 0.017, 0.021)]
      : [ring(elbow - 0.008, 0.024, 0.025), ring(0.78, 0.031, 0.034), ring(0.83, 0.018, 0.022)],
    upperSkin,
    Part.Top,
    inner,
  );
  b.tube(
    fine ? 8 : 4,
    fine
      ? [ring(wrist + 0.004, 0.0158, 0.018), ring(wrist + 0.04, 0.018, 0.02), ring(elbow - 0.03, 0.0215, 0.023), ring(elbow + 0.014, 0.0222, 0.0238)]
      : [ring(wrist + 0.004, 0.017, 0.018), ring(elbow + 0.012, 0.0225, 0.0235)],
    bend(upper, lower, elbow, 0.022),
    Part.Sleeve,
    inner,
  );
  const palm = fine
    ? [r(wrist - 0.088, 0.0045, 0.008, x + 0.004, at), r(wrist - 0.075, 0.008, 0.015, x + 0.004, at), r(wrist - 0.045, 0.0098, 0.021, x + 0.002, at), r(wrist - 0.02, 0.0102, 0.019, x, at), r(wrist + 0.012, 0.0118, 0.0132, x, at)]
    : [r(wrist - 0.085, 0.008, 0.014, x, at), r(wrist + 0.01, 0.013, 0.016, x, at)];
  b.tube(fine ? 7 : 4, palm, only(hand), Part.Skin);
  if (fine) b.tube(4, [r(wrist - 0.058, 0.005, 0.005, x + 0.027, at), r(wrist - 0.022, 0.006, 0.0065, x + 0.018, at)], only(hand), Part.Skin);
}

function leg(b: Builder, fine: boolean, left: boolean): void {
  const [thigh, shin, foot, toes] = left ? [Bone.ThighLeft, Bone.ShinLeft, Bone.FootLeft, Bone.ToesLeft] : [Bone.ThighRight, Bone.ShinRight, Bone.FootRight, Bone.ToesRight];
  const at = left ? HIP_SIDE : -HIP_SIDE;
  const knee = JOINTS[shin][2];
  const ring = (z: number, side: number, front: number, forward = 0): Ring => r(z, side, front, forward, at);
  const inner = (z: number, angle: number): number => (Math.sin(angle) * (left ? 1 : -1) < -0.3 ? 0.7 + 0.25 * ramp(0.5, 0.15, z) : 0.8 + 0.2 * ramp(0.0, 0.12, z));
  const upperSkin: Skinning = (px, py, z) => (z > 0.42 ? [Bone.Hips, thigh, 1 - 0.8 * ramp(0.46, 0.55, z)] : bend(thigh, shin, knee, 0.03)(px, py, z));
  b.tube(
    fine ? 10 : 5,
    fine
      ? [ring(knee - 0.014, 0.0335, 0.0365, 0.001), ring(knee + 0.012, 0.0345, 0.038, 0.001), ring(knee + 0.06, 0.039, 0.043), ring(0.4, 0.046, 0.052), ring(0.46, 0.05, 0.059, -0.002), ring(0.505, 0.05, 0.062, -0.003), ring(0.54, 0.04, 0.05, -0.003)]
      : [ring(knee - 0.01, 0.035, 0.038), ring(0.44, 0.051, 0.058), ring(0.53, 0.045, 0.056)],
    upperSkin,
    Part.Trousers,
    inner,
  );
  b.tube(
    fine ? 10 : 5,
    fine
      ? [ring(0.048, 0.0275, 0.031, -0.002), ring(0.085, 0.0265, 0.029, -0.004), ring(0.15, 0.031, 0.035, -0.006), ring(0.215, 0.0345, 0.0395, -0.006), ring(knee - 0.02, 0.033, 0.0365), ring(knee + 0.014, 0.0335, 0.0365, 0.001)]
      : [ring(0.05, 0.027, 0.03), ring(0.2, 0.034, 0.039, -0.005), ring(knee + 0.008, 0.0345, 0.037)],
    bend(thigh, shin, knee, 0.03),
    Part.Shin,
    inner,
  );
  const shoe: Skinning = (px) => (px > 0.085 ? [toes, toes, 0] : px > 0.07 ? [foot, toes, 0.5] : [foot, foot, 0]);
  const shape = (part: Part, z0: number, z1: number, wide: number): void => {
    // From heel to toe, ring by ring, each an arch over the sole.
    const cuts: [number, number, number][] = fine
      ? [[-0.032, 0.5, 0.75], [-0.022, 0.85, 1], [0.012, 0.9, 1], [0.045, 0.95, 0.72], [0.078, 1.05, 0.55], [0.1, 0.95, 0.48], [0.114, 0.55, 0.36]]
      : [[-0.03, 0.85, 0.95], [0.03, 0.95, 0.9], [0.112, 0.75, 0.4]];
    b.lengthwise(cuts, at, z0, z1, wide, shoe, part);
  };
  shape(Part.Shoes, 0.008, ANKLE + 0.018, 0.0265);
  if (fine) shape(Part.Sole, 0, 0.01, 0.0285);
}

function clothes(b: Builder, fine: boolean): void {
  const swings: Skinning = (_x, y, z) => (z > 0.525 ? [Bone.Hips, Bone.Hips, 0] : z > 0.47 ? [Bone.Hips, y > 0 ? Bone.ThighLeft : Bone.ThighRight, 0.35] : [Bone.ThighRight, Bone.ThighLeft, ramp(-0.1, 0.1, y)]);
  const sides = fine ? 16 : 7;
  const fold = (z: number, angle: number): number => (fine ? 0.88 + 0.12 * Math.cos(angle * 8) * ramp(0.55, 0.35, z) : 0.92);
  b.tube(
    sides,
    fine
      ? [r(0.29, 0.118, 0.108), r(0.33, 0.118, 0.104), r(0.4, 0.116, 0.094), r(0.46, 0.109, 0.082, -0.004), r(0.52, 0.101, 0.075, -0.006), r(0.57, 0.091, 0.064)]
      : [r(0.29, 0.118, 0.106), r(0.44, 0.112, 0.086), r(0.57, 0.09, 0.063)],
    swings,
    Part.Skirt,
    fold,
  );
  b.tube(
    sides,
    fine
      ? [r(0.36, 0.118, 0.1), r(0.42, 0.116, 0.092), r(0.48, 0.11, 0.084, -0.004), r(0.54, 0.102, 0.077, -0.004), r(0.6, 0.091, 0.066), r(0.64, 0.0855, 0.061)]
      : [r(0.36, 0.116, 0.098), r(0.5, 0.108, 0.082), r(0.63, 0.088, 0.063)],
    swings,
    Part.Coat,
    fold,
  );
}

function carried(b: Builder, fine: boolean): void {
  const chest = only(Bone.Chest);
  b.tube(
    fine ? 8 : 5,
    fine
      ? [r(0.615, 0.055, 0.03, -0.092), r(0.63, 0.07, 0.045, -0.098), r(0.72, 0.072, 0.048, -0.1), r(0.79, 0.066, 0.04, -0.093), r(0.815, 0.045, 0.025, -0.082)]
      : [r(0.62, 0.066, 0.042, -0.097), r(0.81, 0.055, 0.036, -0.09)],
    chest,
    Part.Backpack,
  );
  b.box([-0.01, -0.125, 0.5], [0.055, 0.018, 0.045], only(Bone.Hips), Part.Bag);
  if (fine) b.box([0.195, -0.045, 0.772], [0.004, 0.02, 0.04], chest, Part.Phone, -0.4);
}

function props(b: Builder): void {
  const chest = only(Bone.Chest);
  const high = 1.13;
  b.tube(5, [r(0.7, 0.004, 0.004, 0.145, -0.075), r(high, 0.003, 0.003, 0.145, -0.075)], chest, Part.Pole);
  b.tube(
    16,
    [r(high - 0.075, 0.3, 0.3, 0.145, -0.075), r(high - 0.03, 0.225, 0.225, 0.145, -0.075), r(high, 0.11, 0.11, 0.145, -0.075), r(high + 0.012, 0.01, 0.01, 0.145, -0.075)],
    chest,
    Part.Umbrella,
    (_z, angle) => 0.9 + 0.1 * Math.cos(angle * 8),
  );
  // A pram before the body, and a stool under who sits.
  const still = only(STILL);
  b.tube(10, [r(0.24, 0.085, 0.15, 0.48), r(0.28, 0.1, 0.19, 0.48), r(0.39, 0.105, 0.2, 0.48), r(0.4, 0.095, 0.19, 0.48)], still, Part.Pram);
  b.tube(10, [r(0.385, 0.106, 0.1, 0.58), r(0.45, 0.1, 0.1, 0.585), r(0.51, 0.07, 0.07, 0.6), r(0.53, 0.02, 0.02, 0.61)], still, Part.Pram, () => 0.85);
  b.box([0.235, 0, 0.525], [0.006, 0.1, 0.006], still, Part.Dark);
  for (const side of [-1, 1]) {
    b.box([0.29, side * 0.1, 0.45], [0.005, 0.005, 0.11], still, Part.Dark, 0.62);
    for (const x of [0.36, 0.6]) b.wheel(x, side * 0.1, 0.075, 10);
  }
  b.tube(10, [r(0, 0.06, 0.06, -0.11), r(0.02, 0.02, 0.02, -0.11), r(0.23, 0.02, 0.02, -0.11), r(0.235, 0.1, 0.1, -0.1), r(0.255, 0.1, 0.1, -0.1)], still, Part.Stool);
}
