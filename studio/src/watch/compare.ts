// Two runs beside one another: whose people are whose, and where one has more of them than the other.

import { Color, DynamicDrawUsage, InstancedMesh, Matrix4, MeshBasicMaterial, PlaneGeometry, type Vector3 } from 'three';

import { People } from '../protocol';

/** People of the second run have this added to their numbers. */
export const SECOND = 0x80000000;

const COLUMNS = ['id', 'x', 'y', 'z', 'heading', 'speed', 'state', 'population', 'qx', 'qy', 'qz', 'before'] as const;

function part(frame: People, from: number, to: number): People {
  const made = new People(0);
  Object.assign(made, { time: frame.time, sequence: frame.sequence, box: frame.box, count: to - from, total: to - from });
  for (const name of COLUMNS) Object.assign(made, { [name]: frame[name].subarray(from, to) });
  return made;
}

/** A frame of two runs as two frames. `firstBefore`: how many of the first run the frame before had. */
export function split(frame: People, firstBefore: number): [People, People] {
  let n = 0;
  let high = frame.count;
  while (n < high) {
    const middle = (n + high) >> 1;
    if (frame.id[middle] < SECOND) n = middle + 1;
    else high = middle;
  }
  const first = part(frame, 0, n);
  const second = part(frame, n, frame.count);
  // What is read from the frame goes on being read: these are copies.
  second.id = second.id.map((id) => id - SECOND);
  second.before = second.before.map((row) => (row < 0 ? -1 : row - firstBefore));
  return [first, second];
}

/** m between the same people of both runs, on average, and how many are in both. */
export function apart(a: People, b: People): { mean: number; both: number } {
  let sum = 0;
  let both = 0;
  for (let i = 0, j = 0; i < a.count && j < b.count; ) {
    if (a.id[i] === b.id[j]) {
      sum += Math.hypot(a.x[i] - b.x[j], a.y[i] - b.y[j], a.z[i] - b.z[j]);
      ++both;
      ++i;
      ++j;
    } else if (a.id[i] < b.id[j]) ++i;
    else ++j;
  }
  return { mean: both > 0 ? sum / both : 0, both };
}

const CELL = 1; // m
const key = (x: number, y: number, level: number): number => ((x + 32768) * 65536 + (y + 32768)) * 64 + level;

/** People per m² in the first run less those in the second, over squares of 3 m around each square of a metre. */
export function differences(a: People, b: People): { x: number; y: number; z: number; more: number }[] {
  const cells = new Map<number, { x: number; y: number; z: number; n: number }>();
  [a, b].forEach((people, run) => {
    for (let i = 0; i < people.count; ++i) {
      const x = Math.floor(people.x[i] / CELL);
      const y = Math.floor(people.y[i] / CELL);
      const level = Math.max(0, Math.min(63, Math.floor((people.z[i] + 20) / 2.5)));
      for (let dx = -1; dx <= 1; ++dx)
        for (let dy = -1; dy <= 1; ++dy) {
          const k = key(x + dx, y + dy, level);
          const cell = cells.get(k) ?? { x: x + dx, y: y + dy, z: people.z[i], n: 0 };
          cell.n += run === 0 ? 1 : -1;
          cells.set(k, cell);
        }
    }
  });
  return [...cells.values()].filter((c) => c.n !== 0).map((c) => ({ x: (c.x + 0.5) * CELL, y: (c.y + 0.5) * CELL, z: c.z, more: c.n / (9 * CELL * CELL) }));
}

const FIRST = new Color(0x2166ac);
const OTHER = new Color(0xb2182b);
export const DIFFERENCE_KEYS = [
  { rgb: 0x2166ac, label: 'more in the first' },
  { rgb: 0xb2182b, label: 'more in the second' },
];

export class DifferenceMap {
  readonly mesh: InstancedMesh;
  private most = 30_000;

  constructor() {
    const material = new MeshBasicMaterial({ transparent: true, opacity: 0.7, depthWrite: false, polygonOffset: true, polygonOffsetFactor: -4, polygonOffsetUnits: -4 });
    this.mesh = new InstancedMesh(new PlaneGeometry(CELL, CELL), material, this.most);
    this.mesh.instanceMatrix.setUsage(DynamicDrawUsage);
    this.mesh.frustumCulled = false;
    this.mesh.visible = false;
    this.mesh.count = 0;
    this.mesh.renderOrder = 1;
  }

  update(a: People, b: People, origin: Vector3): void {
    const matrix = new Matrix4();
    const paint = new Color();
    const white = new Color(0xf7f7f7);
    let n = 0;
    for (const { x, y, z, more } of differences(a, b)) {
      if (n >= this.most) break;
      matrix.makeTranslation(x - origin.x, y - origin.y, z - origin.z + 0.07);
      this.mesh.setMatrixAt(n, matrix);
      this.mesh.setColorAt(n, paint.copy(white).lerp(more > 0 ? FIRST : OTHER, Math.min(1, 0.25 + Math.abs(more) / 1.2)));
      ++n;
    }
    this.mesh.count = n;
    this.mesh.instanceMatrix.needsUpdate = true;
    if (this.mesh.instanceColor) this.mesh.instanceColor.needsUpdate = true;
  }
}
