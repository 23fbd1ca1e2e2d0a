// Where somebody who walks through the crowd may go, and how high the ground is there. Loosely: walls hold them up, floors carry
// them, nobody is pushed.

import type { Layer, MeshMessage, SceneMessage } from '../protocol';

/** x and y in turn. */
export function insideRing(ring: number[], x: number, y: number): boolean {
  let inside = false;
  for (let i = 0, j = ring.length - 2; i < ring.length; j = i, i += 2) {
    const yi = ring[i + 1];
    const yj = ring[j + 1];
    if (yi > y !== yj > y && x < ((ring[j] - ring[i]) * (y - yi)) / (yj - yi) + ring[i]) inside = !inside;
  }
  return inside;
}
/** An outer ring and holes. */
export function insidePolygon(polygon: number[][], x: number, y: number): boolean {
  return insideRing(polygon[0], x, y) && !polygon.slice(1).some((hole) => insideRing(hole, x, y));
}

function crosses(ax: number, ay: number, bx: number, by: number, cx: number, cy: number, dx: number, dy: number): boolean {
  const side = (px: number, py: number, qx: number, qy: number, x: number, y: number): number => (qx - px) * (y - py) - (qy - py) * (x - px);
  return side(ax, ay, bx, by, cx, cy) * side(ax, ay, bx, by, dx, dy) < 0 && side(cx, cy, dx, dy, ax, ay) * side(cx, cy, dx, dy, bx, by) < 0;
}

const CELL = 4; // m
/** m; how high a step may be. */
const STEP = 0.6;

/** Flat enough triangles of a mesh, by squares of the plan. */
export class Floors {
  private cells = new Map<number, number[]>();
  constructor(
    private points: ArrayLike<number>,
    private corners: ArrayLike<number>,
  ) {
    for (let t = 0; t < corners.length; t += 3) {
      const [a, b, c] = [corners[t] * 3, corners[t + 1] * 3, corners[t + 2] * 3];
      const ux = points[b] - points[a];
      const uy = points[b + 1] - points[a + 1];
      const uz = points[b + 2] - points[a + 2];
      const vx = points[c] - points[a];
      const vy = points[c + 1] - points[a + 1];
      const vz = points[c + 2] - points[a + 2];
      const nz = ux * vy - uy * vx;
      if (Math.abs(nz) < 0.5 * Math.hypot(uy * vz - uz * vy, uz * vx - ux * vz, nz)) continue;
      const span = (k: number): [number, number] => [
        Math.floor(Math.min(points[a + k], points[b + k], points[c + k]) / CELL),
        Math.floor(Math.max(points[a + k], points[b + k], points[c + k]) / CELL),
      ];
      const [x0, x1] = span(0);
      const [y0, y1] = span(1);
      // A plane of a few huge triangles would be in every square; such ground is asked for each time.
      if ((x1 - x0 + 1) * (y1 - y0 + 1) > 4096) {
        this.large.push(t);
        continue;
      }
      for (let x = x0; x <= x1; ++x)
        for (let y = y0; y <= y1; ++y) {
          const key = x * 1048576 + y;
          const list = this.cells.get(key);
          if (list) list.push(t);
          else this.cells.set(key, [t]);
        }
    }
  }
  private large: number[] = [];

  /** The highest floor at a place that is no higher than `most`. */
  below(x: number, y: number, most: number): number | null {
    let best: number | null = null;
    const look = (t: number): void => {
      const z = this.heightOn(t, x, y);
      if (z !== null && z <= most && (best === null || z > best)) best = z;
    };
    this.cells.get(Math.floor(x / CELL) * 1048576 + Math.floor(y / CELL))?.forEach(look);
    this.large.forEach(look);
    return best;
  }

  private heightOn(t: number, x: number, y: number): number | null {
    const { points, corners } = this;
    const [a, b, c] = [corners[t] * 3, corners[t + 1] * 3, corners[t + 2] * 3];
    const det = (points[b + 1] - points[c + 1]) * (points[a] - points[c]) + (points[c] - points[b]) * (points[a + 1] - points[c + 1]);
    if (Math.abs(det) < 1e-12) return null;
    const u = ((points[b + 1] - points[c + 1]) * (x - points[c]) + (points[c] - points[b]) * (y - points[c + 1])) / det;
    const v = ((points[c + 1] - points[a + 1]) * (x - points[c]) + (points[a] - points[c]) * (y - points[c + 1])) / det;
    if (u < -1e-9 || v < -1e-9 || u + v > 1 + 1e-9) return null;
    return u * points[a + 2] + v * points[b + 2] + (1 - u - v) * points[c + 2];
  }
}

export class Ground {
  private floors: Floors | null = null;
  private layerFloors: (Floors | null)[];

  constructor(
    private scene: SceneMessage,
    mesh: MeshMessage | null,
  ) {
    if (mesh) this.floors = new Floors(mesh.vertices, mesh.triangles);
    this.layerFloors = scene.layers.map((layer) =>
      layer.ground.length > 0 ? new Floors(layer.ground, Array.from({ length: layer.ground.length / 3 }, (_, i) => i)) : null,
    );
  }

  private heightOf(index: number, x: number, y: number, most: number): number | null {
    const layer = this.scene.layers[index];
    const floors = this.layerFloors[index] ?? this.floors;
    return floors ? floors.below(x, y, most) : layer.elevation + layer.slope[0] * x + layer.slope[1] * y;
  }

  private open(layer: Layer, x: number, y: number): boolean {
    const bounded = layer.walkable.length > 0 || layer.played.length > 0;
    if (bounded && ![...layer.walkable, ...layer.played].some((p) => insidePolygon(p, x, y))) return false;
    return ![...layer.obstacles, ...layer.playedObjects].some((p) => insidePolygon(p, x, y));
  }

  /** How high one stands at a place, coming from the height z; null where one cannot. */
  stand(x: number, y: number, z: number): number | null {
    let best: number | null = null;
    this.scene.layers.forEach((layer, i) => {
      const height = this.heightOf(i, x, y, z + STEP);
      if (height === null || Math.abs(height - z) > STEP || !this.open(layer, x, y)) return;
      if (best === null || Math.abs(height - z) < Math.abs(best - z)) best = height;
    });
    return best;
  }

  private wallBetween(x: number, y: number, tox: number, toy: number, z: number): boolean {
    return this.scene.layers.some((layer, i) => {
      const height = this.heightOf(i, x, y, z + STEP);
      if (height === null || Math.abs(height - z) > STEP) return false;
      const lines = [...layer.walls, ...layer.doors.filter((d) => !d.open).map((d) => d.line)];
      return lines.some((line) => {
        for (let k = 2; k < line.length; k += 2) if (crosses(x, y, tox, toy, line[k - 2], line[k - 1], line[k], line[k + 1])) return true;
        return false;
      });
    });
  }

  /** A step of somebody: where they come to, along walls where those are in the way. */
  walk([x, y, z]: [number, number, number], dx: number, dy: number): [number, number, number] {
    for (const [tx, ty] of [
      [dx, dy],
      [dx, 0],
      [0, dy],
    ]) {
      if (tx === 0 && ty === 0) continue;
      if (this.wallBetween(x, y, x + tx * 1.5, y + ty * 1.5, z)) continue;
      const height = this.stand(x + tx, y + ty, z);
      if (height !== null) return [x + tx, y + ty, height];
    }
    return [x, y, z];
  }

  /** A place to begin, near the one that is looked at. */
  begin(x: number, y: number): [number, number, number] | null {
    for (let ring = 0; ring < 60; ++ring)
      for (let k = 0; k < Math.max(1, ring * 4); ++k) {
        const angle = (2 * Math.PI * k) / Math.max(1, ring * 4);
        const px = x + ring * 1.5 * Math.cos(angle);
        const py = y + ring * 1.5 * Math.sin(angle);
        for (let i = 0; i < this.scene.layers.length; ++i) {
          const height = this.heightOf(i, px, py, Infinity);
          const low = height === null ? null : this.lowest(i, px, py, height);
          if (low !== null && this.open(this.scene.layers[i], px, py)) return [px, py, low];
        }
      }
    return null;
  }
  /** The floor nearest to the layer's own height: not the roof above it. */
  private lowest(index: number, x: number, y: number, highest: number): number {
    const layer = this.scene.layers[index];
    const floors = this.layerFloors[index] ?? this.floors;
    if (!floors) return highest;
    return floors.below(x, y, layer.elevation + layer.slope[0] * x + layer.slope[1] * y + 1.5) ?? highest;
  }
}
