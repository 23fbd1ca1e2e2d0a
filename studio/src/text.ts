// Texts as the protocol limits them: by bytes, of whatever script they are.

const bytes = new TextEncoder();

/** Without halves of characters, which nobody can read. */
const whole = (text: string): string => text.replace(/\p{Surrogate}/gu, '\ufffd');

/** bytes */
export const sizeOf = (text: string): number => bytes.encode(text).length;

/** The beginning of a text, of so many bytes at most, with whole characters. */
export function clipped(text: string, most: number): string {
  if (sizeOf(text) <= most) return whole(text);
  let kept = '';
  let size = 0;
  for (const character of whole(text)) {
    size += sizeOf(character);
    if (size > most - 3) break; // the dots take three
    kept += character;
  }
  return `${kept}…`;
}

/** A text of so many bytes at most, another one for another text. */
export function keyOf(text: string, most: number): string {
  if (sizeOf(text) <= most) return whole(text);
  let a = 0x811c9dc5;
  let b = 0x9e3779b9;
  for (const byte of bytes.encode(text)) {
    a = Math.imul(a ^ byte, 0x01000193);
    b = Math.imul(b ^ byte, 0x85ebca6b) ^ (b >>> 13);
  }
  return `#${(a >>> 0).toString(16)}${(b >>> 0).toString(16)}`;
}
