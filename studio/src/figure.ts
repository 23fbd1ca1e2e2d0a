// A person's body, built in code: tapered tubes and rounded ends around bones. Each vertex knows its bone and which part
// of the clothes it belongs to; people.ts moves and colours them.

import { BufferAttribute, InstancedBufferGeometry } from 'three';

export const enum Bone {
  Torso,
  Head,
  UpperArmLeft,
  LowerArmLeft,
  UpperArmRight,
  LowerArmRight,
  ThighLeft,
  ShinLeft,
  FootLeft,
  ThighRight,
  ShinRight,
  FootRight,
}
export const enum Part {
  Skin,
  Hair,
  Top,
  Trousers,
  Shoes,
  LongHair,
  Skirt,
  Bag,
}

/** An ellipse of a tube: where along the bone (down is negative), half-widths, and how far forward its middle lies. */
interface Ring {
  z: number;
  side: number;
  front: number;
  forward?: number;
}

class Builder {
  positions: number[] = [];
  normals: number[] = [];
  tags: number[] = [];
  indices: number[] = [];

  /** Rings one above the other, closed at both ends. Everything in shares of the body's height. */
  tube(bone: Bone, part: Part, sides: number, rings: Ring[], away = 0): void {
    const base = this.positions.length / 3;
    const push = (x: number, y: number, z: number, nx: number, ny: number, nz: number): void => {
      this.positions.push(x, y + away, z);
      const l = Math.hypot(nx, ny, nz) || 1;
      this.normals.push(nx / l, ny / l, nz / l);
      this.tags.push(bone, part);
    };
    rings.forEach((ring, r) => {
      const up = rings[Math.min(r + 1, rings.length - 1)];
      const down = rings[Math.max(r - 1, 0)];
      const slope = (down.side + down.front - up.side - up.front) / (2 * (up.z - down.z || 1e-6));
      for (let s = 0; s < sides; ++s) {
        const angle = (2 * Math.PI * (s + 0.5)) / sides;
        const c = Math.cos(angle);
        const d = Math.sin(angle);
        push(ring.front * c + (ring.forward ?? 0), ring.side * d, ring.z, c / Math.max(ring.front, 1e-3), d / Math.max(ring.side, 1e-3), 0);
        const n = this.normals.length;
        const nz = Math.max(-1.5, Math.min(1.5, slope));
        const l = Math.hypot(1, nz);
        this.normals[n - 3] /= l;
        this.normals[n - 2] /= l;
        this.normals[n - 1] = nz / l;
      }
    });
    const last = rings.length - 1;
    push(rings[0].forward ?? 0, 0, rings[0].z, 0, 0, -1);
    push(rings[last].forward ?? 0, 0, rings[last].z, 0, 0, 1);
    const bottom = base + rings.length * sides;
    for (let s = 0; s < sides; ++s) {
      const t = (s + 1) % sides;
      for (let r = 0; r < last; ++r) {
        const a = base + r * sides;
        const b = a + sides;
        this.indices.push(a + s, a + t, b + s, b + s, a + t, b + t);
      }
      this.indices.push(bottom, base + t, base + s, bottom + 1, base + last * sides + s, base + last * sides + t);
    }
  }

  geometry(): InstancedBufferGeometry {
    const geometry = new InstancedBufferGeometry();
    geometry.setAttribute('position', new BufferAttribute(new Float32Array(this.positions), 3));
    geometry.setAttribute('normal', new BufferAttribute(new Float32Array(this.normals), 3));
    geometry.setAttribute('tag', new BufferAttribute(new Float32Array(this.tags), 2));
    geometry.setIndex(this.indices);
    return geometry;
  }
}

/** 0: near, with all parts; 1: rigid and simple; 2: far away, a few triangles. x is forward, y left, z up from the bone. */
export function figure(detail: 0 | 1 | 2): InstancedBufferGeometry {
  const b = new Builder();
  if (detail === 2) {
    b.tube(Bone.Torso, Part.Top, 4, [{ z: -0.02, side: 0.085, front: 0.06 }, { z: 0.3, side: 0.12, front: 0.06 }]);
    b.tube(Bone.Head, Part.Hair, 4, [{ z: -0.01, side: 0.05, front: 0.05 }, { z: 0.13, side: 0.05, front: 0.05 }]);
    for (const bone of [Bone.ThighLeft, Bone.ThighRight])
      b.tube(bone, Part.Trousers, 3, [{ z: -0.51, side: 0.03, front: 0.04 }, { z: 0.02, side: 0.05, front: 0.055 }]);
    return b.geometry();
  }
  const round = detail === 0 ? 10 : 5;
  const limb = detail === 0 ? 7 : 4;
  torso(b, round, detail === 0);
  head(b, round, detail === 0);
  for (const left of [true, false]) {
    arm(b, limb, left, detail === 0);
    leg(b, limb, left, detail === 0);
  }
  return b.geometry();
}

function torso(b: Builder, sides: number, fine: boolean): void {
  const rings: Ring[] = fine
    ? [
        { z: -0.045, side: 0.07, front: 0.055 },
        { z: 0.0, side: 0.093, front: 0.064 },
        { z: 0.07, side: 0.083, front: 0.056 },
        { z: 0.16, side: 0.097, front: 0.066 },
        { z: 0.235, side: 0.113, front: 0.066 },
        { z: 0.275, side: 0.1, front: 0.055 },
        { z: 0.3, side: 0.045, front: 0.04 },
      ]
    : [
        { z: -0.04, side: 0.085, front: 0.06 },
        { z: 0.08, side: 0.083, front: 0.058 },
        { z: 0.24, side: 0.112, front: 0.066 },
        { z: 0.295, side: 0.06, front: 0.045 },
      ];
  b.tube(Bone.Torso, Part.Top, sides, rings);
  b.tube(Bone.Torso, Part.Skirt, sides, [
    { z: -0.22, side: 0.125, front: 0.105 },
    { z: -0.1, side: 0.112, front: 0.088 },
    { z: 0.03, side: 0.093, front: 0.067 },
  ]);
  if (!fine) return;
  b.tube(Bone.Torso, Part.Skin, 7, [{ z: 0.285, side: 0.03, front: 0.032 }, { z: 0.35, side: 0.028, front: 0.03, forward: 0.008 }]);
  b.tube(Bone.Torso, Part.Bag, 6, [
    { z: 0.06, side: 0.06, front: 0.035, forward: -0.09 },
    { z: 0.1, side: 0.078, front: 0.05, forward: -0.095 },
    { z: 0.22, side: 0.075, front: 0.045, forward: -0.09 },
    { z: 0.26, side: 0.05, front: 0.03, forward: -0.08 },
  ]);
}

function head(b: Builder, sides: number, fine: boolean): void {
  const skull: Ring[] = fine
    ? [
        { z: -0.012, side: 0.024, front: 0.028, forward: 0.016 },
        { z: 0.015, side: 0.038, front: 0.043, forward: 0.01 },
        { z: 0.06, side: 0.045, front: 0.055, forward: 0.004 },
        { z: 0.1, side: 0.042, front: 0.052 },
        { z: 0.128, side: 0.022, front: 0.027 },
      ]
    : [
        { z: -0.01, side: 0.03, front: 0.035, forward: 0.01 },
        { z: 0.06, side: 0.046, front: 0.055 },
        { z: 0.125, side: 0.025, front: 0.03 },
      ];
  b.tube(Bone.Head, Part.Skin, sides, skull);
  // A cap of hair: behind and above the face.
  b.tube(Bone.Head, Part.Hair, sides, [
    { z: 0.03, side: 0.045, front: 0.034, forward: -0.024 },
    { z: 0.075, side: 0.0495, front: 0.046, forward: -0.014 },
    { z: 0.108, side: 0.0465, front: 0.055, forward: -0.002 },
    { z: 0.135, side: 0.026, front: 0.032, forward: -0.002 },
  ]);
  b.tube(Bone.Head, Part.LongHair, sides, [
    { z: -0.075, side: 0.042, front: 0.02, forward: -0.04 },
    { z: -0.01, side: 0.05, front: 0.03, forward: -0.032 },
    { z: 0.07, side: 0.05, front: 0.038, forward: -0.022 },
  ]);
  if (fine) b.tube(Bone.Head, Part.Skin, 4, [{ z: 0.032, side: 0.008, front: 0.012, forward: 0.056 }, { z: 0.056, side: 0.006, front: 0.006, forward: 0.054 }]);
}

function arm(b: Builder, sides: number, left: boolean, fine: boolean): void {
  const upper = left ? Bone.UpperArmLeft : Bone.UpperArmRight;
  const lower = left ? Bone.LowerArmLeft : Bone.LowerArmRight;
  b.tube(upper, Part.Top, sides, [
    { z: -0.175, side: 0.0225, front: 0.0235 },
    ...(fine ? [{ z: -0.06, side: 0.029, front: 0.03 }] : []),
    { z: 0.0, side: 0.031, front: 0.033 },
    { z: 0.022, side: 0.014, front: 0.018 },
  ]);
  b.tube(lower, Part.Top, sides, [{ z: -0.13, side: 0.0175, front: 0.0185 }, { z: 0.01, side: 0.0225, front: 0.0235 }]);
  b.tube(lower, Part.Skin, sides, fine
    ? [{ z: -0.215, side: 0.007, front: 0.012 }, { z: -0.18, side: 0.012, front: 0.022 }, { z: -0.128, side: 0.0135, front: 0.0155 }]
    : [{ z: -0.21, side: 0.012, front: 0.018 }, { z: -0.128, side: 0.014, front: 0.016 }]);
}

function leg(b: Builder, sides: number, left: boolean, fine: boolean): void {
  const thigh = left ? Bone.ThighLeft : Bone.ThighRight;
  const shin = left ? Bone.ShinLeft : Bone.ShinRight;
  const foot = left ? Bone.FootLeft : Bone.FootRight;
  b.tube(thigh, Part.Trousers, sides, [
    { z: -0.25, side: 0.034, front: 0.037 },
    ...(fine ? [{ z: -0.12, side: 0.045, front: 0.049 }] : []),
    { z: 0.0, side: 0.052, front: 0.058 },
    { z: 0.03, side: 0.04, front: 0.046 },
  ]);
  b.tube(shin, Part.Trousers, sides, [
    { z: -0.235, side: 0.026, front: 0.028 },
    ...(fine ? [{ z: -0.08, side: 0.035, front: 0.038, forward: -0.004 }] : []),
    { z: 0.012, side: 0.034, front: 0.037 },
  ]);
  b.tube(foot, Part.Shoes, sides, fine
    ? [{ z: -0.045, side: 0.026, front: 0.072, forward: 0.032 }, { z: -0.02, side: 0.026, front: 0.066, forward: 0.028 }, { z: 0.012, side: 0.022, front: 0.03 }]
    : [{ z: -0.045, side: 0.027, front: 0.072, forward: 0.032 }, { z: 0.01, side: 0.022, front: 0.03 }]);
}
