// What the hand does on the ground with each tool: where it clicks and drags, and what it makes in the end.

import { addCamera } from './cameras';
import type { IconName } from './icons';
import { distance, millimetres, rectangle, wkt, wktOf, type Geometry, type Point } from './geometry';
import type { Json, SceneDocument, Step } from './document';
import { Stroke } from './stroke';

/** What a tool needs of the desk it lies on. */
export interface Bench {
  readonly document: SceneDocument;
  readonly layer: number;
  /** What that is called, and all of them. */
  readonly floor: string;
  readonly floors: string[];
  readonly regionType: string;
  readonly brushSize: number;
  /** m: half as wide as what is painted. */
  readonly paintSize: number;
  readonly profile: string;
  /** Height of the ground, and whether the place has to say it (floors found in a model). */
  placeAt(p: Point): number[];
  /** m: of the floor that is drawn on. */
  heightAt(p: Point): number;
  isFree(p: Point): boolean;
  /** The name of a place that this point is in. */
  placeNamed(p: Point): string | null;
  edit(label: string, steps: Step[], merge?: string): void;
  open(pointer: string): void;
  choose(tool: string): void;
  say(text: string): void;
}

export abstract class Tool {
  /** What is being drawn. */
  geometry: Geometry | null = null;
  /** All of it, where that is more than one shape. */
  get drafts(): Geometry[] {
    return this.geometry ? [this.geometry] : [];
  }
  /** Has it corners that one clicks? */
  get cornered(): boolean {
    return true;
  }
  /** Does a click do what a short drag does? */
  get stamps(): boolean {
    return false;
  }
  constructor(
    protected bench: Bench,
    readonly name: string,
    readonly icon: IconName,
    readonly key: string,
    readonly title: string,
  ) {}
  abstract hint(): string;
  /** Is something being drawn? */
  get busy(): boolean {
    return this.geometry !== null;
  }
  /** May it begin on one floor and end on another? */
  get spans(): boolean {
    return false;
  }
  get drags(): boolean {
    return false;
  }
  click(_p: Point, _again: boolean): void {}
  hover(_p: Point): void {}
  dragBegin(_p: Point): void {}
  drag(_p: Point): void {}
  dragEnd(_p: Point): void {}
  finish(): void {}
  cancel(): boolean {
    const busy = this.geometry !== null;
    this.geometry = null;
    return busy;
  }
  back(): void {}
}

/** Corner by corner, or from corner to corner of a rectangle. */
class Draw extends Tool {
  private corners: Point[] = [];
  constructor(
    bench: Bench,
    name: string,
    icon: IconName,
    key: string,
    title: string,
    private what: 'polygon' | 'line' | 'segment',
    private words: string,
    private done: (geometry: Geometry) => void,
  ) {
    super(bench, name, icon, key, title);
  }
  get drags(): boolean {
    return this.what === 'polygon' && this.corners.length === 0;
  }
  hint(): string {
    const n = this.corners.length;
    if (this.what === 'segment') return n === 0 ? `Click where ${this.words} begins.` : 'Click where it ends.';
    if (n === 0) return this.what === 'polygon' ? `Drag a rectangle for ${this.words}, or click corner by corner.` : `Click where ${this.words} begins.`;
    const enough = n >= (this.what === 'polygon' ? 3 : 2);
    return enough ? 'Click on; a double click or Enter ends it. Backspace takes a corner back.' : 'Click the next corner. Shift snaps to corners and half metres.';
  }
  private show(extra?: Point): void {
    const list = extra ? [...this.corners, extra] : this.corners;
    this.geometry = list.length === 0 ? null : this.what === 'polygon' && list.length > 2 ? { type: 'polygon', rings: [list] } : { type: 'line', points: list };
  }
  click(p: Point, again: boolean): void {
    const first = this.corners[0];
    const closes = this.what === 'polygon' && this.corners.length > 2 && distance(p, first) < 0.35;
    if (again || closes) return this.finish();
    const last = this.corners[this.corners.length - 1];
    if (last && distance(p, last) < 0.02) return;
    this.corners.push([millimetres(p[0]), millimetres(p[1])]);
    this.show();
    if (this.what === 'segment' && this.corners.length === 2) this.finish();
  }
  hover(p: Point): void {
    if (this.corners.length > 0) this.show(p);
  }
  dragBegin(p: Point): void {
    this.corners = [p];
  }
  drag(p: Point): void {
    this.geometry = rectangle(this.corners[0], p);
  }
  dragEnd(p: Point): void {
    const made = rectangle(this.corners[0], p);
    this.corners = [];
    this.geometry = null;
    const ring = made.type === 'polygon' ? made.rings[0] : [];
    if (Math.abs(ring[2][0] - ring[0][0]) > 0.05 && Math.abs(ring[2][1] - ring[0][1]) > 0.05) this.done(made);
  }
  finish(): void {
    const { corners } = this;
    if (corners.length < (this.what === 'polygon' ? 3 : 2)) return;
    this.corners = [];
    this.geometry = null;
    this.done(this.what === 'polygon' ? { type: 'polygon', rings: [corners] } : { type: 'line', points: corners });
  }
  cancel(): boolean {
    this.corners = [];
    return super.cancel();
  }
  back(): void {
    this.corners.pop();
    this.show();
  }
}

/** Two clicks: from here to there. */
class TwoClicks extends Tool {
  private from: Point | null = null;
  constructor(
    bench: Bench,
    name: string,
    icon: IconName,
    key: string,
    title: string,
    private words: { first: string; second: string; near: string },
    /** m that they are apart at least. */
    private least: number,
    private done: (from: Point, to: Point, noted: Json) => void,
    /** What is kept of the first click: the floor that it is on, which the second may not be on. */
    private note: ((p: Point) => Json) | null = null,
  ) {
    super(bench, name, icon, key, title);
  }
  private noted: Json = null;
  get spans(): boolean {
    return this.note !== null;
  }
  hint(): string {
    return this.from ? this.words.second : this.words.first;
  }
  click(p: Point): void {
    if (!this.from) {
      this.from = p;
      this.noted = this.note?.(p) ?? null;
      this.geometry = { type: 'line', points: [p, p] };
      return;
    }
    const { from } = this;
    if (distance(from, p) < this.least) return this.bench.say(this.words.near);
    const { noted } = this;
    this.cancel();
    this.done(from, p, noted);
  }
  hover(p: Point): void {
    if (this.from) this.geometry = { type: 'line', points: [this.from, p] };
  }
  cancel(): boolean {
    this.from = null;
    return super.cancel();
  }
}

const flowTool = (bench: Bench): Tool => {
  const end = (at: Point): Json => bench.placeNamed(at) ?? { at: bench.placeAt(at), radius: 1.5 };
  return new TwoClicks(bench, 'flow', 'flow', 'F', 'Flow: people between two places', { first: 'Click where they start.', second: 'Click where they go.', near: 'The two places of a flow are at least a metre apart.' }, 1, (_from, to, first) => {
    const { steps, pointer } = bench.document.addFlow(first, end(to), 20);
    bench.edit('add a flow', steps);
    bench.open(pointer);
  }, end);
};

const cameraTool = (bench: Bench): Tool =>
  new TwoClicks(bench, 'camera', 'camera', 'C', 'Camera: a region of interest, where people are simulated in full', { first: 'Click where the camera stands. Near it and in its sight people are simulated in full.', second: 'Click where it looks.', near: 'Click a bit farther away: where it looks.' }, 0.1, (from, to) => {
    const { steps, pointer } = addCamera(bench.document, from, to, bench.heightAt(from));
    bench.edit('add a camera', steps);
    bench.open(pointer);
  });

/** One click: a place. */
class PlaceTool extends Tool {
  hint(): string {
    return 'Click where the place is. Flows join places; the name is its label.';
  }
  click(p: Point): void {
    const { bench } = this;
    const { document } = bench;
    const index = (document.json.places ?? []).length;
    bench.edit('add a place', document.append('/places', { name: document.freeName(document.json.places, 'place'), at: bench.placeAt(p), radius: 1.5 }));
    bench.open(`/places/${index}/at`);
  }
}

/** Paints ground of a type: what one stroke after another adds is one region, as long as nothing else is done. */
class PaintTool extends Tool {
  private stroke: Stroke | null = null;
  private shown = 0;
  private parts: Geometry[] = [];
  /** The region that the strokes before have made, as it was left. */
  private made: { pointer: string; area: string; stroke: Stroke } | null = null;

  get drags(): boolean {
    return true;
  }
  get stamps(): boolean {
    return true;
  }
  get cornered(): boolean {
    return false;
  }
  get drafts(): Geometry[] {
    return this.parts;
  }
  hint(): string {
    return `Click or drag to paint ${this.bench.regionType}. Its type and the size of the brush are at the right.`;
  }
  dragBegin(p: Point): void {
    const { bench, made } = this;
    const before = made && bench.document.get(made.pointer);
    const goes_on = before?.area === made?.area && before?.type === bench.regionType && made?.pointer.startsWith(`/layers/${bench.layer}/`) && made.stroke.radius === bench.paintSize && made.stroke.has(p);
    if (!goes_on) this.made = null;
    this.stroke = this.made?.stroke ?? new Stroke(bench.paintSize);
    this.stroke.lift();
    this.drag(p);
    this.geometry = this.parts[0] ?? null;
  }
  drag(p: Point): void {
    if (!this.stroke?.to(p)) return;
    // A long stroke takes a while to be outlined.
    const now = performance.now();
    if (now < this.shown) return;
    this.parts = this.stroke.geometries;
    this.shown = performance.now() + 3 * (performance.now() - now);
  }
  dragEnd(): void {
    const { bench, stroke, made } = this;
    const parts = stroke?.geometries ?? [];
    this.cancel();
    if (!stroke || parts.length === 0) return;
    const area = wktOf(parts);
    const index = (bench.document.get(`/layers/${bench.layer}/regions`) ?? []).length;
    const pointer = made?.pointer ?? `/layers/${bench.layer}/regions/${index}`;
    this.made = { pointer, area, stroke };
    if (made) bench.edit('paint a region', [{ op: 'set', at: `${pointer}/area`, value: area }]);
    else bench.edit('paint a region', bench.document.addToLayer(bench.layer, 'regions', { type: bench.regionType, area }));
  }
  cancel(): boolean {
    const busy = this.stroke !== null && this.parts.length > 0;
    this.stroke = null;
    this.parts = [];
    super.cancel();
    return busy;
  }
}

/** Paints people, each at a point of their own, all of one population per stroke. */
class BrushTool extends Tool {
  private places: Point[] = [];
  get drags(): boolean {
    return true;
  }
  get stamps(): boolean {
    return true;
  }
  get cornered(): boolean {
    return false;
  }
  get drafts(): Geometry[] {
    return this.places.map((at) => ({ type: 'point', at }));
  }
  hint(): string {
    return 'Click or drag where people shall stand. They stay there until you give them a goal.';
  }
  private add(p: Point): void {
    const { bench } = this;
    const gap = 0.7; // m, of people who do not touch
    const reach = bench.brushSize;
    for (let x = -reach; x <= reach; x += gap)
      for (let y = -reach; y <= reach; y += gap) {
        // On one grid for the whole stroke, so that it can be painted over.
        const at: Point = [millimetres(Math.round((p[0] + x) / gap) * gap), millimetres(Math.round((p[1] + y) / gap) * gap)];
        if (distance(at, p) <= Math.max(reach, gap * 0.71) && this.places.length < 400 && bench.isFree(at) && !this.places.some((q) => distance(q, at) < gap * 0.9)) this.places.push(at);
      }
    this.geometry = { type: 'line', points: [...this.places] };
  }
  private last: Point = [0, 0];
  dragBegin(p: Point): void {
    this.places = [];
    this.last = p;
    this.add(p);
  }
  drag(p: Point): void {
    // Also where the hand was too quick to be seen.
    const steps = Math.min(200, Math.ceil(distance(this.last, p) / 0.35));
    for (let i = 1; i <= steps; ++i) this.add([this.last[0] + ((p[0] - this.last[0]) * i) / steps, this.last[1] + ((p[1] - this.last[1]) * i) / steps]);
    this.last = p;
  }
  dragEnd(): void {
    const { bench, places } = this;
    this.places = [];
    this.geometry = null;
    if (places.length === 0) return bench.say('Nobody can stand there.');
    const list = (bench.document.json.populations ?? []) as Json[];
    const population: Json = { name: bench.document.freeName([...list, ...(bench.document.json.flows ?? [])], 'people') };
    if (bench.profile !== 'default') population.profile = bench.profile;
    if (bench.layer > 0) population.layer = bench.floor;
    population.start = { points: places };
    bench.edit('add people', bench.document.append('/populations', population));
    bench.open(`/populations/${list.length}`);
  }
}

/** Points and drags what is there; the desk does it, as it knows what is selected. */
class SelectTool extends Tool {
  hint(): string {
    return '';
  }
}

export type GoalKind = 'point' | 'area' | 'direction';

/** Goals for a population: a place, an area in which everybody has a place of their own, a direction. */
export function goalTool(bench: Bench, kind: GoalKind, population: string): Tool {
  const add = (goal: Json): void => {
    const there = bench.document.get(population);
    if (!there) return;
    // A goal is on its population's floor unless it says otherwise.
    if (kind !== 'direction' && bench.floors.length > 1 && bench.floor !== (there.layer ?? bench.floors[0])) goal.layer = bench.floor;
    bench.edit('add a goal', bench.document.addGoal(population, goal));
    bench.choose('select');
    bench.open(population);
  };
  if (kind === 'area') return new Draw(bench, 'goal', 'place', '', 'Goal', 'polygon', 'the area where they shall go', (geometry) => add({ area: wkt(geometry) }));
  if (kind === 'direction')
    return new TwoClicks(bench, 'goal', 'place', '', 'Goal', { first: 'Click twice for a direction: where it begins.', second: 'Click where it leads. They walk this way for ever.', near: 'Click a bit farther away.' }, 0.1, (from, to) => {
      const away = distance(from, to);
      add({ direction: [millimetres((to[0] - from[0]) / away), millimetres((to[1] - from[1]) / away)] });
    });
  return new PointGoal(bench, add);
}

class PointGoal extends Tool {
  constructor(
    bench: Bench,
    private add: (goal: Json) => void,
  ) {
    super(bench, 'goal', 'place', '', 'Goal');
  }
  hint(): string {
    return 'Click where they shall go.';
  }
  click(p: Point): void {
    this.add({ point: p.map(millimetres) });
  }
}

export function makeTools(bench: Bench): Tool[] {
  const doc = (): SceneDocument => bench.document;
  const added = (list: string, label: string, value: Json, geometry: string): void => {
    const index = (doc().get(list) ?? []).length;
    bench.edit(label, doc().append(list, value));
    bench.open(`${list}/${index}/${geometry}`);
  };
  const layerOf = (value: Json): Json => (bench.layer > 0 ? { ...value, layer: bench.floor } : value);
  const shape = (list: 'obstacles' | 'walkable', label: string) => (geometry: Geometry) => {
    const steps = doc().addShape(bench.layer, list, geometry, bench.floor);
    if (steps.length === 0) return bench.say('This shape crosses itself, or is too thin to stand anywhere.');
    bench.edit(label, steps);
  };
  const needsLayers = (action: (geometry: Geometry) => void) => (geometry: Geometry) =>
    doc().ownLayers ? action(geometry) : bench.say('The layers of this scene are made by a generator or found in a model: doors, regions and ground cannot be added to them here.');
  return [
    new SelectTool(bench, 'select', 'select', 'V', 'Select, move, turn and scale'),
    flowTool(bench),
    new BrushTool(bench, 'brush', 'brush', 'B', 'Brush: people, one by one'),
    new Draw(bench, 'population', 'people', 'N', 'Population: people in an area', 'polygon', 'an area with people', (geometry) => {
      const list = (doc().json.populations ?? []) as Json[];
      const population: Json = { name: doc().freeName([...list, ...(doc().json.flows ?? [])], 'people') };
      if (bench.profile !== 'default') population.profile = bench.profile;
      const start = layerOf({ ...population, count: 20, start: { area: wkt(geometry) } });
      bench.edit('add a population', doc().append('/populations', start));
      bench.open(`/populations/${list.length}`);
    }),
    new Draw(bench, 'obstacle', 'obstacle', 'O', 'Obstacle', 'polygon', 'an obstacle', shape('obstacles', 'add an obstacle')),
    new Draw(bench, 'wall', 'wall', 'W', 'Wall: a line without thickness', 'line', 'the wall', shape('obstacles', 'add a wall')),
    new Draw(bench, 'door', 'door', 'J', 'Door: a line that opens and closes', 'segment', 'the door', needsLayers((geometry) => {
      if (geometry.type !== 'line') return;
      const all = ((doc().json.layers ?? []) as Json[]).flatMap((layer) => (layer.doors ?? []) as Json[]);
      const value = { name: doc().freeName(all, 'door'), line: geometry.points };
      const index = (doc().get(`/layers/${bench.layer}/doors`) ?? []).length;
      bench.edit('add a door', doc().addToLayer(bench.layer, 'doors', value));
      bench.open(`/layers/${bench.layer}/doors/${index}/line`);
    })),
    new Draw(bench, 'region', 'region', 'G', 'Region: ground of a type', 'polygon', 'a region', needsLayers((geometry) => {
      const index = (doc().get(`/layers/${bench.layer}/regions`) ?? []).length;
      bench.edit('paint a region', doc().addToLayer(bench.layer, 'regions', { type: bench.regionType, area: wkt(geometry) }));
      bench.open(`/layers/${bench.layer}/regions/${index}/area`);
    })),
    new PaintTool(bench, 'paint', 'paint', 'P', 'Paint: ground of a type, with a brush'),
    new Draw(bench, 'walkable', 'walkable', 'K', 'Ground: where people can walk', 'polygon', 'more ground', needsLayers(shape('walkable', 'add ground'))),
    new PlaceTool(bench, 'place', 'place', 'I', 'Place of interest'),
    new Draw(bench, 'line', 'line', 'M', 'Measurement line: counts who crosses it', 'segment', 'the line', (geometry) => {
      if (geometry.type === 'line') added('/measurements/lines', 'add a measurement line', layerOf({ name: doc().freeName(doc().json.measurements?.lines, 'line'), line: geometry.points }), 'line');
    }),
    new Draw(bench, 'area', 'area', 'A', 'Measurement area: density and speed in it', 'polygon', 'a measurement area', (geometry) =>
      added('/measurements/areas', 'add a measurement area', layerOf({ name: doc().freeName(doc().json.measurements?.areas, 'area'), area: wkt(geometry) }), 'area'),
    ),
    cameraTool(bench),
  ];
}
