// The page around the picture: buttons, figures, who is followed. Plain elements, each with a name that is read out.

import { clock, element } from './elements';
import { COLOURS, hourText, legendOf } from './looking';
import type { PersonMessage, StatusMessage } from './protocol';
import { WATCH_KEYS } from './watch/watch';

export interface Commands {
  play(playing: boolean): void;
  step(): void;
  restart(): void;
  speed(factor: number): void;
  overlay(name: string, on: boolean): void;
  density(on: boolean): void;
  speedMap(on: boolean): void;
  sight(on: boolean): void;
  names(on: boolean): void;
  colour(mode: number): void;
  hour(hour: number): void;
  shadows(on: boolean): void;
  cut(on: boolean): void;
  theme(dark: boolean): void;
  unfollow(): void;
  home(): void;
  above(): void;
}

export { clock, element };

/** Slider 0 … 300 to 0.1 … 100, evenly in powers of ten. */
export function sliderToSpeed(value: number): number {
  const speed = 10 ** (value / 100 - 1);
  return Number(speed.toPrecision(2));
}
export function speedToSlider(speed: number): number {
  return Math.round((Math.log10(speed) + 1) * 100);
}

export const SHORTCUTS: [string, string][] = [
  ['Space', 'play or pause'],
  ['.', 'one step'],
  ['R', 'from the beginning'],
  ['+ and −', 'faster, slower'],
  ['1', 'real time'],
  ['H, T', 'the whole scene, and from above'],
  ['Click', 'follow a person; open or close a door'],
  ['N', 'follow the next person'],
  ['Arrows, Ctrl-arrows', 'move, turn (when the picture has the focus)'],
  ['Page Up, Page Down', 'nearer, farther'],
  ['E', 'design the scene; there, letters choose tools'],
  ['Ctrl-Z, Ctrl-Shift-Z', 'undo, do again (while designing)'],
  ['Ctrl-S', 'save the scene (while designing)'],
  ['Del, arrows', 'delete, nudge what is selected'],
  ['Esc', 'follow nobody'],
  ['C', 'colours: clothes, population, speed, level of simulation, level of service'],
  ['D', 'how densely people stand'],
  ['X', 'cut the walls open'],
  ['L', 'light or dark'],
  ['P', 'save a picture'],
  ...WATCH_KEYS,
  ['?', 'this list'],
  ['Drag', 'move; with the right button: turn; wheel: nearer, farther'],
];

const THEME = 'throng.theme';

export class Panels {
  playing = true;
  speed = 1;
  /** How often the server has said how it stands, and at what time (s) of the scene last. */
  told = 0;
  toldTime = 0;
  private playButton = element('button', { class: 'main', 'aria-label': 'Pause' }, 'Pause');
  private slider = element('input', { type: 'range', min: '0', max: '300', value: '100', 'aria-label': 'Speed' });
  private speedText = element('output', {}, '1×');
  private time = element('div', {}, '0:00.0');
  private people = element('div', {}, '0');
  private factor = element('div', {}, '–');
  private name = element('h1', {}, 'Throng studio');
  private description = element('p', {});
  private banner = element('div', { class: 'panel banner', role: 'alert', hidden: '' });
  private busy = element('div', { class: 'panel busy', role: 'status', hidden: '' }, element('progress', { 'aria-label': 'Preparing' }), 'Preparing: everybody looks for a way. Look around meanwhile.');
  private toasts = element('div', { class: 'toasts', role: 'status', 'aria-live': 'polite' });
  private menu = element('button', { class: 'panel menu', 'aria-label': 'What is shown', 'aria-expanded': 'false' }, '☰ Show');
  private overlayList = element('div', {});
  private personCard = element('section', { class: 'panel person', 'aria-label': 'Followed person', hidden: '' });
  private personName = element('h2');
  private personRows = element('dl');
  private help = element('dialog', { 'aria-label': 'Keyboard shortcuts' });
  /** At the top of the side, and above the buttons of the bar: for who watches. */
  readonly tools = element('div', {});
  readonly strip = element('div', { class: 'strip' });
  /** Floors and kinds of ground. */
  readonly lookings = element('div', {});
  private colourKeys = element('div', { class: 'legend', hidden: '' });
  private populations: { name: string; rgb: number }[] = [];
  private switches = new Map<string, HTMLInputElement>();
  private legends = new Map<string, HTMLElement>();
  private colourChoice = element('select', { 'aria-label': 'Colour of people' });
  dark = false;

  constructor(
    root: HTMLElement,
    private commands: Commands,
  ) {
    const dark = localStorage.getItem(THEME) ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
    root.append(
      element('header', { class: 'panel title' }, this.name, this.description),
      this.bar(),
      this.menu,
      this.side(),
      this.personCard,
      this.banner,
      this.busy,
      this.toasts,
      this.help,
    );
    // What it says changes some times a second, while the button stays under the finger and under the focus.
    this.personCard.append(this.personName, this.personRows, this.button('Follow nobody', 'Let go', () => this.commands.unfollow()));
    this.fillHelp();
    this.menu.addEventListener('click', () => this.showSide(this.menu.getAttribute('aria-expanded') !== 'true'));
    this.setTheme(dark === 'dark');
  }

  /** On narrow pages the side is there when it is asked for. */
  showSide(on: boolean): void {
    this.menu.setAttribute('aria-expanded', String(on));
    document.documentElement.classList.toggle('with-side', on);
  }

  private button(label: string, text: string, action: () => void): HTMLButtonElement {
    const button = element('button', { 'aria-label': label, title: label }, text);
    button.addEventListener('click', action);
    return button;
  }

  private bar(): HTMLElement {
    this.playButton.addEventListener('click', () => this.commands.play(!this.playing));
    this.slider.addEventListener('input', () => this.commands.speed(sliderToSpeed(Number(this.slider.value))));
    const figure = (name: string, value: HTMLElement, optional = false): HTMLElement =>
      element('div', optional ? { class: 'optional' } : {}, element('small', {}, name), value);
    return element(
      'nav',
      { class: 'panel bar', 'aria-label': 'Simulation' },
      this.strip,
      this.playButton,
      this.button('One step', 'Step', () => this.commands.step()),
      this.button('From the beginning', 'Restart', () => this.commands.restart()),
      this.slider,
      this.speedText,
      element('div', { class: 'figures' }, figure('time', this.time), figure('people', this.people), figure('real time', this.factor, true)),
      this.button('Keyboard shortcuts', '?', () => this.help.showModal()),
    );
  }

  private toggle(name: string, on: boolean, action: (on: boolean) => void): HTMLElement {
    const input = element('input', { type: 'checkbox' });
    input.checked = on;
    input.addEventListener('change', () => action(input.checked));
    this.switches.set(name, input);
    return element('label', {}, input, element('span', {}, name));
  }

  /** A box to tick, and under it what its colours mean. */
  private withLegend(name: string, action: (on: boolean) => void, on = false): HTMLElement {
    const legend = element('div', { class: 'legend', hidden: '' });
    this.legends.set(name, legend);
    return element('div', { 'data-legend': name }, this.toggle(name, on, action), legend);
  }

  private side(): HTMLElement {
    COLOURS.forEach(({ name }, i) => this.colourChoice.append(element('option', { value: String(i) }, name)));
    this.colourChoice.addEventListener('change', () => this.recolour());
    const hour = element('input', { type: 'range', min: '5', max: '21', step: '0.25', value: '14.5', 'aria-label': 'Hour of the day' });
    const hourNow = element('output', {}, hourText(14.5));
    hour.addEventListener('input', () => {
      hourNow.textContent = hourText(Number(hour.value));
      this.commands.hour(Number(hour.value));
    });
    return element(
      'aside',
      { class: 'panel side', 'aria-label': 'What is shown' },
      element('h2', {}, 'Watch'),
      this.tools,
      element('h2', {}, 'Show'),
      this.withLegend('density', (on) => this.commands.density(on)),
      this.withLegend('speed map', (on) => this.commands.speedMap(on)),
      this.toggle('what they see', false, (on) => this.commands.sight(on)),
      this.toggle('names', false, (on) => this.commands.names(on)),
      this.overlayList,
      element('h2', {}, 'Look'),
      element('label', {}, element('span', {}, 'colours'), this.colourChoice),
      this.colourKeys,
      element('label', {}, element('span', {}, 'hour'), hour, hourNow),
      this.toggle('shadows', true, (on) => this.commands.shadows(on)),
      this.toggle('cut walls open', false, (on) => this.commands.cut(on)),
      this.toggle('dark', false, (on) => this.setTheme(on)),
      this.lookings,
      element('div', { class: 'pair' }, this.button('Show the whole scene', 'Whole scene', () => this.commands.home()), this.button('Show the whole scene from above, as a plan', 'From above', () => this.commands.above())),
    );
  }

  private fillHelp(): void {
    const table = element('table');
    for (const [key, what] of SHORTCUTS)
      table.append(element('tr', {}, element('td', {}, element('kbd', {}, key)), element('td', {}, what)));
    const close = this.button('Close', 'Close', () => this.help.close());
    this.help.append(element('h2', {}, 'Keys'), table, close);
  }

  toggleHelp(): void {
    if (this.help.open) this.help.close();
    else this.help.showModal();
  }
  get helpOpen(): boolean {
    return this.help.open;
  }

  /** Unticks a box, without what its change does. */
  off(name: string): void {
    const box = this.switches.get(name);
    if (box) box.checked = false;
  }
  flip(name: string): void {
    this.switches.get(name)?.click();
  }
  nextColour(): void {
    this.colourChoice.value = String((Number(this.colourChoice.value) + 1) % COLOURS.length);
    this.recolour();
  }
  private recolour(): void {
    const mode = Number(this.colourChoice.value);
    const keys = mode === 1 ? this.populations.slice(0, 16).map(({ name, rgb }) => ({ label: name, rgb })) : COLOURS[mode].keys;
    this.colourKeys.hidden = keys.length === 0;
    this.colourKeys.replaceChildren(...legendOf(keys));
    this.commands.colour(mode);
  }
  setPopulations(populations: { name: string; rgb: number }[]): void {
    this.populations = populations;
    this.recolour();
  }

  setTheme(dark: boolean): void {
    this.dark = dark;
    document.documentElement.dataset.theme = dark ? 'dark' : 'light';
    localStorage.setItem(THEME, dark ? 'dark' : 'light');
    const box = this.switches.get('dark');
    if (box) box.checked = dark;
    this.commands.theme(dark);
  }

  scene(name: string, description: string, file: string): void {
    const called = name || file.replace(/^.*[/\\]/, '');
    this.name.textContent = called;
    this.name.title = file;
    this.description.textContent = description;
    this.description.title = description;
    document.title = `${called} – Throng studio`;
  }

  /** What is ticked stays ticked. */
  overlays(names: string[]): void {
    const chosen = this.chosenOverlays;
    if (names.join('\n') === [...this.overlayList.children].map((row) => (row as HTMLElement).dataset.overlay).join('\n')) return;
    this.overlayList.replaceChildren(
      ...names.map((name) => {
        const row = this.withLegend(name, (on) => this.commands.overlay(name, on), chosen.includes(name));
        row.dataset.overlay = name;
        return row;
      }),
    );
  }
  get chosenOverlays(): string[] {
    return [...this.overlayList.children]
      .map((row) => (row as HTMLElement).dataset.overlay ?? '')
      .filter((name) => this.switches.get(name)?.checked);
  }
  legend(name: string, keys: { rgb: number; label: string }[]): void {
    const legend = this.legends.get(name);
    if (!legend) return;
    legend.hidden = keys.length === 0;
    legend.replaceChildren(
      ...keys.slice(0, 12).map(({ rgb, label }) => {
        const mark = element('i');
        mark.style.background = `#${rgb.toString(16).padStart(6, '0')}`;
        return element('span', {}, mark, label);
      }),
    );
  }

  status(status: StatusMessage): void {
    ++this.told;
    this.toldTime = status.time;
    this.playing = status.playing;
    this.speed = status.speed;
    const label = status.playing ? 'Pause' : 'Play';
    this.playButton.textContent = label;
    this.playButton.setAttribute('aria-label', label);
    if (document.activeElement !== this.slider) this.slider.value = String(speedToSlider(status.speed));
    this.speedText.textContent = `${status.speed}×`;
    this.time.textContent = status.phase === 'preparing' ? 'preparing …' : clock(status.time);
    this.busy.hidden = status.phase !== 'preparing';
    this.people.textContent = status.people.toLocaleString('en-GB');
    this.factor.textContent = status.playing ? `${status.factor.toFixed(status.factor < 10 ? 1 : 0)}×` : 'paused';
    this.factor.title = `a step takes ${status.stepMs.toFixed(1)} ms; ${status.viewers} looking on`;
  }

  person(person: PersonMessage | null): void {
    this.personCard.hidden = person === null;
    if (!person) return;
    const rows: [string, string][] = person.gone
      ? [['', 'has left the scene']]
      : [
          ['going', person.errand ?? '–'],
          ['with', person.population ?? '–'],
          ['speed', `${(person.speed ?? 0).toFixed(2)} m/s`],
          ['at', `${(person.x ?? 0).toFixed(1)}, ${(person.y ?? 0).toFixed(1)} on ${person.layer ?? ''}`],
          ...(person.left !== undefined ? ([['left', `${person.left.toFixed(0)} m of their route`]] as [string, string][]) : []),
          ...(person.group ? ([['group', String(person.group)]] as [string, string][]) : []),
          ['profile', person.profile ?? '–'],
          ['steering', person.steering ?? '–'],
        ];
    this.personName.textContent = `Person ${person.id % 0x80000000}`;
    this.personRows.replaceChildren(...rows.flatMap(([name, value]) => [element('dt', {}, name), element('dd', {}, value)]));
  }

  trouble(what: string | null): void {
    this.banner.hidden = what === null;
    this.banner.textContent = what ?? '';
  }

  say(text: string): void {
    const toast = element('div', { class: 'panel toast' }, text);
    this.toasts.append(toast);
    window.setTimeout(() => toast.remove(), 6000);
  }
}
