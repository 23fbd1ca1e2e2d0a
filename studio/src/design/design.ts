// Designing: the tool bar, the drawing over the picture, the forms, and how the hand's clicks and keys get to them.

import { refill } from '../focus';
import { element } from '../panels';
import { askSize, sceneFileName } from '../start/new_scene';
import { Aim, type Aimed } from './aim';
import { sightOf } from './cameras';
import { SceneDocument, editMessage, id, layerName, type Item, type Step } from './document';
import type { Finding } from './fields';
import { distance, distanceTo, distanceToBorder, middleOf, points, snapped, type Geometry, type Point } from './geometry';
import { grab, handlesOf, type Grip } from './handles';
import { icon, type IconName } from './icons';
import { Inspector, REGION_TYPES, type Desk, type ModelsMessage } from './inspector';
import { Sheet, type Drawn, type Handle } from './sheet';
import { goalTool, makeTools, type Bench, type GoalKind, type Tool } from './tools';

export interface DocumentMessage {
  type: 'document';
  revision: number;
  text: string;
  file: string;
  canSave: boolean;
  /** What is saved goes when the studio ends. */
  passing: boolean;
  changed: boolean;
  undo: string | null;
  redo: string | null;
  pen: 'you' | 'somebody' | 'nobody';
  state: 'running' | 'checking' | 'draft';
  findings: Finding[];
}
export interface WallsMessage {
  type: 'walls';
  doors: Record<string, boolean>;
  obstacles: { name: string; layer: number; shape: number[]; z?: number }[];
}
export type DesignMessage = DocumentMessage | ModelsMessage | WallsMessage;

/** What the page around gives. */
export interface Host extends Omit<Aimed, 'standsAt'> {
  root: HTMLElement;
  send(message: object): void;
  say(text: string): void;
  look(at: Point): void;
  setDoor(name: string, open: boolean): void;
  /** The tools have been opened or closed. */
  switched(): void;
}

export class Design implements Desk, Bench {
  on = false;
  document = new SceneDocument('{"version": 1}');
  models: ModelsMessage | null = null;
  findings: Finding[] = [];
  selected: Item | null = null;
  opened = '';
  get layer(): number {
    return this.aim.layer;
  }
  get floors(): string[] {
    return this.host.layers().map((layer) => layer.name);
  }
  get floor(): string {
    return this.floors[this.layer] ?? '';
  }
  regionType = 'grass';
  brushSize = 0.4;
  paintSize = 1.5;
  profile = 'default';
  private wanted = '';
  private news: DocumentMessage | null = null;
  private doors: Record<string, boolean> = {};
  private tools: Tool[];
  private tool: Tool;
  private tab = 'selection';
  private sheet: Sheet;
  private aim: Aim;
  /** m: how high what events have put there stands. */
  private standing = new Map<string, number>();
  private inspector: Inspector;
  private buttons = new Map<string, HTMLButtonElement>();
  private bar = element('nav', { class: 'panel workbench', 'aria-label': 'Design tools', hidden: '' });
  private panel = element('aside', { class: 'panel design', 'aria-label': 'Design', hidden: '' });
  private hintBox = element('div', { class: 'panel hint', role: 'status', hidden: '' });
  private toggle = element('button', { class: 'panel pencil', 'aria-label': 'Design this scene', title: 'Design this scene (E)' }, icon('region'), 'Design');
  private undoButton = this.button('undo', 'Undo', () => this.host.send({ type: 'undo' }));
  private redoButton = this.button('redo', 'Redo', () => this.host.send({ type: 'redo' }));
  private saveButton = this.button('save', 'Save (Ctrl-S)', () => this.save());
  private copyButton = this.button('copy', 'Download a copy of the scene file', () => this.download());
  private state = element('p', { class: 'state', role: 'status' });
  private options = element('div', { class: 'form' });
  private tabs = element('div', { class: 'tabs', role: 'tablist' });
  private grip: Grip | null = null;
  private gripGeometry: Geometry | null = null;
  private pressed: { p: Point; x: number; y: number; dragging: boolean; draws: boolean; id: number } | null = null;
  private clicks = 0; // of a mouse, at one place and quickly one after the other
  private lastClick = { time: 0, x: 0, y: 0 };
  private hovered: Item | null = null;
  private replace = false;

  constructor(private host: Host) {
    this.sheet = new Sheet(host.camera, host.origin);
    const { canvas, camera, origin } = host;
    this.aim = new Aim({ canvas, camera, origin, layers: () => host.layers(), model: () => host.model(), hidden: (layer) => host.hidden(layer), standsAt: (name) => this.standing.get(name) }, this.sheet);
    this.tools = makeTools(this);
    this.tool = this.tools[0];
    this.inspector = new Inspector(this);
    this.toggle.addEventListener('click', () => this.switch(!this.on));
    host.canvas.after(this.sheet.svg); // beneath all panels
    host.root.append(this.bar, this.panel, this.hintBox, this.toggle);
    this.fillBar();
    this.fillPanel();
    canvas.addEventListener('pointerdown', (event) => this.down(event), { capture: true });
    canvas.addEventListener('mousedown', (event) => (this.clicks = event.detail));
    window.addEventListener('pointermove', (event) => this.move(event));
    window.addEventListener('pointerup', (event) => this.up(event), { capture: true });
    window.addEventListener('pointercancel', () => this.letGo());
    window.addEventListener('keydown', (event) => this.key(event), { capture: true });
    window.addEventListener('beforeunload', (event) => {
      if (this.on && this.news?.changed) event.preventDefault();
    });
  }

  // Panels

  private button(name: IconName, title: string, action: () => void): HTMLButtonElement {
    const button = element('button', { type: 'button', 'aria-label': title, title }, icon(name));
    button.addEventListener('click', action);
    return button;
  }

  private fillBar(): void {
    for (const tool of this.tools) {
      const button = this.button(tool.icon, `${tool.title} (${tool.key})`, () => this.choose(tool.name));
      this.buttons.set(tool.name, button);
      this.bar.append(button);
    }
    this.bar.append(element('hr'), this.undoButton, this.redoButton, this.saveButton, this.copyButton, this.button('fresh', 'New scene: an empty rectangle', () => this.fresh()));
  }

  private fillPanel(): void {
    for (const [name, text] of [['selection', 'Selection'], ['people', 'People'], ['scene', 'Scene']]) {
      const tab = element('button', { type: 'button', role: 'tab', 'aria-selected': 'false', 'data-tab': name }, text);
      tab.addEventListener('click', () => this.showTab(name));
      this.tabs.append(tab);
    }
    const close = this.button('close', 'Back to watching (E)', () => this.switch(false));
    close.classList.add('close');
    this.panel.append(close, this.state, this.options, this.tabs, this.inspector.root);
  }

  private showTab(name: string): void {
    if (name === 'selection' && this.tab === 'selection') this.opened = '';
    this.tab = name;
    this.refresh();
  }

  /** Layer, region type, brush: what the chosen tool works with. */
  private drawOptions(): void {
    const rows: HTMLElement[] = [];
    const select = (label: string, value: string, values: string[], change: (value: string) => void): void => {
      const box = element('select', { 'aria-label': label });
      for (const v of values) box.append(element('option', { value: v }, v));
      box.value = value;
      box.addEventListener('change', () => change(box.value));
      rows.push(element('label', { class: 'row' }, element('span', {}, label), box));
    };
    const layers = this.floors;
    if (layers.length > 1) {
      const under = 'where one points';
      select('floor', this.aim.chosen === null ? under : layers[this.layer], [under, ...layers], (v) => {
        this.aim.chosen = v === under ? null : layers.indexOf(v);
        this.aim.layer = this.aim.chosen ?? this.layer;
      });
    }
    if (this.tool.name === 'region' || this.tool.name === 'paint') select('region type', this.regionType, [...new Set([...REGION_TYPES, this.regionType])], (v) => (this.regionType = v));
    if (this.tool.name === 'brush' || this.tool.name === 'population') select('profile', this.profile, this.document.profiles, (v) => (this.profile = v));
    if (this.tool.name === 'brush') {
      const size = element('input', { type: 'range', min: '0.2', max: '4', step: '0.2', 'aria-label': 'Size of the brush' });
      size.value = String(this.brushSize);
      size.addEventListener('input', () => (this.brushSize = Number(size.value)));
      rows.push(element('label', { class: 'row' }, element('span', {}, 'brush'), size));
    }
    if (this.tool.name === 'paint') {
      const size = element('input', { type: 'range', min: '0.25', max: '10', step: '0.25', 'aria-label': 'Width of the brush' });
      const width = element('output', {}, `${2 * this.paintSize} m`);
      size.value = String(this.paintSize);
      size.addEventListener('input', () => {
        this.paintSize = Number(size.value);
        width.textContent = `${2 * this.paintSize} m`;
      });
      rows.push(element('label', { class: 'row' }, element('span', {}, 'brush'), size, width));
    }
    refill(this.options, ...rows);
  }

  private refresh(): void {
    for (const [name, button] of this.buttons) button.setAttribute('aria-pressed', String(name === this.tool.name));
    for (const tab of this.tabs.children) tab.setAttribute('aria-selected', String((tab as HTMLElement).dataset.tab === this.tab));
    const { news } = this;
    this.undoButton.disabled = !news?.undo;
    this.redoButton.disabled = !news?.redo;
    this.undoButton.title = news?.undo ? `Undo: ${news.undo} (Ctrl-Z)` : 'Nothing to undo';
    this.redoButton.title = news?.redo ? `Redo: ${news.redo} (Ctrl-Shift-Z)` : 'Nothing to do again';
    this.saveButton.classList.toggle('changed', Boolean(news?.changed));
    if (news) {
      const errors = news.findings.filter((f) => f.severity === 'error').length;
      const running = news.state === 'checking' ? 'Checking …' : news.state === 'draft' ? `Not running: ${errors} ${errors === 1 ? 'mistake' : 'mistakes'}. The scene before goes on.` : 'Running.';
      const pen = news.pen === 'somebody' ? ' Somebody else is changing it.' : '';
      this.state.textContent = `${news.file || 'Not saved yet'}${news.changed ? ' •' : ''} ${running}${pen}`;
      this.state.className = `state ${news.state}`;
    }
    this.drawOptions();
    this.inspector.draw(this.tab);
    this.showHint();
  }

  private showHint(): void {
    // With its name before it: on touch screens nothing else says what the pictures mean.
    const says = this.tool.hint();
    const text = says && this.tool.name !== 'select' ? `${this.tool.title.split(':')[0]}: ${says}` : says;
    this.hintBox.hidden = !this.on || !text;
    this.hintBox.textContent = text;
    this.host.canvas.style.cursor = !this.on ? '' : this.tool.name !== 'select' ? 'crosshair' : this.hovered ? 'move' : '';
  }

  switch(on: boolean): void {
    if (on === this.on) return;
    if (on && document.documentElement.classList.contains('recorded')) return this.host.say('A recording has happened already: open its scene to change that.');
    const pressed = [this.toggle, this.bar, this.panel].some((part) => part.matches(':focus-within'));
    this.on = on;
    this.bar.hidden = this.panel.hidden = !on;
    this.toggle.setAttribute('aria-pressed', String(on));
    document.documentElement.classList.toggle('designing', on);
    this.host.switched();
    this.tool.cancel();
    this.tool = this.tools[0];
    this.host.send({ type: 'design', on });
    if (!on) {
      this.selected = null;
      this.sheet.draw([], []);
    }
    this.refresh();
    if (pressed) (on ? this.bar.querySelector('button') : this.toggle)?.focus(); // one goes on where the tools begin, and comes back
  }

  /** After the connection came back. */
  again(): void {
    if (this.on) this.host.send({ type: 'design', on: true });
  }

  // From the server

  received(message: DesignMessage): void {
    if (message.type === 'models') {
      this.models = message;
    } else if (message.type === 'walls') {
      this.doors = message.doors;
      this.standing = new Map(message.obstacles.flatMap(({ name, z }) => (z === undefined ? [] : [[name, z]])));
      for (const [name, open] of Object.entries(message.doors)) this.host.setDoor(name, open);
      return;
    } else {
      const first = this.news === null;
      // Only what was refused a moment ago is saved over what another program has written.
      if (!message.changed || message.revision !== this.news?.revision) this.replace = false;
      this.news = message;
      this.findings = message.findings;
      if (first || message.text !== this.text) this.take(message.text);
    }
    if (this.on) this.refresh();
  }

  private text = '';
  private take(text: string): void {
    this.text = text;
    this.document = new SceneDocument(text);
    if (!this.document.profiles.includes(this.profile)) this.profile = this.document.usualProfile;
    if (this.layer >= Math.max(1, this.host.layers().length)) this.aim.layer = 0;
    if ((this.aim.chosen ?? 0) >= this.host.layers().length) this.aim.chosen = null;
    const before = this.selected;
    this.selected = this.hovered = null;
    if (this.wanted) {
      this.selected = this.document.items.find((item) => item.pointer === this.wanted) ?? null;
      this.wanted = '';
    } else if (before) {
      this.selected = this.document.items.find((item) => id(item) === id(before) && item.kind === before.kind) ?? null;
    }
    if (this.opened && this.document.get(this.opened) === undefined) this.opened = '';
  }

  get documentText(): string {
    return this.text;
  }
  get documentState(): string {
    return this.news?.state ?? '';
  }

  // Changes

  edit(label: string, steps: Step[], merge = ''): void {
    if (steps.length === 0) return;
    if (this.news?.pen === 'somebody') return this.host.say('Somebody else is changing the scene now.');
    const message = editMessage(label, steps, merge);
    if (typeof message === 'string') return this.host.say(message);
    this.replace = false;
    this.host.send(message);
  }
  open(pointer: string): void {
    this.tab = 'selection';
    if (/^\/(flows|populations)\/\d+$/.test(pointer) || pointer.startsWith('/profiles/')) {
      this.opened = pointer;
      const start = this.document.items.find((item) => item.owner === pointer && item.kind === 'start');
      this.selected = start ?? null;
    } else {
      this.opened = '';
      this.wanted = pointer;
      this.selected = this.document.items.find((item) => item.pointer === pointer) ?? this.selected;
    }
    this.refresh();
  }
  select(item: Item | null): void {
    if (item) this.aim.take(item, this.document);
    this.selected = item;
    this.opened = '';
    this.tab = 'selection';
    this.refresh();
  }
  show(finding: Finding): void {
    const item = this.itemOf(finding);
    if (item) this.select(item);
    else if (/^\/(flows|populations)\/\d+/.test(finding.pointer)) this.open(/^\/\w+\/\d+/.exec(finding.pointer)![0]);
    else if (finding.pointer.startsWith('/profiles/')) this.open(finding.pointer.split('/').slice(0, 3).join('/'));
    if (finding.at) this.host.look(finding.at);
    else if (item) this.host.look(points(item.geometry)[0]);
  }
  remove(): void {
    if (!this.selected) {
      if (this.opened.startsWith('/flows/')) this.edit('delete a flow', this.document.removeFlow(this.opened));
      else if (this.opened.startsWith('/populations/')) this.edit('delete a population', this.document.removePopulation(this.opened));
      this.opened = '';
      return;
    }
    const { selected } = this;
    this.edit(`delete ${selected.label}`, selected.remove());
    this.select(null);
  }
  pickGoal(population: string, kind: GoalKind): void {
    this.tool.cancel();
    this.tool = goalTool(this, kind, population);
    this.refresh();
  }
  choose(name: string): void {
    this.tool.cancel();
    this.tool = this.tools.find((t) => t.name === name) ?? this.tools[0];
    if (name !== 'select') this.selected = null;
    this.hovered = null;
    this.refresh();
  }
  say(text: string): void {
    this.host.say(text);
  }

  private save(): void {
    const { news } = this;
    if (!news) return;
    if (!news.canSave) return this.host.say('This scene was made by a program; there is no folder to save it in.');
    // What was dropped here, or begun on the start page, lies in a folder that goes with the studio.
    if (news.passing) this.download();
    if (news.file) {
      this.host.send({ type: 'save', replace: this.replace });
      this.replace = true; // asked again, what somebody else wrote meanwhile goes
      return;
    }
    const typed = window.prompt('Name of the file, in the folder of the scene that was opened:', 'scene.json');
    if (!typed) return;
    const name = sceneFileName(typed);
    if (name) this.host.send({ type: 'save', name });
    else this.host.say('A file cannot be called that: letters, digits, spaces, - and _ will do, and no folder.');
  }

  private download(): void {
    const link = element('a', { download: this.news?.file || 'scene.json' });
    link.href = URL.createObjectURL(new Blob([this.text], { type: 'application/json' }));
    link.click();
    window.setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  }

  private fresh(): void {
    if (this.news?.changed && !window.confirm('The changes of this scene are not saved. Leave them?')) return;
    const size = askSize();
    if (!size) return;
    this.select(null);
    this.host.send({ type: 'new-scene', width: size[0], depth: size[1] });
  }

  // The ground

  placeAt(p: Point): number[] {
    const rounded = p.map((v) => Math.round(v * 1000) / 1000);
    const tall = this.host.model() !== null || this.host.layers().length > 1;
    return tall ? [...rounded, Math.round(this.aim.zHere()(p) * 100) / 100] : rounded;
  }
  heightAt(p: Point): number {
    return this.aim.zHere()(p);
  }
  /** Can a body stand there, as far as the page knows? What it does not know, the check does. */
  isFree(p: Point): boolean {
    const room = 0.3; // m
    const layer = layerName(this.document.json, this.layer);
    const there = this.document.items.filter((item) => item.layer === layer);
    if (there.some((item) => item.kind === 'obstacle' && distanceTo(p, item.geometry) < room)) return false;
    const ground = there.filter((item) => item.kind === 'walkable');
    return ground.length === 0 || ground.some((item) => distanceTo(p, item.geometry) === 0 && distanceToBorder(p, item.geometry) > room);
  }
  placeNamed(p: Point): string | null {
    for (const item of this.document.items)
      if (item.kind === 'place' && item.geometry.type === 'point' && Math.abs(this.aim.zOf(item, this.document)(p) - this.aim.zHere()(p)) < 1.5 && distance(p, item.geometry.at) <= (this.document.get(item.owner).radius ?? 3)) return item.label;
    return null;
  }

  private corners(): Point[] {
    return this.document.items.filter((item) => item !== this.selected).flatMap((item) => points(item.geometry));
  }
  private snap(p: Point, event: PointerEvent): Point {
    if (!event.shiftKey) return p;
    return snapped(p, this.corners(), (1.5 * this.aim.reach(event)) / this.aim.scaleAt(p, this.aim.zHere()(p)), 0.5);
  }

  // The hand

  private down(event: PointerEvent): void {
    if (event.button !== 0 || this.pressed || !this.on) return;
    const picked = this.tool.name === 'select' ? this.aim.pick(event, this.document) : null;
    if (this.tool.name !== 'select') {
      if (!this.tool.busy || this.tool.spans) this.aim.settle(event);
    } else if (!this.selected || !this.grabs(event)) {
      // The large ground is moved only when it has been chosen before, so that one can go on looking around.
      if (picked && picked.kind !== 'walkable' && (!this.selected || id(picked) !== id(this.selected))) this.select(picked);
    }
    const p = this.aim.ground(event, true);
    if (!p) return;
    this.pressed = { p: this.snap(p, event), x: event.clientX, y: event.clientY, dragging: false, draws: this.tool.drags, id: event.pointerId };
    if (this.tool.name === 'select') {
      const scale = this.aim.scaleAt(p, this.aim.zHere()(p));
      if (this.selected) this.grip = grab(this.selected, this.selected.geometry, p, this.aim.reach(event) / scale, scale);
      if (!this.grip) {
        if (picked && this.selected && id(picked) === id(this.selected)) this.grip = grab(this.selected, this.selected.geometry, p, 0, scale, true);
      }
      if (this.grip) event.stopPropagation();
    } else if (this.pressed.draws) {
      event.stopPropagation();
    }
    if (event.pointerType !== 'touch') this.host.canvas.focus({ preventScroll: true });
  }

  /** Is a handle of what is selected under the pointer? */
  private grabs(event: PointerEvent): boolean {
    const p = this.selected && this.aim.ground(event, true);
    if (!this.selected || !p) return false;
    const scale = this.aim.scaleAt(p, this.aim.zHere()(p));
    return grab(this.selected, this.selected.geometry, p, this.aim.reach(event) / scale, scale) !== null;
  }

  private move(event: PointerEvent): void {
    if (!this.on || (this.pressed && event.pointerId !== this.pressed.id)) return;
    if (!this.pressed && event.target !== this.host.canvas) {
      this.hovered = null;
      return;
    }
    const exact = this.host.model() !== null && this.tool.name !== 'select' && event.timeStamp - this.lastExact > 120;
    if (exact) this.lastExact = event.timeStamp;
    const found = this.aim.ground(event, exact);
    if (!found) return;
    const p = this.snap(found, event);
    const { pressed } = this;
    if (!pressed) {
      this.tool.hover(p);
      if (this.tool.name === 'select') {
        const before = this.hovered;
        this.hovered = this.aim.pick(event, this.document);
        if (this.hovered?.kind === 'walkable') this.hovered = null;
        if (before !== this.hovered) this.showHint();
      }
      return;
    }
    if (!pressed.dragging && Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y) < (event.pointerType === 'touch' ? 10 : 4)) return;
    if (this.grip && this.selected) {
      pressed.dragging = true;
      this.gripGeometry = this.grip.move(pressed.p, p, event.shiftKey);
    } else if (pressed.draws) {
      if (!pressed.dragging) this.tool.dragBegin(pressed.p);
      pressed.dragging = true;
      this.tool.drag(p);
    } else {
      pressed.dragging = true; // the camera's
    }
  }
  private lastExact = 0;

  private up(event: PointerEvent): void {
    const { pressed } = this;
    if (!this.on || !pressed || event.pointerId !== pressed.id) return;
    this.pressed = null;
    const found = this.aim.ground(event, true) ?? pressed.p;
    const p = this.snap(found, event);
    const { grip, gripGeometry } = this;
    this.grip = this.gripGeometry = null;
    if (grip && this.selected) {
      if (pressed.dragging && gripGeometry) {
        const steps = this.selected.write(gripGeometry);
        if (steps.length === 0 && this.selected.compound) this.say('A shape that crosses itself cannot stand there.');
        this.edit(`${grip.verb} ${this.selected.label}`, steps);
      }
      else if (!pressed.dragging) this.clickedAgain(event);
      return;
    }
    if (pressed.dragging) {
      if (pressed.draws) this.tool.dragEnd(p);
      this.showHint();
      return;
    }
    if (this.tool.stamps) {
      this.tool.dragBegin(p);
      this.tool.dragEnd(p);
    } else if (this.tool.name === 'select') {
      this.select(this.aim.pick(event, this.document));
    } else {
      this.tool.click(p, this.isDouble(event));
    }
    this.showHint();
  }

  /** As the system counts clicks, and for fingers, whose taps it does not count, by time. */
  private isDouble(event: PointerEvent): boolean {
    const again = (event.pointerType === 'mouse' && this.clicks > 1 && this.clicks % 2 === 0) || event.timeStamp - this.lastClick.time < 350 && Math.hypot(event.clientX - this.lastClick.x, event.clientY - this.lastClick.y) < 8;
    this.lastClick = { time: again ? 0 : event.timeStamp, x: event.clientX, y: event.clientY };
    return again;
  }
  /** A double click on a door opens and closes it. */
  private clickedAgain(event: PointerEvent): void {
    if (this.isDouble(event) && this.selected?.kind === 'door') this.moveDoor(this.selected.label);
  }
  private letGo(): void {
    this.pressed = this.grip = this.gripGeometry = null;
    this.tool.cancel();
  }

  /** Opens a door that is closed, and closes one that is open. */
  moveDoor(name: string): void {
    this.host.send({ type: 'door', name, open: this.doors[name] === false });
  }

  /** Are there changes that would be lost? */
  get unsaved(): boolean {
    return this.news?.changed ?? false;
  }

  private key(event: KeyboardEvent): void {
    const target = event.target as HTMLElement;
    if (document.querySelector('dialog[open], section.start:not([hidden])')) return;
    const writes = target instanceof HTMLTextAreaElement || (target instanceof HTMLInputElement && target.type !== 'range' && target.type !== 'checkbox') || target instanceof HTMLSelectElement;
    const command = event.ctrlKey || event.metaKey;
    const letter = event.key.toLowerCase();
    const take = (action: () => void): void => {
      event.preventDefault();
      event.stopPropagation();
      action();
    };
    if (this.on && command && letter === 's') return take(() => this.save());
    if (writes || event.altKey) return;
    if (!this.on) {
      if (!command && letter === 'e') take(() => this.switch(true));
      return;
    }
    if (command) {
      if (letter === 'z' || letter === 'y') take(() => this.host.send({ type: event.shiftKey || letter === 'y' ? 'redo' : 'undo' }));
      return;
    }
    if (letter === 'e') return take(() => this.switch(false));
    if (event.key === 'Enter' && !(target instanceof HTMLButtonElement)) return take(() => (this.tool.finish(), this.showHint()));
    if (event.key === 'Escape') return take(() => this.escape());
    if (event.key === 'Backspace' && this.tool.geometry) return take(() => (this.tool.back(), this.showHint()));
    if (event.key === 'Delete' || event.key === 'Backspace') return take(() => this.remove());
    const arrows: Record<string, Point> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
    const arrow = arrows[event.key];
    if (arrow && this.selected && target === this.host.canvas) return take(() => this.nudge(arrow, event.shiftKey ? 0.5 : 0.1));
    const tool = this.tools.find((t) => t.key.toLowerCase() === letter);
    if (tool && !event.shiftKey) take(() => this.choose(tool.name));
  }

  private nudge([x, y]: Point, by: number): void {
    const item = this.selected!;
    const there = grab(item, item.geometry, [0, 0], 0, 1, true)!;
    this.edit(`move ${item.label}`, item.write(there.move([0, 0], [x * by, y * by], false)), `nudge ${id(item)}`);
  }

  private escape(): void {
    if (this.tool.cancel()) return this.showHint();
    if (this.tool.name !== 'select') return this.choose('select');
    if (this.selected || this.opened) return this.select(null);
    this.switch(false);
  }

  // Every picture

  private itemOf(finding: Finding): Item | undefined {
    return this.document.items.find((item) => finding.pointer === item.pointer || finding.pointer.startsWith(`${item.pointer}/`) || item.pointer.startsWith(`${finding.pointer}/`) || (finding.pointer === item.owner && item.kind !== 'walkable' && item.kind !== 'obstacle'));
  }

  draw(): void {
    if (!this.on) return;
    const shapes: Drawn[] = [];
    const wrong = new Set(this.findings.filter((f) => f.severity === 'error').map((f) => this.itemOf(f)));
    const flowTo = this.opened.startsWith('/flows/') ? this.document.get(this.opened) : null;
    for (const item of this.document.items) {
      const selected = this.selected !== null && id(item) === id(this.selected);
      const geometry = selected && this.gripGeometry ? this.gripGeometry : item.geometry;
      const mine = this.opened !== '' && item.owner === this.opened;
      const end = flowTo !== null && item.kind === 'place' && (flowTo?.from === item.label || flowTo?.to === item.label);
      const shown = item.kind !== 'obstacle' && item.kind !== 'walkable' && item.kind !== 'opening';
      shapes.push({
        geometry,
        style: `${item.kind}${selected ? ' chosen' : ''}${mine || end ? ' mine' : ''}${this.hovered && id(this.hovered) === id(item) ? ' near' : ''}`,
        label: shown || selected ? item.label : undefined,
        z: this.aim.zOf(item, this.document),
        radius: item.kind === 'place' ? (this.document.get(item.owner)?.radius ?? 3) : 0.4,
        error: wrong.has(item),
      });
    }
    this.drawFlows(shapes);
    this.drawErrand(shapes);
    this.drawSights(shapes);
    const handles: Handle[] = [];
    if (this.selected && this.tool.name === 'select') {
      const geometry = this.gripGeometry ?? this.selected.geometry;
      const z = this.aim.zOf(this.selected, this.document);
      const middle = points(geometry)[0];
      for (const h of handlesOf(this.selected, geometry, this.aim.scaleAt(middle, z(middle)))) handles.push({ ...h, z: z(h.at) });
    }
    const z = this.aim.zHere();
    for (const geometry of this.tool.drafts) {
      shapes.push({ geometry, style: `draft${this.tool.name === 'flow' || this.tool.name === 'camera' ? ' flow' : ''}`, z, radius: 0.25 });
      if (this.tool.cornered) for (const at of points(geometry)) handles.push({ at, z: z(at), style: 'corner' });
    }
    for (const finding of this.findings) if (finding.at && finding.severity === 'error') shapes.push({ geometry: { type: 'point', at: finding.at }, style: 'mark', z, radius: 0.3, label: finding.message.slice(0, 90), error: true });
    this.sheet.draw(shapes, handles);
  }

  /** What cameras see, and what is near them. */
  private drawSights(shapes: Drawn[]): void {
    for (const item of this.document.items) {
      if (item.kind !== 'camera') continue;
      const chosen = this.selected !== null && id(item) === id(this.selected);
      const geometry = chosen && this.gripGeometry ? this.gripGeometry : item.geometry;
      for (const shape of sightOf(this.document, item, geometry)) shapes.unshift({ geometry: shape, style: `sight${chosen ? ' chosen' : ''}`, z: this.aim.zOf(item, this.document) });
    }
  }

  /** From where the people that are looked at begin to one goal after the other. */
  private drawErrand(shapes: Drawn[]): void {
    const owner = this.opened || (this.selected?.kind === 'start' || this.selected?.kind === 'goal' ? this.selected.owner : '');
    if (!owner.startsWith('/populations/')) return;
    const stations = this.document.items.filter((item) => item.owner === owner && (item.kind === 'goal' || item.kind === 'start'));
    const way = [...stations.filter((item) => item.kind === 'start').slice(0, 1), ...stations.filter((item) => item.kind === 'goal')];
    way.slice(1).forEach((item, i) => {
      const ends: Point[] = [middleOf(way[i].geometry), middleOf(item.geometry)];
      const heights = [way[i], item].map((end) => this.aim.zOf(end, this.document));
      // Between floors the line climbs.
      shapes.push({ geometry: { type: 'line', points: ends }, style: 'flow', z: (p) => (p === ends[0] ? heights[0](p) : heights[1](p)) });
    });
  }

  /** From place to place. */
  private drawFlows(shapes: Drawn[]): void {
    const places = new Map(this.document.items.filter((i) => i.kind === 'place').map((i) => [i.label, i]));
    ((this.document.json.flows ?? []) as { from: string; to: string }[]).forEach((flow, i) => {
      const [from, to] = [places.get(flow.from), places.get(flow.to)];
      if (from?.geometry.type !== 'point' || to?.geometry.type !== 'point') return;
      shapes.push({ geometry: { type: 'line', points: [from.geometry.at, to.geometry.at] }, style: `flow${this.opened === `/flows/${i}` ? ' chosen' : ''}`, z: this.aim.zOf(from, this.document) });
    });
  }
}
