// Where floors end: in a wall, at a rail, or where one goes on to another floor.

export type Point = [number, number];

/** m that a border and a connection on it may lie apart. */
const NEAR = 0.02;

/** The part of a → b that lies on a connection c → d, from 0 to 1; null where they do not lie on one another. */
function common(a: Point, b: Point, [cx, cy, dx, dy]: number[]): [number, number] | null {
  const [ux, uy] = [b[0] - a[0], b[1] - a[1]];
  const length = Math.hypot(ux, uy);
  if (length < NEAR) return null;
  const along = (x: number, y: number): number => ((x - a[0]) * ux + (y - a[1]) * uy) / (length * length);
  const aside = (x: number, y: number): number => Math.abs((x - a[0]) * uy - (y - a[1]) * ux) / length;
  if (aside(cx, cy) > NEAR || aside(dx, dy) > NEAR) return null;
  const [s, t] = [along(cx, cy), along(dx, dy)];
  const [from, to] = [Math.max(0, Math.min(s, t)), Math.min(1, Math.max(s, t))];
  return (to - from) * length > NEAR ? [from, to] : null;
}

/** Does one go on to another floor somewhere on this ring? */
export function leadsOn(ring: Point[], connections: number[][]): boolean {
  return ring.some((a, i) => connections.some((line) => common(a, ring[(i + 1) % ring.length], line) !== null));
}

/** What is left of a → b without its connections. */
export function closedParts(a: Point, b: Point, connections: number[][]): [Point, Point][] {
  const gaps = connections.map((line) => common(a, b, line)).filter((gap) => gap !== null);
  gaps.sort((p, q) => p[0] - q[0]);
  const at = (t: number): Point => [a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1])];
  const parts: [Point, Point][] = [];
  let from = 0;
  for (const [begin, end] of gaps) {
    if (begin > from) parts.push([at(from), at(begin)]);
    from = Math.max(from, end);
  }
  if (from < 1) parts.push([at(from), b]);
  return parts;
}
