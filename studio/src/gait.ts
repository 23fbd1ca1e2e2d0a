// How people walk. Phase goes on with the way walked, not with time, so that a foot on the ground stays where it is.

/** Share of a cycle (two steps) that a foot is on the ground. */
export const STANCE = 0.6;
/** Leg, from hip to ankle, and the ankle's height: shares of the body's height. */
export const LEG = 0.48;
export const ANKLE = 0.045;

/**
 * m of way in a cycle of two steps: step length grows with speed to the power 0.58, 0.41 body heights at 1.34 m/s. Slow
 * shuffling keeps a least step, so that nobody's feet whirr.
 */
export function cycleLength(speed: number, height: number): number {
  return 2 * Math.max(0.1, 0.41 * height * (Math.max(speed, 0) / 1.34) ** 0.58);
}

/**
 * Where a foot is before (positive) or behind the hip, m, and how high it is lifted (0 … 1), for a phase in cycles. On the
 * ground it goes back as the body goes on; people.ts has the same in its shader.
 */
export function footAt(phase: number, cycle: number): { along: number; lift: number } {
  const u = phase - Math.floor(phase);
  const reach = STANCE * cycle; // the way of the body while the foot stands
  if (u < STANCE) return { along: reach * (0.5 - u / STANCE), lift: 0 };
  const s = (u - STANCE) / (1 - STANCE);
  const swing = s * s * (3 - 2 * s);
  return { along: reach * (swing - 0.5), lift: Math.sin(Math.PI * s) };
}
