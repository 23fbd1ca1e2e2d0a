// What the server sends (docs/studio-protocol.md): JSON messages, and frames and meshes as bytes.

import type { DesignMessage } from './design/design';
import type { WatchMessage } from './watch/messages';

export const PROTOCOL = 1;

export interface Door {
  name: string;
  line: number[];
  open: boolean;
}
export interface Layer {
  name: string;
  elevation: number;
  slope: [number, number];
  wallHeight: number;
  walkable: number[][][];
  obstacles: number[][][];
  openings: number[][][];
  played: number[][][];
  playedObjects: number[][][];
  walls: number[][];
  doors: Door[];
  regions: { type: string; area: number[][][] }[];
  ground: number[];
}
export interface SceneMessage {
  type: 'scene';
  name: string;
  description: string;
  file: string;
  dt: number;
  layers: Layer[];
  populations: { name: string; rgb: number }[];
  places: { name: string; at: [number, number]; z: number }[];
  materials: { name: string; rgb: number }[] | null;
  /** After a change that left the model as it was: it is not sent again. */
  sameMesh?: boolean;
}
export interface HelloMessage {
  type: 'hello';
  protocol: number;
  overlays: string[];
}
export interface StatusMessage {
  type: 'status';
  phase: 'preparing' | 'running';
  playing: boolean;
  speed: number;
  viewers: number;
  time: number;
  people: number;
  waiting: number;
  factor: number;
  stepMs: number;
  /** Is what runs being recorded, and how many s of it have been? */
  recording: boolean;
  recorded: number;
}
export interface PersonMessage {
  type: 'person';
  id: number;
  gone: boolean;
  x?: number;
  y?: number;
  z?: number;
  radius?: number;
  speed?: number;
  layer?: string;
  level?: number;
  population?: string;
  errand?: string;
  profile?: string;
  steering?: string;
  group?: number;
  /** m of the route. */
  left?: number;
  route?: number[];
}
interface Shape {
  rgb: number;
  alpha: number;
  layer: number;
}
export interface OverlayMessage {
  type: 'overlay';
  name: string;
  caption: string;
  lines: (Shape & { points: number[]; width: number })[];
  areas: (Shape & { pieces: number[][][] })[];
  dots: (Shape & { at: number[]; radius: number })[];
  labels: (Shape & { at: number[]; text: string })[];
  keys: { rgb: number; label: string }[];
}
export interface NoticeMessage {
  type: 'notice';
  severity: 'info' | 'warning' | 'error';
  text: string;
}
export type ServerMessage =
  | HelloMessage
  | SceneMessage
  | StatusMessage
  | PersonMessage
  | OverlayMessage
  | NoticeMessage
  | DesignMessage
  | WatchMessage;

/** A mesh: metres, z up. */
export interface MeshMessage {
  vertices: Float32Array;
  triangles: Uint32Array;
  materials: Uint32Array;
}

/** Everybody in view at one moment, one column per property, in the order of their ids. */
export class People {
  time = 0;
  sequence = 0;
  /** In the whole world, seen or not. */
  total = 0;
  count = 0;
  id: Uint32Array;
  x: Float64Array;
  y: Float64Array;
  z: Float64Array;
  /** Radians, counter-clockwise from x. */
  heading: Float32Array;
  /** m/s */
  speed: Float32Array;
  /** Activity in the low two bits: 0 walking, 1 heading on, 2 staying; the level of simulation above them. */
  state: Uint8Array;
  population: Uint8Array;
  box = { x: 0, y: 0, z: 0, step: 1, heightStep: 1 };
  /** Whole numbers as they came, which the next delta frame starts from. */
  qx: Uint32Array;
  qy: Uint32Array;
  qz: Uint16Array;
  /** Where each was in the list before: -1 for who is new. */
  before: Int32Array;

  constructor(capacity = 0) {
    this.id = new Uint32Array(capacity);
    this.x = new Float64Array(capacity);
    this.y = new Float64Array(capacity);
    this.z = new Float64Array(capacity);
    this.heading = new Float32Array(capacity);
    this.speed = new Float32Array(capacity);
    this.state = new Uint8Array(capacity);
    this.population = new Uint8Array(capacity);
    this.qx = new Uint32Array(capacity);
    this.qy = new Uint32Array(capacity);
    this.qz = new Uint16Array(capacity);
    this.before = new Int32Array(capacity);
  }
}

const TURN = (2 * Math.PI) / 256;

/** Reads a frame with the one before it. Throws a RangeError for bytes that are none. */
export function decodeFrame(buffer: ArrayBuffer, before: People): People {
  const view = new DataView(buffer);
  const bytes = new Uint8Array(buffer);
  const kind = view.getUint32(0, true);
  const count = view.getUint32(20, true);
  if (count > buffer.byteLength * 4) throw new RangeError('a frame of more people than bytes');
  const frame = new People(count);
  frame.sequence = view.getUint32(4, true);
  frame.time = view.getFloat64(8, true);
  frame.total = view.getUint32(16, true);
  let at = 24;
  const readState = (i: number): void => {
    if (at + 9 > bytes.length) throw new RangeError('a frame that ends too soon');
    const low = (bytes[at] | (bytes[at + 1] << 8) | (bytes[at + 2] << 16) | (bytes[at + 3] << 24)) >>> 0;
    const high = bytes[at + 4] | (bytes[at + 5] << 8);
    frame.qx[i] = low & 0x3ffff;
    frame.qy[i] = (low >>> 18) | ((high & 15) << 14);
    frame.qz[i] = high >>> 4;
    frame.heading[i] = bytes[at + 6] * TURN;
    frame.speed[i] = bytes[at + 7] / 32;
    frame.state[i] = bytes[at + 8];
    at += 9;
  };
  const readGap = (): number => {
    let value = 0;
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = view.getUint8(at++);
      value += (byte & 127) * 2 ** shift;
      if (byte < 128) return value;
    }
    throw new RangeError('a number that does not end');
  };
  let last = 0;
  const readNew = (i: number): void => {
    last += readGap();
    frame.id[i] = last;
    readState(i);
    frame.population[i] = view.getUint8(at++);
    frame.before[i] = -1;
  };
  if (kind === 1) {
    frame.box = {
      x: view.getFloat64(24, true),
      y: view.getFloat64(32, true),
      z: view.getFloat64(40, true),
      step: view.getFloat64(48, true),
      heightStep: view.getFloat64(56, true),
    };
    at = 64;
    for (let i = 0; i < count; ++i) readNew(i);
    matchById(frame, before);
  } else if (kind === 2) {
    frame.box = before.box;
    if (view.getUint32(24, true) !== before.count) throw new RangeError('a frame after another one');
    at = readDelta(frame, before, view, bytes, count, readState, readNew, (next) => (at = next), () => at);
  } else {
    throw new RangeError('no frame');
  }
  if (at !== buffer.byteLength) throw new RangeError('a frame with something after it');
  frame.count = count;
  const { box } = frame;
  const { x, y, z, qx, qy, qz } = frame;
  const { x: left, y: low, z: bottom, step, heightStep } = box;
  for (let i = 0; i < count; ++i) {
    x[i] = left + qx[i] * step;
    y[i] = low + qy[i] * step;
    z[i] = bottom + qz[i] * heightStep;
  }
  return frame;
}

/** The rest of a delta frame: those who were there, by code; then who is new, whose ids go between theirs. */
function readDelta(
  frame: People,
  before: People,
  view: DataView,
  bytes: Uint8Array,
  count: number,
  readState: (i: number) => void,
  readNew: (i: number) => void,
  moveTo: (at: number) => void,
  where: () => number,
): number {
  const known = before.count;
  const added = view.getUint32(28, true);
  const codes = 32;
  moveTo(codes + ((known + 3) >> 2));
  // Newcomers stand behind the records of the others: find where each goes once all are read.
  let n = 0;
  const first = added;
  // Most people have moved or stand: columns at hand, and one place in the bytes.
  const { id, population, qx, qy, qz, heading, speed, state, before: from } = frame;
  const { id: ids, population: populations, qx: xs, qy: ys, qz: zs, heading: headings, speed: speeds, state: states } = before;
  let at = where();
  for (let i = 0; i < known; ++i) {
    const code = (bytes[codes + (i >> 2)] >> (2 * (i & 3))) & 3;
    if (code === 3) continue;
    const to = first + n++;
    if (to >= count) throw new RangeError('a frame with too many people');
    id[to] = ids[i];
    population[to] = populations[i];
    from[to] = i;
    if (code === 2) {
      moveTo(at);
      readState(to);
      at = where();
      continue;
    }
    qz[to] = zs[i];
    state[to] = states[i];
    if (code === 0) {
      qx[to] = xs[i];
      qy[to] = ys[i];
      heading[to] = headings[i];
      speed[to] = speeds[i];
      continue;
    }
    if (at + 4 > bytes.length) throw new RangeError('a frame that ends too soon');
    qx[to] = (xs[i] + ((bytes[at] << 24) >> 24)) & 0x3ffff;
    qy[to] = (ys[i] + ((bytes[at + 1] << 24) >> 24)) & 0x3ffff;
    heading[to] = bytes[at + 2] * TURN;
    speed[to] = bytes[at + 3] / 32;
    at += 4;
  }
  moveTo(at);
  if (added + n !== count) throw new RangeError('a frame of another size than it says');
  if (added > 0) {
    const fresh = new People(added);
    const target = frame;
    // Read them into the gap at the front, then merge in place: the front is read ahead of what is written.
    for (let i = 0; i < added; ++i) readNew(i);
    copyRows(target, 0, fresh, added);
    mergeInPlace(target, fresh, added, n);
  }
  return where();
}

const COLUMNS = ['id', 'qx', 'qy', 'qz', 'heading', 'speed', 'state', 'population', 'before'] as const;

function copyRows(from: People, begin: number, to: People, n: number): void {
  for (const name of COLUMNS) to[name].set(from[name].subarray(begin, begin + n));
}

/** `fresh` and rows added … added + n of `frame`, both by id, become rows 0 … of `frame`. */
function mergeInPlace(frame: People, fresh: People, added: number, n: number): void {
  let a = 0;
  let b = added;
  const end = added + n;
  for (let to = 0; to < end; ++to) {
    const takeFresh = a < added && (b >= end || fresh.id[a] < frame.id[b]);
    const from = takeFresh ? fresh : frame;
    const row = takeFresh ? a++ : b++;
    if (from === frame && row === to) break; // the rest stands where it should
    for (const name of COLUMNS) frame[name][to] = from[name][row];
  }
}

/** After a key frame: who was there before, so that nobody jumps. */
function matchById(frame: People, before: People): void {
  let j = 0;
  for (let i = 0; i < frame.id.length; ++i) {
    while (j < before.count && before.id[j] < frame.id[i]) ++j;
    frame.before[i] = j < before.count && before.id[j] === frame.id[i] ? j : -1;
  }
}

/** What somebody sees: three bytes a pixel (rate of the bearing, time until it is nearest, danger), the upper left one first. */
export interface SightMessage {
  person: number;
  time: number;
  columns: number;
  rows: number;
  pixels: Uint8Array;
}

export function decodeSight(buffer: ArrayBuffer): SightMessage {
  const view = new DataView(buffer);
  const columns = view.getUint32(16, true);
  const rows = view.getUint32(20, true);
  if (columns * rows * 3 + 24 !== buffer.byteLength) throw new RangeError('a picture of another size than it says');
  return { person: view.getUint32(4, true), time: view.getFloat64(8, true), columns, rows, pixels: new Uint8Array(buffer, 24) };
}

export function decodeMesh(buffer: ArrayBuffer): MeshMessage {
  const head = new Uint32Array(buffer, 0, 4);
  const vertices = new Float32Array(buffer, 16, head[1] * 3);
  const triangles = new Uint32Array(buffer, 16 + head[1] * 12, head[2] * 3);
  const materials = new Uint32Array(buffer, 16 + head[1] * 12 + head[2] * 12, head[2]);
  return { vertices, triangles, materials };
}
