// The bones of a figure, standing upright with its arms hanging. Lengths are shares of the body's height; x is forward,
// y left, z up, the ground is 0.

export const BONES = 17;
export const enum Bone {
  Hips,
  Chest,
  Head,
  UpperArmLeft,
  LowerArmLeft,
  HandLeft,
  UpperArmRight,
  LowerArmRight,
  HandRight,
  ThighLeft,
  ShinLeft,
  FootLeft,
  ToesLeft,
  ThighRight,
  ShinRight,
  FootRight,
  ToesRight,
}

export type Vec = [number, number, number];

/** Thigh and shin, each: half of the leg from hip to ankle. */
export const HALF_LEG = 0.24;
export const ANKLE = 0.045;
export const UPPER_ARM = 0.165;
export const LOWER_ARM = 0.14;
/** Where the heel and the ball of the foot touch the ground, before (+) and behind the ankle. */
export const HEEL = -0.03;
export const BALL = 0.08;
export const HIP_SIDE = 0.05;
export const SHOULDER_SIDE = 0.108;

/** The joint that each bone turns about. */
export const JOINTS: Vec[] = [
  [0, 0, 0.53],
  [0, 0, 0.61],
  [-0.004, 0, 0.865],
  [-0.004, SHOULDER_SIDE, 0.812],
  [-0.004, SHOULDER_SIDE, 0.812 - UPPER_ARM],
  [-0.004, SHOULDER_SIDE, 0.812 - UPPER_ARM - LOWER_ARM],
  [-0.004, -SHOULDER_SIDE, 0.812],
  [-0.004, -SHOULDER_SIDE, 0.812 - UPPER_ARM],
  [-0.004, -SHOULDER_SIDE, 0.812 - UPPER_ARM - LOWER_ARM],
  [0, HIP_SIDE, ANKLE + 2 * HALF_LEG],
  [0, HIP_SIDE, ANKLE + HALF_LEG],
  [0, HIP_SIDE, ANKLE],
  [BALL, HIP_SIDE, 0],
  [0, -HIP_SIDE, ANKLE + 2 * HALF_LEG],
  [0, -HIP_SIDE, ANKLE + HALF_LEG],
  [0, -HIP_SIDE, ANKLE],
  [BALL, -HIP_SIDE, 0],
];

/** A turn and a shift, row by row: 12 numbers. */
export type Matrix = number[];

export function apply(m: Matrix, p: Vec): Vec {
  return [
    m[0] * p[0] + m[1] * p[1] + m[2] * p[2] + m[3],
    m[4] * p[0] + m[5] * p[1] + m[6] * p[2] + m[7],
    m[8] * p[0] + m[9] * p[1] + m[10] * p[2] + m[11],
  ];
}

export function multiply(a: Matrix, b: Matrix): Matrix {
  const out: Matrix = [];
  for (let r = 0; r < 3; ++r)
    for (let c = 0; c < 4; ++c)
      out.push(a[r * 4] * b[c] + a[r * 4 + 1] * b[4 + c] + a[r * 4 + 2] * b[8 + c] + (c === 3 ? a[r * 4 + 3] : 0));
  return out;
}

/** Turned about the axes, z last, then shifted: pitch leans backward, yaw turns left, roll tips to the right. */
export function turned(pitch: number, yaw: number, roll: number): Matrix {
  const [cp, sp, cy, sy, cr, sr] = [Math.cos(pitch), Math.sin(pitch), Math.cos(yaw), Math.sin(yaw), Math.cos(roll), Math.sin(roll)];
  const x: Matrix = [1, 0, 0, 0, 0, cr, -sr, 0, 0, sr, cr, 0];
  const y: Matrix = [cp, 0, -sp, 0, 0, 1, 0, 0, sp, 0, cp, 0];
  const z: Matrix = [cy, -sy, 0, 0, sy, cy, 0, 0, 0, 0, 1, 0];
  return multiply(z, multiply(y, x));
}

/** The turn that leaves `rest` at `at`. */
export function about(turn: Matrix, rest: Vec, at: Vec): Matrix {
  const moved = apply(turn, rest);
  return [...turn.slice(0, 3), turn[3] + at[0] - moved[0], ...turn.slice(4, 7), turn[7] + at[1] - moved[1], ...turn.slice(8, 11), turn[11] + at[2] - moved[2]];
}

const sub = (a: Vec, b: Vec): Vec => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const dot = (a: Vec, b: Vec): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
function unit(a: Vec): Vec {
  const l = Math.hypot(...a) || 1;
  return [a[0] / l, a[1] / l, a[2] / l];
}
const cross = (a: Vec, b: Vec): Vec => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];

/** The turn of a bone that hangs along -z at rest and now points from `from` to `to`, its front towards `front`. */
export function pointed(from: Vec, to: Vec, front: Vec): Matrix {
  const z = unit(sub(from, to));
  const y = unit(cross(z, front));
  const x = cross(y, z);
  return [x[0], y[0], z[0], 0, x[1], y[1], z[1], 0, x[2], y[2], z[2], 0];
}

/** The same for a bone that turns about an axis across the body: a leg. */
export function hinged(from: Vec, to: Vec): Matrix {
  const z = unit(sub(from, to));
  const x = unit(cross([0, 1, 0], z));
  const y = cross(z, x);
  return [x[0], y[0], z[0], 0, x[1], y[1], z[1], 0, x[2], y[2], z[2], 0];
}

/** Where the joint between two bones is that lead from `a` to `b`, bent towards `front`. */
export function middleJoint(a: Vec, b: Vec, first: number, second: number, front: Vec): Vec {
  const way = sub(b, a);
  const far = Math.min(Math.hypot(...way), (first + second) * 0.9999);
  const along = unit(way);
  const d = (first * first - second * second + far * far) / (2 * far || 1e-6);
  const off = Math.sqrt(Math.max(first * first - d * d, 0));
  const side = unit(sub(front, [along[0] * dot(front, along), along[1] * dot(front, along), along[2] * dot(front, along)]));
  return [a[0] + along[0] * d + side[0] * off, a[1] + along[1] * d + side[1] * off, a[2] + along[2] * d + side[2] * off];
}
