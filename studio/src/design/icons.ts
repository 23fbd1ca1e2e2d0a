// Small drawings on a 24 by 24 grid, in the colour of the text around them.

const PATHS = {
  select: 'M5 3l14 8-6 1.6L9.5 19z',
  flow: 'M4 18c4-12 12 0 16-12M15.5 6.5L20 6l-.5 4.5',
  obstacle: 'M4 8l7-4 9 5-3 10H7z',
  wall: 'M3 19L9 9l6 5 6-10',
  door: 'M6 21V4h9v17M15 6l4 2v14l-4-1M11.5 12.5h.5',
  region: 'M4 20c2-5 4-5 8-4s6-1 8-5M14 4l6 6-6 5-5-6z',
  paint: 'M19.500 4.500L11 13M14 10l-4-1.500M11 13c-2.500-1.500-6 0-6 3.500 0 1.500-1 2.500-2 3 4 1.500 9.500.500 8-6.500',
  brush: 'M8 8a3 3 0 1 0 0-.01M16 9.5a2.4 2.4 0 1 0 0-.01M3.5 20c0-8 9-8 9 0M13 19.5c.4-6 7.2-6 7.5 0',
  people: 'M4 4h16v16H4zM9 9.5a1.6 1.6 0 1 0 0-.01M15 11.5a1.6 1.6 0 1 0 0-.01M10.5 16a1.6 1.6 0 1 0 0-.01',
  line: 'M4 20L20 4M7.5 12.5l4 4M11.5 8.5l4 4',
  area: 'M4 5h16v14H4zM4 10h3M4 14.5h3M9 19v-3M14 19v-3',
  place: 'M12 21c5-6 7-8.5 7-11.5a7 7 0 0 0-14 0C5 12.500 7 15 12 21zM12 12a2.500 2.500 0 1 0 0-.01',
  walkable: 'M4 17l8 4 8-4-8-4zM12 13V3M8.500 6.500L12 3l3.500 3.500',
  camera: 'M3 7h11v10H3zM14 10.500l6-3.500v10l-6-3.500',
  undo: 'M9 5L4 10l5 5M4 10h9a6 6 0 0 1 0 12h-3',
  redo: 'M15 5l5 5-5 5M20 10h-9a6 6 0 0 0 0 12h3',
  save: 'M4 4h13l3 3v13H4zM8 4v6h8V4M8 20v-6h8v6',
  copy: 'M12 4v11M7.500 10.500L12 15l4.500-4.500M4 20h16',
  fresh: 'M6 3h8l5 5v13H6zM14 3v5h5M12.500 11v7M9 14.500h7',
  close: 'M5 5l14 14M19 5L5 19',
  remove: 'M4 7h16M9 7V4h6v3M6.500 7l1 14h9l1-14M10.500 11v6M13.500 11v6',
} as const;
export type IconName = keyof typeof PATHS;

export function icon(name: IconName): SVGSVGElement {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
  path.setAttribute('d', PATHS[name]);
  svg.append(path);
  return svg;
}
