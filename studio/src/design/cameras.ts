// Regions of interest: the cameras of `levels`, around which and in whose sight people are simulated in full. A camera is drawn,
// moved and turned as a line from where it stands to where it looks.

import type { Item, Json, SceneDocument, Step } from './document';
import { distance, millimetres, points, type Geometry, type Point } from './geometry';

/** m: the end of the line that turns a camera, from it. */
const ARM = 5;

const isVector = (value: Json): value is number[] => Array.isArray(value) && value.length >= 2 && value.every((v: Json) => typeof v === 'number');

/** Degrees, horizontally. */
const viewOf = (camera: Json): number => (typeof camera?.field_of_view === 'number' ? camera.field_of_view : 60);
export const nearOf = (levels: Json): number => (typeof levels?.near_distance === 'number' ? levels.near_distance : 30);
export const farOf = (levels: Json): number => (typeof levels?.far_distance === 'number' ? levels.far_distance : 150);

/** Where it looks in plan: a vector of length 1, and the height that goes with it; 0, 0 for one that looks all around. */
function wayOf(camera: Json): [number, number, number] {
  const [x, y, z = 0] = isVector(camera?.direction) ? camera.direction : [1, 0, 0];
  const flat = Math.hypot(x, y);
  return flat > 1e-9 ? [x / flat, y / flat, z / flat] : [0, 0, Math.sign(z)];
}

export function cameraItems(json: Json, layer: string): Item[] {
  const cameras = json.levels?.cameras;
  if (!Array.isArray(cameras)) return [];
  return cameras.flatMap((camera: Json, i: number): Item[] => {
    if (!isVector(camera?.position)) return [];
    const pointer = `/levels/cameras/${i}`;
    const at: Point = [camera.position[0], camera.position[1]];
    const [dx, dy, dz] = wayOf(camera);
    return [
      {
        kind: 'camera',
        pointer: `${pointer}/position`,
        part: 0,
        owner: pointer,
        layer,
        label: `camera ${i + 1}`,
        geometry: { type: 'line', points: [at, [at[0] + ARM * dx, at[1] + ARM * dy]] },
        write: (geometry) => written(pointer, camera, at, [dx, dy, dz], geometry),
        remove: () => [{ op: 'remove', at: pointer }],
      },
    ];
  });
}

/** Only what has changed is written: a camera that is moved keeps its direction as it stands in the file. */
function written(pointer: string, camera: Json, at: Point, [dx, dy, dz]: [number, number, number], geometry: Geometry): Step[] {
  const [from, to] = points(geometry);
  const steps: Step[] = [];
  if (distance(from, at) > 1e-6) steps.push({ op: 'set', at: `${pointer}/position`, value: [...from.map(millimetres), ...camera.position.slice(2)] });
  const away = distance(from, to);
  const [ux, uy] = away > 0.05 ? [(to[0] - from[0]) / away, (to[1] - from[1]) / away] : [0, 0];
  if (Math.hypot(ux - dx, uy - dy) > 1e-6) {
    const round = (v: number): number => Math.round(v * 1e4) / 1e4;
    const direction = ux === 0 && uy === 0 ? [0, 0, 0] : [round(ux), round(uy), round(dz)];
    steps.push({ op: 'set', at: `${pointer}/direction`, value: direction });
  }
  return steps;
}

/** What a camera sees in plan, and what is near it: a fan and a circle. The fan is cut at 60 m, so that it stays a drawing. */
export function sightOf(document: SceneDocument, item: Item, geometry: Geometry): Geometry[] {
  const camera = document.get(item.owner);
  const [at, to] = points(geometry);
  const circle = Array.from({ length: 48 }, (_, k): Point => {
    const angle = (k * Math.PI) / 24;
    const near = nearOf(document.json.levels);
    return [at[0] + near * Math.cos(angle), at[1] + near * Math.sin(angle)];
  });
  const shapes: Geometry[] = [{ type: 'polygon', rings: [circle] }];
  if (distance(at, to) > 0.05) {
    const middle = Math.atan2(to[1] - at[1], to[0] - at[0]);
    const half = (Math.min(viewOf(camera), 350) * Math.PI) / 360;
    const reach = Math.min(farOf(document.json.levels), 60);
    const arc = Array.from({ length: 13 }, (_, k): Point => {
      const angle = middle + half * (k / 6 - 1);
      return [at[0] + reach * Math.cos(angle), at[1] + reach * Math.sin(angle)];
    });
    shapes.push({ type: 'polygon', rings: [[at, ...arc]] });
  }
  return shapes;
}

/** A new camera where one looks from `from` to `to`, at eye height over ground that is `z` high. */
export function addCamera(document: SceneDocument, from: Point, to: Point, z: number): { steps: Step[]; pointer: string } {
  const away = Math.max(distance(from, to), 1e-6);
  const round = (v: number): number => Math.round(v * 1e4) / 1e4;
  const camera = {
    position: [...from.map(millimetres), Math.round((z + 1.7) * 100) / 100],
    direction: [round((to[0] - from[0]) / away), round((to[1] - from[1]) / away), 0],
  };
  const index = (document.json.levels?.cameras ?? []).length;
  return { steps: document.append('/levels/cameras', camera), pointer: `/levels/cameras/${index}/position` };
}
