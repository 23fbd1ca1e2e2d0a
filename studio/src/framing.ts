// From where a camera has a whole place in its picture, in the part of it that no panel covers.

type Vec = [number, number, number];

/** The free part of a picture: -1 is its left and lower edge, 1 its right and upper one. */
export interface Free {
  left: number;
  right: number;
  bottom: number;
  top: number;
}

const dot = (a: Vec, b: Vec): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const scaled = (a: Vec, s: number): Vec => [a[0] * s, a[1] * s, a[2] * s];
const sum = (...all: Vec[]): Vec => all.reduce((a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]]);

/** Where it stands across the picture, given how far back: the middle of what is possible; and how far back it has to be at least. */
function along(points: [number, number][], low: number, high: number): { least: number; at: (back: number) => number } {
  const upper = Math.max(...points.map(([x, z]) => x + high * z));
  const lower = Math.min(...points.map(([x, z]) => x + low * z));
  return { least: (upper - lower) / (high - low), at: (back) => (upper - high * back + lower - low * back) / 2 };
}

/**
 * The nearest camera that sees all points within `free` and looks along `-back` (any length; not straight down), with z up. `fov` is its
 * vertical field of view, rad; `aspect` the picture's width by its height.
 */
export function framing(points: Vec[], back: Vec, fov: number, aspect: number, free: Free): Vec {
  const b = scaled(back, 1 / Math.hypot(...back));
  const flat = Math.hypot(b[0], b[1]);
  const right: Vec = [-b[1] / flat, b[0] / flat, 0];
  const up: Vec = [b[1] * right[2] - b[2] * right[1], b[2] * right[0] - b[0] * right[2], b[0] * right[1] - b[1] * right[0]];
  const tall = Math.tan(fov / 2);
  const away = points.map((p) => dot(p, b));
  const x = along(points.map((p, i) => [dot(p, right), away[i]]), free.left * tall * aspect, free.right * tall * aspect);
  const y = along(points.map((p, i) => [dot(p, up), away[i]]), free.bottom * tall, free.top * tall);
  const far = Math.max(x.least, y.least, Math.max(...away) + 1);
  return sum(scaled(right, x.at(far)), scaled(up, y.at(far)), scaled(b, far));
}

/** What the panels at the sides and below leave of a page's picture. */
export function freeOf(page: HTMLElement): Free {
  const { innerWidth: width, innerHeight: height } = window;
  const shown = (selector: string): DOMRect | null => {
    const box = page.querySelector(selector)?.getBoundingClientRect();
    return box && box.width > 0 ? box : null;
  };
  const side = shown('.side') ?? shown('.panel.design');
  const tools = shown('.workbench') ?? shown('.charts');
  const bar = shown('.bar');
  // A panel that covers more than half has to be closed anyway.
  const right = side && side.left > width / 2 ? side.left : width;
  const bottom = bar && bar.top > height / 2 ? bar.top : height;
  const left = tools && tools.right < width / 3 ? tools.right : 0;
  return { left: (2 * left) / width - 0.94, right: (2 * right) / width - 1.06, bottom: 1.03 - (2 * bottom) / height, top: 0.9 };
}

// From what is looked at.
const BACK: Vec = [-0.32, -0.82, 0.62];
const ABOVE: Vec = [0, -0.001, 1];

/**
 * Where a camera stands and looks for a place of this size (m), whose middle is the origin and whose ground is 0: all of it, or of a
 * large one `most` m of its middle. `half`: it has half the page; `above`: as a plan, north up.
 */
export function overview(size: Vec, most: number, camera: { fov: number; aspect: number }, half: boolean, above: boolean): { position: Vec; target: Vec } {
  const [x, y] = [0, 1].map((axis) => Math.min(Math.max(size[axis], 8), most) / 2);
  const corners = [0, Math.min(size[2], most)].flatMap((z) => [-x, x].flatMap((a) => [-y, y].map((b): Vec => [a, b, z])));
  const free = half ? { left: -0.95, right: 0.95, bottom: -0.6, top: 0.9 } : freeOf(document.body);
  const back = above ? ABOVE : BACK;
  const position = framing(corners, back, (camera.fov * Math.PI) / 180, camera.aspect, free);
  return { position, target: sum(position, scaled(back, -position[2] / back[2])) };
}
