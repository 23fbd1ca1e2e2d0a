// When: the time of the run as a strip with what happens in it, and a handle where there is a going back.

import { clock, element } from '../elements';
import type { Sample, TimelineMessage } from './messages';

/** From what to what the strip goes: a run without an end grows by halves as it goes on. */
export function spanOf(timeline: TimelineMessage, now: number): [number, number] {
  if (timeline.to !== null && now <= timeline.to) return [timeline.from, Math.max(timeline.to, timeline.from + 1e-3)];
  let end = Math.max(60, timeline.to ?? 0);
  while (end < now) end *= 1.5;
  return [timeline.from, end];
}

export class Timeline {
  readonly root: HTMLElement;
  private canvas = element('canvas', { class: 'curve', 'aria-hidden': 'true' });
  private range = element('input', { type: 'range', min: '0', max: '1000', value: '0', step: 'any', 'aria-label': 'Time of the run' });
  private marks = element('div', { class: 'marks' });
  private message: TimelineMessage | null = null;
  private samples: Sample[] = [];
  private time = 0;
  private dragged = false;
  private sentAt = 0;

  constructor(private seek: (time: number) => void) {
    this.root = element('div', { class: 'timeline', hidden: '' }, this.canvas, this.marks, this.range);
    this.range.addEventListener('input', () => {
      this.dragged = true;
      this.go(false);
    });
    this.range.addEventListener('change', () => {
      this.go(true);
      this.dragged = false;
    });
  }

  private go(last: boolean): void {
    this.time = Number(this.range.value);
    this.range.setAttribute('aria-valuetext', clock(this.time));
    // While it is dragged ten places a second are enough; where it is let go counts in any case.
    if (!last && performance.now() - this.sentAt < 100) return;
    this.sentAt = performance.now();
    this.seek(this.time);
  }

  show(message: TimelineMessage): void {
    this.message = message;
    this.root.hidden = false;
    this.range.disabled = !message.seekable;
    this.range.title = message.seekable ? 'Drag to another moment' : 'A run that is computed has no going back, but for Restart; record it to go to and fro';
    this.draw();
  }
  curve(samples: Sample[]): void {
    this.samples = samples;
    this.draw();
  }
  at(time: number): void {
    if (!this.message || this.dragged) return;
    this.time = time;
    const [from, to] = spanOf(this.message, time);
    if (Number(this.range.max) !== to || Number(this.range.min) !== from) {
      this.range.min = String(from);
      this.range.max = String(to);
      this.draw();
    }
    this.range.value = String(time);
    this.range.setAttribute('aria-valuetext', clock(time));
  }

  private draw(): void {
    if (!this.message) return;
    const [from, to] = spanOf(this.message, this.time);
    const share = (time: number): number => (time - from) / (to - from);
    this.marks.replaceChildren(
      ...this.message.happenings
        .filter((h) => h.time >= from && h.time <= to)
        .slice(0, 200)
        .map((h) => {
          const mark = element('i', { title: `${clock(h.time)} ${h.text}`, 'aria-label': `${clock(h.time)} ${h.text}`, role: 'img' });
          mark.style.left = `${(100 * share(h.time)).toFixed(2)}%`;
          return mark;
        }),
    );
    const { canvas } = this;
    const width = (canvas.width = Math.max(canvas.clientWidth * devicePixelRatio, 2));
    const height = (canvas.height = Math.max(canvas.clientHeight * devicePixelRatio, 2));
    const pen = canvas.getContext('2d')!;
    pen.clearRect(0, 0, width, height);
    if (this.samples.length < 2) return;
    const most = Math.max(...this.samples.map((s) => s[1]), 1);
    pen.fillStyle = getComputedStyle(canvas).color;
    pen.globalAlpha = 0.25;
    pen.beginPath();
    pen.moveTo(share(this.samples[0][0]) * width, height);
    for (const s of this.samples) pen.lineTo(share(s[0]) * width, height - (s[1] / most) * (height - 3));
    pen.lineTo(share(this.samples[this.samples.length - 1][0]) * width, height);
    pen.fill();
  }
}
