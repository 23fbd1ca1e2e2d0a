// What a hundred thousand people in view cost the page, in a real browser (run by bench.mjs): frames of a crowd that walks come
// ten times a second, six pictures are drawn for each, and the camera turns all the while.

import { Vector3 } from 'three';

import { Crowd } from '../src/people';
import { People, decodeFrame } from '../src/protocol';

/** Frames as the server sends them: a key frame, then delta frames in which everybody has moved. */
function recording(count: number, frames: number): ArrayBuffer[] {
  const side = Math.ceil(Math.sqrt(count));
  const made: ArrayBuffer[] = [];
  const step = 0.01;
  for (let k = 0; k < frames; ++k) {
    const codes = (count + 3) >> 2;
    const size = k === 0 ? 64 + count * 11 : 32 + codes + count * 4;
    const buffer = new ArrayBuffer(size);
    const view = new DataView(buffer);
    const bytes = new Uint8Array(buffer);
    view.setUint32(0, k === 0 ? 1 : 2, true);
    view.setUint32(4, k + 1, true);
    view.setFloat64(8, k * 0.1, true);
    view.setUint32(16, count, true);
    view.setUint32(20, count, true);
    let at: number;
    if (k === 0) {
      [0, 0, 0, step, step].forEach((v, i) => view.setFloat64(24 + i * 8, v, true));
      at = 64;
    } else {
      view.setUint32(24, count, true);
      bytes.fill(0x55, 32, 32 + codes);
      at = 32 + codes;
    }
    for (let i = 0; i < count; ++i) {
      const heading = (i * 37) & 255;
      const stands = i % 10 === 0;
      if (k === 0) {
        const x = 1000 + (i % side) * 90;
        const y = 1000 + Math.floor(i / side) * 90;
        view.setUint8(at++, 1);
        view.setUint32(at, (x | (y << 18)) >>> 0, true);
        view.setUint16(at + 4, y >>> 14, true);
        bytes[at + 6] = heading;
        bytes[at + 7] = stands ? 0 : 43;
        bytes[at + 8] = stands ? 2 : 0;
        at += 9;
        view.setUint8(at++, 0);
      } else {
        const angle = (heading * 2 * Math.PI) / 256;
        view.setInt8(at, stands ? 0 : Math.round(13.4 * Math.cos(angle)));
        view.setInt8(at + 1, stands ? 0 : Math.round(13.4 * Math.sin(angle)));
        bytes[at + 2] = heading;
        bytes[at + 3] = stands ? 0 : 43;
        at += 4;
      }
    }
    made.push(buffer);
  }
  return made;
}

const quantile = (list: number[], q: number): number => [...list].sort((a, b) => a - b)[Math.min(list.length - 1, Math.floor(q * list.length))];

/** ms of script for each drawn picture, and where they go. */
export function bench(count: number): object {
  const crowd = new Crowd();
  const frames = recording(count, 41);
  crowd.origin.set(count ** 0.5 * 0.45, count ** 0.5 * 0.45, 0);
  let people = new People();
  const parts: Record<string, number> = { decode: 0, advance: 0, arrange: 0, survey: 0 };
  const pictures: number[] = [];
  const timed = (name: string, what: () => void): number => {
    const begin = performance.now();
    what();
    const took = performance.now() - begin;
    parts[name] += took;
    return took;
  };
  const at = new Vector3(-30, -40, 25);
  frames.forEach((buffer, k) => {
    let first = timed('decode', () => (people = decodeFrame(buffer, people)));
    first += timed('advance', () => crowd.advance(people));
    if (k === 0) return; // everybody is new once
    for (let picture = 0; picture < 6; ++picture) {
      crowd.uniforms.uMix.value = picture / 6;
      let took = picture === 0 ? first : 0;
      const angle = (k * 6 + picture) * 0.01;
      Object.assign(crowd.viewer, { x: at.x, y: at.y, z: at.z, forward: [Math.cos(angle), Math.sin(angle), -0.3], scale: 900 });
      // As studio.ts: after a frame, and whenever the camera has turned by 2.5 degrees; else, four times a second, the survey.
      if (picture === 0 || picture === 3) took += timed('arrange', () => crowd.arrange());
      else if ((k * 6 + picture) % 15 === 4) took += timed('survey', () => crowd.survey(false));
      pictures.push(took);
    }
  });
  const frame = Object.fromEntries(Object.entries(parts).map(([name, ms]) => [name, Number((ms / 40).toFixed(2))]));
  return {
    people: count,
    pictures: pictures.length,
    mean: Number((pictures.reduce((a, b) => a + b, 0) / pictures.length).toFixed(2)),
    median: Number(quantile(pictures, 0.5).toFixed(2)),
    p95: Number(quantile(pictures, 0.95).toFixed(2)),
    worst: Number(Math.max(...pictures).toFixed(2)),
    perFrame: frame,
    shownAs: crowd.counts,
    trianglesEach: crowd.each,
  };
}

(window as unknown as { bench: typeof bench }).bench = bench;
