// What people do besides walking, as far as it can be told from where they are and how they move: a simulation says no
// more than that somebody walks or stays. A pure function of a moment, so that it is the same for everybody who looks on.

import { Clip } from './clips';

export const enum Activity {
  Walking,
  Heading,
  Staying,
}

/** Columns of a moment: everybody in view. */
export interface Moment {
  count: number;
  time: number;
  id: Uint32Array;
  x: Float64Array;
  y: Float64Array;
  z: Float64Array;
  heading: Float32Array;
  speed: Float32Array;
  state: Uint8Array;
}

export interface Findings {
  /** A clip of standing for each row, or 0: nothing but walking. */
  clip: Uint8Array;
  /** Radians to the left that the head turns. */
  gaze: Float32Array;
  /** People per m² within 2 m. */
  density: Float32Array;
}

/** Slower than this is standing, m/s. */
export const STILL_SPEED = 0.12;
const QUEUE_SPEED = 0.45;
const CELL = 2;
const TABLE = 1 << 15;

/** People by squares of the ground, for finding who is near. */
export class Near {
  private starts = new Int32Array(TABLE + 1);
  private rows = new Int32Array(0);

  constructor(
    private moment: Moment,
    among: ArrayLike<number>,
  ) {
    const n = among.length;
    const { starts } = this;
    const keys = new Int32Array(n);
    this.rows = new Int32Array(n);
    for (let i = 0; i < n; ++i) {
      const k = Near.key(Math.floor(moment.x[among[i]] / CELL), Math.floor(moment.y[among[i]] / CELL));
      keys[i] = k;
      ++starts[k + 1];
    }
    for (let k = 0; k < TABLE; ++k) starts[k + 1] += starts[k];
    const next = starts.slice();
    for (let i = 0; i < n; ++i) this.rows[next[keys[i]]++] = among[i];
  }
  private static key(x: number, y: number): number {
    return (Math.imul(x, 73856093) ^ Math.imul(y, 19349663)) & (TABLE - 1);
  }
  /** How many others are within 2 m of row i, on the same floor. */
  within2(i: number): number {
    const { x, y, z } = this.moment;
    const [ax, ay, az] = [x[i], y[i], z[i]];
    const cx = Math.floor(ax / CELL);
    const cy = Math.floor(ay / CELL);
    let n = 0;
    for (let gx = cx - 1; gx <= cx + 1; ++gx)
      for (let gy = cy - 1; gy <= cy + 1; ++gy) {
        const k = Near.key(gx, gy);
        for (let at = this.starts[k]; at < this.starts[k + 1]; ++at) {
          const j = this.rows[at];
          const dx = x[j] - ax;
          const dy = y[j] - ay;
          if (j === i || dx * dx + dy * dy >= 4 || Math.floor(x[j] / CELL) !== gx || Math.floor(y[j] / CELL) !== gy || Math.abs(z[j] - az) > 1.5) continue;
          ++n;
        }
      }
    return n;
  }
  /** Everybody else within a cell of row i, on the same floor: at most 4 m away. */
  each(i: number, visit: (j: number, dx: number, dy: number, square: number) => void): void {
    const { x, y, z } = this.moment;
    const cx = Math.floor(x[i] / CELL);
    const cy = Math.floor(y[i] / CELL);
    for (let gx = cx - 1; gx <= cx + 1; ++gx)
      for (let gy = cy - 1; gy <= cy + 1; ++gy) {
        const k = Near.key(gx, gy);
        for (let at = this.starts[k]; at < this.starts[k + 1]; ++at) {
          const j = this.rows[at];
          // The table folds far squares onto near ones.
          if (j === i || Math.floor(x[j] / CELL) !== gx || Math.floor(y[j] / CELL) !== gy || Math.abs(z[j] - z[i]) > 1.5) continue;
          const dx = x[j] - x[i];
          const dy = y[j] - y[i];
          visit(j, dx, dy, dx * dx + dy * dy);
        }
      }
  }
}

const turn = (a: number): number => a - 2 * Math.PI * Math.round(a / (2 * Math.PI));
const mixed = (n: number): number => {
  let s = (Math.imul(n >>> 0, 747796405) + 2891336453) >>> 0;
  s = Math.imul((s >>> ((s >>> 28) + 4)) ^ s, 277803737) >>> 0;
  return ((s >>> 22) ^ s) >>> 0;
};

function inside(ring: number[], x: number, y: number): boolean {
  let odd = false;
  for (let i = 0, j = ring.length - 2; i < ring.length; j = i, i += 2)
    if (ring[i + 1] > y !== ring[j + 1] > y && x < ring[i] + ((y - ring[i + 1]) / (ring[j + 1] - ring[i + 1])) * (ring[j] - ring[i])) odd = !odd;
  return odd;
}

/**
 * What the people of these rows do. Two who stand near one another and do not turn their backs talk, and look at one another;
 * who is slow behind somebody slow who looks the same way queues; who stays in a region of seats sits; others who stand
 * wait, look around or just stand. Walkers glance at those who come towards them. `among` are the rows of everybody within
 * 4 m of them, and may be more.
 */
export function find(moment: Moment, rows: ArrayLike<number>, among: ArrayLike<number>, seats: number[][], out: Findings): void {
  findSome(moment, new Near(moment, among), rows, 0, rows.length, seats, out);
}

/** How close together people stand around some others of these rows. */
export function crowding(near: Near, rows: ArrayLike<number>, begin: number, end: number, out: Findings): void {
  for (let r = begin; r < end; ++r) out.density[rows[r]] = (1 + near.within2(rows[r])) / (4 * Math.PI);
}

/** find() for the rows begin … end of these. */
export function findSome(moment: Moment, near: Near, rows: ArrayLike<number>, begin: number, end: number, seats: number[][], out: Findings): void {
  const { id, x, y, heading, speed, state } = moment;
  const still = (j: number): boolean => speed[j] < STILL_SPEED;
  for (let r = begin; r < end; ++r) {
    const i = rows[r];
    const stands = still(i);
    let [talks, queues, meets] = [-1, -1, -1];
    let [talkSquare, queueSquare, meetSquare] = [1.7 * 1.7, 1.5 * 1.5, 16];
    let around = 1;
    near.each(i, (j, dx, dy, square) => {
      if (square < 4) ++around;
      if (square > meetSquare && square > talkSquare) return;
      const to = turn(Math.atan2(dy, dx) - heading[i]);
      if (stands && still(j) && square < talkSquare && Math.abs(to) < 1.75 && Math.abs(turn(Math.atan2(-dy, -dx) - heading[j])) < 1.75) {
        talks = j;
        talkSquare = square;
      }
      if (speed[i] < QUEUE_SPEED && speed[j] < QUEUE_SPEED && square < queueSquare && Math.abs(to) < 0.8 && Math.abs(turn(heading[i] - heading[j])) < 1) {
        queues = j;
        queueSquare = square;
      }
      if (square < meetSquare && Math.abs(to) < 1.1 && Math.abs(turn(heading[i] - heading[j])) > 1.6) {
        meets = j;
        meetSquare = square;
      }
    });
    out.density[i] = around / (4 * Math.PI);
    let clip = 0;
    let gaze = 0;
    const stays = (state[i] & 3) === Activity.Staying;
    const own = mixed(id[i]);
    if (stays && stands && seats.some((ring) => inside(ring, x[i], y[i]))) clip = Clip.Sit;
    else if (queues >= 0 && !stays && stands) clip = Clip.Queue;
    else if (talks >= 0 && stands) {
      clip = Clip.Talk;
      gaze = turn(Math.atan2(y[talks] - y[i], x[talks] - x[i]) - heading[i]);
    } else if (stands) clip = stays ? [Clip.Stand, Clip.Wait, Clip.Look, Clip.Wait][own & 3] : own & 1 ? Clip.Wait : Clip.Look;
    // A glance takes two seconds, and not everybody is curious.
    else if (meets >= 0 && (mixed(own + Math.floor(moment.time / 2 + (own & 255) / 255)) & 3) < 2)
      gaze = turn(Math.atan2(y[meets] - y[i], x[meets] - x[i]) - heading[i]);
    out.clip[i] = clip;
    out.gaze[i] = Math.max(-1.25, Math.min(1.25, gaze));
  }
}
