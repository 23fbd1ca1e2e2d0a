// A scene from nothing: a rectangle to walk on, and nobody yet.

/** m: width and depth, or null for somebody who thinks better of it. */
export function askSize(): [number, number] | null {
  const typed = window.prompt('Width and depth of the new scene, m:', '30 x 20');
  if (typed === null) return null;
  const size = sizeOf(typed);
  if (!size) window.alert('Write two numbers, such as 30 x 20. Each is 2 to 10,000 m.');
  return size;
}

/** What people write: 30 x 20, 30×20, 30, 20. */
export function sizeOf(text: string): [number, number] | null {
  const sizes = /^\s*(\d+(?:\.\d+)?)\s*m?\s*[x×*, ]\s*(\d+(?:\.\d+)?)\s*m?\s*$/i.exec(text);
  if (!sizes) return null;
  const [width, depth] = [Number(sizes[1]), Number(sizes[2])];
  return width >= 2 && depth >= 2 && width <= 10_000 && depth <= 10_000 ? [width, depth] : null;
}

export function emptyScene([width, depth]: [number, number]): string {
  return `{
  "version": 1,
  "name": "new scene",
  "layers": [{"walkable": "POLYGON ((0 0, ${width} 0, ${width} ${depth}, 0 ${depth}, 0 0))"}],
  "run": {"duration": 600}
}
`;
}

/** What a scene's file is called, or nothing for what is no plain name. The server asks for the same. */
export function sceneFileName(typed: string): string | null {
  const name = typed.trim().replace(/(\.json)?$/i, '.json');
  // oxlint-disable-next-line no-control-regex
  const plain = /^[^\x00-\x1f\x7f-\x9f/\\:*?"<>|. ][^\x00-\x1f\x7f-\x9f/\\:*?"<>|]*\.json$/.test(name) && !name.includes('..');
  return plain && new TextEncoder().encode(name).length <= 200 ? name : null;
}
