// At eye height: walking through the crowd oneself, or looking through somebody's eyes.

import { Vector3, type PerspectiveCamera } from 'three';

import { button, element } from '../elements';
import type { Ground } from './ground';

const EYES = 1.62; // m
const WALK = 1.8; // m/s
const RUN = 5;
const FIELD = 65; // degrees

export interface Body {
  /** Where the person stands now, relative to the origin, and where they head, rad; null when they are gone. */
  (): { at: Vector3; heading: number; height: number } | null;
}

const KEYS: Record<string, [number, number]> = {
  w: [1, 0],
  arrowup: [1, 0],
  s: [-1, 0],
  arrowdown: [-1, 0],
  a: [0, 1],
  d: [0, -1],
};
/** To the left, rad/s. */
const TURNS: Record<string, number> = { arrowleft: 1.6, arrowright: -1.6 };

export class Walk {
  mode: 'off' | 'walk' | 'eyes' = 'off';
  readonly pad: HTMLElement;
  private place: [number, number, number] = [0, 0, 0];
  private yaw = 0;
  private pitch = -0.06;
  private down = new Set<string>();
  private fast = false;
  private dragged: [number, number] | null = null;
  private before = { fov: 45, near: 0.3, position: new Vector3() };
  private body: Body = () => null;

  constructor(
    private camera: PerspectiveCamera,
    private canvas: HTMLCanvasElement,
    private ended: () => void,
  ) {
    const press = (label: string, text: string, key: string): HTMLButtonElement => {
      const made = element('button', { type: 'button', 'aria-label': label, title: label }, text);
      const set = (on: boolean) => (event: Event) => {
        event.preventDefault();
        if (on) this.down.add(key);
        else this.down.delete(key);
      };
      made.addEventListener('pointerdown', set(true));
      for (const name of ['pointerup', 'pointercancel', 'pointerleave']) made.addEventListener(name, set(false));
      return made;
    };
    this.pad = element(
      'div',
      { class: 'panel pad', role: 'group', 'aria-label': 'Walking', hidden: '' },
      press('Left', '◀', 'a'),
      element('div', {}, press('Forwards', '▲', 'w'), press('Backwards', '▼', 's')),
      press('Right', '▶', 'd'),
      button('Stop walking', 'Leave', () => this.stop()),
    );
    canvas.addEventListener('pointerdown', (event) => {
      if (this.mode === 'walk') this.dragged = [event.clientX, event.clientY];
    });
    window.addEventListener('pointermove', (event) => this.look(event));
    window.addEventListener('pointerup', () => (this.dragged = null));
    window.addEventListener('keyup', (event) => {
      this.down.delete(event.key.toLowerCase());
      this.fast = event.shiftKey;
    });
    window.addEventListener('blur', () => this.down.clear());
  }

  private begin(mode: 'walk' | 'eyes'): void {
    if (this.mode === 'off') this.before = { fov: this.camera.fov, near: this.camera.near, position: this.camera.position.clone() };
    this.mode = mode;
    this.camera.fov = FIELD;
    this.camera.near = 0.1;
    this.camera.updateProjectionMatrix();
    this.pad.hidden = mode !== 'walk';
    this.canvas.focus();
  }

  /** Walking begins near a place, relative to the origin; false where nobody can stand anywhere near. */
  walk(ground: Ground, origin: Vector3, near: Vector3, towards: Vector3): boolean {
    const begin = ground.begin(near.x + origin.x, near.y + origin.y);
    if (!begin) return false;
    this.ground = ground;
    this.origin = origin;
    this.place = begin;
    this.yaw = Math.atan2(towards.y, towards.x);
    this.pitch = -0.06;
    this.begin('walk');
    return true;
  }
  eyes(body: Body): void {
    this.body = body;
    this.begin('eyes');
  }
  stop(): void {
    if (this.mode === 'off') return;
    this.mode = 'off';
    this.pad.hidden = true;
    this.down.clear();
    this.camera.fov = this.before.fov;
    this.camera.near = this.before.near;
    this.camera.position.copy(this.before.position);
    this.camera.updateProjectionMatrix();
    this.ended();
  }
  private ground: Ground | null = null;
  private origin = new Vector3();

  /** Where the walker stands: scene coordinates. */
  get at(): [number, number, number] {
    return this.place;
  }

  private look(event: PointerEvent): void {
    if (!this.dragged) return;
    this.yaw -= (event.clientX - this.dragged[0]) * 0.004;
    this.pitch = Math.max(-1.2, Math.min(1.2, this.pitch - (event.clientY - this.dragged[1]) * 0.003));
    this.dragged = [event.clientX, event.clientY];
  }

  /** True when the key was for walking. */
  key(event: KeyboardEvent): boolean {
    if (this.mode === 'off') return false;
    const name = event.key.toLowerCase();
    this.fast = event.shiftKey;
    if (name === 'escape') {
      this.stop();
      return true;
    }
    if (this.mode !== 'walk' || !(name in KEYS || name in TURNS)) return false;
    this.down.add(name);
    return true;
  }

  /** Puts the camera where the eyes are. */
  update(dt: number): void {
    if (this.mode === 'walk') this.step(dt);
    if (this.mode === 'eyes') this.follow();
  }

  private step(dt: number): void {
    if (!this.ground) return;
    let ahead = 0;
    let aside = 0;
    for (const key of this.down) {
      this.yaw += (TURNS[key] ?? 0) * dt;
      const way = KEYS[key];
      if (!way) continue;
      ahead += way[0];
      aside += way[1];
    }
    const length = Math.hypot(ahead, aside);
    if (length > 0) {
      const way = ((this.fast ? RUN : WALK) * Math.min(dt, 0.1)) / length;
      const c = Math.cos(this.yaw);
      const s = Math.sin(this.yaw);
      // In steps short enough that no wall lies between two of them.
      const pieces = Math.max(1, Math.ceil(way / 0.15));
      for (let i = 0; i < pieces; ++i)
        this.place = this.ground.walk(this.place, ((ahead * c - aside * s) * way) / pieces, ((ahead * s + aside * c) * way) / pieces);
    }
    const [x, y, z] = this.place;
    this.camera.position.set(x - this.origin.x, y - this.origin.y, z - this.origin.z + EYES);
    this.face(this.yaw, this.pitch);
  }

  private follow(): void {
    const body = this.body();
    if (!body) return this.stop();
    let turn = body.heading - this.yaw;
    turn -= 2 * Math.PI * Math.round(turn / (2 * Math.PI));
    this.yaw += turn * 0.2; // heads do not jerk
    this.camera.position.copy(body.at);
    this.camera.position.x += Math.cos(this.yaw) * 0.18;
    this.camera.position.y += Math.sin(this.yaw) * 0.18;
    this.camera.position.z += body.height * 0.93;
    this.face(this.yaw, -0.08);
  }

  private face(yaw: number, pitch: number): void {
    const { position } = this.camera;
    this.camera.lookAt(position.x + Math.cos(yaw) * Math.cos(pitch), position.y + Math.sin(yaw) * Math.cos(pitch), position.z + Math.sin(pitch));
  }
}
