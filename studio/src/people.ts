// The crowd: everybody has a slot in two textures that the graphics card reads; what is written there between two frames
// is all that script does for a person. Who is drawn as what is chosen by their size on the screen (detail.ts).

import {
  Color,
  DataTexture,
  DoubleSide,
  FloatType,
  Group,
  HalfFloatType,
  InstancedBufferAttribute,
  type InstancedBufferGeometry,
  LinearFilter,
  Mesh,
  MeshDepthMaterial,
  MeshLambertMaterial,
  NearestFilter,
  RGBADepthPacking,
  RGBAFormat,
  Vector3,
  type WebGLRenderer,
} from 'three';

import { Clip, bake } from './clips';
import { PLAIN, choose, makeChoice, weightOf, type Choice, type Viewer } from './detail';
import { Near, crowding, findSome, type Findings } from './doing';
import { figure } from './figure';
import { cycleAt, gaitFor, runs } from './gait';
import { Impostors } from './impostor';
import { Prop, bodyOf, lookOf, packLook } from './looks';
import { ACROSS, LOOKS, MOVES, peopled, type PeopleUniforms } from './people_shader';
import { People, finished } from './protocol';

const M = MOVES * 4;
const L = LOOKS * 4;
/** m: farther in one frame is no walking. */
const JUMP = 5;
/** Rows of a frame between two pauses. */
const CHUNK = 4096;
/** A head that looks ahead, as it is packed. */
const FORWARD = 127 + 127 * 256;

/** gaitFor() of walkers, which their height has no part in, by 1/64 m/s. */
const GAITS = Float32Array.from({ length: 64 * 8 }, (_, i) => gaitFor(i / 64, 1.75, false));
const walkingGait = (speed: number): number => GAITS[Math.min(GAITS.length - 1, (speed * 64 + 0.5) | 0)];

function table(texels: number, rows: number): DataTexture {
  const texture = new DataTexture(new Float32Array(ACROSS * texels * rows * 4), ACROSS * texels, rows, RGBAFormat, FloatType);
  texture.minFilter = texture.magFilter = NearestFilter;
  texture.needsUpdate = true;
  return texture;
}

/** An instanced figure, with the slots of those who are drawn so. */
class Bucket {
  readonly mesh: Mesh;
  readonly triangles: number;
  count = 0;
  private others = 0;
  private geometry: InstancedBufferGeometry;
  private slots!: InstancedBufferAttribute;

  constructor(geometry: InstancedBufferGeometry, material: MeshLambertMaterial, depth: MeshDepthMaterial) {
    this.geometry = geometry;
    this.triangles = (geometry.index?.count ?? 0) / 3;
    this.mesh = new Mesh(geometry, material);
    this.mesh.frustumCulled = false;
    this.mesh.castShadow = true;
    this.mesh.receiveShadow = true;
    this.mesh.customDepthMaterial = depth;
    this.mesh.visible = false;
    // Who is drawn finely throws the shadow of a simple figure: they stand behind the others in the list.
    this.mesh.onBeforeShadow = () => (this.geometry.instanceCount = this.count + this.others);
    this.mesh.onAfterShadow = () => (this.geometry.instanceCount = this.count);
    this.reserve(256);
  }

  private reserve(people: number): void {
    this.slots = new InstancedBufferAttribute(new Uint32Array(people), 1);
    this.geometry.dispose(); // gives the old buffer back
    this.geometry.setAttribute('slot', this.slots);
  }

  /** Draws these, and the shadows of those and of `shades`. */
  fill(slots: Uint32Array, count: number, shades?: Uint32Array, more = 0): void {
    const all = count + more;
    if (this.slots.count < all) this.reserve(Math.ceil(all * 1.3));
    (this.slots.array as Uint32Array).set(slots.subarray(0, count));
    if (shades) (this.slots.array as Uint32Array).set(shades.subarray(0, more), count);
    this.slots.clearUpdateRanges();
    this.slots.addUpdateRange(0, all);
    this.slots.needsUpdate = true;
    this.count = this.geometry.instanceCount = count;
    this.others = more;
    this.mesh.visible = all > 0;
  }
}

/** The crowd in the scene. Places are relative to `origin`, so that 32-bit numbers are enough far from zero. */
export class Crowd {
  readonly group = new Group();
  readonly origin = new Vector3();
  /** Less than 1: coarser figures already nearer, for slow machines and for comparing. */
  quality = 1;
  /** Rings of x and y in turn where people who stay sit down. */
  seats: number[][] = [];
  /** Heights (relative to the origin) between which nobody is drawn: those of floors that are hidden. */
  hidden: [number, number][] = [];
  frame = new People();
  timeBefore = 0;
  /** The camera that the last frames' levels were chosen for. */
  readonly viewer: Viewer = { x: 0, y: 0, z: 0, forward: [1, 0, 0], scale: 800 };

  private anchor = new Vector3(); // the origin that the textures are relative to
  private capacity = 0;
  private free: number[] = [];
  private used = 0;
  private stamp = 0;
  private slots = new Uint32Array(0); // of each row of the frame, and room for more
  private spareSlots = new Uint32Array(0);
  private moves = table(MOVES, 1);
  /** What the texture of moves holds, and what it will hold after the next frame. */
  private current = this.moves.image.data as unknown as Float32Array<ArrayBuffer>;
  private next = new Float32Array(this.current.length);
  private looks = table(LOOKS, 1);
  private heights = new Float32Array(0);
  private sizes = new Float32Array(0);
  /** Which representation each has: impostors need less. */
  private levels = new Uint8Array(0);
  /** 1 / m: rounds of a step in a metre. */
  private paces = new Float32Array(0);
  private stamps = new Uint32Array(0);
  private gaits = new Float32Array(0);
  private running = new Uint8Array(0);
  private holds = new Uint8Array(0);
  private clips = new Uint8Array(0);
  private wants = new Uint8Array(0);
  private weights = new Float32Array(0);
  private gazes = new Float32Array(0);
  private gazeWants = new Float32Array(0);
  private densities = new Float32Array(0);
  private choice: Choice = makeChoice(0);
  private near = new Uint32Array(0);
  private surveys = 0;
  private findings: Findings = { clip: new Uint8Array(0), gaze: new Float32Array(0), density: new Float32Array(0) };
  private buckets: Bucket[];
  private props: Bucket;
  private holders = new Uint32Array(64);
  private impostors: Impostors;
  readonly uniforms = {
    uMix: { value: 1 },
    uSpan: { value: 0.1 },
    uIdle: { value: 0 },
    uColour: { value: 0 },
    uPopulation: { value: Array.from({ length: 16 }, () => new Color(0x888888)) },
    uMoves: { value: this.moves },
    uLooks: { value: this.looks },
    uClips: { value: new DataTexture() },
  };

  constructor() {
    const baked = bake();
    const clips = new DataTexture(baked.data, baked.width, baked.height, RGBAFormat, HalfFloatType);
    clips.minFilter = clips.magFilter = LinearFilter;
    clips.needsUpdate = true;
    this.uniforms.uClips.value = clips;
    const uniforms = this.uniforms as PeopleUniforms;
    const simple = peopled(new MeshDepthMaterial({ depthPacking: RGBADepthPacking, side: DoubleSide }), uniforms, 1, false);
    const bucket = (detail: 0 | 1 | 2): Bucket =>
      new Bucket(figure(detail), peopled(new MeshLambertMaterial({ side: DoubleSide }), uniforms, detail === 0 ? 0 : 1, true), simple);
    this.impostors = new Impostors(uniforms);
    this.buckets = [bucket(0), bucket(1), new Bucket(this.impostors.geometry, this.impostors.material, this.impostors.depth)];
    this.props = bucket(2);
    for (const { mesh } of [...this.buckets, this.props]) this.group.add(mesh);
    this.shadows = true;
    this.reserve(ACROSS);
  }

  /** Renders the impostors' pictures; once, before the first picture. */
  prepare(renderer: WebGLRenderer): void {
    this.impostors.render(renderer, this.uniforms.uClips.value);
  }

  get triangles(): number {
    return [...this.buckets, this.props].reduce((sum, bucket) => sum + bucket.count * bucket.triangles, 0);
  }
  /** How many are skinned figures, rigid ones, impostors. */
  get counts(): number[] {
    return this.buckets.map((bucket) => bucket.count);
  }
  /** For tests and measuring: triangles of one of each. */
  get each(): number[] {
    return [...this.buckets, this.props].map((bucket) => bucket.triangles);
  }
  set shadows(on: boolean) {
    for (const bucket of [this.buckets[1], this.buckets[2], this.props]) bucket.mesh.castShadow = on;
    this.buckets[0].mesh.castShadow = false;
  }
  set sun(towards: Vector3) {
    this.impostors.sun.value.copy(towards);
  }

  private reserve(people: number): void {
    if (people <= this.capacity) return;
    const rows = Math.ceil(Math.max(people, this.capacity * 1.5) / ACROSS);
    const capacity = rows * ACROSS;
    const grown = (texels: number, old: DataTexture): DataTexture => {
      const texture = table(texels, rows);
      (texture.image.data as unknown as Float32Array).set(old.image.data as unknown as Float32Array);
      old.dispose();
      return texture;
    };
    this.uniforms.uMoves.value = this.moves = grown(MOVES, this.moves);
    this.current = this.moves.image.data as unknown as Float32Array<ArrayBuffer>;
    this.next = new Float32Array(this.current.length);
    this.uniforms.uLooks.value = this.looks = grown(LOOKS, this.looks);
    const larger = <A extends Float32Array | Uint32Array | Uint8Array>(old: A): A => {
      const made = new (old.constructor as new (n: number) => A)(capacity);
      made.set(old);
      return made;
    };
    for (const name of ['heights', 'sizes', 'levels', 'paces', 'stamps', 'gaits', 'running', 'holds', 'clips', 'wants', 'weights', 'gazes', 'gazeWants', 'densities'] as const)
      (this as unknown as Record<string, Float32Array>)[name] = larger(this[name] as Float32Array);
    this.choice = makeChoice(capacity);
    this.capacity = capacity;
  }

  private dress(slot: number, id: number, population: number): void {
    const look = lookOf(id);
    const data = this.looks.image.data as unknown as Float32Array;
    const at = slot * L;
    data[at] = packLook(look);
    data[at + 1] = look.top;
    data[at + 2] = look.bottom;
    data[at + 3] = look.accent;
    data[at + 4] = look.height;
    data[at + 5] = look.seed;
    data[at + 6] = population;
    data[at + 7] = bodyOf(look);
    this.heights[slot] = look.height;
    this.sizes[slot] = weightOf(look.height, slot);
    this.levels[slot] = 2;
    this.holds[slot] = look.prop === Prop.Umbrella || look.prop === Prop.Pram ? 1 : 0;
    this.clips[slot] = this.wants[slot] = 0;
    this.weights[slot] = this.gazes[slot] = this.gazeWants[slot] = this.running[slot] = 0;
  }

  /** The next frame: everybody walks there from where they were. */
  advance(next: People): void {
    finished(this.advancing(next))();
  }

  /** The same with pauses. What was drawn before goes on being drawn until what is returned is called. */
  *advancing(next: People): Generator<void, () => void, void> {
    const n = next.count;
    const elapsed = next.time - this.frame.time;
    this.rebase();
    this.reserve(n + 64);
    if (this.spareSlots.length < n) this.spareSlots = new Uint32Array(Math.ceil(n * 1.25));
    const slots = this.spareSlots;
    yield* this.keepSlots(next, slots);
    if (this.free.length + (this.capacity - this.used) < n) this.reserve(this.used + n);
    if (elapsed === 0) this.next.set(this.current.subarray(0, this.used * M)); // the camera sees others now, at the same moment
    yield;
    let dressed = false;
    for (let i = 0; i < n; i += CHUNK) {
      dressed = this.advanceRows(next, slots, i, Math.min(n, i + CHUNK), elapsed) || dressed;
      yield;
    }
    return () => this.show(next, slots, dressed, elapsed);
  }

  private show(next: People, slots: Uint32Array<ArrayBuffer>, dressed: boolean, elapsed: number): void {
    [this.current, this.next] = [this.next, this.current];
    (this.moves.image as { data: unknown }).data = this.current;
    this.moves.needsUpdate = true;
    if (dressed) this.looks.needsUpdate = true;
    if (elapsed !== 0) this.timeBefore = this.frame.time;
    if (elapsed > 1e-6) this.uniforms.uSpan.value = elapsed;
    this.frame = next;
    [this.slots, this.spareSlots] = [slots, this.slots];
  }

  /** Whoever was there keeps their slot; those of who is gone are free from now on. */
  private *keepSlots(next: People, slots: Uint32Array): Generator<void, void, void> {
    const { stamps, slots: before } = this;
    const stamp = ++this.stamp;
    const known = this.frame.count;
    const { before: rows, count } = next;
    for (let begin = 0; begin < count; begin += 8 * CHUNK) {
      for (let i = begin; i < Math.min(count, begin + 8 * CHUNK); ++i) {
        const b = rows[i];
        if (b < 0 || b >= known) continue;
        const slot = before[b];
        slots[i] = slot;
        stamps[slot] = stamp;
      }
      yield;
    }
    for (let i = 0; i < known; ++i) if (stamps[before[i]] !== stamp) this.free.push(before[i]);
    yield;
  }

  /** Rows begin … end of a frame; true when somebody of them is new. */
  private advanceRows(next: People, slots: Uint32Array, begin: number, end: number, elapsed: number): boolean {
    const { x: xs, y: ys, z: zs, heading: headings, speed: speeds, state: states, before: befores } = next;
    const { x: ox, y: oy, z: oz } = this.origin;
    const { levels, paces, current: was, next: data, stamp } = this;
    const known = this.frame.count;
    const walks = elapsed > 1e-6;
    let dressed = false;
    for (let i = begin; i < end; ++i) {
      const b = befores[i];
      const met = b >= 0 && b < known;
      if (met && elapsed === 0) continue;
      let slot = slots[i];
      if (!met) {
        slot = slots[i] = this.free.pop() ?? this.used++;
        this.stamps[slot] = stamp;
        this.dress(slot, next.id[i], next.population[i]);
        dressed = true;
      }
      const at = slot * M;
      const x = xs[i] - ox;
      const y = ys[i] - oy;
      const z = zs[i] - oz;
      const heading = headings[i];
      const dx = x - was[at + 4];
      const dy = y - was[at + 5];
      const square = dx * dx + dy * dy;
      if (met && walks && square < JUMP * JUMP) {
        data[at] = was[at + 4];
        data[at + 1] = was[at + 5];
        data[at + 2] = was[at + 6];
        let from = was[at + 7];
        if (heading - from > Math.PI) from += 2 * Math.PI;
        else if (heading - from < -Math.PI) from -= 2 * Math.PI;
        data[at + 3] = from;
        const way = Math.sqrt(square);
        if (levels[slot] < 2 || ((slot + stamp) & 7) === 0) this.walk(slot, at, was, data, way, dx, dy, heading, from, elapsed, speeds[i]);
        else {
          // Far away: steps as long as before, and straight from place to place.
          const phase = was[at + 9];
          data[at + 8] = phase;
          data[at + 9] = phase + way * paces[slot];
          data[at + 10] = data[at + 11] = -1;
          data[at + 12] = data[at + 13] = was[at + 13];
          data[at + 14] = was[at + 14];
          data[at + 15] = was[at + 15];
        }
      } else this.stand(slot, at, data, x, y, z, heading, speeds[i], met ? was[at + 9] % 64 : 0);
      data[at + 4] = x;
      data[at + 5] = y;
      data[at + 6] = z;
      data[at + 7] = heading;
      const level = states[i] >> 2;
      data[at + 14] = (data[at + 14] & 0x1fffff) + ((level < 7 ? level : 7) << 21);
    }
    return dressed;
  }

  /** The origin has moved: everybody stays where they are in the scene. */
  private rebase(): void {
    const shift = this.anchor.clone().sub(this.origin);
    this.anchor.copy(this.origin);
    if (shift.lengthSq() === 0) return;
    const data = this.current;
    for (let at = 0; at < this.used * M; at += M)
      for (const k of [0, 4]) {
        data[at + k] += shift.x;
        data[at + k + 1] += shift.y;
        data[at + k + 2] += shift.z;
      }
  }

  /** Somebody new, or who is at another place at once. */
  private stand(slot: number, at: number, data: Float32Array, x: number, y: number, z: number, heading: number, speed: number, phase: number): void {
    data[at] = x;
    data[at + 1] = y;
    data[at + 2] = z;
    data[at + 3] = heading;
    data[at + 8] = data[at + 9] = phase;
    data[at + 10] = data[at + 11] = -1;
    const gait = walkingGait(speed);
    this.gaits[slot] = data[at + 12] = data[at + 13] = gait;
    this.paces[slot] = 1 / cycleAt(gait, this.heights[slot]);
    data[at + 14] = 0;
    data[at + 15] = FORWARD;
  }

  /** Steps, what else is done, and where the head turns, from the last frame to this one. */
  private walk(slot: number, at: number, was: Float32Array, data: Float32Array, way: number, dx: number, dy: number, heading: number, from: number, elapsed: number, told: number): void {
    const height = this.heights[slot];
    const speed = Math.min(way / elapsed, 7);
    const running = runs(speed, height, this.running[slot] === 1);
    this.running[slot] = running ? 1 : 0;
    const wanted = running ? gaitFor(speed, height, true) : walkingGait(speed);
    const gait = this.gaits[slot];
    // Steps get longer and shorter over some of them; gaits change within half a second.
    const far = this.levels[slot] === 2;
    const reach = 5 * elapsed;
    const change = (wanted - gait) * Math.min(1, 4 * elapsed);
    const next = far ? wanted : gait + Math.max(-reach, Math.min(reach, running !== gait > 6.5 ? Math.sign(wanted - gait) * reach : change));
    const phase = was[at + 9] % 64;
    data[at + 8] = phase;
    data[at + 9] = phase + way / cycleAt((gait + next) / 2, height);
    this.paces[slot] = 1 / cycleAt(next, height);
    data[at + 12] = gait;
    data[at + 13] = this.gaits[slot] = next;
    // Speeds count where people walk the way they face; from afar nobody sees the difference.
    if (far) {
      data[at + 10] = data[at + 11] = -1;
      data[at + 12] = next;
      data[at + 14] = this.weights[slot] = 0;
      data[at + 15] = was[at + 15];
      return;
    }
    const along = dx * Math.cos(heading) + dy * Math.sin(heading);
    const alongBefore = dx * Math.cos(from) + dy * Math.sin(from);
    const smooth = way > 0.005 && along > 0.9 * way && alongBefore > 0.9 * way && elapsed < 1;
    const toldBefore = was[at + 11];
    data[at + 10] = smooth ? (toldBefore >= 0 ? toldBefore : speed) : -1;
    data[at + 11] = smooth ? told : -1;
    // Standing comes in when walking has faded, one thing after the other.
    const weight = this.weights[slot];
    const want = speed < 0.2 ? this.wants[slot] : 0;
    let now = weight;
    if (want !== 0 && want === this.clips[slot]) now = Math.min(1, weight + 3 * elapsed);
    else {
      now = Math.max(0, weight - 4 * elapsed);
      if (now === 0 && weight === 0) this.clips[slot] = want;
    }
    this.weights[slot] = now;
    data[at + 14] = this.clips[slot] + (Math.round(weight * 255) << 5) + (Math.round(now * 255) << 13);
    const gaze = this.gazes[slot];
    const turn = this.gazeWants[slot] - gaze;
    const turned = gaze + Math.max(-2.5 * elapsed, Math.min(2.5 * elapsed, turn));
    this.gazes[slot] = turned;
    const byte = (g: number): number => Math.round(((g + 1.5) / 3) * 255);
    data[at + 15] = byte(gaze) + (byte(turned) << 8) + (Math.min(255, Math.round(this.densities[slot] * 32)) << 16);
  }

  /** Finds out what those who are drawn as figures do. A few times a second is enough. all: how close together the others are, for an eighth of them. */
  survey(all: boolean): void {
    finished(this.surveying(all));
  }

  /** The same with pauses, between which there must be no other frame. */
  *surveying(all: boolean): Generator<void, void, void> {
    const { frame, slots, levels } = this;
    const n = frame.count;
    if (this.findings.clip.length < n) this.findings = { clip: new Uint8Array(n), gaze: new Float32Array(n), density: new Float32Array(n) };
    if (this.near.length < n) this.near = new Uint32Array(Math.ceil(n * 1.25));
    const rows: number[] = [];
    const others: number[] = [];
    const among = this.near;
    let count = 0;
    const data = this.current;
    const { x, y } = this.viewer;
    const reach = (1.3 * this.viewer.scale) / PLAIN;
    const [far, farther] = [reach ** 2, (reach + 4) ** 2];
    const turn = ++this.surveys & 7;
    for (let i = 0; i < n; ++i) {
      const slot = slots[i];
      const at = slot * M;
      const dx = data[at + 4] - x;
      const dy = data[at + 5] - y;
      const square = dx * dx + dy * dy;
      if (!all && square > farther) continue;
      among[count++] = i;
      if (square < far && levels[slot] < 2) rows.push(i);
      else if (all && (i & 7) === turn) others.push(i);
    }
    if (rows.length + others.length === 0) return;
    yield;
    const near = new Near(frame, among.subarray(0, count));
    for (let i = 0; i < rows.length; i += 64) {
      yield;
      findSome(frame, near, rows, i, Math.min(i + 64, rows.length), this.seats, this.findings);
    }
    for (let i = 0; i < others.length; i += 1024) {
      yield;
      crowding(near, others, i, Math.min(i + 1024, others.length), this.findings);
    }
    for (const i of rows) {
      const slot = slots[i];
      this.wants[slot] = this.findings.clip[i];
      this.gazeWants[slot] = this.findings.gaze[i];
      this.densities[slot] = this.findings.density[i];
    }
    for (const i of others) this.densities[slots[i]] = this.findings.density[i];
  }

  /** Puts everybody into the representation that their size on the screen asks for. After a frame, and when the camera moves. */
  arrange(): void {
    const data = this.current;
    let slotsOf = this.slots.subarray(0, this.frame.count);
    if (this.hidden.length > 0)
      slotsOf = slotsOf.filter((slot) => !this.hidden.some(([low, high]) => data[slot * M + 6] >= low && data[slot * M + 6] < high));
    choose(this.choice, slotsOf, slotsOf.length, data, M, 4, this.sizes, this.viewer);
    const { counts, slots } = this.choice;
    this.levels.fill(2);
    for (const k of [0, 1]) for (let i = 0; i < counts[k]; ++i) this.levels[slots[k][i]] = k;
    this.buckets[0].fill(slots[0], counts[0]);
    this.buckets[1].fill(slots[1], counts[1], slots[0], counts[0]);
    this.buckets[2].fill(slots[2], counts[2]);
    let held = 0;
    for (const k of [0, 1])
      for (let i = 0; i < counts[k]; ++i) {
        const slot = slots[k][i];
        if (this.holds[slot] === 0 && this.clips[slot] !== Clip.Sit) continue;
        if (held === this.holders.length) {
          const larger = new Uint32Array(held * 2);
          larger.set(this.holders);
          this.holders = larger;
        }
        this.holders[held++] = slot;
      }
    this.props.fill(this.holders, held);
  }

  /** Row of somebody in view, or -1. */
  row(id: number): number {
    const { frame } = this;
    let low = 0;
    let high = frame.count - 1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      if (frame.id[middle] === id) return middle;
      if (frame.id[middle] < id) low = middle + 1;
      else high = middle - 1;
    }
    return -1;
  }

  /** Where somebody is drawn now. */
  place(row: number, out: Vector3): Vector3 {
    const data = this.current;
    const at = this.slots[row] * M;
    const t = this.uniforms.uMix.value;
    const [x, y, z] = [data[at], data[at + 1], data[at + 2]];
    const dx = data[at + 4] - x;
    const dy = data[at + 5] - y;
    out.set(x + dx * t, y + dy * t, z + (data[at + 6] - z) * t);
    if (data[at + 10] >= 0) {
      // As the shader: cubic, with both speeds.
      const far = Math.max(Math.hypot(dx, dy), 1e-4);
      const span = this.uniforms.uSpan.value;
      const a = (t ** 3 - 2 * t * t + t) * Math.min((data[at + 10] * span) / far, 2) * far;
      const b = (t ** 3 - t * t) * Math.min((data[at + 11] * span) / far, 2) * far;
      const c = 3 * t * t - 2 * t ** 3;
      out.x = x + a * Math.cos(data[at + 3]) + b * Math.cos(data[at + 7]) + c * dx;
      out.y = y + a * Math.sin(data[at + 3]) + b * Math.sin(data[at + 7]) + c * dy;
    }
    return out;
  }
  /** m: how tall somebody in view is. */
  heightOf(row: number): number {
    return this.heights[this.slots[row]];
  }
  /** Radians: the way somebody in view is drawn facing now. */
  facing(row: number): number {
    const data = this.current;
    const at = this.slots[row] * M;
    return data[at + 3] + (data[at + 7] - data[at + 3]) * this.uniforms.uMix.value;
  }

  /** Who is nearest to a ray, within arm's length or what a finger covers; 0 for nobody. */
  pick(from: Vector3, direction: Vector3, wide: number): number {
    const { frame } = this;
    const at = new Vector3();
    let best = 0;
    let least = Infinity;
    for (let i = 0; i < frame.count; ++i) {
      this.place(i, at);
      at.z += 0.9;
      at.sub(from);
      const along = at.dot(direction);
      if (along <= 0) continue;
      const off = Math.sqrt(Math.max(at.lengthSq() - along * along, 0));
      if (off < 0.45 + wide * along && along + off * 20 < least) {
        least = along + off * 20;
        best = frame.id[i];
      }
    }
    return best;
  }
}

