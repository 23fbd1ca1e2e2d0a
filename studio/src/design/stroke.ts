// What a brush has painted: the outline of all places that are near enough to where it went.

import { areaOf, distance, distanceToSegment, millimetres, type Geometry, type Point } from './geometry';

/** Cells in a brush's radius. */
const FINE = 3;
/** Cells that are kept, at most. */
const MOST = 60_000;

const key = (i: number, k: number): number => (i + 0x100000) * 0x200000 + (k + 0x100000);

export class Stroke {
  private field = new Map<number, number>(); // m: how far corners of the grid are from where the brush went, less its radius
  private last: Point | null = null;
  private origin: Point = [0, 0]; // of the grid: near the stroke, wherever in the world that is

  /** m */
  constructor(readonly radius: number) {}

  private get cell(): number {
    return this.radius / FINE;
  }

  /** The brush is put down somewhere else. */
  lift(): void {
    this.last = null;
  }

  /** The brush goes there in a straight line; false when there is no more paint. */
  to(there: Point): boolean {
    if (this.field.size === 0) this.origin = there;
    const p: Point = [there[0] - this.origin[0], there[1] - this.origin[1]];
    return this.draw(p);
  }
  private draw(p: Point): boolean {
    const from = this.last ?? p;
    const { cell, radius } = this;
    const reach = radius + 2 * cell;
    const range = (k: 0 | 1): [number, number] => [Math.floor((Math.min(from[k], p[k]) - reach) / cell), Math.ceil((Math.max(from[k], p[k]) + reach) / cell)];
    const [x, y] = [range(0), range(1)];
    // A long slanted line in pieces, so that not all of its box is looked at.
    if ((x[1] - x[0]) * (y[1] - y[0]) > 4000 && distance(from, p) > 4 * radius) {
      const middle: Point = [(from[0] + p[0]) / 2, (from[1] + p[1]) / 2];
      return this.draw(middle) && this.draw(p);
    }
    if (this.field.size > MOST) return false;
    for (let i = x[0]; i <= x[1]; ++i)
      for (let k = y[0]; k <= y[1]; ++k) {
        const away = distanceToSegment([i * cell, k * cell], from, p) - radius;
        if (away > 2 * cell) continue;
        const at = key(i, k);
        const before = this.field.get(at);
        if (before === undefined || away < before) this.field.set(at, away);
      }
    this.last = p;
    return true;
  }

  /** Is a place painted? */
  has(p: Point): boolean {
    return this.parts().some(({ rings }) => rings.filter((ring) => inside(p, ring)).length % 2 === 1);
  }

  /** Polygons, with the holes that were left out. */
  parts(): { type: 'polygon'; rings: Point[][] }[] {
    const rings = this.rings().map((ring) => simplified(ring, this.radius * 0.03).map(([x, y]): Point => [millimetres(x + this.origin[0]), millimetres(y + this.origin[1])]));
    const large = rings.filter((ring) => ring.length > 2 && Math.abs(areaOf(ring)) > 0.05 * this.radius * this.radius);
    const depth = large.map((ring, i) => large.filter((other, k) => k !== i && inside(ring[0], other)).length);
    return large.flatMap((ring, i) => {
      if (depth[i] % 2 === 1) return [];
      const holes = large.filter((hole, k) => depth[k] === depth[i] + 1 && inside(hole[0], ring));
      return [{ type: 'polygon' as const, rings: [ring, ...holes] }];
    });
  }
  get geometries(): Geometry[] {
    return this.parts();
  }

  /** Where the field is zero, square by square, joined to rings. */
  private rings(): Point[][] {
    const { cell, field } = this;
    const next = new Map<string, { to: string; at: Point }>();
    const value = (i: number, k: number): number => field.get(key(i, k)) ?? 2 * cell;
    const squares = new Set<number>();
    for (const at of field.keys()) {
      const [i, k] = [Math.floor(at / 0x200000) - 0x100000, (at % 0x200000) - 0x100000];
      for (const [di, dk] of [[0, 0], [-1, 0], [0, -1], [-1, -1]]) squares.add(key(i + di, k + dk));
    }
    for (const at of squares) {
      const [i, k] = [Math.floor(at / 0x200000) - 0x100000, (at % 0x200000) - 0x100000];
      const corners: [number, number][] = [[i, k], [i + 1, k], [i + 1, k + 1], [i, k + 1]];
      const values = corners.map(([a, b]) => value(a, b));
      // Sides on which one comes out of what is painted, and on which one goes in, counter-clockwise; each out goes to the next in.
      const crossings: { out: boolean; name: string; at: Point }[] = [];
      for (let side = 0; side < 4; ++side) {
        const [v, w] = [values[side], values[(side + 1) % 4]];
        if (v < 0 === w < 0) continue;
        const [a, b] = [corners[side], corners[(side + 1) % 4]];
        const t = v / (v - w);
        const low = a[0] < b[0] || a[1] < b[1] ? a : b;
        crossings.push({ out: v < 0, name: `${low[0]} ${low[1]} ${side % 2}`, at: [cell * (a[0] + t * (b[0] - a[0])), cell * (a[1] + t * (b[1] - a[1]))] });
      }
      crossings.forEach((crossing, n) => {
        if (!crossing.out) return;
        next.set(crossing.name, { to: crossings[(n + 1) % crossings.length].name, at: crossing.at });
      });
    }
    const rings: Point[][] = [];
    while (next.size > 0) {
      const ring: Point[] = [];
      let name = next.keys().next().value!;
      for (let found = next.get(name); found; found = next.get(name)) {
        ring.push(found.at);
        next.delete(name);
        name = found.to;
      }
      rings.push(ring);
    }
    return rings;
  }
}

function inside([x, y]: Point, ring: Point[]): boolean {
  let found = false;
  ring.forEach(([ax, ay], i) => {
    const [bx, by] = ring[(i + 1) % ring.length];
    if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) found = !found;
  });
  return found;
}

/** A closed ring without corners that lie almost on the line of others (Douglas and Peucker). */
function simplified(ring: Point[], most: number): Point[] {
  const chain = (list: Point[]): Point[] => {
    let far = 0;
    let least = most;
    const [a, b] = [list[0], list[list.length - 1]];
    for (let i = 1; i + 1 < list.length; ++i) {
      const away = distanceToSegment(list[i], a, b);
      if (away > least) [far, least] = [i, away];
    }
    return far === 0 ? [a, b] : [...chain(list.slice(0, far + 1)).slice(0, -1), ...chain(list.slice(far))];
  };
  if (ring.length < 4) return ring;
  let opposite = 1;
  ring.forEach((p, i) => {
    if (distance(p, ring[0]) > distance(ring[opposite], ring[0])) opposite = i;
  });
  return [...chain(ring.slice(0, opposite + 1)).slice(0, -1), ...chain([...ring.slice(opposite), ring[0]]).slice(0, -1)];
}
