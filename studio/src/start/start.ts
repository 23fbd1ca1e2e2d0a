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
    const file = element('input', { type: 'file', 'aria-label': 'A file to open' });
    file.addEventListener('change', () => {
      if (file.files?.[0]) void this.upload(file.files[0]);
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
        element('p', { class: 'quiet' }, 'Choose a scene to see it alive, or a recording to see it again. Or drop a file anywhere on this page: a scene, a recording, a plan (WKT, GeoJSON), or a model of a place (OBJ, glTF, COLLADA, PLY).'),
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
      const dropped = Array.from(event.dataTransfer?.files ?? []);
      // Of a model and its materials, the model.
      const file = dropped.find((f) => this.knows(f.name)) ?? dropped[0];
      if (file) void this.upload(file);
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
    void this.upload(new File([emptyScene(size)], 'new scene.json', { type: 'application/json' }));
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

  /** Sends a file to the server, which opens it when it is there. */
  upload(file: File): Promise<void> {
    const tell = (text: string): void => {
      this.status.textContent = text;
      if (!this.shown) this.say(text);
    };
    if (!this.knows(file.name)) {
      tell(`${file.name}: the studio opens files that end in ${this.message?.endings}`);
      return Promise.resolve();
    }
    return new Promise((resolve) => {
      const request = new XMLHttpRequest(); // which tells how far it is
      request.open('PUT', `/files/${encodeURIComponent(file.name)}`);
      request.setRequestHeader('X-Throng-Token', this.token());
      request.upload.onprogress = (event) => {
        if (event.lengthComputable) this.status.textContent = `${file.name}: ${Math.round((100 * event.loaded) / event.total)} % of ${sizeText(file.size)}`;
      };
      request.onload = () => {
        if (request.status === 200) {
          const { entry } = JSON.parse(request.responseText) as { entry: number };
          this.status.textContent = '';
          if (entry > 0) this.open(entry);
          else tell(`${file.name} is no scene.`);
        } else tell(`${file.name} cannot be opened: ${request.responseText.replace(/^throng studio: /, '').trim()}`);
        resolve();
      };
      request.onerror = () => {
        tell(`${file.name} could not be sent: no connection to the studio, or it is too large.`);
        resolve();
      };
      request.send(file);
    });
  }
}
