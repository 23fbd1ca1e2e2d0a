// Shapes in convex pieces: what the ground of a model takes as obstacles.

import { areaOf, distance, isConvex, millimetres, type Geometry, type Point } from './geometry';

/** m: what a wall is thick where it cannot be a line. */
export const WALL = 0.1;

const cross = (a: Point, b: Point, c: Point): number => (b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0]);
const same = (a: Point, b: Point): boolean => a[0] === b[0] && a[1] === b[1];
/** m²; less is a straight line for whoever reads rounded numbers. */
const BENT = 1e-6;
const bulges = (ring: Point[]): boolean => ring.every((p, i) => cross(ring[(i + ring.length - 1) % ring.length], p, ring[(i + 1) % ring.length]) > BENT);

function crossesItself(ring: Point[]): boolean {
  const n = ring.length;
  const apart = (a: Point, b: Point, c: Point, d: Point): boolean => Math.sign(cross(a, b, c)) !== Math.sign(cross(a, b, d)) && Math.sign(cross(c, d, a)) !== Math.sign(cross(c, d, b));
  for (let i = 0; i < n; ++i)
    for (let k = i + 2; k < n; ++k) if ((k + 1) % n !== i && apart(ring[i], ring[i + 1], ring[k], ring[(k + 1) % n])) return true;
  return false;
}

/** Cut off ear by ear. */
function triangles(ring: Point[]): Point[][] {
  const left = areaOf(ring) < 0 ? [...ring].reverse() : [...ring];
  const out: Point[][] = [];
  while (left.length > 3) {
    const n = left.length;
    const ear = left.findIndex((b, i) => {
      const [a, c] = [left[(i + n - 1) % n], left[(i + 1) % n]];
      if (cross(a, b, c) <= BENT) return false;
      return left.every((p) => same(p, a) || same(p, b) || same(p, c) || cross(a, b, p) < 0 || cross(b, c, p) < 0 || cross(c, a, p) < 0);
    });
    if (ear < 0) {
      // A corner on a straight line is none.
      const flat = left.findIndex((b, i) => Math.abs(cross(left[(i + n - 1) % n], b, left[(i + 1) % n])) <= BENT);
      if (flat < 0) return [];
      left.splice(flat, 1);
      continue;
    }
    out.push([left[(ear + n - 1) % n], left[ear], left[(ear + 1) % n]]);
    left.splice(ear, 1);
  }
  if (cross(left[0], left[1], left[2]) > BENT) out.push(left);
  return out;
}

/** Both as one, where they share a side and the whole is convex. */
function joined(a: Point[], b: Point[]): Point[] | null {
  for (let i = 0; i < a.length; ++i) {
    const [p, q] = [a[i], a[(i + 1) % a.length]];
    const k = b.findIndex((r, at) => same(r, q) && same(b[(at + 1) % b.length], p));
    if (k < 0) continue;
    // From q round to p, and on along the other back to q.
    const rest = Array.from({ length: b.length - 2 }, (_, j) => b[(k + 2 + j) % b.length]);
    const whole = [...a.slice(i + 1), ...a.slice(0, i + 1), ...rest];
    return bulges(whole) ? whole : null;
  }
  return null;
}

/** Convex polygons that cover the shape: a wall as boxes, a polygon with dents in pieces. None: it crosses itself, or is a point. */
export function convexPieces(geometry: Geometry): Point[][] {
  if (geometry.type === 'point') return [];
  if (geometry.type === 'line')
    return geometry.points.slice(1).flatMap((b, i) => {
      const a = geometry.points[i];
      const length = distance(a, b);
      if (length < 0.02) return [];
      // A bit longer on both sides, so that corners are closed.
      const [ux, uy] = [((b[0] - a[0]) / length) * (WALL / 2), ((b[1] - a[1]) / length) * (WALL / 2)];
      const corner = (p: Point, along: number, aside: number): Point => [millimetres(p[0] + along * ux - aside * uy), millimetres(p[1] + along * uy + aside * ux)];
      return [[corner(a, -1, -1), corner(b, 1, -1), corner(b, 1, 1), corner(a, -1, 1)]];
    });
  const ring = geometry.rings[0];
  if (crossesItself(ring)) return [];
  if (isConvex(ring)) return [ring];
  const pieces = triangles(ring);
  for (let i = 0; i < pieces.length; ++i)
    for (let k = i + 1; k < pieces.length; ++k) {
      const whole = joined(pieces[i], pieces[k]);
      if (!whole) continue;
      pieces[i] = whole;
      pieces.splice(k, 1);
      k = i;
    }
  return pieces;
}
