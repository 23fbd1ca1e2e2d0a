// What of a selected shape can be taken by the hand: corners, the middles of sides, one to turn it and one to scale it.

import type { Item } from './document';
import { boundsOf, distance, middleOf, moved, points, scaled, turned, type Geometry, type Point } from './geometry';

export interface Grip {
  verb: string;
  move(from: Point, to: Point, coarse: boolean): Geometry;
}

const OUT = 26; // px from the shape to the handle that turns it

const isTurnable = (item: Item, geometry: Geometry): boolean => geometry.type !== 'point' && item.kind !== 'camera' && !(item.kind === 'start' && item.pointer.endsWith('/circle'));
const isScalable = (item: Item, geometry: Geometry): boolean => geometry.type !== 'point' && item.kind !== 'camera';
const hasCorners = (item: Item, geometry: Geometry): boolean => geometry.type !== 'point' && !item.pointer.endsWith('/circle') && points(geometry).length <= 60;

function turnAt(geometry: Geometry, scale: number): Point {
  const { max } = boundsOf(points(geometry));
  return [middleOf(geometry)[0], max[1] + OUT / scale];
}
function scaleAt(geometry: Geometry, scale: number): Point {
  const { min, max } = boundsOf(points(geometry));
  return [max[0] + OUT / scale, min[1] - OUT / 2 / scale];
}

export function handlesOf(item: Item, geometry: Geometry, scale: number): { at: Point; style: string }[] {
  const list: { at: Point; style: string }[] = [];
  if (hasCorners(item, geometry)) for (const at of points(geometry)) list.push({ at, style: 'corner' });
  if (isTurnable(item, geometry)) list.push({ at: turnAt(geometry, scale), style: 'turn' });
  if (isScalable(item, geometry)) list.push({ at: scaleAt(geometry, scale), style: 'scale' });
  return list;
}

function withCorner(geometry: Geometry, index: number, to: Point): Geometry {
  let i = 0;
  const swap = (p: Point): Point => (i++ === index ? to : p);
  if (geometry.type === 'polygon') return { type: 'polygon', rings: geometry.rings.map((ring) => ring.map(swap)) };
  if (geometry.type === 'line') return { type: 'line', points: geometry.points.map(swap) };
  return { type: 'point', at: to };
}

/** The handle near a place; with `whole`, the shape itself where there is none. */
export function grab(item: Item, geometry: Geometry, p: Point, reach: number, scale: number, whole = false): Grip | null {
  if (isTurnable(item, geometry) && distance(p, turnAt(geometry, scale)) < reach * 1.3) {
    const around = middleOf(geometry);
    return {
      verb: 'turn',
      move: (from, to, coarse) => {
        const angle = Math.atan2(to[1] - around[1], to[0] - around[0]) - Math.atan2(from[1] - around[1], from[0] - around[0]);
        const step = Math.PI / 12;
        return turned(geometry, around, coarse ? Math.round(angle / step) * step : angle);
      },
    };
  }
  if (isScalable(item, geometry) && distance(p, scaleAt(geometry, scale)) < reach * 1.3) {
    const { min, max } = boundsOf(points(geometry));
    const fixed: Point = [min[0], max[1]];
    const size: Point = [Math.max(max[0] - min[0], 1e-6), Math.max(max[1] - min[1], 1e-6)];
    const round = item.pointer.endsWith('/circle');
    return {
      verb: 'scale',
      move: (from, to, coarse) => {
        let fx = Math.max(0.02, (size[0] + to[0] - from[0]) / size[0]);
        let fy = Math.max(0.02, (size[1] + from[1] - to[1]) / size[1]);
        if (coarse || round) fx = fy = Math.max(fx, fy);
        return scaled(geometry, round ? middleOf(geometry) : fixed, fx, fy);
      },
    };
  }
  if (hasCorners(item, geometry)) {
    let nearest = -1;
    let least = reach;
    points(geometry).forEach((corner, i) => {
      const away = distance(p, corner);
      if (away < least) [nearest, least] = [i, away];
    });
    if (nearest >= 0) return { verb: 'change', move: (_from, to) => withCorner(geometry, nearest, to) };
  }
  if (!whole) return null;
  return { verb: 'move', move: (from, to, coarse) => moved(geometry, coarse ? [Math.round((to[0] - from[0]) * 2) / 2, Math.round((to[1] - from[1]) * 2) / 2] : [to[0] - from[0], to[1] - from[1]]) };
}
