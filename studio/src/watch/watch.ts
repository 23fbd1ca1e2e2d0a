// Watching, as a whole: the time line, charts, boxes, walking, two runs beside one another, films, and what can be opened.

import { Vector3, type PerspectiveCamera, type Scene, type WebGLRenderer } from 'three';

import { button, element } from '../elements';
import { Focus, giveBack } from '../focus';
import { Crowd } from '../people';
import type { MeshMessage, People, SceneMessage, StatusMessage } from '../protocol';
import { Start } from '../start/start';
import { firstTips } from '../start/tips';
import { Box } from './box';
import { Charts } from './charts';
import { DIFFERENCE_KEYS, DifferenceMap, SECOND, apart, split } from './compare';
import { Ground } from './ground';
import { Make } from './make';
import type { TimelineMessage, WatchMessage } from './messages';
import { Timeline } from './timeline';
import { Walk } from './walk';

/** What the application lends. */
export interface Stage {
  root: HTMLElement;
  canvas: HTMLCanvasElement;
  camera: PerspectiveCamera;
  scene: Scene;
  crowd: Crowd;
  target(): Vector3;
  enable(controls: boolean): void;
  send(message: object): void;
  token(): string;
  say(text: string): void;
  trouble(text: string | null): void;
  legend(name: string, keys: { rgb: number; label: string }[]): void;
  follow(id: number): void;
  followed(): number;
  picture(): void;
  resized(): void;
  /** Are there changes of the scene that are not saved? */
  unsaved(): boolean;
}

const TYPES = new Set(['timeline', 'curves', 'figures', 'people', 'work', 'library', 'opening']);

export class Watch {
  readonly timeline: Timeline;
  readonly charts: Charts;
  readonly tools: HTMLElement;
  readonly box: Box;
  readonly walk: Walk;
  readonly make: Make;
  readonly start: Start;
  /** The second run's people, while there is one. */
  second: Crowd | null = null;
  private runs: string[] = [];
  private firstCount = 0;
  private difference = new DifferenceMap();
  private nextDifference = 0;
  private nextBox = 0;
  private labels = [element('div', { class: 'panel run', hidden: '' }), element('div', { class: 'panel run second', hidden: '' })];
  private message: SceneMessage | null = null;
  private mesh: MeshMessage | null = null;
  private walkGround: Ground | null = null;
  private buttons = new Map<string, HTMLButtonElement>();
  private focus: Focus;

  constructor(private stage: Stage) {
    const { root, canvas, camera } = stage;
    this.focus = new Focus(canvas);
    this.timeline = new Timeline((time) => stage.send({ type: 'seek', time }));
    this.charts = new Charts(() => {
      this.toggleCharts(false);
      giveBack(this.buttons.get('charts') ?? null);
    });
    this.walk = new Walk(camera, canvas, () => {
      stage.enable(true);
      this.press('walk', false);
      this.press('eyes', false);
    });
    this.box = new Box(canvas, camera, {
      pointer: (x, y) => this.pointer(x, y),
      ground: () => stage.target().z,
      origin: () => stage.crowd.origin,
      ask: (area) => stage.send({ type: 'people', area }),
      follow: (id) => stage.follow(id),
      changed: (on) => {
        stage.enable(!on && this.walk.mode === 'off');
        this.press('box', on);
      },
    });
    this.make = new Make({ send: stage.send, token: stage.token, say: stage.say, picture: stage.picture });
    this.start = new Start(stage.send, stage.token, stage.say, stage.unsaved);
    this.tools = this.makeTools();
    root.append(this.charts.root, this.box.card, this.walk.pad, ...this.labels, this.start.root, this.start.shade, this.make.dialog);
    const tips = firstTips();
    if (tips) root.append(tips);
    stage.scene.add(this.difference.mesh);
    document.addEventListener('visibilitychange', () => this.charts.draw());
  }

  private makeTools(): HTMLElement {
    const tool = (name: string, label: string, text: string, action: () => void): HTMLButtonElement => {
      const made = button(label, text, action, { 'aria-pressed': 'false' });
      this.buttons.set(name, made);
      return made;
    };
    const tools = element(
      'div',
      { class: 'tools' },
      tool('charts', 'Charts (G)', 'Charts', () => this.toggleCharts()),
      tool('box', 'Who is in a box (B)', 'Box', () => this.toggleBox()),
      tool('walk', 'Walk through the crowd at eye height (W)', 'Walk', () => this.toggleWalk()),
      tool('eyes', 'Look through the eyes of the person you follow (V)', 'Eyes', () => this.toggleEyes()),
      tool('difference', 'Where the two runs differ (Y)', 'Difference', () => this.toggleDifference()),
      tool('make', 'Film, report, recording (F)', 'Film …', () => this.make.open()),
      tool('open', 'Open another scene or recording (O)', 'Open …', () => stage.send({ type: 'library' })),
    );
    const { stage } = this;
    for (const name of ['make', 'open']) this.buttons.get(name)!.removeAttribute('aria-pressed');
    this.buttons.get('difference')!.hidden = true;
    return tools;
  }
  private press(name: string, on: boolean): void {
    this.buttons.get(name)?.setAttribute('aria-pressed', String(on));
  }

  // From the server

  /** True when the message was about watching. */
  received(message: { type: string }): boolean {
    if (!TYPES.has(message.type)) return false;
    const about = message as WatchMessage;
    switch (about.type) {
      case 'timeline':
        this.about(about);
        break;
      case 'curves':
        this.charts.curves(about);
        if (about.run === 0) this.timeline.curve(about.samples);
        break;
      case 'figures':
        this.charts.figures(about);
        if (about.sample) this.timeline.curve(this.charts.first);
        break;
      case 'people':
        this.box.show(about);
        break;
      case 'work':
        this.make.work(about);
        break;
      case 'library':
        this.start.show(about);
        break;
      case 'opening':
        this.stage.trouble(about.done ? null : `Opening ${about.name} …`);
        break;
    }
    return true;
  }

  /** Another show begins. */
  hello(): void {
    document.documentElement.classList.remove('recorded');
    this.charts.clear();
    this.walk.stop();
    this.box.set(false);
  }
  scene(message: SceneMessage, mesh: MeshMessage | null): void {
    this.message = message;
    this.mesh = mesh;
    this.walkGround = null;
    this.start.hide();
  }
  hasMesh(mesh: MeshMessage): void {
    this.mesh = mesh;
    this.walkGround = null;
  }
  status(status: StatusMessage): void {
    this.timeline.at(status.time);
    this.charts.at(status.time);
    this.make.status(status.recording, status.recorded, status.time);
  }

  private about(timeline: TimelineMessage): void {
    document.documentElement.classList.toggle('recorded', timeline.kind === 'recording');
    this.timeline.show(timeline);
    this.charts.about(timeline.lines, timeline.kind === 'world');
    this.make.about(timeline);
    this.runs = timeline.runs;
    const two = timeline.runs.length > 1;
    this.buttons.get('difference')!.hidden = !two;
    this.labels.forEach((label, i) => {
      label.hidden = !two;
      label.textContent = timeline.runs[i] ?? '';
    });
    if (two && !this.second) {
      this.second = new Crowd();
      this.prepare(this.second);
      this.stage.scene.add(this.second.group);
    } else if (!two && this.second) {
      this.stage.scene.remove(this.second.group);
      this.second = null;
      this.stage.crowd.group.visible = true;
    }
    this.firstCount = 0;
    this.stage.resized();
    if (!two) this.difference.mesh.visible = false;
  }

  /** Whose people a frame has: those of the first run, and of the second where there is one. */
  frames(all: People): { frame: People; second: { crowd: Crowd; frame: People } | null } {
    if (!this.second) return { frame: all, second: null };
    const [first, second] = split(all, this.firstCount);
    this.firstCount = first.count;
    return { frame: first, second: { crowd: this.second, frame: second } };
  }

  // Every picture

  /** What a crowd needs before it is drawn first. */
  prepare: (crowd: Crowd) => void = () => {};
  /** The second run's people are shown like those of the first. */
  arrange(): void {
    if (!this.second) return;
    Object.assign(this.second.viewer, this.stage.crowd.viewer);
    this.second.arrange();
  }

  get comparing(): boolean {
    return this.second !== null;
  }

  update(now: number, dt: number): void {
    this.focus.look();
    if (this.walk.mode !== 'off') this.walk.update(dt);
    if (this.second) {
      const { uMix, uIdle, uColour } = this.stage.crowd.uniforms;
      this.second.origin.copy(this.stage.crowd.origin);
      this.second.uniforms.uMix.value = uMix.value;
      this.second.uniforms.uIdle.value = uIdle.value;
      this.second.uniforms.uColour.value = uColour.value;
      this.second.uniforms.uPopulation.value = this.stage.crowd.uniforms.uPopulation.value;
    }
    if (this.second && now > this.nextDifference) {
      this.nextDifference = now + 500;
      const a = this.stage.crowd.frame;
      const b = this.second.frame;
      if (this.difference.mesh.visible) this.difference.update(a, b, this.stage.crowd.origin);
      const { mean, both } = apart(a, b);
      this.labels[0].textContent = this.runs[0];
      this.labels[1].textContent = both > 0 ? `${this.runs[1]} · the same ${both.toLocaleString('en-GB')} people are ${mean.toFixed(2)} m apart on average` : this.runs[1];
    }
    if (this.box.on && now > this.nextBox) {
      this.nextBox = now + 1000;
      this.box.refresh();
    }
  }

  /** One picture, or two halves of the same place at the same time. */
  render(renderer: WebGLRenderer, scene: Scene, camera: PerspectiveCamera): void {
    if (!this.second) {
      renderer.render(scene, camera);
      return;
    }
    const { crowd } = this.stage;
    const half = Math.floor(innerWidth / 2);
    renderer.setScissorTest(true);
    [crowd, this.second].forEach((shown, i) => {
      crowd.group.visible = shown === crowd;
      this.second!.group.visible = shown !== crowd;
      renderer.setViewport(i * half, 0, half, innerHeight);
      renderer.setScissor(i * half, 0, half, innerHeight);
      renderer.render(scene, camera);
    });
    crowd.group.visible = true;
    renderer.setScissorTest(false);
    renderer.setViewport(0, 0, innerWidth, innerHeight);
  }

  /** Where on the picture a pointer is, -1 … 1, and whose people are there. */
  pointer(x: number, y: number): { x: number; y: number; crowd: Crowd; add: number } {
    const up = 1 - (y / innerHeight) * 2;
    if (!this.second) return { x: (x / innerWidth) * 2 - 1, y: up, crowd: this.stage.crowd, add: 0 };
    const half = innerWidth / 2;
    const right = x >= half;
    return { x: ((right ? x - half : x) / half) * 2 - 1, y: up, crowd: right ? this.second : this.stage.crowd, add: right ? SECOND : 0 };
  }

  // The user

  toggleCharts(on: boolean = this.charts.root.hidden === true): void {
    this.charts.root.hidden = !on;
    document.documentElement.classList.toggle('with-charts', on);
    this.press('charts', on);
    this.charts.draw();
  }
  private toggleBox(): void {
    this.walk.stop();
    this.box.set(!this.box.on);
    if (this.box.on) this.stage.say('Draw a box over the people you want to know of.');
  }
  private toggleDifference(): void {
    if (!this.second) return;
    const on = !this.difference.mesh.visible;
    this.difference.mesh.visible = on;
    this.nextDifference = 0;
    this.press('difference', on);
    this.stage.legend('difference', on ? DIFFERENCE_KEYS : []);
    if (on) this.stage.say('Blue: more people in the first run. Red: more in the second. By people per m².');
  }
  private toggleWalk(): void {
    if (this.walk.mode === 'walk') {
      this.walk.stop();
      return;
    }
    if (!this.message) return;
    this.box.set(false);
    this.walkGround ??= new Ground(this.message, this.mesh);
    const { stage } = this;
    const towards = stage.target().clone().sub(stage.camera.position);
    const begun = this.walk.walk(this.walkGround, stage.crowd.origin, stage.target(), towards);
    if (!begun) {
      stage.say('There is no ground to walk on near here. Look at another place first.');
      return;
    }
    stage.follow(0);
    stage.enable(false);
    this.press('walk', true);
    stage.say('W A S D walk, arrows turn, Shift runs, dragging looks around, Esc ends it.');
  }
  private toggleEyes(): void {
    if (this.walk.mode === 'eyes') {
      this.walk.stop();
      return;
    }
    const { stage } = this;
    if (stage.followed() === 0) {
      stage.say('Click on somebody first: then you can look through their eyes.');
      return;
    }
    this.box.set(false);
    stage.enable(false);
    this.press('eyes', true);
    this.walk.eyes(() => {
      const crowd = stage.followed() >= SECOND && this.second ? this.second : stage.crowd;
      const row = crowd.row(stage.followed() % SECOND);
      if (row < 0) return null;
      return { at: crowd.place(row, new Vector3()), heading: crowd.facing(row), height: crowd.heightOf(row) };
    });
  }

  /** True when the key was for something here. */
  key(event: KeyboardEvent): boolean {
    if (this.start.shown) {
      if (event.key === 'Escape' && this.message) this.start.hide();
      return true;
    }
    if (this.make.dialog.open) return true;
    if (this.walk.key(event)) {
      event.preventDefault();
      return true;
    }
    const actions: Record<string, () => void> = {
      g: () => this.toggleCharts(),
      b: () => this.toggleBox(),
      w: () => this.toggleWalk(),
      v: () => this.toggleEyes(),
      y: () => this.toggleDifference(),
      f: () => this.make.open(),
      o: () => this.stage.send({ type: 'library' }),
    };
    if (event.key === 'Escape' && this.box.on) {
      this.box.set(false);
      return true;
    }
    const action = actions[event.key.toLowerCase()];
    if (!action) return false;
    event.preventDefault();
    action();
    return true;
  }

  /** For tests and for whoever is curious. */
  figures(): object {
    return {
      comparing: this.comparing,
      second: this.second?.frame.count ?? 0,
      charts: this.charts.drawn,
      walking: this.walk.mode,
      at: this.walk.at,
      start: this.start.shown,
    };
  }
}

export const WATCH_KEYS: [string, string][] = [
  ['G', 'charts'],
  ['B', 'who is in a box'],
  ['W', 'walk through the crowd: W A S D, arrows turn, Shift runs'],
  ['V', 'through the eyes of who is followed'],
  ['F', 'film, report, recording'],
  ['O', 'open another scene or recording'],
];
