// How people walk and run. Phase goes on with the way walked, not with time, so that a foot on the ground stays where it
// is. Lengths with "share" in their comment are shares of the body's height.

/** Share of a cycle (two steps) that a foot is on the ground. */
export const STANCE = 0.6;
export const RUN_STANCE = 0.36;

/** Cycles that clips are baked for, shares: those of walking from shuffling to hurrying, then those of running. */
export const WALKS = [0.1, 0.25, 0.42, 0.6, 0.78, 0.95, 1.15];
export const RUNS = [0.7, 1.0, 1.35, 1.75];
export const CYCLES = [...WALKS, ...RUNS];
export const FIRST_RUN = WALKS.length;

/** m of way in a cycle of walking: step length grows with speed to the power 0.58, 0.41 body heights at 1.34 m/s. */
export function cycleLength(speed: number, height: number): number {
  return Math.max(WALKS[0] * height, 2 * 0.41 * height * (Math.max(speed, 0) / 1.34) ** 0.58);
}

/** m of way in a cycle of running: 2.75 steps a second, quicker for shorter legs. */
export function runLength(speed: number, height: number): number {
  return (2 * speed) / (2.75 * Math.sqrt(1.75 / height));
}

/** People run where v² / (g · leg) passes a half (Alexander 1989); who does already goes on a little below. */
export function runs(speed: number, height: number, already: boolean): boolean {
  return (speed * speed) / (9.81 * 0.525 * height) > (already ? 0.45 : 0.55);
}

function placeIn(list: number[], value: number): number {
  let k = 0;
  while (k < list.length - 2 && value > list[k + 1]) ++k;
  return k + Math.max(0, Math.min(1, (value - list[k]) / (list[k + 1] - list[k])));
}

/** Place among CYCLES for a speed: the whole part and the one after it are the clips to mix, the rest is the weight. */
export function gaitFor(speed: number, height: number, running: boolean): number {
  return running ? FIRST_RUN + placeIn(RUNS, runLength(speed, height) / height) : placeIn(WALKS, cycleLength(speed, height) / height);
}

/** m of way in a cycle at a place among CYCLES. */
export function cycleAt(gait: number, height: number): number {
  const k = Math.min(Math.floor(gait), CYCLES.length - 2);
  return height * (CYCLES[k] + (CYCLES[k + 1] - CYCLES[k]) * (gait - k));
}
