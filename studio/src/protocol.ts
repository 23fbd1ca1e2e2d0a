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
  /** Of a layer that goes on at its other side: x and y of two corners. */
  wrap?: [number, number, number, number];
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
  /** x and y of the two points of either end. */
  connections: [number[], number[]][];
  populations: { name: string; rgb: number }[];
  places: { name: string; at: [number, number]; z: number }[];
  materials: { name: string; rgb: number }[] | null;
  /** Names of what can be laid over it. */
  overlays: string[];
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

/** Rows that are read before one may pause. */
const CHUNK = 4096;
/** Bytes of the records that a byte of four codes asks for. */
const SIZES = Uint8Array.from({ length: 256 }, (_, codes) => [0, 2, 4, 6].reduce((sum, shift) => sum + [0, 4, 9, 0][(codes >> shift) & 3], 0));

/** Work that can pause, done at once. */
export function finished<T>(work: Generator<void, T, void>): T {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
  }
}

/** Reads a frame with the one before it. Throws a RangeError for bytes that are none. */
export const decodeFrame = (buffer: ArrayBuffer, before: People): People => finished(decoding(buffer, before));

/** The same with pauses, so that a picture need not wait for all of it. `room` is written over, if it is large enough. */
export function* decoding(buffer: ArrayBuffer, before: People, room?: People): Generator<void, People, void> {
  const reader = new Reader(buffer);
  const { view } = reader;
  const kind = view.getUint32(0, true);
  const count = view.getUint32(20, true);
  if (count > buffer.byteLength * 4) throw new RangeError('a frame of more people than bytes');
  const frame = room && room.id.length >= count ? room : new People(room ? Math.ceil(count * 1.25) : count);
  frame.sequence = view.getUint32(4, true);
  frame.time = view.getFloat64(8, true);
  frame.total = view.getUint32(16, true);
  frame.count = count;
  if (kind === 1) {
    const [x, y, z, step, heightStep] = [24, 32, 40, 48, 56].map((at) => view.getFloat64(at, true));
    frame.box = { x, y, z, step, heightStep };
    reader.at = 64;
    for (let i = 0; i < count; ++i) {
      reader.newcomer(frame, i);
      if (i % CHUNK === CHUNK - 1) yield;
    }
    matchById(frame, before);
  } else if (kind === 2) {
    frame.box = before.box;
    if (view.getUint32(24, true) !== before.count) throw new RangeError('a frame after another one');
    yield* readDelta(frame, before, reader);
  } else {
    throw new RangeError('no frame');
  }
  if (reader.at !== buffer.byteLength) throw new RangeError('a frame with something after it');
  return frame;
}

/** A place in the bytes of a frame, and what stands there. */
class Reader {
  at = 24;
  readonly view: DataView;
  readonly bytes: Uint8Array;
  private last = 0;

  constructor(buffer: ArrayBuffer) {
    this.view = new DataView(buffer);
    this.bytes = new Uint8Array(buffer);
  }
  state(frame: People, i: number): void {
    const { at, bytes } = this;
    if (at + 9 > bytes.length) throw new RangeError('a frame that ends too soon');
    const low = (bytes[at] | (bytes[at + 1] << 8) | (bytes[at + 2] << 16) | (bytes[at + 3] << 24)) >>> 0;
    const high = bytes[at + 4] | (bytes[at + 5] << 8);
    frame.qx[i] = low & 0x3ffff;
    frame.qy[i] = (low >>> 18) | ((high & 15) << 14);
    frame.qz[i] = high >>> 4;
    frame.heading[i] = bytes[at + 6] * TURN;
    frame.speed[i] = bytes[at + 7] / 32;
    frame.state[i] = bytes[at + 8];
    const { box } = frame;
    frame.x[i] = box.x + frame.qx[i] * box.step;
    frame.y[i] = box.y + frame.qy[i] * box.step;
    frame.z[i] = box.z + frame.qz[i] * box.heightStep;
    this.at = at + 9;
  }
  private gap(): number {
    let value = 0;
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = this.view.getUint8(this.at++);
      value += (byte & 127) * 2 ** shift;
      if (byte < 128) return value;
    }
    throw new RangeError('a number that does not end');
  }
  newcomer(frame: People, i: number): void {
    this.last += this.gap();
    frame.id[i] = this.last;
    this.state(frame, i);
    frame.population[i] = this.view.getUint8(this.at++);
    frame.before[i] = -1;
  }
}

/** The rest of a delta frame: those who were there, by code; then who is new, whose ids go between theirs. */
function* readDelta(frame: People, before: People, reader: Reader): Generator<void, void, void> {
  const { bytes, view } = reader;
  const known = before.count;
  const added = view.getUint32(28, true);
  const codes = 32;
  const records = codes + ((known + 3) >> 2);
  if (records > bytes.length || added > frame.count) throw new RangeError('a frame that ends too soon');
  // Newcomers stand behind the records of the others, whose codes tell how long those are.
  let end = records;
  for (let k = codes; k < records; ++k) end += SIZES[k === records - 1 && known & 3 ? bytes[k] & ((1 << (2 * (known & 3))) - 1) : bytes[k]];
  reader.at = end;
  const fresh = new People(added);
  fresh.box = frame.box;
  for (let i = 0; i < added; ++i) {
    reader.newcomer(fresh, i);
    if (i % CHUNK === CHUNK - 1) yield;
  }
  const place = { row: 0, fresh: 0, at: records };
  for (let row = 0; row < known; row += CHUNK) {
    readRows(frame, before, fresh, bytes, end, place, row, Math.min(known, row + CHUNK));
    yield;
  }
  while (place.fresh < added) putNew(frame, place.row++, fresh, place.fresh++);
  if (place.row !== frame.count || place.at !== end) throw new RangeError('a frame of another size than it says');
}

function putNew(frame: People, to: number, fresh: People, from: number): void {
  if (to >= frame.count) throw new RangeError('a frame with too many people');
  for (const name of COLUMNS) frame[name][to] = fresh[name][from];
}
const COLUMNS = ['id', 'x', 'y', 'z', 'qx', 'qy', 'qz', 'heading', 'speed', 'state', 'population', 'before'] as const;

/** Rows begin … end of those who were there; who is new goes before the first with a higher number. */
function readRows(frame: People, before: People, fresh: People, bytes: Uint8Array, stop: number, place: { row: number; fresh: number; at: number }, begin: number, end: number): void {
  const { id, population, x, y, z, qx, qy, qz, heading, speed, state, before: from, count } = frame;
  const { id: ids, population: populations, z: heights, qx: xs, qy: ys, qz: zs, heading: headings, speed: speeds, state: states } = before;
  const { x: left, y: low, step } = frame.box;
  const added = fresh.id.length;
  let { row: to, at } = place;
  let next = place.fresh < added ? fresh.id[place.fresh] : Infinity;
  const reader = new Reader(bytes.buffer as ArrayBuffer);
  for (let i = begin; i < end; ++i) {
    const code = (bytes[32 + (i >> 2)] >> (2 * (i & 3))) & 3;
    if (code === 3) continue;
    while (next < ids[i]) {
      putNew(frame, to++, fresh, place.fresh++);
      next = place.fresh < added ? fresh.id[place.fresh] : Infinity;
    }
    if (to >= count) throw new RangeError('a frame with too many people');
    id[to] = ids[i];
    population[to] = populations[i];
    from[to] = i;
    if (code === 2) {
      reader.at = at;
      reader.state(frame, to++);
      ({ at } = reader);
      continue;
    }
    qz[to] = zs[i];
    z[to] = heights[i];
    state[to] = states[i];
    if (code === 0) {
      qx[to] = xs[i];
      qy[to] = ys[i];
      heading[to] = headings[i];
      speed[to] = speeds[i];
    } else {
      if (at + 4 > stop) throw new RangeError('a frame that ends too soon');
      qx[to] = (xs[i] + ((bytes[at] << 24) >> 24)) & 0x3ffff;
      qy[to] = (ys[i] + ((bytes[at + 1] << 24) >> 24)) & 0x3ffff;
      heading[to] = bytes[at + 2] * TURN;
      speed[to] = bytes[at + 3] / 32;
      at += 4;
    }
    x[to] = left + qx[to] * step;
    y[to] = low + qy[to] * step;
    ++to;
  }
  place.row = to;
  place.at = at;
}

/** After a key frame: who was there before, so that nobody jumps. */
function matchById(frame: People, before: People): void {
  let j = 0;
  for (let i = 0; i < frame.count; ++i) {
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
