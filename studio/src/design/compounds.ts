// Obstacles that events put there in several convex pieces, because that is all that events take: the hand has them as the one shape
// that was drawn.

import type { Json, Step } from './document';
import { wkt, type Geometry, type Point } from './geometry';
import { WALL, convexPieces } from './pieces';

/** Pieces that belong together: numbers of their events, in order, the first of which has the name. */
export interface Compound {
  events: number[];
  name: string;
}

/** "crate", "crate.2", "crate.3" of one time and one floor. */
export function compoundsOf(events: Json[]): Compound[] {
  const numbers = new Map<string, number>();
  events.forEach((event, i) => {
    if (typeof event?.insert?.name === 'string') numbers.set(event.insert.name, i);
  });
  return [...numbers].flatMap(([name, first]) => {
    const list = [first];
    for (let k = 2; ; ++k) {
      const other = numbers.get(`${name}.${k}`);
      if (other === undefined || events[other].time !== events[first].time || events[other].insert.layer !== events[first].insert.layer) break;
      list.push(other);
    }
    return list.length > 1 ? [{ events: list, name }] : [];
  });
}

const same = (a: Point, b: Point, by = 1e-9): boolean => Math.abs(a[0] - b[0]) <= by && Math.abs(a[1] - b[1]) <= by;

/** The line of a wall whose stretches are these boxes. */
function wallOf(boxes: Point[][]): Point[] | null {
  const ends = boxes.map((ring): [Point, Point] | null => {
    if (ring.length !== 4) return null;
    const [a, b, c, d] = ring;
    const [from, to]: Point[] = [[(a[0] + d[0]) / 2, (a[1] + d[1]) / 2], [(b[0] + c[0]) / 2, (b[1] + c[1]) / 2]];
    const length = Math.hypot(to[0] - from[0], to[1] - from[1]);
    if (Math.abs(Math.hypot(d[0] - a[0], d[1] - a[1]) - WALL) > 0.004 || length <= WALL) return null;
    // It is a bit longer than its stretch at both ends.
    const [x, y] = [((to[0] - from[0]) * WALL) / 2 / length, ((to[1] - from[1]) * WALL) / 2 / length];
    return [[from[0] + x, from[1] + y], [to[0] - x, to[1] - y]];
  });
  const line: Point[] = [];
  for (const [i, end] of ends.entries()) {
    if (!end) return null;
    if (i === 0) line.push(end[0]);
    else if (!same(line[i], end[0], 0.005)) return null;
    line.push(end[1]);
  }
  return line;
}

/** What is around pieces that share their sides: those that are there twice lie within. */
function outlineOf(pieces: Point[][]): Point[] | null {
  const name = (p: Point): string => `${p[0]} ${p[1]}`;
  const sides = new Map<string, { from: Point; to: Point }>();
  for (const ring of pieces)
    ring.forEach((from, i) => {
      const to = ring[(i + 1) % ring.length];
      if (!sides.delete(`${name(to)}, ${name(from)}`)) sides.set(`${name(from)}, ${name(to)}`, { from, to });
    });
  const next = new Map([...sides.values()].map(({ from, to }) => [name(from), to]));
  if (next.size !== sides.size || next.size < 3) return null;
  const ring: Point[] = [];
  let at = [...sides.values()][0].from;
  do {
    ring.push(at);
    const to = next.get(name(at));
    if (!to || ring.length > next.size) return null;
    at = to;
  } while (!same(at, ring[0]));
  return ring.length === next.size ? ring : null;
}

/** The one shape that these pieces are, or null where they are several. */
export function shapeOf(pieces: Geometry[]): Geometry | null {
  const rings = pieces.map((piece) => (piece.type === 'polygon' ? piece.rings[0] : []));
  if (rings.some((ring) => ring.length < 3)) return null;
  const line = wallOf(rings);
  if (line) return { type: 'line', points: line };
  const ring = outlineOf(rings);
  return ring && { type: 'polygon', rings: [ring] };
}

/** Another shape instead: the pieces that stay keep their names and places. */
export function rewritten({ events, name }: Compound, all: Json[], geometry: Geometry): Step[] {
  const pieces = convexPieces(geometry).map((ring) => wkt({ type: 'polygon', rings: [ring] }));
  if (pieces.length === 0) return [];
  const steps: Step[] = events.slice(0, pieces.length).map((event, i) => ({ op: 'set', at: `/events/${event}/insert/obstacle`, value: pieces[i] }));
  for (const event of events.slice(pieces.length).sort((a, b) => b - a)) steps.push({ op: 'remove', at: `/events/${event}` });
  const first = all[events[0]];
  pieces.slice(events.length).forEach((obstacle, i) =>
    steps.push({ op: 'insert', at: '/events/-', value: { ...first, insert: { ...first.insert, name: `${name}.${events.length + i + 1}`, obstacle } } }),
  );
  return steps;
}

export function removal({ events }: Compound): Step[] {
  return [...events].sort((a, b) => b - a).map((event) => ({ op: 'remove', at: `/events/${event}` }));
}

/** All of its pieces are called after another name. */
export function renamed({ events }: Compound, name: string): Step[] {
  return events.map((event, i) => ({ op: 'set', at: `/events/${event}/insert/name`, value: i === 0 ? name : `${name}.${i + 1}` }));
}
export function retimed({ events }: Compound, time: number): Step[] {
  return events.map((event) => ({ op: 'set', at: `/events/${event}/time`, value: time }));
}
