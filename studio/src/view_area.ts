// What the camera sees of the ground, as the server wants to know it: a convex polygon.

import { Vector3, type PerspectiveCamera } from 'three';

/** Corners of the convex hull, counter-clockwise (Andrew's monotone chain). */
export function convexHull(points: [number, number][]): [number, number][] {
  const sorted = [...points].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  if (sorted.length < 3) return sorted;
  const cross = (o: [number, number], a: [number, number], b: [number, number]): number =>
    (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0]);
  const half = (list: [number, number][]): [number, number][] => {
    const chain: [number, number][] = [];
    for (const p of list) {
      while (chain.length >= 2 && cross(chain[chain.length - 2], chain[chain.length - 1], p) <= 1e-9) chain.pop();
      chain.push(p);
    }
    chain.pop();
    return chain;
  };
  return [...half(sorted), ...half(sorted.reverse())];
}

export interface Ray {
  from: [number, number, number];
  to: [number, number, number];
}

/**
 * Where the rays through a picture's corners meet the ground between two heights, at most `far` m away; with the place of
 * the camera where it is between them.
 */
export function viewArea(rays: Ray[], lowest: number, highest: number, far: number): [number, number][] {
  const points: [number, number][] = [];
  for (const { from, to } of rays)
    for (const height of [lowest, highest]) {
      // The top of people, for those near the camera; rays that miss the ground end at `far`.
      const meets = Math.abs(to[2]) > 1e-9 ? (height - from[2]) / to[2] : -1;
      const flat = Math.hypot(to[0], to[1]) || 1e-9;
      const along = meets >= 0 ? Math.min(meets, far / flat) : far / flat;
      points.push([from[0] + to[0] * along, from[1] + to[1] * along]);
    }
  if (rays.length > 0 && rays[0].from[2] < highest + 3) points.push([rays[0].from[0], rays[0].from[1]]);
  return convexHull(points).map(([x, y]) => [Math.round(x * 10) / 10, Math.round(y * 10) / 10]);
}

/** What the camera sees, as the server is told it: scene coordinates. */
export function areaOf(camera: PerspectiveCamera, origin: Vector3, lowest: number, highest: number, far: number): [number, number][] {
  const at = camera.position.clone().add(origin);
  const rays: Ray[] = [[-1, -1], [1, -1], [1, 1], [-1, 1]].map(([x, y]) => ({
    from: [at.x, at.y, at.z],
    to: new Vector3(x, y, 0.5).unproject(camera).sub(camera.position).normalize().toArray(),
  }));
  return viewArea(rays, lowest, highest, far);
}
