// Which of the three representations somebody gets: by how large they are on the screen, the nearest first where there are
// more than can be drawn finely. Typed arrays and two passes, so that a hundred thousand take a millisecond.

/** Screen heights (px of the picture) from which on somebody is a skinned figure, and a rigid one. */
export const FINE = 110;
export const PLAIN = 34;
/** At most so many of each; everybody else is an impostor. */
export const MOST_FINE = 220;
export const MOST_PLAIN = 1300;

const BINS = 256;
const bins = new Int32Array(BINS);
let close = new Uint32Array(4096);
let closeBins = new Uint8Array(4096);

export interface Choice {
  /** How many of each representation. */
  counts: [number, number, number];
  slots: [Uint32Array, Uint32Array, Uint32Array];
}

export interface Viewer {
  x: number;
  y: number;
  z: number;
  /** Where the camera looks; people behind it need no figure. */
  forward: [number, number, number];
  /** px that a metre takes at a metre's distance. */
  scale: number;
}

export function makeChoice(capacity: number): Choice {
  return { counts: [0, 0, 0], slots: [new Uint32Array(MOST_FINE), new Uint32Array(MOST_PLAIN), new Uint32Array(capacity)] };
}

/** 1 / height², by which distances are weighed; it differs by a tenth from one to the next, so that no ring of people changes at once. */
export function weightOf(height: number, slot: number): number {
  return 1 / (height * (1 + 0.1 * (((slot * 0.618034) % 1) * 2 - 1))) ** 2;
}

/**
 * Sorts `count` people into their representations. `place` holds x, y and z of slot s from s · stride + offset on, relative
 * to the same origin as the viewer; `weight` is weightOf() by slot.
 */
export function choose(out: Choice, slots: Uint32Array, count: number, place: Float32Array, stride: number, offset: number, weight: Float32Array, viewer: Viewer): void {
  const { x, y, z, scale } = viewer;
  const [fx, fy, fz] = viewer.forward;
  // The square of the distance over that of the height grows as people get smaller.
  const far = (scale / PLAIN) ** 2;
  const [first, second, third] = out.slots;
  let n = 0;
  let c = 0;
  bins.fill(0);
  for (let i = 0; i < count; ++i) {
    const s = slots[i];
    const at = s * stride + offset;
    const dx = place[at] - x;
    const dy = place[at + 1] - y;
    const dz = place[at + 2] + 0.9 - z;
    const d = (dx * dx + dy * dy + dz * dz) * weight[s];
    if (d >= far || dx * fx + dy * fy + dz * fz < -2.5) {
      third[c++] = s;
      continue;
    }
    if (n === close.length) {
      const [more, moreBins] = [new Uint32Array(n * 2), new Uint8Array(n * 2)];
      more.set(close);
      moreBins.set(closeBins);
      [close, closeBins] = [more, moreBins];
    }
    const bin = (BINS * Math.sqrt(d / far)) | 0;
    ++bins[bin];
    close[n] = s;
    closeBins[n++] = bin;
  }
  // Whole bins, as many as fit, the nearest first.
  const fineBins = Math.floor((BINS * PLAIN) / FINE);
  let sum = 0;
  let fine = 0;
  while (fine < fineBins && sum + bins[fine] <= MOST_FINE) sum += bins[fine++];
  let plain = fine;
  for (sum = 0; plain < BINS && sum + bins[plain] <= MOST_PLAIN; ++plain) sum += bins[plain];
  let a = 0;
  let b = 0;
  for (let i = 0; i < n; ++i) {
    const bin = closeBins[i];
    if (bin < fine) first[a++] = close[i];
    else if (bin < plain) second[b++] = close[i];
    else third[c++] = close[i];
  }
  out.counts[0] = a;
  out.counts[1] = b;
  out.counts[2] = c;
}
