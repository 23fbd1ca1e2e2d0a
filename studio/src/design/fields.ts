// Rows of forms: each says what it is, in which unit, and what is wrong with it.

import { element } from '../panels';

export interface Finding {
  severity: 'error' | 'warning';
  pointer: string;
  at?: [number, number];
  message: string;
  text: string;
}

/** What is wrong at a place of the document, or beneath it. */
export type Findings = (pointer: string) => Finding[];

export class Form {
  readonly root = element('div', { class: 'form' });

  constructor(private findings: Findings) {}

  heading(text: string): void {
    this.root.append(element('h3', {}, text));
  }
  note(text: string): void {
    this.root.append(element('p', { class: 'quiet' }, text));
  }
  node(node: Node): void {
    this.root.append(node);
  }

  private row(label: string, control: HTMLElement[], pointer: string, help = ''): HTMLElement {
    const row = element('label', { class: 'row' }, element('span', {}, label), ...control);
    if (help) row.title = help;
    this.root.append(row);
    this.marks(pointer);
    return row;
  }
  /** The messages about a place of the document, right under its field. */
  marks(pointer: string): void {
    if (!pointer) return;
    for (const finding of this.findings(pointer)) this.root.append(element('p', { class: `finding ${finding.severity}`, role: 'alert' }, finding.message));
  }

  text(label: string, value: string, pointer: string, change: (value: string) => void, long = false): void {
    const input = long ? element('textarea', { rows: '3' }) : element('input', { type: 'text' });
    input.value = value;
    input.setAttribute('aria-label', label);
    input.dataset.pointer = pointer;
    input.addEventListener('change', () => change(input.value));
    this.row(label, [input], pointer);
  }

  /** A number with its unit; with limits that are near one another, a slider too. */
  number(label: string, value: number | undefined, options: { unit?: string; min?: number; max?: number; step?: number; usual?: number; slider?: [number, number]; help?: string }, pointer: string, change: (value: number, sliding: boolean) => void): void {
    const { unit = '', min, max, usual, help = '' } = options;
    const step = options.step ?? 'any';
    const input = element('input', { type: 'number', step: String(step), 'aria-label': unit ? `${label}, ${unit}` : label });
    input.dataset.pointer = pointer;
    if (min !== undefined) input.min = String(min);
    if (max !== undefined) input.max = String(max);
    if (value !== undefined) input.value = String(value);
    if (usual !== undefined) input.placeholder = String(usual);
    const set = (text: string, sliding: boolean): void => {
      const number = Number(text);
      if (text !== '' && Number.isFinite(number)) change(number, sliding);
    };
    input.addEventListener('change', () => set(input.value, false));
    const controls: HTMLElement[] = [];
    if (options.slider) {
      const [low, high] = options.slider;
      const slider = element('input', { type: 'range', min: String(low), max: String(high), step: String(options.step ?? (high - low) / 100), 'aria-label': `${label}, slider` });
      slider.value = String(value ?? usual ?? low);
      slider.addEventListener('input', () => {
        input.value = String(Number(Number(slider.value).toPrecision(4)));
        set(input.value, true);
      });
      controls.push(slider);
    }
    const limits = min !== undefined && max !== undefined ? `${min} to ${max}${unit ? ` ${unit}` : ''}` : unit;
    this.row(label, [...controls, input, element('small', {}, unit)], pointer, [help, limits && `Allowed: ${limits}.`].filter(Boolean).join(' '));
  }

  choice(label: string, value: string, values: (string | [string, string])[], pointer: string, change: (value: string) => void): void {
    const select = element('select', { 'aria-label': label });
    for (const v of values) {
      const [name, text] = typeof v === 'string' ? [v, v] : v;
      select.append(element('option', { value: name }, text));
    }
    if (!values.some((v) => (typeof v === 'string' ? v : v[0]) === value)) select.append(element('option', { value }, value));
    select.value = value;
    select.dataset.pointer = pointer;
    select.addEventListener('change', () => change(select.value));
    this.row(label, [select], pointer);
  }

  flag(label: string, value: boolean, pointer: string, change: (value: boolean) => void): void {
    const input = element('input', { type: 'checkbox' });
    input.checked = value;
    input.dataset.pointer = pointer;
    input.addEventListener('change', () => change(input.checked));
    this.row(label, [input], pointer);
  }

  buttons(...list: [string, () => void, string?][]): void {
    this.root.append(
      element(
        'div',
        { class: 'buttons' },
        ...list.map(([text, action, style]) => {
          const button = element('button', { type: 'button', ...(style ? { class: style } : {}) }, text);
          button.addEventListener('click', action);
          return button;
        }),
      ),
    );
  }

  /** Something that can be chosen from a list. */
  link(text: string, detail: string, action: () => void): void {
    const button = element('button', { type: 'button', class: 'link' }, element('span', {}, text), element('small', {}, detail));
    button.addEventListener('click', action);
    this.root.append(button);
  }
}
