// Who is in there: a rectangle is drawn over the picture, and the server says who stands on that piece of ground.

import { Vector3, type PerspectiveCamera } from 'three';

import { button, element } from '../elements';
import { refill } from '../focus';
import type { PeopleMessage } from './messages';

export class Box {
  readonly card = element('section', { class: 'panel person box-card', 'aria-label': 'People in the box', hidden: '' });
  private frame = element('div', { class: 'box', hidden: '' });
  private from: [number, number] | null = null;
  on = false;
  /** Scene coordinates of the last box. */
  area: [number, number][] = [];

  constructor(
    private canvas: HTMLCanvasElement,
    private camera: PerspectiveCamera,
    private hooks: {
      /** Where on the picture of one run a pointer is, -1 … 1. */
      pointer(x: number, y: number): { x: number; y: number };
      ground(): number;
      origin(): Vector3;
      ask(area: [number, number][]): void;
      follow(id: number): void;
      changed(on: boolean): void;
    },
  ) {
    canvas.parentElement?.append(this.frame);
    canvas.addEventListener('pointerdown', (event) => {
      if (!this.on) return;
      this.from = [event.clientX, event.clientY];
      canvas.setPointerCapture(event.pointerId);
    });
    canvas.addEventListener('pointermove', (event) => this.drag(event));
    canvas.addEventListener('pointerup', (event) => this.drop(event));
  }

  set(on: boolean): void {
    this.on = on;
    this.from = null;
    this.frame.hidden = true;
    this.canvas.style.cursor = on ? 'crosshair' : '';
    if (!on) this.card.hidden = true;
    this.hooks.changed(on);
  }

  private drag(event: PointerEvent): void {
    if (!this.on || !this.from) return;
    const [x, y] = this.from;
    this.frame.hidden = false;
    Object.assign(this.frame.style, {
      left: `${Math.min(x, event.clientX)}px`,
      top: `${Math.min(y, event.clientY)}px`,
      width: `${Math.abs(x - event.clientX)}px`,
      height: `${Math.abs(y - event.clientY)}px`,
    });
  }

  private drop(event: PointerEvent): void {
    if (!this.on || !this.from) return;
    const [x, y] = this.from;
    this.from = null;
    if (Math.abs(x - event.clientX) < 6 || Math.abs(y - event.clientY) < 6) {
      this.frame.hidden = true;
      return;
    }
    const corners: [number, number][] = [
      [x, y],
      [event.clientX, y],
      [event.clientX, event.clientY],
      [x, event.clientY],
    ];
    this.area = corners.map(([px, py]) => this.onGround(px, py));
    this.refresh();
  }

  /** Asks again who is there now. */
  refresh(): void {
    if (this.on && this.area.length === 4) this.hooks.ask(this.area);
  }

  private onGround(px: number, py: number): [number, number] {
    const on = this.hooks.pointer(px, py);
    const direction = new Vector3(on.x, on.y, 0.5).unproject(this.camera).sub(this.camera.position).normalize();
    const { position } = this.camera;
    const height = this.hooks.ground() + 0.9 - position.z; // the middles of people, who are what one draws around
    const along = direction.z < -1e-3 ? Math.min(height / direction.z, 3000) : 3000;
    const origin = this.hooks.origin();
    return [position.x + direction.x * along + origin.x, position.y + direction.y * along + origin.y];
  }

  show(message: PeopleMessage): void {
    if (!this.on) return;
    const list = element('ul', {});
    for (const person of message.listed.slice(0, 60))
      list.append(
        element(
          'li',
          {},
          button(`Follow person ${person.id}`, String(person.id), () => {
            this.set(false);
            this.hooks.follow(person.id);
          }),
          element('span', {}, `${person.population || 'somebody'}, ${person.errand || 'on the way'}, ${person.speed.toFixed(1)} m/s`),
        ),
      );
    const rows = element('dl', {});
    const row = (name: string, value: string): void => rows.append(element('dt', {}, name), element('dd', {}, value));
    row('mean speed', `${message.speed.toFixed(2)} m/s`);
    row('standing', String(message.standing));
    for (const { name, count } of message.populations.slice(0, 6)) row(name, String(count));
    this.card.hidden = false;
    refill(
      this.card,
      element('h2', {}, message.count === 1 ? '1 person in the box' : `${message.count.toLocaleString('en-GB')} people in the box`),
      rows,
      list,
      button('Forget the box', 'Close', () => this.set(false)),
    );
  }
}
