// What can be opened: the scenes at hand, what was opened lately, and whatever is dropped into the page.

import { button, element } from '../elements';
import { giveBack, refill } from '../focus';
import { askSize, emptyScene } from './new_scene';
import type { LibraryEntry, LibraryMessage } from '../watch/messages';

const GROUPS: [string, string][] = [
  ['dropped', 'Dropped here'],
  ['recent', 'Opened lately'],
  ['scenes', 'Scenes'],
  ['recordings', 'Recordings'],
  ['models', 'Models'],
];

export function sizeText(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  const units = ['kB', 'MB', 'GB'];
  let value = bytes;
  let unit = -1;
  while (value >= 999.5 && unit < 2) {
    value /= 1000;
    ++unit;
  }
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${units[unit]}`;
}

export class Start {
  readonly root: HTMLElement;
  readonly shade = element('div', { class: 'drop-shade', hidden: '' }, element('p', {}, 'Drop a scene, a recording or a model here'));
  private lists = element('div', { class: 'lists' });
  private search = element('input', { type: 'search', placeholder: 'Search', 'aria-label': 'Search scenes and recordings' });
  private status = element('p', { class: 'quiet', role: 'status' });
  private closeButton: HTMLButtonElement;
  private both: HTMLButtonElement;
  private ticked: number[] = [];
  private message: LibraryMessage | null = null;
  private before: Element | null = null; // what had the focus
  shown = false;
  /** The scene that comes is a new one, and its designer waits for the tools. */
  designs = false;

  constructor(
    private send: (message: object) => void,
    private token: () => string,
    private say: (text: string) => void,
    private unsaved: () => boolean,
  ) {
    const file = element('input', { type: 'file', multiple: '', 'aria-label': 'A file to open' });
    file.addEventListener('change', () => {
      void this.take(Array.from(file.files ?? []));
      file.value = '';
    });
    this.closeButton = button('Close', 'Close', () => this.hide());
    this.both = button('Show the two recordings side by side', 'Side by side', () => this.open(this.ticked[0], this.ticked[1]), { class: 'main', hidden: '' });
    this.search.addEventListener('input', () => this.fill());
    this.root = element(
      'section',
      { class: 'start', 'aria-label': 'What to open', hidden: '' },
      element(
        'div',
        { class: 'start-sheet panel' },
        element('header', {}, element('h1', {}, 'Throng studio'), this.search, button('New scene: an empty rectangle', 'New scene', () => this.begin()), this.both, this.closeButton),
        element('p', { class: 'quiet' }, 'Choose a scene to see it alive, or a recording to see it again. Or drop a file anywhere on this page: a scene, a recording, a plan (WKT, GeoJSON), or a model of a place (OBJ, glTF, COLLADA, PLY); what it names, such as the .bin of a glTF, together with it.'),
        element('label', { class: 'file' }, element('span', {}, 'Open a file of yours: '), file),
        this.status,
        this.lists,
      ),
    );
    window.addEventListener('dragover', (event) => {
      event.preventDefault();
      if (event.dataTransfer?.types.includes('Files')) this.shade.hidden = false;
    });
    window.addEventListener('dragleave', (event) => {
      if (event.relatedTarget === null) this.shade.hidden = true;
    });
    window.addEventListener('drop', (event) => {
      event.preventDefault();
      this.shade.hidden = true;
      void this.take(Array.from(event.dataTransfer?.files ?? []));
    });
  }

  show(message: LibraryMessage): void {
    const was = this.shown;
    this.message = message;
    this.shown = true;
    if (!was) this.before = document.activeElement;
    this.root.hidden = false;
    this.cover(true);
    this.closeButton.hidden = message.shown;
    if (!was) this.ticked = [];
    this.fill();
    if (!was) this.search.focus();
  }
  hide(): void {
    if (!this.shown) return;
    this.shown = false;
    this.root.hidden = true;
    this.cover(false);
    giveBack(this.before);
    this.status.textContent = '';
  }

  /** What lies behind is neither read out nor reached by keys; what is said meanwhile is. */
  private cover(on: boolean): void {
    for (const behind of this.root.parentElement?.children ?? [])
      if (behind instanceof HTMLElement && behind !== this.root && behind !== this.shade && !behind.matches('[role=alert], [role=status]')) behind.inert = on;
  }

  /** A scene from nothing, to be designed at once. */
  private begin(): void {
    const size = askSize();
    if (!size) return;
    this.designs = true;
    void this.take([new File([emptyScene(size)], 'new scene.json', { type: 'application/json' })]);
  }
  private knows(name: string): boolean {
    const known = (this.message?.endings ?? '').split(' ');
    return known.length < 2 || known.some((ending) => name.toLowerCase().endsWith(ending));
  }

  private open(entry: number, beside: number | null = null): void {
    if (this.unsaved() && !window.confirm('The changes of this scene are not saved. Leave them?')) return;
    this.send({ type: 'open', entry, beside });
  }

  private fill(): void {
    const wanted = this.search.value.trim().toLowerCase();
    const entries = (this.message?.entries ?? []).filter((e) => `${e.name} ${e.description} ${e.folder}`.toLowerCase().includes(wanted));
    refill(
      this.lists,
      ...GROUPS.flatMap(([group, title]) => {
        const these = entries.filter((e) => e.group === group);
        if (these.length === 0) return [];
        return [element('h2', {}, title), element('ul', { class: 'entries' }, ...these.map((e) => this.card(e)))];
      }),
    );
    if (entries.length === 0)
      this.lists.append(element('p', { class: 'quiet' }, wanted ? 'Nothing here is called that.' : 'There are no scenes in this folder. Drop one here, or start the studio where some are.'));
    this.both.hidden = this.ticked.length !== 2;
  }

  private card(entry: LibraryEntry): HTMLElement {
    const about = entry.description || (entry.kind === 'recording' ? `A recording, ${sizeText(entry.size)}` : entry.kind === 'model' ? `A model, ${sizeText(entry.size)}: a scene is made of it` : '');
    const open = button(`Open ${entry.name}`, '', () => this.open(entry.entry), { class: 'entry', title: `${entry.folder}/${entry.file}` });
    open.append(element('strong', {}, entry.name), element('small', {}, about));
    const row = element('li', {}, open);
    if (entry.kind === 'recording') {
      const tick = element('input', { type: 'checkbox', 'aria-label': `Compare ${entry.name}` });
      tick.checked = this.ticked.includes(entry.entry);
      tick.addEventListener('change', () => {
        this.ticked = this.ticked.filter((n) => n !== entry.entry);
        if (tick.checked) this.ticked = [...this.ticked.slice(-1), entry.entry];
        this.fill();
      });
      row.append(element('label', { class: 'compare' }, tick, 'compare'));
    }
    return row;
  }

  private tell(text: string): void {
    this.status.textContent = text;
    if (!this.shown) this.say(text);
  }

  /** Sends files to the server and opens the first that can be: a scene before its model, that before its materials. */
  async take(files: File[]): Promise<void> {
    const { main, others } = sorted(files, (name) => this.knows(name));
    if (!main) {
      if (files[0]) this.tell(`${files[0].name}: the studio opens files that end in ${this.message?.endings}`);
      return;
    }
    const entry = await this.upload(main, `/files/${encodeURIComponent(main.name)}`);
    if (entry === null) return;
    if (entry === 0) return this.tell(`${main.name} is no scene.`);
    for (const other of others) if ((await this.upload(other, `/files/${encodeURIComponent(other.name)}?beside=${entry}`)) === null) return;
    this.open(entry);
  }

  /** Sends a file to the server; its number comes back, or null when that could not be. */
  private upload(file: File, to: string): Promise<number | null> {
    return new Promise((resolve) => {
      const request = new XMLHttpRequest(); // which tells how far it is
      request.open('PUT', to);
      request.setRequestHeader('X-Throng-Token', this.token());
      request.upload.onprogress = (event) => {
        if (event.lengthComputable) this.status.textContent = `${file.name}: ${Math.round((100 * event.loaded) / event.total)} % of ${sizeText(file.size)}`;
      };
      const failed = (text: string): void => {
        this.tell(text);
        resolve(null);
      };
      request.onload = () => {
        if (request.status !== 200) return failed(`${file.name} cannot be opened: ${request.responseText.replace(/^throng studio: /, '').trim()}`);
        this.status.textContent = '';
        resolve((JSON.parse(request.responseText) as { entry: number }).entry);
      };
      request.onerror = () => failed(`${file.name} could not be sent: no connection to the studio, or it is too large.`);
      request.send(file);
    });
  }
}

/** What a file may name: data of a glTF, materials of an OBJ. */
const NAMED = /\.(bin|mtl)$/i;

/** Of files that come together, the one that is opened, and those that it may need. */
export function sorted<F extends { name: string }>(files: F[], knows: (name: string) => boolean): { main: F | null; others: F[] } {
  const known = files.filter((file) => knows(file.name) && !NAMED.test(file.name));
  const main = known.find((file) => /\.json$/i.test(file.name)) ?? known[0] ?? null;
  // Whoever drops recordings wants to see one, and the others are no part of it.
  if (main && !/\.(json|obj|gltf|dae|ply|wkt|geojson)$/i.test(main.name)) return { main, others: [] };
  return { main, others: files.filter((file) => file !== main && (known.includes(file) || NAMED.test(file.name))) };
}
