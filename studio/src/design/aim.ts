// What the pointer points at: a place on one of the floors, and what of the scene's document is there.

import { Raycaster, Vector2, Vector3, type Material, type Mesh, type PerspectiveCamera } from 'three';

import type { Layer } from '../protocol';
import { insidePolygon } from '../watch/ground';
import type { Item, SceneDocument } from './document';
import { distance, distanceTo, distanceToBorder, points, type Point } from './geometry';
import type { Sheet } from './sheet';

/** A pointer on the page. */
export interface Pointer {
  clientX: number;
  clientY: number;
  pointerType: string;
}
export interface Aimed {
  canvas: HTMLCanvasElement;
  camera: PerspectiveCamera;
  origin: Vector3;
  layers(): Layer[];
  /** Of a scene whose floors are found in a model; null for plans. */
  model(): Mesh | null;
  /** Is this floor hidden? */
  hidden(layer: number): boolean;
  /** m: of what events have put there, by its name. */
  standsAt(name: string): number | undefined;
}

const REACH = 9; // px, of a finger's or a mouse's aim
const FAR = 5000; // m
/** Small things before large ones. */
const RANK: Record<string, number> = { door: 0, camera: 0, place: 1, goal: 1, line: 1, connection: 1, event: 2, obstacle: 2, opening: 2, start: 3, area: 4, region: 5, walkable: 6 };

export class Aim {
  /** The floor that is drawn on, and whether the user has said so. */
  layer = 0;
  chosen: number | null = null;
  /** m: where a model was hit last. */
  lastZ = 0;

  constructor(
    private host: Aimed,
    private sheet: Sheet,
  ) {}

  private ray(event: Pointer): Vector3 {
    const at = new Vector3((event.clientX / innerWidth) * 2 - 1, 1 - (event.clientY / innerHeight) * 2, 0.5);
    return at.unproject(this.host.camera).sub(this.host.camera.position).normalize();
  }

  /** Where the pointer's ray meets a floor's plane, and how far away that is; null where it does not. */
  private onPlane(event: Pointer, height: number, slope: number[]): { p: Point; away: number } | null {
    const { camera, origin } = this.host;
    const direction = this.ray(event);
    const from = [camera.position.x + origin.x, camera.position.y + origin.y, camera.position.z + origin.z];
    // z = height + slope · (x, y) along the ray.
    const falls = direction.z - slope[0] * direction.x - slope[1] * direction.y;
    const away = (height + slope[0] * from[0] + slope[1] * from[1] - from[2]) / falls;
    if (!(away > 0) || away > FAR) return null;
    return { p: [from[0] + away * direction.x, from[1] + away * direction.y], away };
  }
  private onLayer(event: Pointer, index: number): { p: Point; away: number } | null {
    const layer = this.host.layers()[index];
    if (this.host.model() || !layer) return this.onPlane(event, this.lastZ, [0, 0]);
    return this.onPlane(event, layer.elevation, layer.slope);
  }

  /** Where on the floor that is drawn on the pointer is. */
  ground(event: Pointer, exact: boolean): Point | null {
    const model = this.host.model();
    if (model && exact) {
      const caster = new Raycaster();
      caster.setFromCamera(new Vector2((event.clientX / innerWidth) * 2 - 1, 1 - (event.clientY / innerHeight) * 2), this.host.camera);
      // What is cut away does not hold the pointer up.
      const planes = (model.material as Material).clippingPlanes ?? [];
      const hit = caster.intersectObject(model, false).find(({ point }) => planes.every((plane) => plane.distanceToPoint(point) >= 0));
      if (hit) {
        this.lastZ = hit.point.z + this.host.origin.z;
        return [hit.point.x + this.host.origin.x, hit.point.y + this.host.origin.y];
      }
    }
    return this.onLayer(event, this.layer)?.p ?? null;
  }

  /** Floors that can be seen, the nearest under the pointer first; those that end before it come last. */
  private floors(event: Pointer): { index: number; p: Point; covers: boolean }[] {
    const layers = this.host.layers();
    if (this.host.model() || layers.length < 2) {
      const hit = this.onLayer(event, this.layer);
      return hit ? [{ index: -1, p: hit.p, covers: true }] : [];
    }
    return layers
      .flatMap((layer, index) => {
        const hit = this.host.hidden(index) ? null : this.onLayer(event, index);
        if (!hit) return [];
        const covers = layer.walkable.length === 0 || layer.walkable.some((polygon) => insidePolygon(polygon, ...hit.p));
        return [{ index, p: hit.p, covers, away: hit.away }];
      })
      .sort((a, b) => Number(b.covers) - Number(a.covers) || a.away - b.away);
  }

  /** A shape begins on the floor that one points at, unless another one was chosen. */
  settle(event: Pointer): void {
    if (this.chosen !== null) this.layer = this.chosen;
    else if (this.host.model()) this.layer = this.modelFloor(event) ?? this.layer;
    else this.layer = this.floors(event).find((floor) => floor.covers && floor.index >= 0)?.index ?? this.layer;
  }
  /** The floor of a model that has ground there, the nearest in height. */
  private modelFloor(event: Pointer): number | null {
    const p = this.ground(event, true);
    if (!p) return null;
    const there = this.host.layers().flatMap((layer, index) => (layer.walkable.some((polygon) => insidePolygon(polygon, ...p)) ? [{ index, away: Math.abs(layer.elevation - this.lastZ) }] : []));
    return there.sort((a, b) => a.away - b.away)[0]?.index ?? null;
  }

  z(layer: string): (p: Point) => number {
    if (this.host.model()) return () => this.lastZ;
    const layers = this.host.layers();
    const found = layers.find((l) => l.name === layer) ?? layers[0];
    return (p) => (found ? found.elevation + found.slope[0] * p[0] + found.slope[1] * p[1] : 0);
  }
  zHere(): (p: Point) => number {
    return this.z(this.host.layers()[this.layer]?.name ?? '');
  }
  /** Of a thing: its own height where its file says it. */
  zOf(item: Item, document: SceneDocument): (p: Point) => number {
    const own = this.ownHeight(item, document);
    if (own !== undefined) return () => own;
    return this.z(item.layer);
  }
  private ownHeight(item: Item, document: SceneDocument): number | undefined {
    const model = this.host.model() !== null;
    const own = item.kind === 'place' || (item.kind === 'camera' && model) ? document.get(item.pointer)?.[2] : item.kind === 'event' && model ? this.host.standsAt(item.label) : undefined;
    return typeof own === 'number' ? own : undefined;
  }
  /** Which floor it is on; places may say so by their height. */
  private floorOf(item: Item, document: SceneDocument): number {
    const layers = this.host.layers();
    const own = this.ownHeight(item, document);
    if (own === undefined || this.host.model()) return Math.max(0, layers.findIndex((layer) => layer.name === item.layer));
    const [x, y] = points(item.geometry)[0];
    const away = layers.map((layer) => Math.abs(layer.elevation + layer.slope[0] * x + layer.slope[1] * y - own));
    return away.indexOf(Math.min(...away));
  }

  /** px on the page of a metre at a place. */
  scaleAt(p: Point, z: number): number {
    const a = this.sheet.project(p, z);
    const b = this.sheet.project([p[0] + 0.5, p[1]], z);
    const c = this.sheet.project([p[0], p[1] + 0.5], z);
    return a && b && c ? 2 * Math.max(distance(a, b), distance(a, c)) : 1;
  }
  /** px */
  reach(event: Pointer): number {
    return event.pointerType === 'touch' ? REACH * 2.2 : REACH;
  }

  /** What is under the pointer: on the nearest floor that has something there, small things before large ones. */
  pick(event: Pointer, document: SceneDocument): Item | null {
    let best: Item | null = null;
    let least = Infinity;
    for (const [order, { index, p, covers }] of this.floors(event).entries()) {
      // The same for all that lie on the floor itself: a document may have thousands.
      const usual = this.reach(event) / this.scaleAt(p, this.z(this.host.layers()[index]?.name ?? '')(p));
      for (const item of document.items) {
        if (index >= 0 && this.floorOf(item, document) !== index) continue;
        const own = this.host.model() ? this.ownHeight(item, document) : undefined;
        const at = own === undefined ? p : (this.onPlane(event, own, [0, 0])?.p ?? p);
        const reach = own === undefined ? usual : this.reach(event) / this.scaleAt(at, own);
        const radius = item.kind === 'place' ? (document.get(item.owner).radius ?? 3) : 0.4;
        const away = item.geometry.type === 'point' ? Math.max(0, distanceTo(at, item.geometry) - radius) : item.kind === 'walkable' ? distanceToBorder(at, item.geometry) : distanceTo(at, item.geometry);
        if (away > reach) continue;
        // The ground of a floor above hides nothing of those beneath it that is drawn over it.
        const floor = covers ? order : order + 100;
        const score = (item.kind === 'walkable' ? 1000 : floor) * 1e8 + RANK[item.kind] * 1e6 + away;
        if (score < least) [best, least] = [item, score];
      }
    }
    return best;
  }

  /** Its floor is the one that it is moved on. */
  take(item: Item, document: SceneDocument): void {
    if (!this.host.model()) this.layer = this.floorOf(item, document);
  }
}
