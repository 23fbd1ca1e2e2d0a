// What can be laid over the scene: shapes that the server sends, and how densely people stand.

import {
  BufferAttribute,
  BufferGeometry,
  Color,
  DoubleSide,
  DynamicDrawUsage,
  Group,
  InstancedMesh,
  LineBasicMaterial,
  LineSegments,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  PlaneGeometry,
  Points,
  PointsMaterial,
  ShapeUtils,
  Vector2,
  type Vector3,
} from 'three';

import type { OverlayMessage, People } from './protocol';

/** m above the ground. */
const ABOVE = 0.12;

function disposeAll(group: Group): void {
  group.traverse((part) => {
    if (part instanceof Mesh || part instanceof LineSegments || part instanceof Points) {
      (part.geometry as BufferGeometry).dispose();
      (part.material as MeshBasicMaterial).dispose();
    }
  });
}

/** A corner, and where in which ring of x, y and z in turn it stands. */
class Corner extends Vector2 {
  constructor(
    points: number[],
    readonly index: number,
    readonly ring: number,
  ) {
    super(points[index], points[index + 1]);
  }
}
/** Without the last corner, where that is the first again. */
function ringOf(points: number[], ring: number): Corner[] {
  const corners = Array.from({ length: Math.floor(points.length / 3) }, (_, i) => new Corner(points, 3 * i, ring));
  if (corners.length > 1 && corners[0].equals(corners[corners.length - 1])) corners.pop();
  return corners;
}

/** Lines, areas and dots of an overlay as three draw calls at most. Points are x, y, z in turn. */
export function overlayGroup(message: OverlayMessage, origin: Vector3): Group {
  const group = new Group();
  const place: number[] = [];
  const colour: number[] = [];
  const paint = new Color();
  const push = (p: number[], i: number, rgb: number, alpha: number): void => {
    place.push(p[i] - origin.x, p[i + 1] - origin.y, p[i + 2] - origin.z + ABOVE);
    paint.set(rgb);
    colour.push(paint.r, paint.g, paint.b, alpha);
  };
  const attributes = (): BufferGeometry => {
    const geometry = new BufferGeometry();
    geometry.setAttribute('position', new BufferAttribute(new Float32Array(place), 3));
    geometry.setAttribute('color', new BufferAttribute(new Float32Array(colour), 4));
    place.length = colour.length = 0;
    return geometry;
  };
  for (const line of message.lines)
    for (let i = 3; i < line.points.length; i += 3) {
      push(line.points, i - 3, line.rgb, line.alpha);
      push(line.points, i, line.rgb, line.alpha);
    }
  if (place.length > 0)
    group.add(new LineSegments(attributes(), new LineBasicMaterial({ vertexColors: true, transparent: true, depthWrite: false })));
  for (const dot of message.dots) push(dot.at, 0, dot.rgb, dot.alpha);
  if (place.length > 0)
    group.add(new Points(attributes(), new PointsMaterial({ size: 6, sizeAttenuation: false, vertexColors: true, transparent: true })));
  const corners: number[] = [];
  for (const area of message.areas)
    for (const piece of area.pieces) {
      const rings = piece.map(ringOf);
      const first = place.length / 3;
      for (const ring of rings) for (const at of ring) push(piece[at.ring], at.index, area.rgb, area.alpha * 0.7);
      for (const triangle of ShapeUtils.triangulateShape(rings[0], rings.slice(1))) corners.push(...triangle.map((corner) => first + corner));
    }
  if (place.length > 0) {
    const geometry = attributes();
    geometry.setIndex(corners);
    geometry.translate(0, 0, -ABOVE / 2);
    group.add(new Mesh(geometry, new MeshBasicMaterial({ vertexColors: true, transparent: true, side: DoubleSide, depthWrite: false })));
  }
  group.renderOrder = 2;
  return group;
}

export class Overlays {
  readonly group = new Group();
  private shown = new Map<string, Group>();

  show(message: OverlayMessage, origin: Vector3): void {
    this.hide(message.name);
    const group = overlayGroup(message, origin);
    this.shown.set(message.name, group);
    this.group.add(group);
  }
  hide(name: string): void {
    const group = this.shown.get(name);
    if (!group) return;
    this.group.remove(group);
    disposeAll(group);
    this.shown.delete(name);
  }
  get names(): string[] {
    return [...this.shown.keys()];
  }
  clear(): void {
    for (const name of Array.from(this.shown.keys())) this.hide(name);
  }
}

/** Level of service of walkways (Fruin): people per m² up to which a colour goes, and what it is called. */
export const SERVICE: { most: number; rgb: number; label: string }[] = [
  { most: 0.31, rgb: 0x3a7bd5, label: 'A free' },
  { most: 0.43, rgb: 0x36a66f, label: 'B' },
  { most: 0.72, rgb: 0x9bc53d, label: 'C' },
  { most: 1.08, rgb: 0xf2c83c, label: 'D busy' },
  { most: 2.17, rgb: 0xee8434, label: 'E' },
  { most: Infinity, rgb: 0xd7263d, label: 'F crammed' },
];

/** m/s up to which a colour of the map of speeds goes. */
export const SPEEDS: { most: number; rgb: number; label: string }[] = [
  { most: 0.2, rgb: 0xb2182b, label: 'stands' },
  { most: 0.5, rgb: 0xef8a62, label: 'to 0.5 m/s' },
  { most: 0.9, rgb: 0xfddb8a, label: 'to 0.9' },
  { most: 1.3, rgb: 0xa6d96a, label: 'to 1.3' },
  { most: Infinity, rgb: 0x1a9850, label: 'faster' },
];

/** Squares of ground that somebody stands in or near, coloured by people per m² or by how fast they go. */
export class DensityMap {
  /** Mean speeds instead of densities. */
  speeds = false;
  readonly mesh: InstancedMesh;
  private cell = 1;
  private most = 40_000;

  constructor() {
    const material = new MeshBasicMaterial({ transparent: true, opacity: 0.6, depthWrite: false, polygonOffset: true, polygonOffsetFactor: -4, polygonOffsetUnits: -4 });
    this.mesh = new InstancedMesh(new PlaneGeometry(1, 1), material, this.most);
    this.mesh.instanceMatrix.setUsage(DynamicDrawUsage);
    this.mesh.frustumCulled = false;
    this.mesh.visible = false;
    this.mesh.count = 0;
    this.mesh.renderOrder = 1;
  }

  /** People within 2.5 cells of a cell's middle, over that disc. */
  update(people: People, origin: Vector3): void {
    const cells = new Map<number, { x: number; y: number; z: number; count: number; speed: number }>();
    const { cell } = this;
    const key = (x: number, y: number, level: number): number => ((x + 32768) * 65536 + (y + 32768)) * 64 + level;
    for (let i = 0; i < people.count; ++i) {
      const x = Math.floor(people.x[i] / cell);
      const y = Math.floor(people.y[i] / cell);
      const level = Math.max(0, Math.min(63, Math.floor((people.z[i] + 20) / 2.5)));
      const k = key(x, y, level);
      const found = cells.get(k);
      if (found) {
        ++found.count;
        found.speed += people.speed[i];
      } else cells.set(k, { x, y, z: people.z[i], count: 1, speed: people.speed[i] });
    }
    const matrix = new Matrix4();
    const colour = new Color();
    let n = 0;
    for (const [k, at] of cells) {
      if (n >= this.most) break;
      let sum = 0;
      let way = 0;
      for (let dx = -1; dx <= 1; ++dx)
        for (let dy = -1; dy <= 1; ++dy) {
          const near = cells.get(k + (dx * 65536 + dy) * 64);
          sum += near?.count ?? 0;
          way += near?.speed ?? 0;
        }
      const value = this.speeds ? way / sum : sum / (9 * cell * cell);
      const scale = this.speeds ? SPEEDS : SERVICE;
      matrix.makeScale(cell, cell, 1);
      matrix.setPosition((at.x + 0.5) * cell - origin.x, (at.y + 0.5) * cell - origin.y, at.z - origin.z + 0.06);
      this.mesh.setMatrixAt(n, matrix);
      this.mesh.setColorAt(n, colour.set((scale.find((s) => value <= s.most) ?? scale[scale.length - 1]).rgb));
      ++n;
    }
    this.mesh.count = n;
    this.mesh.instanceMatrix.needsUpdate = true;
    if (this.mesh.instanceColor) this.mesh.instanceColor.needsUpdate = true;
  }
}
