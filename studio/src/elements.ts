// Small things that every panel is made of.

type Child = Node | string;

export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Record<string, string> = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

/** A button with its name, which is read out and shown as a tip. */
export function button(label: string, text: string, action: () => void, attributes: Record<string, string> = {}): HTMLButtonElement {
  const made = element('button', { type: 'button', 'aria-label': label, title: label, ...attributes }, text);
  made.addEventListener('click', action);
  return made;
}

/** 61.25 → "1:01.2" */
export function clock(seconds: number): string {
  const tenths = Math.floor(seconds * 10 + 1e-6);
  const s = tenths % 600;
  const minutes = Math.floor(tenths / 600);
  const padded = `${s < 100 ? '0' : ''}${(s / 10).toFixed(1)}`;
  return minutes < 60 ? `${minutes}:${padded}` : `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}:${padded}`;
}
