// What places and doors are called, beside where they are.

import { Vector3, type PerspectiveCamera } from 'three';

import { element } from './elements';
import { heightOf } from './surroundings';
import type { SceneMessage } from './protocol';

/** More would be a page of text. */
const MOST = 60;

export class Names {
  readonly root = element('div', { class: 'names', hidden: '' });
  private named: { at: Vector3; label: HTMLElement }[] = [];
  private page = new Vector3();

  set shown(on: boolean) {
    this.root.hidden = !on;
  }

  scene({ layers, places }: SceneMessage, origin: Vector3): void {
    const [first] = layers;
    const one = layers.length === 1 && first.ground.length === 0;
    const list: [string, number, number, number][] = places.map(({ name, at: [x, y], z }) => [name, x, y, (one && z === 0 ? heightOf(first, x, y) : z) + 1]);
    for (const layer of layers)
      for (const { name, line } of layer.doors) {
        const [x, y] = [(line[0] + line[2]) / 2, (line[1] + line[3]) / 2];
        list.push([name, x, y, heightOf(layer, x, y) + 2.4]);
      }
    this.named = list.map(([name, x, y, z]) => ({ at: new Vector3(x, y, z).sub(origin), label: element('span', {}, name) }));
    this.root.replaceChildren(...this.named.map(({ label }) => label));
  }

  /** Once a picture; `off`: not in this one. Those that are nearest have their place, others only where that leaves room. */
  update(camera: PerspectiveCamera, off: boolean): void {
    this.root.style.visibility = off ? 'hidden' : '';
    if (this.root.hidden || off) return;
    const taken: [number, number, number][] = [];
    const near = this.named.map((one) => ({ ...one, away: one.at.distanceToSquared(camera.position) })).sort((a, b) => a.away - b.away);
    for (const { at, label } of near) {
      const { x, y, z } = this.page.copy(at).project(camera);
      const [left, top] = [((x + 1) / 2) * innerWidth, ((1 - y) / 2) * innerHeight];
      const half = 4 * (label.textContent ?? '').length;
      const free = z < 1 && Math.abs(x) < 1.1 && Math.abs(y) < 1.1 && taken.length < MOST && taken.every(([a, b, c]) => Math.abs(a - left) > half + c || Math.abs(b - top) > 16);
      label.hidden = !free;
      if (!free) continue;
      taken.push([left, top, half]);
      label.style.transform = `translate(-50%, -100%) translate(${left.toFixed(1)}px, ${top.toFixed(1)}px)`;
    }
  }
}
