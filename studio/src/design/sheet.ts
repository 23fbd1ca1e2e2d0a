// The drawing over the picture: shapes of the scene, handles of what is selected, what is being drawn. SVG, so that lines stay
// crisp at any distance; it takes no clicks, those go to whoever asks what is near them.

import { Vector3, type PerspectiveCamera } from 'three';

import { points, type Geometry, type Point } from './geometry';

const SVG = 'http://www.w3.org/2000/svg';

export interface Drawn {
  geometry: Geometry;
  style: string; // class names
  label?: string;
  z: (p: Point) => number;
  /** m, of a point's circle. */
  radius?: number;
  error?: boolean;
}
export interface Handle {
  at: Point;
  z: number;
  style: string;
}

export class Sheet {
  readonly svg = document.createElementNS(SVG, 'svg');
  private shapes = document.createElementNS(SVG, 'g');
  private handles = document.createElementNS(SVG, 'g');
  private labels = document.createElementNS(SVG, 'g');
  private at = new Vector3();

  constructor(
    private camera: PerspectiveCamera,
    private origin: Vector3,
  ) {
    this.svg.setAttribute('class', 'sheet');
    this.svg.setAttribute('aria-hidden', 'true');
    this.svg.append(this.shapes, this.handles, this.labels);
  }

  /** Place on the page, px; null behind the camera. */
  project(p: Point, z: number): Point | null {
    this.view(p, z);
    return this.toPage();
  }

  private view(p: Point, z: number): Vector3 {
    return this.at.set(p[0] - this.origin.x, p[1] - this.origin.y, z - this.origin.z).applyMatrix4(this.camera.matrixWorldInverse);
  }
  private toPage(): Point | null {
    if (this.at.z > -this.camera.near) return null;
    this.at.applyMatrix4(this.camera.projectionMatrix);
    return [((this.at.x + 1) / 2) * innerWidth, ((1 - this.at.y) / 2) * innerHeight];
  }

  /** A chain of places on the page, cut where it goes behind the camera. */
  private chain(list: Point[], z: (p: Point) => number, closed: boolean): string {
    const near = -this.camera.near * 1.01;
    const seen = (closed ? [...list, list[0]] : list).map((p) => this.view(p, z(p)).clone());
    let path = '';
    let on = false;
    const go = (v: Vector3): void => {
      this.at.copy(v);
      const page = this.toPage();
      if (!page) return;
      path += `${on ? 'L' : 'M'}${page[0].toFixed(1)} ${page[1].toFixed(1)}`;
      on = true;
    };
    seen.forEach((v, i) => {
      const before = seen[i - 1];
      if (before && before.z <= near !== v.z <= near) {
        go(before.clone().lerp(v, (near - before.z) / (v.z - before.z)));
        if (!closed && v.z > near) on = false;
      }
      if (v.z <= near) go(v);
      else if (!closed) on = false;
    });
    return closed && path ? `${path}Z` : path;
  }

  private path(drawn: Drawn): string {
    const { geometry, z } = drawn;
    if (geometry.type === 'polygon') return geometry.rings.map((ring) => this.chain(ring, z, true)).join('');
    if (geometry.type === 'line') return this.chain(geometry.points, z, false);
    const radius = drawn.radius ?? 0.4;
    const ring = Array.from({ length: 24 }, (_, k): Point => [geometry.at[0] + radius * Math.cos((k * Math.PI) / 12), geometry.at[1] + radius * Math.sin((k * Math.PI) / 12)]);
    return this.chain(ring, () => z(geometry.at), true);
  }

  draw(shapes: Drawn[], handles: Handle[]): void {
    const element = (tag: string, attributes: Record<string, string | number>, text?: string): SVGElement => {
      const made = document.createElementNS(SVG, tag);
      for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
      if (text !== undefined) made.textContent = text;
      return made;
    };
    this.shapes.replaceChildren(...shapes.map((s) => element('path', { d: this.path(s), class: `${s.style}${s.error ? ' wrong' : ''}`, 'fill-rule': 'evenodd' })));
    const taken: { x: number; y: number; half: number; text: string }[] = [];
    this.labels.replaceChildren(
      ...shapes.flatMap((s) => {
        if (!s.label) return [];
        const list = points(s.geometry);
        const middle: Point = [list.reduce((sum, p) => sum + p[0], 0) / list.length, list.reduce((sum, p) => sum + p[1], 0) / list.length];
        const page = this.project(middle, s.z(middle));
        if (!page) return [];
        // Below those that are there already: a start and a goal are often in the same place.
        const label = { x: page[0], y: page[1] - 8, half: 3.8 * s.label.length, text: s.label };
        // Both ends of a stair, say: one name is enough.
        if (taken.some((other) => other.text === label.text && Math.abs(other.x - label.x) < 40 && Math.abs(other.y - label.y) < 40)) return [];
        for (const other of taken) if (Math.abs(other.x - label.x) < other.half + label.half && Math.abs(other.y - label.y) < 15) label.y = other.y + 15;
        taken.push(label);
        return [element('text', { x: label.x.toFixed(1), y: label.y.toFixed(1), class: s.error ? 'wrong' : '' }, s.label)];
      }),
    );
    this.handles.replaceChildren(
      ...handles.flatMap((h) => {
        const page = this.project(h.at, h.z);
        return page ? [element('circle', { cx: page[0].toFixed(1), cy: page[1].toFixed(1), r: h.style === 'corner' ? 5 : 7, class: h.style })] : [];
      }),
    );
  }
}
