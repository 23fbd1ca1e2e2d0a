// What one takes away: the recording, a film of it, a report. The server makes them; here is the form, the progress and the link.

import { button, clock, element } from '../elements';
import type { TimelineMessage, WorkMessage } from './messages';

export interface MakeHooks {
  send(message: object): void;
  token(): string;
  say(text: string): void;
  picture(): void;
}

function save(blob: Blob, name: string): void {
  const link = element('a', { download: name, href: URL.createObjectURL(blob) });
  document.body.append(link);
  link.click();
  link.remove();
  window.setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

export class Make {
  readonly dialog = element('dialog', { 'aria-label': 'Film, report, recording', class: 'make' });
  private record = button('Record what happens from now on', 'Record', () => this.hooks.send({ type: 'record', on: !this.recording }));
  private state = element('p', { class: 'quiet', role: 'status' });
  private from = element('input', { type: 'number', min: '0', step: '0.1', value: '0' });
  private to = element('input', { type: 'number', min: '0', step: '0.1', value: '60' });
  private width = element('select', {});
  private pace = element('select', {});
  private list = element('div', { class: 'works', 'aria-live': 'polite' });
  private works = new Map<number, HTMLElement>();
  private recording = false;
  private kind: TimelineMessage['kind'] = 'world';
  private buttons: HTMLButtonElement[] = [];
  private touched = false;
  private closeButton = button('Close', 'Close', () => this.dialog.close());

  constructor(private hooks: MakeHooks) {
    for (const [value, text] of [['854', 'small (854)'], ['1280', 'medium (1280)'], ['1920', 'large (1920)']])
      this.width.append(element('option', { value, ...(value === '1280' ? { selected: '' } : {}) }, text));
    for (const value of ['0.5', '1', '2', '5', '10', '20'])
      this.pace.append(element('option', { value, ...(value === '1' ? { selected: '' } : {}) }, `${value}×`));
    const field = (name: string, input: HTMLElement, unit = ''): HTMLElement => element('label', {}, element('span', {}, name), input, unit);
    const film = button('Make a film', 'Film', () => this.film());
    const report = button('Make a report', 'Report', () => this.hooks.send({ type: 'report' }));
    const copy = button('Save the recording', 'Recording', () => this.hooks.send({ type: 'copy' }));
    this.buttons = [film, report, copy];
    for (const input of [this.from, this.to]) input.addEventListener('input', () => (this.touched = true));
    this.dialog.append(
      element('h2', {}, 'Take away'),
      element('div', { class: 'row' }, this.record, this.state),
      element('fieldset', {}, element('legend', {}, 'Film (MP4)'), field('from', this.from, 's'), field('to', this.to, 's'), field('width', this.width), field('speed', this.pace), film),
      element('fieldset', {}, element('legend', {}, 'Other'), report, copy, button('Save a picture of this view', 'Picture', () => this.hooks.picture())),
      this.list,
      this.closeButton,
    );
  }

  open(): void {
    if (!this.dialog.open) this.dialog.showModal();
  }

  about(timeline: TimelineMessage): void {
    this.kind = timeline.kind;
    this.record.hidden = timeline.kind === 'recording';
    if (timeline.kind === 'recording') {
      this.span(timeline.from, timeline.to ?? 0);
      this.state.textContent = `This is a recording of ${clock((timeline.to ?? 0) - timeline.from)}.`;
    }
    this.enable(timeline.kind === 'recording');
  }
  /** Of a world that runs: is it being recorded, and how much of it has been? */
  status(recording: boolean, seconds: number, now: number): void {
    if (this.kind === 'recording') return;
    this.recording = recording;
    this.record.textContent = recording ? 'Stop recording' : 'Record';
    this.record.setAttribute('aria-pressed', String(recording));
    this.state.textContent = recording
      ? `Recording: ${clock(seconds)} so far.`
      : seconds > 0
        ? `${clock(seconds)} have been recorded.`
        : 'Nothing has been recorded yet. Press Record, let it run, and come back: films and reports show what was recorded.';
    this.enable(seconds > 0);
    if (recording && !this.touched) this.span(Math.max(0, now - seconds), now);
  }
  private enable(on: boolean): void {
    for (const b of this.buttons) b.disabled = !on;
  }
  private span(from: number, to: number): void {
    if (this.touched) return;
    this.from.value = from.toFixed(1);
    this.to.value = to.toFixed(1);
  }

  private film(): void {
    const from = Number(this.from.value);
    const to = Number(this.to.value);
    if (!(from >= 0 && to > from)) {
      this.hooks.say('A film goes from an earlier to a later second.');
      return;
    }
    this.hooks.send({ type: 'film', from, to, width: Number(this.width.value), speed: Number(this.pace.value) });
  }

  work(message: WorkMessage): void {
    let row = this.works.get(message.work);
    if (!row) {
      row = element('div', { class: 'row' });
      this.works.set(message.work, row);
      this.list.prepend(row);
      this.open();
    }
    const name = { film: 'Film', report: 'Report', recording: 'Recording' }[message.kind];
    if (message.state === 'working') {
      // The button stays the one that it is, under a finger and under the focus.
      if (!row.querySelector('progress'))
        row.replaceChildren(
          element('span', {}),
          element('progress', { max: '1', 'aria-label': `${name}: how much is done` }),
          button('Give up', 'Give up', () => this.hooks.send({ type: 'cancel' })),
        );
      row.querySelector('span')!.textContent = `${name} … ${Math.round(100 * message.share)} %`;
      row.querySelector('progress')!.value = message.share;
      return;
    }
    const waited = row.contains(document.activeElement);
    if (message.state === 'done') {
      const file = message.file ?? 'throng';
      row.replaceChildren(element('span', {}, `${name} is ready: `), button(`Download ${file}`, file, () => void this.fetch(message.work, file), { class: 'main' }));
    } else {
      row.replaceChildren(element('span', {}, message.state === 'failed' ? `${name} failed: ${message.why ?? ''}` : `${name}: given up.`));
    }
    if (waited) (row.querySelector('button') ?? this.closeButton).focus();
  }

  private async fetch(work: number, name: string): Promise<void> {
    const response = await fetch(`/made/${work}`, { headers: { 'X-Throng-Token': this.hooks.token() } }).catch(() => null);
    if (!response?.ok) {
      this.hooks.say(`${name} cannot be fetched: ${response ? (await response.text()).trim() : 'no connection'}.`);
      return;
    }
    save(await response.blob(), name);
  }
}
