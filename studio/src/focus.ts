// Where the keyboard is. Whoever has keys alone goes on from where they were: what is made anew gives back the focus that it had, and
// what goes away leaves it to something that is there.

/** Fills a part anew. What had the focus in it has it again, by its name. */
export function refill(root: HTMLElement, ...children: Node[]): void {
  const focused = document.activeElement;
  const label = focused && root.contains(focused) ? focused.getAttribute('aria-label') : null;
  const called = (): HTMLElement[] => (label ? [...root.querySelectorAll<HTMLElement>(`[aria-label="${CSS.escape(label)}"]`)] : []);
  const which = called().findIndex((element) => element === focused);
  root.replaceChildren(...children);
  const now = called();
  now[Math.min(which, now.length - 1)]?.focus();
}

const there = (element: Element | null): boolean => element !== null && element !== document.body && element.checkVisibility();

/** Back to where one was, if that is still there. */
export function giveBack(to: Element | null): void {
  if (to instanceof HTMLElement && there(to)) to.focus({ preventScroll: true });
}

/** Follows the focus; when what has it goes away, the picture of the scene has it, for those who go by keys. */
export class Focus {
  private last: Element | null = null;
  private keys = false;

  constructor(private picture: HTMLElement) {}

  /** Once a picture. */
  look(): void {
    const now = document.activeElement;
    if (now && now !== document.body) {
      this.last = now;
      this.keys = now.matches(':focus-visible');
    } else if (this.last && !there(this.last)) {
      this.last = null;
      if (this.keys) this.picture.focus({ preventScroll: true });
    }
  }
}
