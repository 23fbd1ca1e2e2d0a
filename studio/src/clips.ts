// What people do, as bone matrices of every moment, baked into one texture that the shader reads: a row for a moment, three
// texels (rows of a matrix) for each bone. Made in code; nothing here touches the page, so that tests run it as it is.

import { DataUtils } from 'three';

import { CYCLES, FIRST_RUN, RUN_STANCE, STANCE } from './gait';
import { ANKLE, BALL, BONES, Bone, HALF_LEG, HEEL, HIP_SIDE, JOINTS, LOWER_ARM, UPPER_ARM, about, apply, hinged, middleJoint, multiply, pointed, turned, type Matrix, type Vec } from './skeleton';

/** Moments of a clip; a row more repeats the first, so that the texture's own interpolation goes round. */
export const MOMENTS = 32;
export const ROWS = MOMENTS + 1;

/** Clips after those of CYCLES, which go on with time. The last ones are arms only, as they are to the chest. */
export const enum Clip {
  Stand = 11,
  Wait,
  Talk,
  Look,
  Sit,
  Queue,
  Push,
  Umbrella,
  Phone,
}
export const CLIPS = Clip.Phone + 1;
/** s that a round of a clip of standing takes. */
export const SECONDS: Record<number, number> = { [Clip.Stand]: 7, [Clip.Wait]: 9, [Clip.Talk]: 4.2, [Clip.Look]: 8, [Clip.Sit]: 8, [Clip.Queue]: 6.5 };

const TURN = 2 * Math.PI;
const IDENTITY: Matrix = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0];
const mix = (a: number, b: number, t: number): number => a + (b - a) * t;
const wave = (u: number, rounds: number, shift = 0): number => Math.sin(TURN * (rounds * u + shift));

interface FootPlace {
  x: number;
  z: number;
  pitch: number;
  toes: number;
}

/** How far a gait is from shuffling: about 1 at an everyday walk. */
const effortOf = (cycle: number): number => Math.min(cycle / 0.82, 1.3);

/**
 * The ankle and the turn of a foot at a moment u of its cycle, which begins when the heel comes down. On the ground the
 * point that bears (heel, sole, then ball) goes back exactly as the body goes on.
 */
export function footPlace(cycle: number, running: boolean, u: number): FootPlace {
  const stance = running ? RUN_STANCE : STANCE;
  const reach = stance * cycle;
  const k = running ? 0.5 + 0.4 * Math.min(cycle, 1.6) : effortOf(cycle);
  const strike = running ? 0.06 * k : 0.3 * k;
  const push = (running ? 0.75 : 0.85) * k;
  const flat = stance * 0.2;
  const lifts = stance * (running ? 0.45 : 0.52);
  // The foot is as far before the hip when it comes down as behind when it leaves, the ball's way included.
  const front = (reach - Math.min(0.07, 0.09 * reach)) / 2;
  const bearing = (at: number): FootPlace => {
    const x = front - (reach * at) / stance;
    const pitch = at < flat ? strike * (1 - at / flat) ** 1.5 : at > lifts ? -push * ((at - lifts) / (stance - lifts)) ** 1.7 : 0;
    const c = Math.cos(pitch);
    const s = Math.sin(pitch);
    const point = pitch > 0 ? HEEL : BALL;
    return { x: x + point - (c * point + s * ANKLE), z: -(s * point - c * ANKLE), pitch, toes: Math.max(pitch, 0) };
  };
  if (u < stance) return bearing(u);
  const s = (u - stance) / (1 - stance);
  const [a, b] = [bearing(stance), bearing(0)];
  const slope = (-reach / stance) * (1 - stance);
  const hermite = (p: number, q: number, m: number, n: number): number =>
    (2 * s ** 3 - 3 * s * s + 1) * p + (s ** 3 - 2 * s * s + s) * m + (3 * s * s - 2 * s ** 3) * q + (s ** 3 - s * s) * n;
  const lift = running ? 0.15 * k : 0.025 * Math.min(k, 1) + 0.02 * k;
  const arch = Math.sin(Math.PI * s ** (running ? 0.75 : 0.85));
  const pitch = hermite(a.pitch, b.pitch, -0.6 * k, 0) - (running ? 0.5 * arch : 0);
  return { x: hermite(a.x, b.x, slope, slope), z: mix(a.z, b.z, s * s * (3 - 2 * s)) + lift * arch, pitch, toes: pitch + (a.toes - a.pitch) * (1 - s) ** 3 };
}

/** The ankle's place under a hip that is `high` above the ground, and how high the hip may be for it. */
const most = (foot: FootPlace, hipX: number): number => foot.z + Math.sqrt(Math.max((2 * HALF_LEG * 0.995) ** 2 - (foot.x - hipX) ** 2, 0.01));

/** How high the hips are, going up and down twice in a cycle, as high as both legs reach: mean and swing. */
function bob(cycle: number, running: boolean): { mean: number; swing: number; top: number } {
  const top = running ? 0.18 + 0.25 : 0.3; // where in the cycle they are highest
  const stance = running ? RUN_STANCE : STANCE;
  let best = { mean: 0, swing: 0, top };
  for (let swing = running ? 0.018 : 0.002; swing <= (running ? 0.019 : 0.03); swing += 0.002) {
    let mean = JOINTS[Bone.ThighLeft][2] - (running ? 0.022 : 0.004);
    for (let i = 0; i < 64; ++i) {
      const u = i / 64;
      const at = u % 1;
      if (at < stance) mean = Math.min(mean, most(footPlace(cycle, running, at), 0) - swing * Math.cos(2 * TURN * (u - top)));
    }
    if (mean > best.mean + 1e-4) best = { mean, swing, top };
  }
  return best;
}

/** As far as the leg reaches: a foot in the air that would be farther comes nearer. */
function within(hip: Vec, foot: Vec): Vec {
  const way: Vec = [foot[0] - hip[0], foot[1] - hip[1], foot[2] - hip[2]];
  const share = Math.min(1, (2 * HALF_LEG * 0.9995) / Math.hypot(...way));
  return [hip[0] + way[0] * share, hip[1] + way[1] * share, hip[2] + way[2] * share];
}

/** Bones from the hips down: feet where they are told to be. */
function legs(out: Matrix[], hips: Matrix, feet: { place: Vec; pitch: number; toes: number; yaw?: number }[]): void {
  feet.forEach((foot, i) => {
    const [thigh, shin, sole, toes] = i === 0 ? [Bone.ThighLeft, Bone.ShinLeft, Bone.FootLeft, Bone.ToesLeft] : [Bone.ThighRight, Bone.ShinRight, Bone.FootRight, Bone.ToesRight];
    const hip = apply(hips, JOINTS[thigh]);
    const place = within(hip, foot.place);
    const knee = middleJoint(hip, place, HALF_LEG, HALF_LEG, [1, 0, 0]);
    out[thigh] = about(hinged(hip, knee), JOINTS[thigh], hip);
    out[shin] = about(hinged(knee, place), JOINTS[shin], knee);
    out[sole] = about(turned(foot.pitch, foot.yaw ?? 0, 0), JOINTS[sole], place);
    out[toes] = about(turned(foot.toes, foot.yaw ?? 0, 0), JOINTS[toes], apply(out[sole], JOINTS[toes]));
  });
}

/** An arm by its angles: forward swing, away from the body, and the elbow's bend. */
function arm(out: Matrix[], chest: Matrix, left: boolean, swing: number, away: number, bend: number): void {
  const [upper, lower, hand] = left ? [Bone.UpperArmLeft, Bone.LowerArmLeft, Bone.HandLeft] : [Bone.UpperArmRight, Bone.LowerArmRight, Bone.HandRight];
  const side = left ? 1 : -1;
  out[upper] = multiply(chest, about(multiply(turned(0, 0, side * away), turned(swing, 0, 0)), JOINTS[upper], JOINTS[upper]));
  out[lower] = multiply(out[upper], about(turned(bend, 0, -side * bend * 0.18), JOINTS[lower], JOINTS[lower]));
  out[hand] = multiply(out[lower], about(turned(0.1, 0, -side * 0.1), JOINTS[hand], JOINTS[hand]));
}

/** An arm whose hand is at a place beside the chest at rest. */
function reach(out: Matrix[], chest: Matrix, left: boolean, at: Vec, elbow: Vec = [-0.5, left ? 0.7 : -0.7, -0.7]): void {
  const [upper, lower, hand] = left ? [Bone.UpperArmLeft, Bone.LowerArmLeft, Bone.HandLeft] : [Bone.UpperArmRight, Bone.LowerArmRight, Bone.HandRight];
  const shoulder = JOINTS[upper];
  const middle = middleJoint(shoulder, at, UPPER_ARM, LOWER_ARM, elbow);
  const way: Vec = [at[0] - middle[0], at[1] - middle[1], at[2] - middle[2]];
  const l = LOWER_ARM / (Math.hypot(...way) || 1);
  const wrist: Vec = [middle[0] + way[0] * l, middle[1] + way[1] * l, middle[2] + way[2] * l];
  const front: Vec = [0.7, 0, 0.72];
  out[upper] = multiply(chest, about(pointed(shoulder, middle, front), JOINTS[upper], shoulder));
  out[lower] = multiply(chest, about(pointed(middle, wrist, front), JOINTS[lower], middle));
  out[hand] = multiply(out[lower], about(turned(0.1, 0, 0), JOINTS[hand], JOINTS[hand]));
}

/** A moment of walking or running with steps of a length. */
export function strideAt(cycle: number, running: boolean, u: number): Matrix[] {
  const out: Matrix[] = [];
  const k = effortOf(cycle);
  const round = (v: number): number => v - Math.floor(v);
  const { mean, swing, top } = bobs(cycle, running);
  const beat = TURN * u;
  const height = mean + swing * Math.cos(2 * (beat - TURN * top));
  const lift = height - JOINTS[Bone.ThighLeft][2];
  const sway = (running ? 0.004 : 0.011) * Math.min(k * 1.5, 1) * Math.cos(TURN * (u - (running ? RUN_STANCE : STANCE) / 2));
  const yaw = -0.11 * k * Math.cos(beat);
  const roll = -0.028 * k * Math.cos(TURN * (u - 0.2));
  const lean = running ? -0.14 : -0.015 - 0.035 * k;
  const hips = about(turned(lean * 0.4, yaw, roll), [0, 0, 0.53], [0, sway, 0.53 + lift]);
  out[Bone.Hips] = hips;
  const chest = about(turned(lean, 0.09 * k * Math.cos(beat), -roll * 0.7), JOINTS[Bone.Chest], apply(hips, JOINTS[Bone.Chest]));
  out[Bone.Chest] = chest;
  out[Bone.Head] = about(turned(lean * 0.35, 0.02 * k * Math.cos(beat), 0), JOINTS[Bone.Head], apply(chest, JOINTS[Bone.Head]));
  const narrow = HIP_SIDE * (1 - 0.42 * Math.min(1, cycle / 0.8));
  legs(
    out,
    hips,
    [0, 0.5].map((shift, i) => {
      const foot = footPlace(cycle, running, round(u + shift));
      return { place: [foot.x, i === 0 ? narrow : -narrow, foot.z] as Vec, pitch: foot.pitch, toes: foot.toes, yaw: (i === 0 ? 1 : -1) * 0.09 };
    }),
  );
  for (const left of [true, false]) {
    const back = left ? Math.cos(beat - 0.25) : -Math.cos(beat - 0.25); // 1: this side's foot is in front, its arm behind
    if (running) arm(out, chest, left, -0.6 * back - 0.12, 0.14, 1.5 - 0.25 * back);
    else arm(out, chest, left, -0.4 * k * back + 0.03, 0.11, 0.16 + 0.14 * k + 0.2 * k * (0.5 - 0.5 * back) + Math.max(0, k - 1) * 0.9);
  }
  return out;
}
const bobsMade = new Map<string, ReturnType<typeof bob>>();
function bobs(cycle: number, running: boolean): ReturnType<typeof bob> {
  const key = `${cycle} ${running}`;
  let found = bobsMade.get(key);
  if (!found) bobsMade.set(key, (found = bob(cycle, running)));
  return found;
}

/** Feet side by side, the weight shifting, and what the rest does on top of that. */
function standing(sway: number, turn: number, headYaw: number, headPitch: number, wide = 1): { out: Matrix[]; chest: Matrix } {
  const out: Matrix[] = [];
  const hips = about(turned(0.01, turn * 0.3, sway * 1.6), [0, 0, 0.53], [-0.004, sway, 0.527 - Math.abs(sway) * 0.12]);
  const chest = about(turned(0.005, turn, -sway * 1.2), JOINTS[Bone.Chest], apply(hips, JOINTS[Bone.Chest]));
  out[Bone.Hips] = hips;
  out[Bone.Chest] = chest;
  out[Bone.Head] = about(turned(headPitch, headYaw, 0), JOINTS[Bone.Head], apply(chest, JOINTS[Bone.Head]));
  legs(out, hips, [
    { place: [0.012, HIP_SIDE * 0.95 * wide, ANKLE], pitch: 0, toes: 0, yaw: 0.16 },
    { place: [-0.008, -HIP_SIDE * 0.95 * wide, ANKLE], pitch: 0, toes: 0, yaw: -0.2 },
  ]);
  return { out, chest };
}

function sitting(u: number): Matrix[] {
  const out: Matrix[] = [];
  const breath = 0.01 * wave(u, 2);
  const hips = about(turned(0.12, 0, 0), [0, 0, 0.53], [-0.12, 0, 0.3]);
  const chest = about(turned(0.04 + breath, 0.06 * wave(u, 1), 0), JOINTS[Bone.Chest], apply(hips, JOINTS[Bone.Chest]));
  out[Bone.Hips] = hips;
  out[Bone.Chest] = chest;
  out[Bone.Head] = about(turned(-0.05 + 0.05 * wave(u, 1, 0.2), 0.3 * wave(u, 1), 0), JOINTS[Bone.Head], apply(chest, JOINTS[Bone.Head]));
  legs(out, hips, [
    { place: [0.13, HIP_SIDE * 1.1, ANKLE], pitch: 0, toes: 0, yaw: 0.1 },
    { place: [0.09, -HIP_SIDE * 1.1, ANKLE], pitch: 0, toes: 0, yaw: -0.1 },
  ]);
  reach(out, chest, true, [0.16, 0.07, 0.59]);
  reach(out, chest, false, [0.15, -0.07, 0.59]);
  return out;
}

function idleAt(clip: Clip, u: number): Matrix[] {
  const breath = 0.006 * wave(u, 2);
  switch (clip) {
    case Clip.Wait: {
      // The weight goes from one leg to the other; a hand in the pocket, a look at the clock on the wall.
      const { out, chest } = standing(0.018 * Math.tanh(3 * wave(u, 1)), 0.08 * wave(u, 1, 0.1), 0.45 * Math.tanh(2 * wave(u, 1, 0.3)), breath);
      arm(out, chest, true, 0.05 + breath, 0.1, 0.22);
      reach(out, chest, false, [0.055, -0.105, 0.56], [-0.8, -0.6, -0.2]);
      return out;
    }
    case Clip.Talk: {
      const { out, chest } = standing(0.01 * wave(u, 1), 0.1 * wave(u, 1, 0.4), 0.1 * wave(u, 1), 0.07 * wave(u, 3) - 0.02);
      const lively = 0.5 + 0.5 * wave(u, 1, 0.1);
      reach(out, chest, false, [0.17 + 0.03 * wave(u, 3), -0.09 - 0.035 * wave(u, 2), 0.63 + 0.07 * lively + 0.025 * wave(u, 4)]);
      reach(out, chest, true, [0.12 + 0.02 * wave(u, 2), 0.1 + 0.02 * wave(u, 3), 0.58 + 0.05 * (1 - lively)]);
      return out;
    }
    case Clip.Look: {
      const gaze = Math.tanh(3 * wave(u, 1));
      const { out, chest } = standing(0.012 * wave(u, 1, 0.25), 0.25 * gaze, 0.85 * gaze, 0.06 + breath);
      arm(out, chest, true, 0.02, 0.1, 0.2);
      arm(out, chest, false, 0.04, 0.1, 0.25);
      return out;
    }
    case Clip.Sit:
      return sitting(u);
    case Clip.Queue: {
      const { out, chest } = standing(0.016 * wave(u, 1), 0.05 * wave(u, 1, 0.3), 0.18 * wave(u, 1, 0.5), -0.06 + breath, 0.9);
      reach(out, chest, true, [0.11, 0.015, 0.575 + breath]);
      reach(out, chest, false, [0.12, -0.012, 0.565 + breath]);
      return out;
    }
    default: {
      const { out, chest } = standing(0.008 * wave(u, 1), 0.03 * wave(u, 1), 0.12 * wave(u, 1, 0.2), breath);
      arm(out, chest, true, 0.02 + breath, 0.09, 0.18);
      arm(out, chest, false, 0.03 + breath, 0.09, 0.2);
      return out;
    }
  }
}

/** Arms that carry: as they are to a chest at rest. */
function carrying(clip: Clip, u: number): Matrix[] {
  const out: Matrix[] = Array.from({ length: BONES }, () => IDENTITY);
  if (clip === Clip.Push) {
    reach(out, IDENTITY, true, [0.2, 0.095, 0.59], [-0.6, 0.5, -0.6]);
    reach(out, IDENTITY, false, [0.2, -0.095, 0.59], [-0.6, -0.5, -0.6]);
  } else if (clip === Clip.Umbrella) {
    arm(out, IDENTITY, true, 0.25 * wave(u, 1), 0.1, 0.25);
    reach(out, IDENTITY, false, [0.13, -0.07, 0.74], [-0.3, -0.7, -0.8]);
  } else {
    arm(out, IDENTITY, true, 0.25 * wave(u, 1), 0.1, 0.25);
    reach(out, IDENTITY, false, [0.15, -0.045, 0.73], [-0.2, -0.6, -0.9]);
  }
  return out;
}

/** The bones at a moment (0 … 1) of a clip. */
export function pose(clip: number, u: number): Matrix[] {
  if (clip < CYCLES.length) return strideAt(CYCLES[clip], clip >= FIRST_RUN, u);
  return clip >= Clip.Push ? carrying(clip, u) : idleAt(clip, u);
}

export interface Baked {
  width: number;
  height: number;
  /** Half floats, four to a texel. */
  data: Uint16Array;
}

export function bake(): Baked {
  const width = BONES * 3;
  const height = CLIPS * ROWS;
  const data = new Uint16Array(width * height * 4);
  for (let clip = 0; clip < CLIPS; ++clip)
    for (let moment = 0; moment < ROWS; ++moment) {
      const bones = pose(clip, (moment % MOMENTS) / MOMENTS);
      for (let bone = 0; bone < BONES; ++bone)
        for (let n = 0; n < 12; ++n) data[((clip * ROWS + moment) * width + bone * 3) * 4 + n] = DataUtils.toHalfFloat(bones[bone][n]);
    }
  return { width, height, data };
}

/** Row of the texture, with a fraction, for a moment of a clip. */
export const rowOf = (clip: number, u: number): number => clip * ROWS + (u - Math.floor(u)) * MOMENTS;

/** A bone as the graphics card reads it: between two rows, and between two clips by weight. For tests and measuring. */
export function boneOf(baked: Baked, bone: number, clipA: number, phaseA: number, clipB: number, phaseB: number, weight: number): Matrix {
  const read = (clip: number, phase: number): Matrix => {
    const row = rowOf(clip, phase);
    const k = Math.floor(row);
    const at = (r: number, n: number): number => DataUtils.fromHalfFloat(baked.data[(r * baked.width + bone * 3) * 4 + n]);
    return Array.from({ length: 12 }, (_, n) => mix(at(k, n), at(k + 1, n), row - k));
  };
  const a = read(clipA, phaseA);
  const b = read(clipB, phaseB);
  return a.map((v, n) => mix(v, b[n], weight));
}
