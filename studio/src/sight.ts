// What the followed walker sees: the image that their vision makes of people and walls, live, in the colours of `draw`.

import { element } from './elements';
import type { SightMessage } from './protocol';

export type View = 'danger' | 'time' | 'rate';
const VIEWS: { name: View; label: string; keys: [number, string][] }[] = [
  { name: 'danger', label: 'what asks for a turn', keys: [[0x9aa9bd, 'nothing to fear'], [0xf6d9a8, 'a little'], [0xb3131b, 'turn now']] },
  { name: 'time', label: 'time to meeting', keys: [[0xc0272d, 'now'], [0xf3efe4, '5 s'], [0x2b5c9e, '10 s and more'], [0xb7c4d6, 'going away']] },
  { name: 'rate', label: 'turn of the bearing', keys: [[0xc0272d, 'none: on course to meet'], [0xf3efe4, '0.25 rad/s'], [0x2b5c9e, '0.5 rad/s']] },
];

const parts = (rgb: number): [number, number, number] => [rgb >> 16, (rgb >> 8) & 255, rgb & 255];
function mixed(a: number, b: number, t: number): [number, number, number] {
  const [p, q] = [parts(a), parts(b)];
  return [0, 1, 2].map((k) => Math.round(p[k] + (q[k] - p[k]) * t)) as [number, number, number];
}
/** Red for the lowest, as in the paper; then over white to blue. */
function fromRed(share: number): [number, number, number] {
  return share < 0.5 ? mixed(0xc0272d, 0xf3efe4, 2 * share) : mixed(0xf3efe4, 0x2b5c9e, 2 * share - 1);
}

/** Red, green, blue and 255 of every pixel, by one of the three bytes it has; what shows nothing is ground and sky. */
export function paintSight(sight: SightMessage, view: View): Uint8ClampedArray<ArrayBuffer> {
  const { columns, rows, pixels } = sight;
  const out = new Uint8ClampedArray(columns * rows * 4);
  for (let i = 0; i < columns * rows; ++i) {
    const [rate, time, danger] = pixels.subarray(i * 3, i * 3 + 3);
    let rgb: [number, number, number];
    if (rate === 255) rgb = i < (columns * rows) / 2 ? [0xe4, 0xea, 0xf0] : [0xd9, 0xd6, 0xcf];
    else if (view === 'rate') rgb = fromRed(rate / 250);
    else if (view === 'time') rgb = time === 254 ? parts(0xb7c4d6) : fromRed(Math.min(time, 250) / 250);
    else rgb = danger === 0 ? parts(0x9aa9bd) : mixed(0xf6d9a8, 0xb3131b, danger / 250);
    out.set([...rgb, 255], i * 4);
  }
  return out;
}

export class Sight {
  readonly root = element('section', { class: 'panel sight', 'aria-label': 'What the followed person sees', hidden: '' });
  private canvas = element('canvas', { width: '256', height: '64', role: 'img', 'aria-label': 'Image of their vision' });
  private choice = element('select', { 'aria-label': 'What the colours mean' });
  private keys = element('div', { class: 'legend' });
  private last: SightMessage | null = null;

  constructor() {
    for (const { name, label } of VIEWS) this.choice.append(element('option', { value: name }, label));
    this.choice.addEventListener('change', () => this.paint());
    this.root.append(element('h2', {}, 'What they see'), this.canvas, this.choice, this.keys);
  }

  /** Of this person, or of nobody. */
  show(person: number): void {
    this.root.hidden = person === 0;
    if (this.last?.person !== person) this.last = null;
  }
  receive(sight: SightMessage, followed: number): void {
    if (sight.person !== followed) return;
    this.last = sight;
    this.root.hidden = false;
    this.paint();
  }
  private paint(): void {
    const { last } = this;
    const view = VIEWS.find((v) => v.name === this.choice.value) ?? VIEWS[0];
    this.keys.replaceChildren(
      ...view.keys.map(([rgb, label]) => {
        const mark = element('i');
        mark.style.background = `#${rgb.toString(16).padStart(6, '0')}`;
        return element('span', {}, mark, label);
      }),
    );
    if (!last) return;
    this.canvas.width = last.columns;
    this.canvas.height = last.rows;
    this.canvas.dataset.time = String(last.time);
    this.canvas.getContext('2d')?.putImageData(new ImageData(paintSight(last, view.name), last.columns, last.rows), 0, 0);
  }
}
