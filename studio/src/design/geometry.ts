// Shapes as the scene file writes them (well-known text, GeoJSON, lists of points), and what one does to them by hand.

export type Point = [number, number];
export type Geometry =
  | { type: 'polygon'; rings: Point[][] } // not closed; the first is the outer one
  | { type: 'line'; points: Point[] }
  | { type: 'point'; at: Point };

/** Millimetres are fine enough for a hand, and read well in a file. */
export const millimetres = (value: number): number => Math.round(value * 1000) / 1000 || 0;
/** Points as a file has them: who is moved is rounded, the others stay what they are. */
const written = new WeakSet<Point>();
export function asWritten(p: Point): Point {
  written.add(p);
  return p;
}
const rounded = (p: Point): Point => (written.has(p) ? p : [millimetres(p[0]), millimetres(p[1])]);

export function points(geometry: Geometry): Point[] {
  return geometry.type === 'polygon' ? geometry.rings.flat() : geometry.type === 'line' ? geometry.points : [geometry.at];
}

export function mapPoints(geometry: Geometry, move: (p: Point) => Point): Geometry {
  if (geometry.type === 'polygon') return { type: 'polygon', rings: geometry.rings.map((ring) => ring.map(move)) };
  if (geometry.type === 'line') return { type: 'line', points: geometry.points.map(move) };
  return { type: 'point', at: move(geometry.at) };
}

const open = (ring: Point[]): Point[] => {
  const last = ring[ring.length - 1];
  return ring.length > 1 && ring[0][0] === last[0] && ring[0][1] === last[1] ? ring.slice(0, -1) : ring;
};

/** A part of a piece of well-known text, and where in that its brackets stand. */
export interface WktPart {
  geometry: Geometry;
  from: number;
  to: number;
}

/** The parts of a piece of well-known text; null for what is not understood here. */
export function parseWkt(text: string): Geometry[] | null {
  return wktParts(text)?.map((part) => part.geometry) ?? null;
}
export function wktParts(text: string): WktPart[] | null {
  const found = [...text.matchAll(/[A-Za-z]+|[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?|[(),]/g)];
  const tokens = found.map((token) => token[0]);
  let i = 0;
  const eat = (token: string): boolean => (tokens[i] === token ? (i++, true) : false);
  const place = (): Point => {
    const numbers: number[] = [];
    while (i < tokens.length && /^[-+.\d]/.test(tokens[i])) numbers.push(Number(tokens[i++]));
    if (numbers.length < 2) throw new Error('two numbers');
    return asWritten([numbers[0], numbers[1]]);
  };
  const part = (one: () => Geometry): WktPart => {
    const from = found[i]?.index ?? 0;
    const geometry = one();
    const last = found[i - 1];
    return { geometry, from, to: last.index + last[0].length };
  };
  const list = <T>(one: () => T): T[] => {
    if (!eat('(')) throw new Error('(');
    const found = [one()];
    while (eat(',')) found.push(one());
    if (!eat(')')) throw new Error(')');
    return found;
  };
  const ring = (): Point[] => list(place);
  const polygon = (): Geometry => ({ type: 'polygon', rings: list(ring).map(open) });
  const line = (): Geometry => ({ type: 'line', points: ring() });
  const geometry = (): WktPart[] => {
    let name = (tokens[i++] ?? '').toUpperCase();
    if (tokens[i]?.toUpperCase() === 'Z') ++i;
    if (name.endsWith('Z') && name.length > 5) name = name.slice(0, -1);
    switch (name) {
      case 'POINT':
        return [part(() => ({ type: 'point', at: ring()[0] }))];
      case 'LINESTRING':
        return [part(line)];
      case 'POLYGON':
        return [part(polygon)];
      case 'MULTILINESTRING':
        return list(() => part(line));
      case 'MULTIPOLYGON':
        return list(() => part(polygon));
      case 'GEOMETRYCOLLECTION':
        return list(geometry).flat();
      default:
        throw new Error(name);
    }
  };
  try {
    const parts = geometry();
    return i === tokens.length ? parts : null;
  } catch {
    return null;
  }
}

const pair = (p: Point): string => rounded(p).join(' ');
const closed = (ring: Point[]): string => `(${[...ring, ring[0]].map(pair).join(', ')})`;

export function wkt(geometry: Geometry): string {
  if (geometry.type === 'point') return `POINT (${pair(geometry.at)})`;
  if (geometry.type === 'line') return `LINESTRING (${geometry.points.map(pair).join(', ')})`;
  return `POLYGON (${geometry.rings.map(closed).join(', ')})`;
}

/** A text with another shape in place of one of its parts, and everything else as it was written. */
export function withPart(text: string, { from, to, geometry: before }: WktPart, geometry: Geometry): string | null {
  const flat = !/[A-Za-z]\s*Z\s*\(|[A-Za-z]Z\s*\(/i.test(text); // heights are left out, and then the word for them, too
  if (!flat || before.type !== geometry.type) return null;
  return text.slice(0, from) + wkt(geometry).replace(/^[A-Z]+ /, '') + text.slice(to);
}

/** Several parts as one text, of one kind where they are. */
export function wktOf(parts: Geometry[]): string {
  if (parts.length === 1) return wkt(parts[0]);
  if (parts.every((p) => p.type === 'polygon')) return `MULTIPOLYGON (${parts.map((p) => wkt(p).slice(8)).join(', ')})`;
  if (parts.every((p) => p.type === 'line')) return `MULTILINESTRING (${parts.map((p) => wkt(p).slice(11)).join(', ')})`;
  return `GEOMETRYCOLLECTION (${parts.map(wkt).join(', ')})`;
}

type Coordinates = number[] | Coordinates[];
/** GeoJSON coordinates of a polygon or a line. */
export function coordinates(geometry: Geometry): Coordinates {
  if (geometry.type === 'point') return rounded(geometry.at);
  if (geometry.type === 'line') return geometry.points.map(rounded);
  return geometry.rings.map((ring) => [...ring, ring[0]].map(rounded));
}

// By hand

export function distance(a: Point, b: Point): number {
  return Math.hypot(a[0] - b[0], a[1] - b[1]);
}

export function distanceToSegment(p: Point, a: Point, b: Point): number {
  const dx = b[0] - a[0];
  const dy = b[1] - a[1];
  const length = dx * dx + dy * dy;
  const t = length > 0 ? Math.max(0, Math.min(1, ((p[0] - a[0]) * dx + (p[1] - a[1]) * dy) / length)) : 0;
  return distance(p, [a[0] + t * dx, a[1] + t * dy]);
}

function inRing(p: Point, ring: Point[]): boolean {
  let inside = false;
  for (let i = 0, j = ring.length - 1; i < ring.length; j = i++) {
    const [ax, ay] = ring[i];
    const [bx, by] = ring[j];
    if (ay > p[1] !== by > p[1] && p[0] < ((bx - ax) * (p[1] - ay)) / (by - ay) + ax) inside = !inside;
  }
  return inside;
}

/** m from a place; 0 inside of an area. */
export function distanceTo(p: Point, geometry: Geometry): number {
  if (geometry.type === 'point') return distance(p, geometry.at);
  if (geometry.type === 'line') {
    let least = Infinity;
    for (let i = 1; i < geometry.points.length; ++i) least = Math.min(least, distanceToSegment(p, geometry.points[i - 1], geometry.points[i]));
    return least;
  }
  if (inRing(p, geometry.rings[0]) && !geometry.rings.slice(1).some((hole) => inRing(p, hole))) return 0;
  return distanceToBorder(p, geometry);
}

export function distanceToBorder(p: Point, geometry: Geometry): number {
  if (geometry.type !== 'polygon') return distanceTo(p, geometry);
  let least = Infinity;
  for (const ring of geometry.rings) ring.forEach((a, i) => (least = Math.min(least, distanceToSegment(p, a, ring[(i + 1) % ring.length]))));
  return least;
}

export function boundsOf(list: Point[]): { min: Point; max: Point } {
  const xs = list.map((p) => p[0]);
  const ys = list.map((p) => p[1]);
  return { min: [Math.min(...xs), Math.min(...ys)], max: [Math.max(...xs), Math.max(...ys)] };
}

export function middleOf(geometry: Geometry): Point {
  const { min, max } = boundsOf(points(geometry));
  return [(min[0] + max[0]) / 2, (min[1] + max[1]) / 2];
}

export function areaOf(ring: Point[]): number {
  let sum = 0;
  ring.forEach(([ax, ay], i) => {
    const [bx, by] = ring[(i + 1) % ring.length];
    sum += ax * by - ay * bx;
  });
  return sum / 2;
}

export function rectangle(a: Point, b: Point): Geometry {
  const { min, max } = boundsOf([a, b]);
  return { type: 'polygon', rings: [[min, [max[0], min[1]], max, [min[0], max[1]]]] };
}

export function turned(geometry: Geometry, around: Point, angle: number): Geometry {
  const c = Math.cos(angle);
  const s = Math.sin(angle);
  return mapPoints(geometry, ([x, y]) => [around[0] + c * (x - around[0]) - s * (y - around[1]), around[1] + s * (x - around[0]) + c * (y - around[1])]);
}

export function scaled(geometry: Geometry, around: Point, fx: number, fy: number): Geometry {
  return mapPoints(geometry, ([x, y]) => [around[0] + fx * (x - around[0]), around[1] + fy * (y - around[1])]);
}

export function moved(geometry: Geometry, by: Point): Geometry {
  return mapPoints(geometry, ([x, y]) => [x + by[0], y + by[1]]);
}

export function isConvex(ring: Point[]): boolean {
  let sign = 0;
  for (let i = 0; i < ring.length; ++i) {
    const [a, b, c] = [ring[i], ring[(i + 1) % ring.length], ring[(i + 2) % ring.length]];
    const turn = (b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0]);
    if (Math.abs(turn) < 1e-9) continue;
    if (sign !== 0 && Math.sign(turn) !== sign) return false;
    sign = Math.sign(turn);
  }
  return sign !== 0;
}

/** A corner near the place, else the grid's next point. */
export function snapped(p: Point, corners: Point[], reach: number, grid: number): Point {
  let best: Point | null = null;
  let least = reach;
  for (const corner of corners) {
    const d = distance(p, corner);
    if (d < least) [best, least] = [corner, d];
  }
  return best ?? [millimetres(Math.round(p[0] / grid) * grid), millimetres(Math.round(p[1] / grid) * grid)];
}
