// Forms for what is selected, for people and their errands, for the scene as a whole, and the list of what is wrong.

import { refill } from '../focus';
import { element } from '../panels';
import { renamed, retimed } from './compounds';
import { key, type Item, type Json, type SceneDocument, type Step } from './document';
import { Form, type Finding, type Findings } from './fields';
import { areaOf, points, type Geometry } from './geometry';
import type { GoalKind } from './tools';

export interface ModelParameter {
  name: string;
  unit: string;
  value: number;
  min: number;
  max: number;
  help: string;
}
export interface Model {
  name: string;
  title: string;
  paper: string;
  parameters: ModelParameter[];
}
export interface ModelsMessage {
  type: 'models';
  planners: Model[];
  followers: Model[];
  steering: Model[];
  stream: Model;
}

export interface Desk {
  document: SceneDocument;
  models: ModelsMessage | null;
  findings: Finding[];
  selected: Item | null;
  /** A pointer to a population, a flow or a profile that is looked at. */
  opened: string;
  edit(label: string, steps: Step[], merge?: string): void;
  open(pointer: string): void;
  select(item: Item | null): void;
  show(finding: Finding): void;
  remove(): void;
  pickGoal(population: string, kind: GoalKind): void;
}

export const REGION_TYPES = ['grass', 'road', 'crossing', 'water', 'mud', 'sand', 'stairs', 'pavement', 'seats'];

const isNumber = (value: Json): value is number => typeof value === 'number';

export class Inspector {
  readonly root = element('div', { class: 'inspector' });
  private form = new Form(() => []);
  private held = false;

  constructor(private desk: Desk) {
    this.root.addEventListener('pointerdown', (event) => (this.held = event.target instanceof HTMLInputElement && event.target.type === 'range'));
    window.addEventListener('pointerup', () => {
      if (!this.held) return;
      this.held = false;
      this.draw(this.tab);
    });
  }
  private tab = '';

  private get doc(): SceneDocument {
    return this.desk.document;
  }
  private findings: Findings = (pointer) => this.desk.findings.filter((f) => f.pointer === pointer || f.pointer.startsWith(`${pointer}/`));

  private set(label: string, pointer: string, value: Json, sliding = false): void {
    this.desk.edit(label, [{ op: 'set', at: pointer, value }], sliding ? pointer : '');
  }
  private drop(label: string, pointer: string): void {
    if (this.doc.get(pointer) !== undefined) this.desk.edit(label, [{ op: 'remove', at: pointer }]);
  }

  /** Draws the tab anew; the field that has the focus keeps it. */
  draw(tab: string): void {
    this.tab = tab;
    // The slider under the hand has to stay the one that it is.
    if (this.held) return;
    this.form = new Form(this.findings);
    if (tab === 'people') this.people();
    else if (tab === 'scene') this.scene();
    else this.selection();
    const listed = tab === 'scene' || (tab !== 'people' && !this.desk.selected && !this.desk.opened);
    if (!listed && this.desk.findings.some((f) => f.severity === 'error')) this.problems();
    refill(this.root, this.form.root);
  }

  // What is selected

  private selection(): void {
    const { form } = this;
    const item = this.desk.selected;
    const opened = this.desk.opened;
    if (opened.startsWith('/flows/')) return this.flow(opened);
    if (opened.startsWith('/populations/')) return this.population(opened);
    if (opened.startsWith('/profiles/')) return this.profile(opened);
    if (!item) {
      if ((this.doc.json.populations ?? []).length + (this.doc.json.flows ?? []).length === 0) form.note('Nobody is here yet. Press F, click where people start, click where they go: they walk.');
      form.note('Choose a tool on the left, or click something that the scene has: it can then be moved, turned, scaled and changed.');
      this.problems();
      return;
    }
    if (item.kind === 'start' || item.kind === 'goal') return this.population(item.owner);
    const titles: Record<string, string> = { walkable: 'Ground to walk on', obstacle: item.geometry.type === 'line' ? 'Wall' : 'Obstacle', opening: 'Opening', region: 'Region', door: 'Door', line: 'Measurement line', area: 'Measurement area', place: 'Place', event: 'Obstacle of an event', connection: 'Connection of layers', camera: 'Camera: a region of interest' };
    form.heading(titles[item.kind]);
    form.marks(item.pointer);
    this.named(item);
    if (item.kind !== 'camera') this.size(item.geometry);
    form.buttons(['Delete', () => this.desk.remove(), 'danger']);
  }

  private named(item: Item): void {
    const { form } = this;
    const owner = this.doc.get(item.owner) ?? {};
    const rename = (field: string, label: string): void => form.text(label, String(owner[field] ?? ''), `${item.owner}/${field}`, (v) => this.set(`rename ${label}`, `${item.owner}/${field}`, v));
    switch (item.kind) {
      case 'walkable':
        form.number('height of walls', owner.wall_height, { unit: 'm', usual: 3, min: 0.01, max: 1000, slider: [0.5, 10], step: 0.1, help: 'Of this floor, for what people see and for the picture.' }, `${item.owner}/wall_height`, (v, s) => this.set('change the height of walls', `${item.owner}/wall_height`, v, s));
        break;
      case 'region':
        form.choice('type', String(owner.type), [...new Set([...REGION_TYPES, ...this.regionTypes()])], `${item.owner}/type`, (v) => this.set('change the type of a region', `${item.owner}/type`, v));
        rename('type', 'another type');
        form.note('What a type costs whom is in the profiles, under People. Who has arrived on seats sits down.');
        break;
      case 'door':
        this.renameDoor(item, owner);
        form.flag('open at the beginning', owner.open !== false, `${item.owner}/open`, (v) => this.set(`${v ? 'open' : 'close'} a door`, `${item.owner}/open`, v));
        form.note('Double-click a door, or click it when no design tools are open, to open or close it now.');
        break;
      case 'place':
        this.renamePlace(item, owner);
        form.number('radius', owner.radius, { unit: 'm', usual: 3, min: 0.1, max: 1000, slider: [0.5, 15], step: 0.1 }, `${item.owner}/radius`, (v, s) => this.set('change the radius of a place', `${item.owner}/radius`, v, s));
        break;
      case 'line':
      case 'area':
      case 'connection':
        rename('name', 'name');
        break;
      case 'camera':
        this.camera(item, owner);
        break;
      case 'event':
        form.text('name', String(owner.insert?.name ?? ''), `${item.owner}/insert/name`, (v) => this.desk.edit('rename an obstacle', item.compound ? renamed(item.compound, v) : [{ op: 'set', at: `${item.owner}/insert/name`, value: v }]));
        form.number('from', owner.time, { unit: 's', min: 0, max: 1e7 }, `${item.owner}/time`, (v) => this.desk.edit('change the time of an event', item.compound ? retimed(item.compound, v) : [{ op: 'set', at: `${item.owner}/time`, value: v }]));
        break;
    }
  }

  /** Near it and in its sight people are simulated in full, elsewhere at a lower level. */
  private camera(item: Item, owner: Json): void {
    const { form } = this;
    const [x, y, z] = owner.position ?? [];
    form.number('height', z, { unit: 'm', usual: 0, min: -1000, max: 5000, slider: [0, 50], step: 0.1, help: 'Of the lens; one at less than 4 m over the ground does not see through walls.' }, `${item.owner}/position`, (v, s) => this.set('change the height of a camera', `${item.owner}/position`, [x, y, v], s));
    form.number('field of view', owner.field_of_view, { unit: '°', usual: 60, min: 1, max: 360, slider: [10, 180], step: 1, help: 'Horizontally.' }, `${item.owner}/field_of_view`, (v, s) => this.set('change what a camera sees', `${item.owner}/field_of_view`, v, s));
    form.note('Drag its end to turn it, itself to move it.');
    this.levels();
  }

  private levels(): void {
    const { form } = this;
    const levels = this.doc.json.levels ?? {};
    form.heading('Levels of simulation');
    form.number('near', levels.near_distance, { unit: 'm', usual: 30, min: 0.001, max: 1e6, slider: [2, 200], step: 1, help: 'Around a camera, where people are simulated in full.' }, '/levels/near_distance', (v, s) => this.set('change what is near a camera', '/levels/near_distance', v, s));
    form.number('far', levels.far_distance, { unit: 'm', usual: 150, min: 0.001, max: 1e6, slider: [10, 500], step: 1, help: 'Beyond this, those in sight have one level less.' }, '/levels/far_distance', (v, s) => this.set('change what is far from a camera', '/levels/far_distance', v, s));
    form.number('budget', levels.budget, { unit: 'ms', usual: 0, min: 0, max: 1e6, slider: [0, 100], step: 1, help: 'That a step may take; distances shrink until it does. 0: none. With a budget two runs are not the same.' }, '/levels/budget', (v, s) => this.set('change the budget of a step', '/levels/budget', v, s));
    form.note('Colours of people: level of simulation shows who has which.');
  }

  /** Flows and events know places and doors by their names. */
  private renamePlace(item: Item, owner: Json): void {
    this.form.text('name', String(owner.name ?? ''), `${item.owner}/name`, (v) => {
      const steps: Step[] = [{ op: 'set', at: `${item.owner}/name`, value: v }];
      ((this.doc.json.flows ?? []) as Json[]).forEach((flow, i) => {
        for (const end of ['from', 'to']) if (flow[end] === owner.name) steps.push({ op: 'set', at: `/flows/${i}/${end}`, value: v });
      });
      this.desk.edit('rename a place', steps);
    });
  }
  private renameDoor(item: Item, owner: Json): void {
    this.form.text('name', String(owner.name ?? ''), `${item.owner}/name`, (v) => {
      const steps: Step[] = [{ op: 'set', at: `${item.owner}/name`, value: v }];
      ((this.doc.json.events ?? []) as Json[]).forEach((event, i) => {
        for (const what of ['open', 'close']) if (event[what] === owner.name) steps.push({ op: 'set', at: `/events/${i}/${what}`, value: v });
      });
      this.desk.edit('rename a door', steps);
    });
  }

  private regionTypes(): string[] {
    return ((this.doc.json.layers ?? []) as Json[]).flatMap((layer) => ((layer.regions ?? []) as Json[]).map((r) => String(r.type)));
  }

  private size(geometry: Geometry): void {
    if (geometry.type === 'polygon') this.form.note(`${Math.abs(geometry.rings.reduce((sum, ring, i) => sum + (i ? -1 : 1) * Math.abs(areaOf(ring)), 0)).toFixed(1)} m², ${points(geometry).length} corners`);
    if (geometry.type === 'line') {
      let length = 0;
      for (let i = 1; i < geometry.points.length; ++i) length += Math.hypot(geometry.points[i][0] - geometry.points[i - 1][0], geometry.points[i][1] - geometry.points[i - 1][1]);
      this.form.note(`${length.toFixed(2)} m long`);
    }
  }

  // People

  private people(): void {
    const { form, doc } = this;
    form.heading('Populations');
    const populations = (doc.json.populations ?? []) as Json[];
    populations.forEach((p, i) => form.link(p.name ?? `people ${i + 1}`, this.howMany(p), () => this.desk.open(`/populations/${i}`)));
    if (populations.length === 0) form.note('Nobody yet: the tools with people on the left add some.');
    form.heading('Flows');
    const flows = (doc.json.flows ?? []) as Json[];
    flows.forEach((f, i) => form.link(f.name ?? `${f.from} to ${f.to}`, `${f.count} people`, () => this.desk.open(`/flows/${i}`)));
    if (flows.length === 0) form.note('None yet: with the tool for flows, click where they start and where they go.');
    form.heading('Profiles');
    const profiles = Object.keys((doc.json.profiles ?? {}) as object);
    profiles.forEach((name) => form.link(name, this.modelName(doc.json.profiles[name].steering, 'throng'), () => this.desk.open(`/profiles/${key(name)}`)));
    if (profiles.length === 0) form.link('default', 'everybody', () => this.changeDefault());
    form.buttons(['New profile', () => this.newProfile()]);
    form.heading('Groups');
    form.note('Scene files have no groups yet: who is out with whom can be set by programs only (World::setGroup).');
  }

  private howMany(p: Json): string {
    if (isNumber(p.rate)) return `${p.rate} per s`;
    if (Array.isArray(p.schedule)) return `${p.schedule.length} waves`;
    if (isNumber(p.count)) return `${p.count} people`;
    return Array.isArray(p.start?.points) ? `${p.start.points.length} people` : '';
  }
  private modelName(choice: Json, usual: string): string {
    return typeof choice === 'string' ? choice : (choice?.model ?? usual);
  }

  /** Of a file that has no profiles. */
  private changeDefault(): void {
    this.desk.edit('change the default profile', [{ op: 'set', at: '/profiles', value: { default: {} } }]);
    this.desk.open('/profiles/default');
  }

  private newProfile(): void {
    const there = this.doc.json.profiles ?? {};
    let name = 'profile 1';
    for (let i = 2; name in there; ++i) name = `profile ${i}`;
    const value = { preferred_speed: 1.3 };
    // A file without profiles has one that is called default, which its people may be of.
    const steps: Step[] = this.doc.json.profiles ? [{ op: 'set', at: `/profiles/${key(name)}`, value }] : [{ op: 'set', at: '/profiles', value: { default: {}, [name]: value } }];
    this.desk.edit('add a profile', steps);
    this.desk.open(`/profiles/${key(name)}`);
  }

  private flow(pointer: string): void {
    const { form, doc } = this;
    const flow = doc.get(pointer);
    if (!flow) return;
    form.heading('Flow');
    form.marks(pointer);
    const set = (field: string, what: string) => (v: Json, sliding = false) => this.set(what, `${pointer}/${field}`, v, sliding);
    form.text('name', flow.name ?? '', '', set('name', 'rename a flow'));
    form.number('people', flow.count, { min: 0, max: 1e6, step: 1, slider: [0, Math.max(200, (flow.count ?? 0) * 2)] }, '', set('count', 'change the size of a flow'));
    const places = ((doc.json.places ?? []) as Json[]).map((p) => String(p.name));
    form.choice('from', flow.from, places, '', set('from', 'change where a flow starts'));
    form.choice('to', flow.to, places, '', set('to', 'change where a flow goes'));
    form.choice('profile', flow.profile ?? 'default', doc.profiles, '', set('profile', 'change the profile of a flow'));
    form.number('paths', flow.paths, { min: 0, max: 1000, step: 1, usual: 50, help: 'At most so many different ways; 0: as many as there are.' }, '', set('paths', 'change the paths of a flow'));
    form.choice('way', flow.choice ?? 'quickest', [['quickest', 'the quickest path now'], ['spread', 'a route of their own']], '', set('choice', 'change the ways of a flow'));
    form.number('they come at', flow.time, { unit: 's', min: 0, max: 1e7, usual: 0 }, '', set('time', 'change when a flow comes'));
    form.note('They walk back and forth between the two places for ever.');
    form.buttons(['Delete', () => this.desk.edit('delete a flow', doc.removeFlow(pointer)), 'danger']);
  }

  private population(pointer: string): void {
    const { form, doc } = this;
    const population = doc.get(pointer);
    if (!population) return;
    form.heading('Population');
    form.marks(pointer);
    const set = (field: string, what: string) => (v: Json, sliding = false) => this.set(what, `${pointer}/${field}`, v, sliding);
    form.text('name', population.name ?? '', '', set('name', 'rename a population'));
    form.choice('profile', population.profile ?? 'default', doc.profiles, '', set('profile', 'change the profile of a population'));
    if (!population.district) this.coming(pointer, population);
    this.errand(pointer, population);
    form.buttons(['Delete', () => this.desk.edit('delete a population', doc.removePopulation(pointer)), 'danger']);
  }

  private coming(pointer: string, population: Json): void {
    const { form } = this;
    const fixed = Array.isArray(population.start?.points);
    const how = 'rate' in population ? 'rate' : 'schedule' in population ? 'schedule' : 'count';
    if (!fixed || how !== 'count')
      form.choice('they come', how, [['count', 'all at the beginning'], ['rate', 'so many per second'], ['schedule', 'in waves']], '', (v) => {
        const steps: Step[] = ['count', 'rate', 'schedule', 'limit'].filter((k) => k in population).map((k) => ({ op: 'remove', at: `${pointer}/${k}` }));
        const value = v === 'count' ? 20 : v === 'rate' ? 1 : [{ time: 0, count: 20 }];
        this.desk.edit('change how a population comes', [...steps, { op: 'set', at: `${pointer}/${v}`, value }]);
      });
    if (how === 'rate') {
      form.number('per second', population.rate, { min: 0.01, max: 1e5, slider: [0.1, 10], step: 0.1 }, '', (v, s) => this.set('change a rate', `${pointer}/rate`, v, s));
      form.number('at most', population.limit, { min: 1, max: 1e8, step: 1, help: 'Empty: as long as the scene runs.' }, '', (v) => this.set('change a limit', `${pointer}/limit`, v));
    } else if (how === 'schedule') {
      ((population.schedule ?? []) as Json[]).forEach((wave, i) => {
        form.number(`wave ${i + 1} at`, wave.time, { unit: 's', min: 0, max: 1e7 }, '', (v) => this.set('change a wave', `${pointer}/schedule/${i}/time`, v));
        form.number(`wave ${i + 1}, people`, wave.count, { min: 0, max: 1e6, step: 1 }, '', (v) => this.set('change a wave', `${pointer}/schedule/${i}/count`, v));
      });
      form.buttons(['One more wave', () => this.desk.edit('add a wave', [{ op: 'insert', at: `${pointer}/schedule/-`, value: { time: 30, count: 20 } }])]);
    } else if (fixed && population.count === undefined) {
      form.note(`${population.start.points.length} people, each at a point of their own. The brush adds more.`);
    } else {
      form.number('people', population.count, { min: 0, max: 1e6, step: 1, slider: [0, Math.max(100, (population.count ?? 0) * 2)] }, '', (v, s) => this.set('change the size of a population', `${pointer}/count`, v, s));
    }
  }

  /** Where they go, and what then. */
  private errand(pointer: string, population: Json): void {
    const { form } = this;
    form.heading('Errand');
    const goals: [Json, string][] = population.goal ? [[population.goal, `${pointer}/goal`]] : ((population.goals ?? []) as Json[]).map((g, i) => [g, `${pointer}/goals/${i}`]);
    if (goals.length === 0) form.note('They stay where they are.');
    const last = goals[goals.length - 1]?.[0];
    const endless = last !== undefined && 'direction' in last;
    goals.forEach(([goal, where], i) => {
      const kind = ['point', 'area', 'opposite', 'direction', 'district'].find((k) => k in goal) ?? 'point';
      const words: Record<string, string> = { point: 'to a point', area: 'to a place of their own in an area', opposite: 'to the opposite side', direction: 'this way for ever', district: `into ${goal.district}` };
      form.note(`${goals.length > 1 ? `${i + 1}. ` : ''}${words[kind]}${goal.layer ? ` on ${goal.layer}` : ''}`);
      form.marks(where);
      if (kind === 'point' || kind === 'opposite') form.number(`near enough${goals.length > 1 ? ` (${i + 1})` : ''}`, goal.tolerance, { unit: 'm', usual: 0.5, min: 0.01, max: 1000 }, '', (v) => this.set('change a goal', `${where}/tolerance`, v));
      const order: [string, () => void, string?][] = [];
      if (i > 0 && kind !== 'direction') order.push(['Earlier', () => this.swap(pointer, i - 1)]);
      const only = goals.length === 1 && where.includes('/goals/');
      order.push(['Remove goal', () => this.desk.edit('remove a goal', [{ op: 'remove', at: only ? `${pointer}/goals` : where }])]);
      form.buttons(...order);
    });
    if (endless) return;
    form.note(goals.length === 0 ? 'Give them a goal:' : 'One more goal:');
    form.buttons(['A point …', () => this.desk.pickGoal(pointer, 'point')], ['An area …', () => this.desk.pickGoal(pointer, 'area')], ['A direction …', () => this.desk.pickGoal(pointer, 'direction')]);
    const districts = ((this.doc.json.districts ?? []) as Json[]).map((district) => String(district.name));
    if (districts.length > 0) form.buttons(...districts.slice(0, 6).map((name): [string, () => void] => [`Into ${name}`, () => this.desk.edit('add a goal', this.doc.addGoal(pointer, { district: name }))]));
    if (goals.length > 0) form.choice('then they', population.on_arrival ?? 'leave', [['leave', 'leave'], ['stay', 'stay'], ['go_back', 'go back']], '', (v) => this.set('change what follows the last goal', `${pointer}/on_arrival`, v));
  }

  private swap(pointer: string, i: number): void {
    const goals = this.doc.get(`${pointer}/goals`);
    this.desk.edit('change the order of goals', [
      { op: 'set', at: `${pointer}/goals/${i}`, value: goals[i + 1] },
      { op: 'set', at: `${pointer}/goals/${i + 1}`, value: goals[i] },
    ]);
  }

  // Profiles and models

  private profile(pointer: string): void {
    const { form, doc } = this;
    const profile = doc.get(pointer);
    if (!profile) return;
    const name = pointer.slice('/profiles/'.length).replace(/~1/g, '/').replace(/~0/g, '~');
    form.heading(`Profile ${name}`);
    form.marks(pointer);
    this.distribution('radius', profile.radius, 0.25, { unit: 'm', min: 0.05, max: 10, slider: [0.1, 0.6] }, `${pointer}/radius`);
    this.distribution('preferred speed', profile.preferred_speed, 1.3, { unit: 'm/s', min: 0.05, max: 50, slider: [0.3, 3] }, `${pointer}/preferred_speed`);
    form.number('fastest', profile.max_speed_factor, { unit: '× preferred', usual: 1.5, min: 1, max: 100, slider: [1, 3], step: 0.05 }, '', (v, s) => this.set('change the fastest speed', `${pointer}/max_speed_factor`, v, s));
    const tables = this.desk.models;
    if (tables) {
      this.model('steering', profile.steering, 'throng', tables.steering, `${pointer}/steering`);
      this.model('planner', profile.planner, profile.region_weights ? 'regions' : 'corridor', tables.planners, `${pointer}/planner`);
      this.model('follower', profile.follower, 'irm', tables.followers, `${pointer}/follower`);
    }
    form.heading('Habits');
    for (const [field, words] of [['stream', 'follow streams of people'], ['go_round', 'walk round jams'], ['give_way', 'give way at doors'], ['unstuck', 'sidestep when stuck'], ['avoid_congestion', 'avoid queues'], ['take_turns', 'set out by turns'], ['harmonise_speed', 'stroll towards queues'], ['share_goals', 'share crowded goals']]) {
      const value = profile[field];
      form.choice(words, value === undefined ? '' : String(Boolean(value)), [['', 'default'], ['true', 'yes'], ['false', 'no']], '', (v) => (v === '' ? this.drop('change a habit', `${pointer}/${field}`) : this.set('change a habit', `${pointer}/${field}`, v === 'true')));
    }
    this.weights(pointer, profile);
  }

  private weights(pointer: string, profile: Json): void {
    const { form } = this;
    const types = [...new Set([...this.regionTypes(), ...Object.keys(profile.region_weights ?? {})])];
    const { json } = this.doc;
    const slopes = Boolean(json.mesh || json.connections || profile.slope_cost || (json.layers ?? []).some((l: Json) => typeof l.elevation === 'object'));
    if (types.length === 0 && !slopes) return;
    form.heading('What ground costs');
    for (const [way, word] of slopes ? [['up', 'a metre up'], ['down', 'a metre down']] : [])
      form.number(word, profile.slope_cost?.[way], { unit: 'm', usual: 0, min: 0, max: 10_000, slider: [0, 20], step: 0.5, help: 'Metres of level ground that it is worth.' }, `${pointer}/slope_cost/${way}`, (v, s) => (profile.slope_cost ? this.set('change what slopes cost', `${pointer}/slope_cost/${way}`, v, s) : this.set('change what slopes cost', `${pointer}/slope_cost`, { [way]: v }, s)));
    for (const type of types) {
      const weight = profile.region_weights?.[type];
      const place = `${pointer}/region_weights/${key(type)}`;
      const put = (value: Json, sliding = false): void => (profile.region_weights ? this.set(`change the cost of ${type}`, place, value, sliding) : this.set(`change the cost of ${type}`, `${pointer}/region_weights`, { [type]: value }));
      form.choice(`${type}: walked on`, weight === 'never' ? 'never' : 'yes', ['yes', 'never'], '', (v) => put(v === 'never' ? 'never' : 1));
      if (weight !== 'never' && (weight === undefined || isNumber(weight))) form.number(`${type}: cost of a metre`, weight, { usual: 1, min: 0.001, max: 1e6, slider: [0.1, 10], step: 0.1 }, '', put);
    }
  }

  /** A number, or how it differs from person to person. */
  private distribution(label: string, value: Json, usual: number, limits: { unit: string; min: number; max: number; slider: [number, number] }, pointer: string): void {
    const { form } = this;
    const kind = value === undefined || isNumber(value) ? 'constant' : (['uniform', 'normal', 'truncated'].find((k) => k in value) ?? 'constant');
    const mean = isNumber(value) ? value : (value?.[kind]?.mean ?? (kind === 'uniform' && Array.isArray(value.uniform) ? (value.uniform[0] + value.uniform[1]) / 2 : usual));
    const round = (x: number): number => Number(x.toPrecision(3));
    form.choice(label, kind, [['constant', 'the same for all'], ['uniform', 'from … to'], ['normal', 'normal'], ['truncated', 'normal, with limits']], '', (v) => {
      const values: Record<string, Json> = { constant: round(mean), uniform: { uniform: [round(mean * 0.9), round(mean * 1.1)] }, normal: { normal: { mean: round(mean), deviation: round(mean * 0.1) } }, truncated: { truncated: { mean: round(mean), deviation: round(mean * 0.2), min: round(mean * 0.6), max: round(mean * 1.4) } } };
      this.set(`change the ${label}`, pointer, values[v]);
    });
    form.marks(pointer);
    const step = 0.01;
    if (kind === 'constant') return form.number(`${label}, value`, value, { ...limits, usual, step }, '', (v, s) => this.set(`change the ${label}`, pointer, v, s));
    if (kind === 'uniform') return ['least', 'most'].forEach((word, i) => form.number(`${label}, ${word}`, value.uniform[i], { ...limits, step }, '', (v, s) => this.set(`change the ${label}`, `${pointer}/uniform/${i}`, v, s)));
    for (const field of kind === 'normal' ? ['mean', 'deviation'] : ['mean', 'deviation', 'min', 'max'])
      form.number(`${label}, ${field}`, value[kind][field], { ...limits, ...(field === 'deviation' ? { min: 0, slider: [0, limits.slider[1] / 2] as [number, number] } : {}), step }, '', (v, s) => this.set(`change the ${label}`, `${pointer}/${kind}/${field}`, v, s));
  }

  private model(label: string, choice: Json, usual: string, table: Model[], pointer: string): void {
    const { form } = this;
    const name = this.modelName(choice, usual);
    const model = table.find((m) => m.name === name);
    form.heading(label);
    form.choice(label, name, table.map((m) => [m.name, `${m.name}: ${m.title}`] as [string, string]), '', (v) => this.set(`change the ${label}`, pointer, v));
    form.marks(pointer);
    if (model?.paper) form.note(model.paper);
    for (const parameter of model?.parameters ?? []) {
      const there = typeof choice === 'object' ? choice[parameter.name] : undefined;
      // A slider reaches as far as one is likely to want; the number beside it all that is allowed.
      const high = Math.min(parameter.max, Math.max(parameter.value * 4, parameter.min + 1e-9, parameter.value === 0 ? 1 : 0));
      const whole = Number.isInteger(parameter.value) && Number.isInteger(parameter.min) && parameter.max - parameter.min >= 5 && parameter.unit === '1' && parameter.value >= 5;
      form.number(parameter.name.replace(/_/g, ' '), there, { unit: parameter.unit === '1' ? '' : parameter.unit, min: parameter.min, max: parameter.max, usual: parameter.value, slider: [parameter.min, high], step: whole ? 1 : undefined, help: parameter.help }, '', (v, s) => {
        if (typeof choice === 'object' && choice !== null) this.set(`change ${parameter.name}`, `${pointer}/${key(parameter.name)}`, v, s);
        else this.desk.edit(`change ${parameter.name}`, [{ op: 'set', at: pointer, value: { model: name, [parameter.name]: v } }], s ? `${pointer}/${key(parameter.name)}` : '');
      });
    }
  }

  // The scene as a whole

  private scene(): void {
    const { form, doc } = this;
    const set = (pointer: string, what: string) => (v: Json) => this.set(what, pointer, v);
    form.heading('Scene');
    form.text('name', doc.json.name ?? '', '/name', set('/name', 'rename the scene'));
    form.text('description', doc.json.description ?? '', '/description', set('/description', 'describe the scene'), true);
    form.heading('Run');
    const run = doc.json.run ?? {};
    form.number('step', run.dt, { unit: 's', usual: 0.1, min: 0.001, max: 0.5 }, '/run/dt', set('/run/dt', 'change the length of steps'));
    form.number('seed', run.seed, { usual: 1, min: 0, step: 1 }, '/run/seed', set('/run/seed', 'change the seed'));
    form.number('duration', run.duration, { unit: 's', min: 0.001, max: 1e7 }, '/run/duration', set('/run/duration', 'change the duration'));
    form.flag('ends when all have arrived', run.until === 'all_arrived', '/run/until', (v) => (v ? this.set('change the ending', '/run/until', 'all_arrived') : this.drop('change the ending', '/run/until')));
    const types = [...new Set(this.regionTypes())];
    if (types.length > 0) form.note(`Regions: ${types.join(', ')}.`);
    if (doc.json.levels) this.levels();
    this.problems();
  }

  private problems(): void {
    const { form } = this;
    const { findings } = this.desk;
    form.heading(findings.length === 0 ? 'Nothing is wrong' : 'What is wrong');
    for (const finding of findings) {
      const button = element('button', { type: 'button', class: `finding ${finding.severity}` }, finding.text);
      button.addEventListener('click', () => this.desk.show(finding));
      form.node(button);
    }
  }
}
