// What a hundred thousand people in view cost the page, in a real browser (run by bench.mjs): frames of a crowd that walks come
// ten times a second, six pictures are drawn for each, and the camera turns all the while.

import { Vector3 } from 'three';

import { Intake } from '../src/intake';
import { Crowd } from '../src/people';

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

/** ms of script for each drawn picture, as studio.ts spreads it: `fps` pictures a second, ten frames. */
export function bench(count: number, fps = 60): object {
  const crowd = new Crowd();
  const frames = recording(count, 61);
  crowd.origin.set(count ** 0.5 * 0.45, count ** 0.5 * 0.45, 0);
  let shown = 0;
  let fresh = false;
  let surveying: Generator<void, void, void> | null = null;
  const intake = new Intake(
    function* (frame) {
      const show = yield* crowd.advancing(frame);
      yield;
      show();
      fresh = true;
    },
    () => ++shown,
    (why) => {
      throw new Error(why);
    },
  );
  intake.push(frames[0]); // everybody is new once
  intake.finish();
  const pictures: number[] = [];
  const parts: Record<string, number[]> = { frame: [], arrange: [], survey: [] };
  const at = new Vector3(-30, -40, 25);
  const each = fps / 10;
  for (let picture = 0; picture < 60 * each; ++picture) {
    if (picture % each === 0) intake.push(frames[1 + picture / each]);
    crowd.uniforms.uMix.value = (picture % each) / each;
    const angle = picture * 0.01;
    Object.assign(crowd.viewer, { x: at.x, y: at.y, z: at.z, forward: [Math.cos(angle), Math.sin(angle), -0.3], scale: 900 });
    const begin = performance.now();
    // Four times a second what people do; else a part of a frame, and who is drawn how: after a frame, and when the camera has turned by 2.5 degrees.
    if (picture % Math.round(fps / 4) === 4 && !fresh) surveying = crowd.surveying(false);
    if (surveying) {
      do {
        if (surveying.next().done) surveying = null;
      } while (surveying && performance.now() < begin + 1.5);
      parts.survey.push(performance.now() - begin);
    } else {
      parts.frame.push(intake.picture());
      if (fresh || picture % 4 === 0) {
        const from = performance.now();
        crowd.arrange();
        fresh = false;
        parts.arrange.push(performance.now() - from);
      }
    }
    pictures.push(performance.now() - begin);
  }
  const warm = pictures.slice(pictures.length / 6);
  const two = (ms: number): number => Number(ms.toFixed(2));
  return {
    people: count,
    each: warm,
    pictures: warm.length,
    frames: shown - 1,
    mean: two(warm.reduce((a, b) => a + b, 0) / warm.length),
    median: two(quantile(warm, 0.5)),
    p95: two(quantile(warm, 0.95)),
    p99: two(quantile(warm, 0.99)),
    worst: two(Math.max(...warm)),
    over4: warm.filter((ms) => ms > 4).length,
    parts: Object.fromEntries(Object.entries(parts).map(([name, list]) => [name, `${two(quantile(list, 0.5))} (at most ${two(Math.max(...list))})`])),
    shownAs: crowd.counts,
    trianglesEach: crowd.each,
  };
}

(window as unknown as { bench: typeof bench }).bench = bench;
