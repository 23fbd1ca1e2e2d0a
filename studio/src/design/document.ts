// The scene's document as the page knows it: what in it has a place on the ground, and how to change it. What is right and
// what is wrong, the server says.

import { cameraItems } from './cameras';
import { compoundsOf, removal, rewritten, shapeOf, type Compound } from './compounds';
import { asWritten, coordinates, millimetres, withPart, wkt, wktOf, wktParts, type Geometry, type Point } from './geometry';
import { convexPieces } from './pieces';
import { clipped, keyOf, sizeOf } from '../text';

/* eslint-disable @typescript-eslint/no-explicit-any */
export type Json = any;

export interface Step {
  op: 'set' | 'insert' | 'remove';
  at: string;
  value?: Json;
}

export type Kind = 'walkable' | 'obstacle' | 'opening' | 'region' | 'door' | 'start' | 'goal' | 'line' | 'area' | 'place' | 'event' | 'connection' | 'camera';

/** Something with a place on the ground. */
export interface Item {
  kind: Kind;
  /** Of the geometry's value, and which of the parts it holds: together they tell it from others. */
  pointer: string;
  part: number;
  /** Of the object that says more about it: a region, a door, a population. */
  owner: string;
  layer: string;
  label: string;
  geometry: Geometry;
  /** Of an obstacle that events put there in several pieces. */
  compound?: Compound;
  write(geometry: Geometry): Step[];
  remove(): Step[];
}

export const key = (text: string): string => text.replace(/~/g, '~0').replace(/\//g, '~1');
export const id = (item: Item): string => `${item.pointer}#${item.part}`;

export function at(json: Json, pointer: string): Json {
  let value = json;
  for (const part of pointer.split('/').slice(1)) value = value?.[part.replace(/~1/g, '/').replace(/~0/g, '~')];
  return value;
}

/** What the server takes at once: steps, and bytes of a label, of a pointer, of it all. */
const MOST = { steps: 256, label: 80, pointer: 512, message: 1 << 20 };

/** Steps as they are sent to the server, or why that cannot be. */
export function editMessage(label: string, steps: Step[], merge = ''): { type: string; label: string; merge?: string; steps: Step[] } | string {
  if (steps.length > MOST.steps) return `This would change ${steps.length} things at once; ${MOST.steps} can be. A text editor can do it.`;
  if (steps.some((step) => sizeOf(step.at) > MOST.pointer)) return 'A name in the scene is too long for it to be changed here. A text editor can do it.';
  const message = { type: 'edit', label: clipped(label, MOST.label), ...(merge ? { merge: keyOf(merge, MOST.label) } : {}), steps };
  if (sizeOf(JSON.stringify(message)) > MOST.message) return 'This shape has too many corners to be changed here. A text editor can do it.';
  return message;
}

interface Part {
  geometry: Geometry;
  pointer: string;
  part: number;
  write(geometry: Geometry): Step[];
  remove: (() => Step[]) | null; // null: the whole value goes with it
}

const isPlace = (value: Json): boolean => Array.isArray(value) && value.length >= 2 && value.slice(0, 2).every((v: Json) => typeof v === 'number');
const isLine = (value: Json): boolean => Array.isArray(value) && value.length >= 2 && value.every(isPlace);
const place = (value: Json): Point => asWritten([value[0], value[1]]);

function geoJson(value: Json, pointer: string): Part[] {
  const open = (ring: Json): Point[] => ring.slice(0, -1).map(place);
  const one = (geometry: Geometry, where: string, part: number, remove: (() => Step[]) | null): Part => ({
    geometry,
    pointer: where,
    part,
    write: (g) => [{ op: 'set', at: where, value: coordinates(g) }],
    remove,
  });
  const inList = (where: string, count: number) => (count > 1 ? () => [{ op: 'remove', at: where } as Step] : null);
  switch (value.type) {
    case 'Feature':
      return geoJson(value.geometry ?? {}, `${pointer}/geometry`);
    case 'FeatureCollection':
    case 'GeometryCollection': {
      const name = value.type === 'FeatureCollection' ? 'features' : 'geometries';
      return (value[name] ?? []).flatMap((member: Json, i: number) =>
        geoJson(member, `${pointer}/${name}/${i}`).map((p) => ({ ...p, remove: p.remove ?? inList(`${pointer}/${name}/${i}`, value[name].length) })),
      );
    }
    case 'Polygon':
      return [one({ type: 'polygon', rings: value.coordinates.map(open) }, `${pointer}/coordinates`, 0, null)];
    case 'LineString':
      return [one({ type: 'line', points: value.coordinates.map(place) }, `${pointer}/coordinates`, 0, null)];
    case 'MultiPolygon':
      return value.coordinates.map((rings: Json, i: number) =>
        one({ type: 'polygon', rings: rings.map(open) }, `${pointer}/coordinates/${i}`, 0, inList(`${pointer}/coordinates/${i}`, value.coordinates.length)),
      );
    case 'MultiLineString':
      return value.coordinates.map((line: Json, i: number) =>
        one({ type: 'line', points: line.map(place) }, `${pointer}/coordinates/${i}`, 0, inList(`${pointer}/coordinates/${i}`, value.coordinates.length)),
      );
    default:
      return [];
  }
}

/** What a geometry's value holds, each with how to write it back as it was written. Of files nothing: they are not sent here. */
export function partsOf(value: Json, pointer: string): Part[] {
  try {
    if (typeof value === 'string') {
      const found = wktParts(value) ?? [];
      const parts = found.map((f) => f.geometry);
      return found.map((one, part) => ({
        geometry: one.geometry,
        pointer,
        part,
        write: (g) => [{ op: 'set', at: pointer, value: withPart(value, one, g) ?? wktOf(parts.map((p, i) => (i === part ? g : p))) }],
        remove: parts.length > 1 ? () => [{ op: 'set', at: pointer, value: wktOf(parts.filter((_, i) => i !== part)) }] : null,
      }));
    }
    if (isPlace(value))
      return [{ geometry: { type: 'point', at: place(value) }, pointer, part: 0, remove: null, write: (g) => [{ op: 'set', at: pointer, value: g.type === 'point' ? [...g.at.map(millimetres), ...value.slice(2)] : value }] }];
    if (isLine(value)) return [{ geometry: { type: 'line', points: value.map(place) }, pointer, part: 0, remove: null, write: (g) => [{ op: 'set', at: pointer, value: coordinates(g) }] }];
    if (Array.isArray(value))
      return value.flatMap((member, i) =>
        partsOf(member, `${pointer}/${i}`).map((p) => ({ ...p, remove: p.remove ?? (() => [{ op: 'remove', at: `${pointer}/${i}` }]) })),
      );
    if (value && typeof value === 'object') return geoJson(value, pointer);
  } catch {
    // What cannot be read is the server's to complain about.
  }
  return [];
}

/** Is part of a value in a file of its own? */
export function namesFiles(value: Json): boolean {
  if (Array.isArray(value)) return value.some(namesFiles);
  return Boolean(value && typeof value === 'object' && typeof value.file === 'string');
}

export function layerName(json: Json, index: number): string {
  return json.layers?.[index]?.name ?? 'ground';
}

export class SceneDocument {
  readonly json: Json;
  readonly items: Item[] = [];

  constructor(text: string) {
    this.json = JSON.parse(text);
    this.collect();
  }

  get(pointer: string): Json {
    return at(this.json, pointer);
  }

  private collect(): void {
    const { json } = this;
    (json.layers ?? []).forEach((layer: Json, i: number) => {
      const name = layerName(json, i);
      const here = `/layers/${i}`;
      this.add('walkable', layer.walkable, `${here}/walkable`, here, name, 'ground to walk on');
      (layer.regions ?? []).forEach((region: Json, k: number) =>
        this.add('region', region.area, `${here}/regions/${k}/area`, `${here}/regions/${k}`, name, String(region.type), true),
      );
      this.add('obstacle', layer.obstacles, `${here}/obstacles`, here, name, 'obstacle');
      this.add('opening', layer.openings, `${here}/openings`, here, name, 'opening');
      (layer.doors ?? []).forEach((door: Json, k: number) => this.add('door', door.line, `${here}/doors/${k}/line`, `${here}/doors/${k}`, name, String(door.name), true));
    });
    (json.connections ?? []).forEach((connection: Json, i: number) => {
      for (const end of ['from', 'to'])
        this.add('connection', connection[end]?.line, `/connections/${i}/${end}/line`, `/connections/${i}`, connection[end]?.layer ?? '', connection.name ?? 'connection', true);
    });
    const first = layerName(json, 0);
    (json.populations ?? []).forEach((population: Json, i: number) => {
      const here = `/populations/${i}`;
      const layer = population.layer ?? first;
      const name = population.name ?? `people ${i + 1}`;
      for (const shape of ['area', 'line', 'grid', 'poisson_disc'])
        if (population.start?.[shape]) this.add('start', population.start[shape], `${here}/start/${shape}`, here, layer, name, true);
      const each = population.start?.points;
      if (Array.isArray(each)) each.forEach((p: Json, k: number) => this.addPoint(p, `${here}/start/points/${k}`, here, layer, k === 0 ? name : '', each.length === 1));
      if (population.start?.circle) this.addCircle(population.start.circle, `${here}/start/circle`, here, layer, name);
      const goals: [Json, string][] = population.goal ? [[population.goal, `${here}/goal`]] : (population.goals ?? []).map((g: Json, k: number) => [g, `${here}/goals/${k}`]);
      goals.forEach(([goal, where], k) => {
        for (const shape of ['point', 'area', 'opposite'])
          if (goal[shape]) this.add('goal', goal[shape], `${where}/${shape}`, here, goal.layer ?? layer, goals.length > 1 ? `${name}: ${k + 1}` : `goal of ${name}`, true);
      });
    });
    (json.places ?? []).forEach((p: Json, i: number) => this.add('place', p.at, `/places/${i}/at`, `/places/${i}`, p.layer ?? first, String(p.name), true));
    (json.measurements?.lines ?? []).forEach((l: Json, i: number) => this.add('line', l.line, `/measurements/lines/${i}/line`, `/measurements/lines/${i}`, l.layer ?? first, String(l.name), true));
    (json.measurements?.areas ?? []).forEach((a: Json, i: number) => this.add('area', a.area, `/measurements/areas/${i}/area`, `/measurements/areas/${i}`, a.layer ?? first, String(a.name), true));
    const whole = this.addCompounds(first);
    (json.events ?? []).forEach((event: Json, i: number) => {
      if (event.insert && !whole.has(i)) this.add('event', event.insert.obstacle, `/events/${i}/insert/obstacle`, `/events/${i}`, event.insert.layer ?? first, String(event.insert.name), true);
    });
    this.items.push(...cameraItems(json, first));
  }

  /** `whole`: without its last part the owner goes. */
  private add(kind: Kind, value: Json, pointer: string, owner: string, layer: string, label: string, whole = false): void {
    if (value === undefined) return;
    const parts = partsOf(value, pointer);
    for (const part of parts)
      this.items.push({
        kind,
        pointer: part.pointer,
        part: part.part,
        owner,
        layer,
        label,
        geometry: part.geometry,
        write: part.write,
        remove: () => (whole && parts.length === 1 ? this.removal(kind, owner, pointer) : part.remove ? part.remove() : [{ op: 'remove', at: pointer }]),
      });
  }

  /** Obstacles in several pieces; numbers of their events come back. */
  private addCompounds(first: string): Set<number> {
    const events = Array.isArray(this.json.events) ? this.json.events : [];
    const taken = new Set<number>();
    for (const compound of compoundsOf(events)) {
      const pointer = `/events/${compound.events[0]}`;
      const pieces = compound.events.flatMap((i) => partsOf(events[i].insert.obstacle, '').map((part) => part.geometry));
      const geometry = pieces.length === compound.events.length ? shapeOf(pieces) : null;
      if (!geometry) continue;
      compound.events.forEach((i) => taken.add(i));
      const { layer = first } = events[compound.events[0]].insert;
      const write = (g: Geometry): Step[] => rewritten(compound, events, g);
      this.items.push({ kind: 'event', pointer: `${pointer}/insert/obstacle`, part: 0, owner: pointer, layer, label: compound.name, geometry, compound, write, remove: () => removal(compound) });
    }
    return taken;
  }

  /** One person's own. */
  private addPoint(value: Json, pointer: string, owner: string, layer: string, label: string, last: boolean): void {
    const part = partsOf(value, pointer)[0];
    if (part) this.items.push({ kind: 'start', pointer, part: 0, owner, layer, label, geometry: part.geometry, write: part.write, remove: () => (last ? this.removePopulation(owner) : [{ op: 'remove', at: pointer }]) });
  }

  private addCircle(circle: Json, pointer: string, owner: string, layer: string, label: string): void {
    const centre = partsOf(circle.centre, `${pointer}/centre`)[0];
    if (!centre || centre.geometry.type !== 'point') return;
    const [x, y] = centre.geometry.at;
    const ring = Array.from({ length: 32 }, (_, k): Point => [x + circle.radius * Math.cos((k * Math.PI) / 16), y + circle.radius * Math.sin((k * Math.PI) / 16)]);
    this.items.push({
      kind: 'start',
      pointer,
      part: 0,
      owner,
      layer,
      label,
      geometry: { type: 'polygon', rings: [ring] },
      write: (g) => {
        if (g.type !== 'polygon') return [];
        const [first, opposite] = [g.rings[0][0], g.rings[0][16]];
        const middle: Point = [(first[0] + opposite[0]) / 2, (first[1] + opposite[1]) / 2];
        const radius = millimetres(Math.hypot(first[0] - opposite[0], first[1] - opposite[1]) / 2);
        return [...centre.write({ type: 'point', at: middle }), ...(radius === circle.radius ? [] : [{ op: 'set', at: `${pointer}/radius`, value: radius } as Step])];
      },
      remove: () => this.removal('start', owner, pointer),
    });
  }

  private removal(kind: Kind, owner: string, pointer: string): Step[] {
    if (kind === 'goal') {
      const goal = pointer.slice(0, pointer.lastIndexOf('/'));
      return [{ op: 'remove', at: goal }];
    }
    if (kind === 'start') return this.removePopulation(owner);
    if (kind === 'place') return this.removePlace(owner);
    if (kind === 'door') return this.removeDoor(owner);
    return [{ op: 'remove', at: owner }];
  }

  removePopulation(pointer: string): Step[] {
    return [{ op: 'remove', at: pointer }];
  }

  /** With the flows that join it with others: they would be wrong without it. */
  removePlace(pointer: string): Step[] {
    const { name } = this.get(pointer);
    const flows = (this.json.flows ?? []) as Json[];
    const gone = flows.map((f, i) => (f.from === name || f.to === name ? i : -1)).filter((i) => i >= 0);
    return [...gone.reverse().map((i): Step => ({ op: 'remove', at: `/flows/${i}` })), { op: 'remove', at: pointer }];
  }

  /** With the events that open and close it. */
  removeDoor(pointer: string): Step[] {
    const { name } = this.get(pointer);
    const events = (this.json.events ?? []) as Json[];
    const gone = events.map((e, i) => (e.open === name || e.close === name ? i : -1)).filter((i) => i >= 0);
    return [...gone.reverse().map((i): Step => ({ op: 'remove', at: `/events/${i}` })), { op: 'remove', at: pointer }];
  }

  /** One more goal of a population, after those it has. */
  addGoal(population: string, goal: Json): Step[] {
    const there = this.get(population);
    if (!there) return [];
    if (there.goal === undefined) return this.append(`${population}/goals`, goal);
    return [
      { op: 'set', at: `${population}/goals`, value: [there.goal, goal] },
      { op: 'remove', at: `${population}/goal` },
    ];
  }

  /** A flow, with its places where nothing else needs them. */
  removeFlow(pointer: string): Step[] {
    const flow = this.get(pointer);
    const index = Number(pointer.split('/').pop());
    const others = ((this.json.flows ?? []) as Json[]).filter((_, i) => i !== index);
    const places = ((this.json.places ?? []) as Json[]).map((p, i) => ({ p, i })).filter(({ p }) => (p.name === flow.from || p.name === flow.to) && !others.some((o) => o.from === p.name || o.to === p.name) && /^place \d+$/.test(p.name));
    return [{ op: 'remove', at: pointer }, ...places.reverse().map(({ i }): Step => ({ op: 'remove', at: `/places/${i}` }))];
  }

  /** Has the scene layers of its own, or are they made by a generator or found in a model? */
  get ownLayers(): boolean {
    return !('generate' in this.json) && !('mesh' in this.json);
  }

  /** One more in a list that may not be there yet, be it in the file itself or in an object of it. */
  append(list: string, value: Json): Step[] {
    if (Array.isArray(this.get(list))) return [{ op: 'insert', at: `${list}/-`, value }];
    const owner = list.slice(0, list.lastIndexOf('/'));
    if (owner && this.get(owner) === undefined) return [{ op: 'set', at: owner, value: { [list.slice(owner.length + 1)]: [value] } }];
    return [{ op: 'set', at: list, value: [value] }];
  }

  /** A name of this beginning that nothing of the list has. */
  freeName(list: Json[] | undefined, beginning: string): string {
    const taken = new Set((list ?? []).map((member) => member?.name ?? member?.insert?.name));
    for (let i = 1; ; ++i) if (!taken.has(`${beginning} ${i}`)) return `${beginning} ${i}`;
  }

  private layersFirst(): Step[] {
    return Array.isArray(this.json.layers) && this.json.layers.length > 0 ? [] : [{ op: 'set', at: '/layers', value: [{}] }];
  }

  /** One more shape in a layer's list of shapes, however that is written. */
  addShape(layer: number, list: 'obstacles' | 'walkable' | 'openings', geometry: Geometry, floor?: string): Step[] {
    if (!this.ownLayers) return list === 'obstacles' ? this.addInsertions(layer > 0 ? floor : undefined, geometry) : [];
    const pointer = `/layers/${layer}/${list}`;
    const there = this.get(pointer);
    if (there === undefined) {
      const made = this.layersFirst();
      if (made.length > 0) return [{ op: 'set', at: '/layers', value: [{ [list]: list === 'obstacles' ? [wkt(geometry)] : wkt(geometry) }] }];
      return [{ op: 'set', at: pointer, value: list === 'obstacles' ? [wkt(geometry)] : wkt(geometry) }];
    }
    if (Array.isArray(there)) return [{ op: 'insert', at: `${pointer}/-`, value: wkt(geometry) }];
    return [{ op: 'set', at: pointer, value: [there, wkt(geometry)] }];
  }

  /** Where the layers are found in a model, an obstacle is something that is put there at the very beginning, in convex pieces. */
  private addInsertions(floor: string | undefined, geometry: Geometry): Step[] {
    const name = this.freeName(this.json.events, geometry.type === 'line' ? 'wall' : 'obstacle');
    const events = convexPieces(geometry).map((ring, i) => ({
      time: 0,
      insert: { name: i === 0 ? name : `${name}.${i + 1}`, ...(floor ? { layer: floor } : {}), obstacle: wkt({ type: 'polygon', rings: [ring] }) },
    }));
    if (events.length === 0) return [];
    if (!Array.isArray(this.json.events)) return [{ op: 'set', at: '/events', value: events }];
    return events.map((value) => ({ op: 'insert', at: '/events/-', value }));
  }

  addToLayer(layer: number, list: 'doors' | 'regions', value: Json): Step[] {
    const made = this.layersFirst();
    if (made.length > 0) return [{ op: 'set', at: '/layers', value: [{ [list]: [value] }] }];
    return this.append(`/layers/${layer}/${list}`, value);
  }

  /** Two places and a flow between them; `from` and `to` are places or names of those there are. */
  addFlow(from: Json, to: Json, count: number, profile = this.usualProfile): { steps: Step[]; pointer: string } {
    const steps: Step[] = [];
    const names: string[] = [];
    const places = [...((this.json.places ?? []) as Json[])];
    const fresh: Json[] = [];
    for (const end of [from, to]) {
      if (typeof end === 'string') {
        names.push(end);
        continue;
      }
      const name = this.freeName(places, 'place');
      const made = { name, ...end };
      places.push(made);
      fresh.push(made);
      names.push(name);
    }
    if (fresh.length > 0) {
      if (Array.isArray(this.json.places)) fresh.forEach((value) => steps.push({ op: 'insert', at: '/places/-', value }));
      else steps.push({ op: 'set', at: '/places', value: fresh });
    }
    const flow = { name: this.freeName([...(this.json.flows ?? []), ...(this.json.populations ?? [])], 'flow'), from: names[0], to: names[1], count, ...(profile === 'default' ? {} : { profile }) };
    const index = (this.json.flows ?? []).length;
    return { steps: [...steps, ...this.append('/flows', flow)], pointer: `/flows/${index}` };
  }

  /** Whom people are like of whom nothing is said. */
  get usualProfile(): string {
    const { profiles } = this;
    return profiles.includes('default') ? 'default' : profiles[0];
  }

  /** Profiles that populations can name. */
  get profiles(): string[] {
    const names = Object.keys(this.json.profiles ?? {});
    return names.length > 0 ? names : ['default'];
  }
}
