// Curves that go on while people walk: drawn with a few lines of code of our own.

import { button, element } from '../elements';
import type { CurvesMessage, FiguresMessage, Sample } from './messages';

/** 1, 2 or 5 times a power of ten: marks of an axis up to `most`, about `count` of them. */
export function markStep(most: number, count = 3): number {
  const rough = most / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  return ([1, 2, 5].find((f) => f * power >= rough * 0.999) ?? 10) * power;
}

export interface Line {
  points: [number, number][];
  colour: string;
}

const COLOURS = ['#1f6feb', '#d7263d', '#2a9d5c', '#b07d12', '#7b4bd1', '#0d8a96'];

/** Lines over the same axes; `now` is where one is. */
export function plot(canvas: HTMLCanvasElement, lines: Line[], unit: string, now: number | null): void {
  const scale = devicePixelRatio;
  const width = (canvas.width = Math.max(canvas.clientWidth * scale, 2));
  const height = (canvas.height = Math.max(canvas.clientHeight * scale, 2));
  const pen = canvas.getContext('2d')!;
  const ink = getComputedStyle(canvas).color;
  const all = lines.flatMap((line) => line.points);
  pen.clearRect(0, 0, width, height);
  if (all.length < 2) return;
  const from = Math.min(...all.map((p) => p[0]));
  const to = Math.max(...all.map((p) => p[0]), from + 1e-6);
  const most = Math.max(...all.map((p) => p[1]), 1e-9);
  const step = markStep(most);
  const top = Math.ceil(most / step - 1e-9) * step;
  const left = 34 * scale;
  const x = (t: number): number => left + ((t - from) / (to - from)) * (width - left - 4 * scale);
  const y = (v: number): number => height - 4 * scale - (v / top) * (height - 12 * scale);
  pen.font = `${10 * scale}px system-ui, sans-serif`;
  pen.textAlign = 'right';
  pen.textBaseline = 'middle';
  for (let v = 0; v <= top + step / 2; v += step) {
    pen.globalAlpha = 0.15;
    pen.fillStyle = ink;
    pen.fillRect(left, y(v), width - left, 1);
    pen.globalAlpha = 0.8;
    pen.fillText(Number(v.toPrecision(6)).toLocaleString('en-GB'), left - 4 * scale, y(v));
  }
  pen.globalAlpha = 1;
  pen.lineWidth = 1.6 * scale;
  for (const line of lines) {
    pen.strokeStyle = line.colour;
    pen.beginPath();
    line.points.forEach(([t, v], i) => (i === 0 ? pen.moveTo(x(t), y(v)) : pen.lineTo(x(t), y(v))));
    pen.stroke();
  }
  if (now !== null && now >= from && now <= to) {
    pen.globalAlpha = 0.5;
    pen.fillStyle = ink;
    pen.fillRect(x(now), 0, scale, height);
    pen.globalAlpha = 1;
  }
  const last = lines.map((line) => line.points[line.points.length - 1]?.[1]).filter((v) => v !== undefined);
  canvas.setAttribute('aria-label', `${canvas.dataset.title}: ${last.map((v) => Number(v!.toFixed(2))).join(' and ')} ${unit}`);
}

interface Chart {
  title: string;
  unit: string;
  canvas: HTMLCanvasElement;
  value: HTMLElement;
  lines(): Line[];
}

export class Charts {
  readonly root: HTMLElement;
  private runs: Sample[][] = [[], []];
  private lineNames: string[] = [];
  private body = element('div', { class: 'chart-list' });
  private systems = element('div', { class: 'systems' });
  private charts: Chart[] = [];
  private factor: [number, number][] = [];
  private time = 0;
  private computed = true;
  /** How often curves have been drawn anew, for tests. */
  drawn = 0;

  constructor(close: () => void) {
    this.root = element(
      'section',
      { class: 'panel charts', 'aria-label': 'Charts', hidden: '' },
      element('header', {}, element('h2', {}, 'Charts'), button('Close the charts', '×', close, { class: 'plain' })),
      this.body,
    );
    this.arrange();
  }

  private chart(title: string, unit: string, column: number): Chart {
    const lines = (): Line[] =>
      this.runs.filter((run) => run.length > 0).map((run, i) => ({ colour: COLOURS[i], points: run.map((s): [number, number] => [s[0], s[column] ?? 0]) }));
    return this.made(title, unit, lines);
  }
  private made(title: string, unit: string, lines: () => Line[]): Chart {
    const canvas = element('canvas', { role: 'img', 'aria-label': title, 'data-title': title });
    return { title, unit, canvas, value: element('output', {}), lines };
  }

  private arrange(): void {
    this.charts = [
      this.chart('people', '', 1),
      this.chart('mean speed', 'm/s', 2),
      this.chart('density around people', 'per m²', 3),
      ...this.lineNames.slice(0, 6).map((name, i) => this.chart(`flow over ${name}`, 'people/s', 5 + i)),
    ];
    if (this.computed) this.charts.push(this.made('simulated seconds per second', '×', () => [{ colour: COLOURS[0], points: this.factor }]));
    this.body.replaceChildren(
      ...this.charts.map((c) => element('figure', {}, element('figcaption', {}, c.title, c.value), c.canvas)),
      this.systems,
    );
    this.systems.hidden = !this.computed;
  }

  about(lines: string[], computed: boolean): void {
    if (computed === this.computed && JSON.stringify(lines) === JSON.stringify(this.lineNames)) return;
    this.lineNames = lines;
    this.computed = computed;
    this.arrange();
    this.draw();
  }
  clear(): void {
    this.runs = [[], []];
    this.factor = [];
  }
  curves(message: CurvesMessage): void {
    this.runs[message.run] = message.samples;
    this.draw();
  }
  figures(message: FiguresMessage): void {
    const { sample } = message;
    if (sample) {
      const run = this.runs[0];
      if (run.length > 0 && sample[0] <= run[run.length - 1][0]) this.runs[0] = [];
      this.runs[0].push(sample);
    }
    if (this.factor.length > 0 && message.time < this.factor[this.factor.length - 1][0]) this.factor = [];
    if (message.factor > 0) this.factor.push([message.time, message.factor]);
    if (this.factor.length > 600) this.factor = this.factor.filter((_, i) => i % 2 === 0);
    this.time = message.time;
    this.drawSystems(message);
    this.draw();
  }
  get first(): Sample[] {
    return this.runs[0];
  }
  at(time: number): void {
    this.time = time;
  }

  private drawSystems(message: FiguresMessage): void {
    if (this.root.hidden || !this.computed) return;
    const list = [...message.systems].sort((a, b) => b[1] - a[1]).slice(0, 7);
    const most = Math.max(...list.map((s) => s[1]), 1e-9);
    this.systems.replaceChildren(
      element('figcaption', {}, 'parts of a step', element('output', {}, `${message.stepMs.toFixed(2)} ms`)),
      ...list.map(([name, ms]) => {
        const bar = element('i');
        bar.style.width = `${(70 * ms) / most}px`;
        return element('div', {}, element('span', {}, name), bar, element('small', {}, `${ms.toFixed(ms < 1 ? 3 : 1)} ms`));
      }),
    );
  }

  draw(): void {
    if (this.root.hidden) return;
    ++this.drawn;
    for (const chart of this.charts) {
      const lines = chart.lines();
      plot(chart.canvas, lines, chart.unit, this.computed ? null : this.time);
      chart.value.textContent = lines
        .map((line) => {
          // At the moment that is shown, where there is a choice.
          const past = line.points.filter((p) => this.computed || p[0] <= this.time + 1e-6);
          const value = past[past.length - 1]?.[1];
          return value === undefined ? '' : value.toLocaleString('en-GB', { maximumFractionDigits: value < 10 ? 2 : 0 });
        })
        .filter((text) => text !== '')
        .join(' | ')
        .concat(chart.unit ? ` ${chart.unit}` : '');
    }
  }
}
