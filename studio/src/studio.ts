// Throng studio: a crowd alive in the browser.

import {
  BufferGeometry,
  Float32BufferAttribute,
  Line,
  LineBasicMaterial,
  Mesh,
  MeshBasicMaterial,
  PerspectiveCamera,
  Raycaster,
  RingGeometry,
  Scene,
  Vector2,
  Vector3,
  type WebGLRenderer,
} from 'three';
import type { MapControls } from 'three/addons/controls/MapControls.js';

import { Connection } from './connection';
import { overview } from './framing';
import { Lookings, SERVICE_KEYS } from './looking';
import { Meter } from './meter';
import { Sight } from './sight';
import { Design } from './design/design';
import { DensityMap, Overlays, SPEEDS as SPEED_KEYS } from './overlays';
import { Names } from './names';
import { Panels } from './panels';
import { Crowd } from './people';
import type { MeshMessage, People, PersonMessage, SceneMessage, ServerMessage } from './protocol';
import { goNearer, keepDepth, makeControls, makeRenderer, savePicture } from './stage';
import { Surroundings, extentAround, extentOf, type Extent } from './surroundings';
import { areaOf } from './view_area';
import { Watch } from './watch/watch';

const SPEEDS = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100];
const FAR = 2000; // m
const CLOSE = 260; // m, of a large scene that is seen first

class Studio {
  private canvas = document.createElement('canvas');
  private renderer: WebGLRenderer;
  private scene = new Scene();
  private camera = new PerspectiveCamera(45, 1, 0.3, 8000);
  private controls: MapControls;
  private crowd = new Crowd();
  private around = new Surroundings(this.scene);
  private overlays = new Overlays();
  private density = new DensityMap();
  private ring = new Mesh(new RingGeometry(0.45, 0.6, 40), new MeshBasicMaterial({ color: 0x1f6feb, transparent: true, opacity: 0.9, depthWrite: false }));
  private route = new Line(new BufferGeometry(), new LineBasicMaterial({ color: 0x1f6feb }));
  private panels: Panels;
  private design: Design;
  private connection: Connection;
  private watch: Watch;
  private message: SceneMessage | null = null;
  private mesh: MeshMessage | null = null;
  private extent: Extent = { min: new Vector3(), max: new Vector3(), guessed: true };
  private level: number | null = null; // m, of the ground of a place that is known by its people only
  private hour = 14.5;
  private followed = 0;
  private followedAt = new Vector3();
  private shown = 0; // s, the simulated time that is drawn
  private rate = 1; // simulated s per s, as frames come
  private lastFrameAt = 0;
  private lastDraw = performance.now();
  private sentView = '';
  private nextView = 0;
  private nextDensity = 0;
  private arrangedAt = new Vector3(Infinity, 0, 0);
  private fresh = false;
  private sight = new Sight();
  private names = new Names();
  private seeing = false;
  private seen = 0; // through whose eyes the server was asked to look
  private lookings = new Lookings({
    floor: (index, shown) => {
      this.around.show(index, shown);
      this.floorsChanged();
    },
  });
  private forward = new Vector3();
  private nextSurvey = 0;
  private surveying: Generator<void, void, void> | null = null;
  private prepared = false; // pictures of people
  private surveyed = false; // in the last picture
  private built = false; // there is a place to be seen
  private nextSky = 0;
  private empty = false; // nobody has been seen yet
  private same = false; // the scene that came last is the one before, changed
  readonly meter = new Meter();

  constructor(root: HTMLElement) {
    this.canvas.tabIndex = 0;
    this.canvas.setAttribute('aria-label', 'The scene. Arrow keys move, with Ctrl they turn, Page Up and Page Down go nearer and farther, N follows the next person.');
    root.append(this.canvas, this.names.root);
    this.renderer = makeRenderer(this.canvas);
    this.controls = makeControls(this.camera, this.canvas);
    this.ring.renderOrder = 3;
    this.ring.visible = this.route.visible = false;
    this.scene.add(this.crowd.group, this.overlays.group, this.density.mesh, this.ring, this.route);
    this.panels = this.makePanels(root);
    this.panels.lookings.append(this.lookings.root);
    root.append(this.sight.root);
    this.watch = this.makeWatch(root);
    this.design = this.makeDesign(root);
    this.connection = new Connection(location.hash.slice(1), {
      message: (message) => this.received(message),
      mesh: (mesh) => this.receivedMesh(mesh),
      sight: (sight) => this.sight.receive(sight, this.seeing ? this.followed : 0),
      frame: (frame, at) => this.receivedFrame(frame, at),
      trouble: (what) => this.panels.trouble(what),
    });
    this.listen();
    this.resize();
    this.watch.prepare = (crowd) => crowd.prepare(this.renderer);
    this.connection.open();
    this.renderer.setAnimationLoop(() => this.draw());
  }

  private makeWatch(root: HTMLElement): Watch {
    const watch = new Watch({
      root,
      canvas: this.canvas,
      camera: this.camera,
      scene: this.scene,
      crowd: this.crowd,
      target: () => this.controls.target,
      enable: (on) => (this.controls.enabled = on),
      send: (message) => this.connection.send(message),
      token: () => location.hash.slice(1),
      say: (text) => this.panels.say(text),
      trouble: (text) => this.panels.trouble(text),
      legend: (name, keys) => this.panels.legend(name, keys),
      follow: (id) => this.follow(id),
      followed: () => this.followed,
      picture: () => this.picture(),
      resized: () => this.resize(),
      unsaved: () => this.design.unsaved,
    });
    this.panels.tools.append(watch.tools);
    this.panels.strip.append(watch.timeline.root);
    return watch;
  }

  private makePanels(root: HTMLElement): Panels {
    return new Panels(root, {
      play: (playing) => this.connection.send({ type: 'play', playing }),
      step: () => this.connection.send({ type: 'step', count: 1 }),
      restart: () => this.connection.send({ type: 'restart' }),
      speed: (factor) => this.connection.send({ type: 'speed', factor }),
      overlay: (name, on) => {
        if (on) this.connection.send({ type: 'overlay', name });
        else {
          this.overlays.hide(name);
          this.panels.legend(name, []);
        }
      },
      speedMap: (on) => this.showMap(on, 'speed map', 'density'),
      sight: (on) => {
        this.seeing = on;
        if (on && this.followed === 0) this.panels.say('Click on somebody: their card says who they are, and here is what they see.');
        this.see();
      },
      names: (on) => (this.names.shown = on),
      density: (on) => this.showMap(on, 'density', 'speed map'),
      colour: (mode) => (this.crowd.uniforms.uColour.value = mode),
      hour: (hour) => {
        this.hour = hour;
        this.around.light(hour, this.panels.dark);
      },
      shadows: (on) => (this.around.shadows = on),
      cut: (on) => {
        this.around.cut(on);
        this.floorsChanged();
      },
      theme: (dark) => this.around.light(this.hour, dark),
      unfollow: () => this.follow(0),
      home: () => this.home(),
      above: () => this.home(Infinity, true),
    });
  }

  /** Of densities or of speeds: there is one ground to paint. */
  private showMap(on: boolean, name: string, other: string): void {
    if (on) this.panels.off(other);
    this.panels.legend(other, []);
    this.panels.legend(name, !on ? [] : name === 'density' ? SERVICE_KEYS : SPEED_KEYS);
    this.density.speeds = name === 'speed map';
    this.density.mesh.visible = on;
    this.nextDensity = 0;
  }

  private makeDesign(root: HTMLElement): Design {
    return new Design({
      root,
      canvas: this.canvas,
      camera: this.camera,
      origin: this.crowd.origin,
      layers: () => this.message?.layers ?? [],
      model: () => (this.mesh ? this.around.model : null),
      hidden: (layer) => this.around.isHidden(layer),
      send: (message) => this.connection.send(message),
      say: (text) => this.panels.say(text),
      look: ([x, y]) => {
        const to = new Vector3(x, y, 0).sub(this.crowd.origin).setZ(this.controls.target.z);
        this.camera.position.add(to.clone().sub(this.controls.target));
        this.controls.target.copy(to);
      },
      setDoor: (name, open) => this.around.setDoor(name, open),
      switched: () => this.panels.showSide(false),
    });
  }

  // From the server

  private received(message: ServerMessage): void {
    if (this.watch.received(message)) return;
    switch (message.type) {
      case 'hello':
        this.sentView = '';
        this.watch.hello();
        this.seen = 0;
        this.see();
        this.overlays.clear();
        this.panels.overlays([]);
        this.panels.overlays(message.overlays);
        this.design.again();
        break;
      case 'scene':
        this.same = this.message?.file === message.file;
        this.message = message;
        if (!message.sameMesh) this.mesh = null;
        this.watch.scene(message, this.mesh);
        this.panels.scene(message.name, message.description, message.file);
        this.panels.setPopulations(message.populations);
        this.lookings.scene(message.layers);
        this.panels.overlays(message.overlays);
        this.askOverlays();
        this.crowd.seats = message.layers.flatMap((layer) =>
          layer.regions.filter(({ type }) => /^(seats?|seating|bench(es)?)$/i.test(type)).flatMap(({ area }) => area.map((polygon) => polygon[0])),
        );
        message.populations.slice(0, 16).forEach((p, i) => this.crowd.uniforms.uPopulation.value[i].set(p.rgb));
        if (!message.materials || message.sameMesh) this.build();
        if (this.watch.start.designs) this.design.switch(true);
        this.watch.start.designs = false;
        break;
      case 'document':
      case 'models':
      case 'walls':
        if (message.type === 'walls') {
          this.around.setObstacles(message.obstacles, this.message?.layers ?? [], this.crowd.origin);
          this.askOverlays();
        }
        this.design.received(message);
        break;
      case 'status':
        this.panels.status(message);
        this.watch.status(message);
        break;
      case 'person':
        this.showPerson(message);
        break;
      case 'overlay':
        if (this.panels.chosenOverlays.includes(message.name)) {
          this.overlays.show(message, this.crowd.origin);
          this.panels.legend(message.name, message.keys);
        }
        break;
      case 'notice':
        this.panels.say(message.text);
        break;
    }
  }

  /** What is laid over the scene is asked for again when doors, obstacles or the scene have changed; what is shown stays until the answer comes. */
  private askOverlays(): void {
    for (const name of this.panels.chosenOverlays) this.connection.send({ type: 'overlay', name });
    for (const name of this.overlays.names) if (!this.panels.chosenOverlays.includes(name)) this.overlays.hide(name);
  }

  private receivedMesh(mesh: MeshMessage): void {
    this.mesh = mesh;
    this.watch.hasMesh(mesh);
    this.build();
  }

  private build(): void {
    if (!this.message) return;
    this.level = null;
    this.setExtent(extentOf(this.message, this.mesh));
  }

  /** Nobody but its people has said where the place is: the ground is under their feet. */
  private settle(extent: ReturnType<typeof extentAround>): void {
    const layers = this.message?.layers ?? [];
    this.level = layers.length === 1 ? extent.level : null;
    if (this.level !== null) layers[0].elevation = this.level;
    this.setExtent(extent);
  }

  private setExtent(extent: Extent): void {
    if (!this.message) return;
    this.extent = extent;
    this.built = true;
    const { min, max } = extent;
    const before = this.crowd.origin.clone();
    this.crowd.origin.set((min.x + max.x) / 2, (min.y + max.y) / 2, min.z);
    this.around.build(this.message, this.mesh, this.crowd.origin, this.extent);
    this.names.scene(this.message, this.crowd.origin);
    this.empty = !this.same;
    if (!this.same) return this.home(CLOSE);
    // The same scene after a change: one goes on looking at the same place.
    const shift = before.sub(this.crowd.origin);
    this.camera.position.add(shift);
    this.controls.target.add(shift);
    this.fresh = true;
  }

  /** A frame that came at a time (ms) is shown; what it takes is spread over some pictures. */
  private *receivedFrame(all: People, at: number): Generator<void, void, void> {
    const shows: (() => void)[] = [];
    const { frame, second } = this.watch.frames(all);
    if (second) shows.push(yield* second.crowd.advancing(second.frame));
    if (this.extent.guessed && frame.count > 0) this.settle(extentAround(frame));
    // Feet on the ground, where it is heads that were recorded.
    if (this.level !== null) for (const people of second ? [frame, second.frame] : [frame]) people.z.fill(this.level, 0, people.count);
    shows.push(yield* this.crowd.advancing(frame));
    yield;
    const elapsed = (at - this.lastFrameAt) / 1000;
    const passed = frame.time - this.crowd.frame.time;
    if (passed < 0 || passed > 60) this.shown = frame.time;
    else if (passed > 0 && elapsed < 1) this.rate = 0.8 * this.rate + 0.2 * (passed / Math.max(elapsed, 0.005));
    if (passed !== 0) this.lastFrameAt = at;
    this.surveying = null; // it was about the one before
    this.prepare();
    for (const show of shows) show();
    this.fresh = true;
    // Where nobody is in the middle of a large scene, one has to see all of it to find them.
    if (this.empty && frame.total > 0 && !this.anybody()) this.home();
    this.empty &&= frame.total === 0;
  }

  // The camera

  /** Is somebody in the picture? */
  private anybody(): boolean {
    const { count } = this.crowd.frame;
    for (let row = 0; row < count; row += Math.ceil(count / 2000)) {
      const [x, y] = this.onPage(row);
      if (x > 0 && x < innerWidth && y > 0 && y < innerHeight) return true;
    }
    return false;
  }

  /** The whole scene, or of a large one what is around its middle, where people are seen as such. */
  private home(most = Infinity, above = false): void {
    this.watch.walk.stop();
    const { min, max } = this.extent;
    const { position, target } = overview(max.clone().sub(min).toArray(), most, this.camera, this.watch.comparing, above);
    this.camera.position.set(...position);
    this.controls.target.set(...target);
    const size = Math.hypot(max.x - min.x, max.y - min.y);
    this.controls.maxDistance = Math.max(3000, 3 * size);
    this.camera.far = Math.max(8000, 5 * size);
    this.camera.updateProjectionMatrix();
    this.controls.update();
    this.follow(0);
  }

  private follow(id: number): void {
    this.followed = id;
    this.connection?.send({ type: 'follow', person: id === 0 ? null : id });
    this.see();
    this.ring.visible = this.route.visible = false;
    if (id === 0) {
      this.panels?.person(null);
      return;
    }
    const { crowd, row } = this.find(id);
    if (row >= 0) crowd.place(row, this.followedAt);
  }

  /** For those without a mouse: whoever is nearest to the middle of the picture, then one after the other. */
  private followNext(): void {
    const { frame, origin } = this.crowd;
    if (frame.count === 0) return this.panels.say('Nobody is in view.');
    let row = this.followed === 0 ? -1 : this.find(this.followed).row;
    if (row >= 0) row = (row + 1) % frame.count;
    else {
      const { x, y } = this.controls.target.clone().add(origin);
      let least = Infinity;
      for (let i = 0; i < frame.count; ++i) {
        const square = (frame.x[i] - x) ** 2 + (frame.y[i] - y) ** 2;
        if (square < least) [least, row] = [square, i];
      }
    }
    this.follow(frame.id[row]);
  }
  private see(): void {
    const person = this.seeing ? this.followed : 0;
    this.sight.show(person);
    if (person !== this.seen) this.connection?.send({ type: 'see', person: person === 0 ? null : person });
    this.seen = person;
  }

  private floorsChanged(): void {
    this.crowd.hidden = this.around.hidden;
    this.fresh = true;
  }

  /** In whose crowd somebody is, and where in it. */
  private find(id: number): { crowd: Crowd; row: number } {
    const crowd = id >= 0x80000000 && this.watch.second ? this.watch.second : this.crowd;
    return { crowd, row: crowd.row(id % 0x80000000) };
  }

  private showPerson(person: PersonMessage): void {
    if (person.id !== this.followed) return;
    this.panels.person(person);
    const points: number[] = [];
    const { origin } = this.crowd;
    for (let i = 0; i + 1 < (person.route?.length ?? 0); i += 2)
      points.push(person.route![i] - origin.x, person.route![i + 1] - origin.y, (person.z ?? 0) - origin.z + 0.15);
    this.route.visible = points.length >= 6;
    this.route.geometry.dispose();
    this.route.geometry = new BufferGeometry();
    this.route.geometry.setAttribute('position', new Float32BufferAttribute(points, 3));
  }

  private keepUp(): void {
    if (this.followed === 0) return;
    const { crowd, row } = this.find(this.followed);
    this.ring.visible = row >= 0 && this.watch.walk.mode !== 'eyes';
    if (row < 0) return;
    const at = crowd.place(row, new Vector3());
    const moved = at.clone().sub(this.followedAt);
    this.followedAt.copy(at);
    this.controls.target.add(moved);
    this.camera.position.add(moved);
    this.controls.target.lerp(at, 0.06);
    this.ring.position.copy(at).setZ(at.z + 0.05);
  }

  private tellView(now: number): void {
    // Where nobody knows the place, everybody is asked for.
    if (now < this.nextView || !this.message || this.extent.guessed) return;
    this.nextView = now + 150;
    const area = areaOf(this.camera, this.crowd.origin, this.extent.min.z - 1, this.extent.max.z + 2, Math.max(FAR, this.camera.far / 2));
    const text = JSON.stringify(area);
    if (text === this.sentView || area.length < 3) return;
    this.sentView = text;
    this.connection.send({ type: 'view', area });
  }

  // Every picture

  private draw(): void {
    const now = performance.now();
    const dt = Math.min((now - this.lastDraw) / 1000, 0.25);
    this.lastDraw = now;
    if (this.watch.walk.mode === 'off') this.controls.update();
    // One thing in a picture: what people do can wait until no frame is in work.
    const surveys = this.survey(now, dt > 0.04);
    if (!surveys) this.connection.intake.picture();
    this.surveyed = surveys;
    const frame = this.crowd.frame;
    const since = this.crowd.uniforms;
    // Drawn one frame behind, so that there is always a place to walk to.
    this.shown = Math.min(this.shown + dt * this.rate, frame.time);
    const begin = this.crowd.timeBefore;
    if (this.shown < begin) this.shown = begin;
    const span = frame.time - begin;
    since.uMix.value = span > 1e-6 ? (this.shown - begin) / span : 1;
    since.uIdle.value += this.panels.playing ? dt * Math.min(Math.max(this.rate, 0.2), 2) : 0;
    if (!surveys) this.crowdDetail();
    if (this.density.mesh.visible && now > this.nextDensity) {
      this.density.update(frame, this.crowd.origin);
      this.nextDensity = now + 500;
    }
    this.keepUp();
    this.watch.update(now, dt);
    this.tellView(now);
    keepDepth(this.camera, this.extent.max.z - this.extent.min.z + 3);
    this.around.follow(this.camera.position, this.controls.target);
    this.crowd.sun = this.around.sunlight;
    this.meter.add(performance.now() - now);
    // An empty sky is drawn now and then only: what comes instead should not have to wait for it.
    if (this.built || now > this.nextSky) {
      this.nextSky = now + 1000;
      this.watch.render(this.renderer, this.scene, this.camera);
    }
    this.names.update(this.camera, this.design.on || this.watch.comparing);
    this.design.draw();
    // The place is seen before people's pictures are made, which takes long where software draws.
    if (!this.extent.guessed) this.prepare();
  }

  private prepare(): void {
    if (!this.prepared) this.crowd.prepare(this.renderer);
    this.prepared = true;
  }

  /** What people do is found out: a part of it in this picture, all of it where pictures are rare. False when nothing was done. */
  private survey(now: number, rare: boolean): boolean {
    if (!this.surveying) {
      // However rare pictures are, frames have their turn.
      if (now < this.nextSurvey || this.fresh || this.surveyed) return false;
      this.nextSurvey = now + 250;
      this.surveying = this.crowd.surveying(this.crowd.uniforms.uColour.value === 4);
    }
    const end = rare ? Infinity : performance.now() + 1.5;
    do {
      if (this.surveying.next().done) this.surveying = null;
    } while (this.surveying && performance.now() < end);
    return true;
  }

  /** Who is drawn how: after a frame, and when the camera has moved or turned. */
  private crowdDetail(): void {
    const { viewer } = this.crowd;
    const { position } = this.camera;
    const forward = this.camera.getWorldDirection(this.forward);
    viewer.scale = (this.crowd.quality * this.canvas.height) / (2 * Math.tan((this.camera.fov * Math.PI) / 360));
    const turned = forward.x * viewer.forward[0] + forward.y * viewer.forward[1] + forward.z * viewer.forward[2] < 0.999;
    const nearer = position.distanceToSquared(this.arrangedAt);
    if (this.fresh || turned || nearer > 1 + 0.0004 * position.distanceToSquared(this.controls.target)) {
      [viewer.x, viewer.y, viewer.z] = position.toArray();
      viewer.forward = [forward.x, forward.y, forward.z];
      this.crowd.arrange();
      this.watch.arrange();
      this.arrangedAt.copy(position);
      this.fresh = false;
    }
  }

  // The user

  private listen(): void {
    window.addEventListener('resize', () => this.resize());
    window.addEventListener('hashchange', () => location.reload());
    let down = new Vector2();
    this.canvas.addEventListener('pointerdown', (event) => {
      this.panels.showSide(false);
      down = new Vector2(event.clientX, event.clientY);
    });
    this.canvas.addEventListener('pointerup', (event) => {
      if (event.button === 0 && down.distanceTo(new Vector2(event.clientX, event.clientY)) < 5) this.click(event);
    });
    window.addEventListener('keydown', (event) => this.key(event));
  }

  private click(event: PointerEvent): void {
    if (this.watch.box.on || this.watch.walk.mode === 'eyes') return;
    const { x, y, crowd, add } = this.watch.pointer(event.clientX, event.clientY);
    const direction = new Vector3(x, y, 0.5).unproject(this.camera).sub(this.camera.position).normalize();
    const id = crowd.pick(this.camera.position, direction, event.pointerType === 'touch' ? 0.02 : 0.006);
    if (this.design.on) return;
    if (id !== 0) return this.follow(id + add);
    const ray = new Raycaster(this.camera.position, direction);
    const door = ray.intersectObjects([...this.around.doors.values()], false)[0];
    if (door) this.design.moveDoor(door.object.name);
  }

  private key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    // What has the focus keeps its own keys: lists their letters, buttons and boxes the space bar.
    if (event.target instanceof HTMLSelectElement && event.key !== 'Escape') return;
    if (event.key === ' ' && (event.target instanceof HTMLButtonElement || event.target instanceof HTMLInputElement)) return;
    if (this.panels.helpOpen && event.key !== '?') return;
    if (event.target instanceof HTMLInputElement && !['checkbox', 'range'].includes(event.target.type) && event.key !== 'Escape') return;
    if (this.watch.key(event)) return;
    const faster = SPEEDS.find((s) => s > this.panels.speed * 1.01) ?? 100;
    const slower = [...SPEEDS].reverse().find((s) => s < this.panels.speed * 0.99) ?? 0.1;
    const actions: Record<string, () => void> = {
      ' ': () => this.connection.send({ type: 'play', playing: !this.panels.playing }),
      '.': () => this.connection.send({ type: 'step', count: 1 }),
      r: () => this.connection.send({ type: 'restart' }),
      '+': () => this.connection.send({ type: 'speed', factor: faster }),
      '=': () => this.connection.send({ type: 'speed', factor: faster }),
      '-': () => this.connection.send({ type: 'speed', factor: slower }),
      '1': () => this.connection.send({ type: 'speed', factor: 1 }),
      h: () => this.home(),
      t: () => this.home(Infinity, true),
      n: () => this.followNext(),
      PageUp: () => goNearer(this.camera, this.controls, 0.8),
      PageDown: () => goNearer(this.camera, this.controls, 1.25),
      c: () => this.panels.nextColour(),
      d: () => this.panels.flip('density'),
      x: () => this.panels.flip('cut walls open'),
      l: () => this.panels.setTheme(!this.panels.dark),
      p: () => this.picture(),
      '?': () => this.panels.toggleHelp(),
      Escape: () => this.follow(0),
    };
    const action = actions[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!action) return;
    event.preventDefault();
    action();
  }

  private picture(): void {
    savePicture(this.canvas, this.message?.name || 'throng');
  }

  private resize(): void {
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.renderer.setSize(innerWidth, innerHeight);
    this.camera.aspect = innerWidth / (this.watch.comparing ? 2 : 1) / Math.max(innerHeight, 1);
    this.camera.updateProjectionMatrix();
  }

  /** For tests and for whoever is curious: what is drawn now. */
  figures(): object {
    const { frame } = this.crowd;
    return {
      time: frame.time,
      total: frame.total,
      inView: frame.count,
      shownAs: this.crowd.counts,
      drawCalls: this.renderer.info.render.calls,
      triangles: this.renderer.info.render.triangles,
      frames: this.meter.frames,
      ...this.meter.times,
      followed: this.followed,
      bytes: this.connection.bytes,
      ...this.watch.figures(),
      design: this.design.on,
      told: this.panels.told,
      toldTime: this.panels.toldTime,
      first: frame.count > 0 ? [frame.id[0], frame.x[0], frame.y[0]] : null,
    };
  }
  /** Puts the camera somewhere: scene coordinates. */
  look(from: [number, number, number], at: [number, number, number]): void {
    this.camera.position.set(...from).sub(this.crowd.origin);
    this.controls.target.set(...at).sub(this.crowd.origin);
    this.controls.update();
  }
  /** Where a place on the ground is on the page, px. */
  pageOf(x: number, y: number, z = 0): [number, number] {
    const at = new Vector3(x, y, z).sub(this.crowd.origin).project(this.camera);
    return [((at.x + 1) / 2) * innerWidth, ((1 - at.y) / 2) * innerHeight];
  }
  /** How finely people are drawn: 1, or less. */
  setQuality(quality: number): void {
    this.crowd.quality = quality;
    this.fresh = true;
  }
  /** Pictures stay the same: people neither breathe nor look about. */
  freeze(): void {
    this.crowd.uniforms.uIdle.value = 0;
    this.nextSurvey = Infinity;
  }
  /** Of the day, 0 to 24. */
  setHour(hour: number): void {
    this.hour = hour;
    this.around.light(hour, this.panels.dark);
  }
  documentText(): string {
    return this.design.documentText;
  }
  documentState(): string {
    return this.design.documentState;
  }
  /** As if the page had sent it. */
  sendTest(message: object): void {
    this.connection.send(message);
  }
  /** Everybody in view: number, x, y. */
  people(): [number, number, number][] {
    const { frame } = this.crowd;
    return Array.from({ length: frame.count }, (_, i) => [frame.id[i], frame.x[i], frame.y[i]]);
  }
  /** m: how high the feet of somebody in view are. */
  heightAt(id: number): number {
    const row = this.crowd.row(id);
    return row < 0 ? 0 : this.crowd.frame.z[row];
  }
  /** Where somebody in view is on the page, px. */
  onPage(row: number): [number, number, number] {
    const at = this.crowd.place(row, new Vector3());
    at.z += 0.9;
    at.project(this.camera);
    return [((at.x + 1) / 2) * innerWidth, ((1 - at.y) / 2) * innerHeight, this.crowd.frame.id[row]];
  }
}

declare global {
  interface Window {
    throng?: Studio;
  }
}

const root = document.getElementById('app')!;
try {
  window.throng = new Studio(root);
} catch (error) {
  root.textContent = `The studio cannot start: ${error instanceof Error ? error.message : String(error)}. It needs a browser with WebGL 2.`;
}
