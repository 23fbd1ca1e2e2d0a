// What of the scene is shown and how: floors, kinds of ground, colours of people, the hour.

import { element } from './elements';
import { SERVICE } from './overlays';
import { regionColour, type Shown } from './surroundings';

export interface Looking {
  floor(index: number, shown: Shown): void;
}

export const SERVICE_KEYS = SERVICE.map(({ rgb, label, most }) => ({ rgb, label: `${label}${most < Infinity ? `, to ${most} /m²` : ''}` }));
/** Ways to colour people, and what the colours mean. */
export const COLOURS: { name: string; keys: { rgb: number; label: string }[] }[] = [
  { name: 'clothes', keys: [] },
  { name: 'population', keys: [] },
  { name: 'speed', keys: [{ rgb: 0xdb4a4a, label: 'stands' }, { rgb: 0xf3d661, label: '0.9 m/s' }, { rgb: 0x4aae7b, label: '1.8 m/s' }] },
  {
    name: 'level of simulation',
    keys: [0x4575b4, 0x74add1, 0xabd9e9, 0xfdae61, 0xd73027].map((rgb, level) => ({ rgb, label: ['0: lowest, or no cameras', '1', '2', '3', '4 and more'][level] })),
  },
  { name: 'level of service', keys: SERVICE_KEYS },
];

export function legendOf(keys: { rgb: number; label: string }[]): HTMLElement[] {
  return keys.map(({ rgb, label }) => {
    const mark = element('i');
    mark.style.background = `#${rgb.toString(16).padStart(6, '0')}`;
    return element('span', {}, mark, label);
  });
}

/** 14.5 → "14:30" */
export function hourText(hour: number): string {
  return `${Math.floor(hour)}:${String(Math.round((hour % 1) * 60)).padStart(2, '0')}`;
}

export class Lookings {
  /** Lists of floors and of kinds of ground, as far as a scene has them. */
  readonly root = element('div', {});
  private floors = element('div', { class: 'floors' });
  private grounds = element('div', { class: 'legend', 'aria-label': 'Kinds of ground' });

  constructor(private commands: Looking) {
    this.root.append(this.floors, this.grounds);
  }

  scene(layers: { name: string; regions: { type: string }[] }[]): void {
    const several = layers.length > 1;
    const choices = layers.map((layer, index) => {
      const select = element('select', { 'aria-label': `Floor ${layer.name}` });
      for (const [value, label] of [['whole', 'shown'], ['cut', 'cut open'], ['hidden', 'hidden']]) select.append(element('option', { value }, label));
      select.addEventListener('change', () => this.commands.floor(index, select.value as Shown));
      return element('label', {}, element('span', {}, layer.name), select);
    });
    this.floors.replaceChildren(...(several ? [element('h2', {}, 'Floors'), ...choices] : []));
    const types = [...new Set(layers.flatMap((layer) => layer.regions.map((region) => region.type)))];
    this.grounds.hidden = types.length === 0;
    this.grounds.replaceChildren(...legendOf(types.slice(0, 14).map((type) => ({ rgb: regionColour(type), label: type }))));
  }
}
