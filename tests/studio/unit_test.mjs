// The page's own code, without a browser: unit_test.mjs STUDIO. Bundled by the same tool as the page, run by node's test runner.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import test from 'node:test';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';

const studio = process.argv[2];
const require = createRequire(path.join(studio, 'package.json'));
const folder = mkdtempSync(path.join(tmpdir(), 'throng-studio-'));
process.on('exit', () => rmSync(folder, { recursive: true }));

async function load(name) {
  const outfile = path.join(folder, `${name}.mjs`);
  require('esbuild').buildSync({ entryPoints: [path.join(studio, 'src', `${name}.ts`)], bundle: true, format: 'esm', outfile, logLevel: 'error' });
  return import(pathToFileURL(outfile).href);
}

const { People, decodeFrame } = await load('protocol');
const { convexHull, viewArea } = await load('view_area');
const { hash } = await load('looks');
const { clock, sliderToSpeed, speedToSlider } = await load('panels');

// A writer of frames, as docs/studio-protocol.md says, to read back.
function varint(out, value) {
  for (; value > 127; value = Math.floor(value / 128)) out.push(128 | value % 128);
  out.push(value);
}
function state(out, w) {
  const bits = BigInt(w.x) | (BigInt(w.y) << 18n) | (BigInt(w.z) << 36n);
  for (let i = 0n; i < 6n; ++i) out.push(Number((bits >> (8n * i)) & 255n));
  out.push(w.heading, w.speed, w.state);
}
function head(kind, sequence, time, people, count) {
  const view = new DataView(new ArrayBuffer(24));
  view.setUint32(0, kind, true);
  view.setUint32(4, sequence, true);
  view.setFloat64(8, time, true);
  view.setUint32(16, people, true);
  view.setUint32(20, count, true);
  return [...new Uint8Array(view.buffer)];
}
const u32 = (n) => [...new Uint8Array(new Uint32Array([n]).buffer)];
function keyFrame(people, box) {
  const out = [...head(1, 1, 0, people.length, people.length), ...new Uint8Array(new Float64Array(box).buffer)];
  let last = 0;
  for (const w of people) {
    varint(out, w.id - last);
    last = w.id;
    state(out, w);
    out.push(w.population);
  }
  return new Uint8Array(out).buffer;
}
function deltaFrame(before, now) {
  const known = new Map(now.map((w) => [w.id, w]));
  const codes = Array.from({ length: (before.length + 3) >> 2 }, () => 0);
  const records = [];
  before.forEach((b, i) => {
    const w = known.get(b.id);
    let code = 3;
    if (w) {
      known.delete(b.id);
      const same = JSON.stringify(w) === JSON.stringify(b);
      const near = Math.abs(w.x - b.x) < 127 && Math.abs(w.y - b.y) < 127 && w.z === b.z && w.state === b.state;
      code = same ? 0 : near ? 1 : 2;
      if (code === 1) records.push((w.x - b.x) & 255, (w.y - b.y) & 255, w.heading, w.speed);
      if (code === 2) state(records, w);
    }
    codes[i >> 2] |= code << (2 * (i & 3));
  });
  const out = [...head(2, 2, 1, now.length, now.length), ...u32(before.length), ...u32(known.size), ...codes, ...records];
  let last = 0;
  for (const w of known.values()) {
    varint(out, w.id - last);
    last = w.id;
    state(out, w);
    out.push(w.population);
  }
  return new Uint8Array(out).buffer;
}

let seed = 1;
const draw = (most) => (seed = hash(seed)) % (most + 1);
const anybody = (id) => ({ id, x: draw(262143), y: draw(262143), z: draw(4095), heading: draw(255), speed: draw(255), state: draw(63), population: draw(255) });

function expectPeople(frame, people, box) {
  assert.equal(frame.count, people.length);
  people.forEach((w, i) => {
    assert.equal(frame.id[i], w.id);
    assert.ok(Math.abs(frame.x[i] - (box[0] + w.x * box[3])) < 1e-9);
    assert.ok(Math.abs(frame.y[i] - (box[1] + w.y * box[3])) < 1e-9);
    assert.ok(Math.abs(frame.z[i] - (box[2] + w.z * box[4])) < 1e-9);
    assert.ok(Math.abs(frame.heading[i] - (w.heading * 2 * Math.PI) / 256) < 1e-6);
    assert.equal(frame.speed[i], w.speed / 32);
    assert.equal(frame.state[i], w.state);
    assert.equal(frame.population[i], w.population);
  });
}

test('frames are read as they were written, one after the other', () => {
  const box = [-10, 20, -1, 0.002, 0.01];
  for (let round = 0; round < 30; ++round) {
    let people = [];
    for (let id = 1 + draw(3); people.length < 40; id += 1 + draw(round % 2 ? 5 : 1e6)) people.push(anybody(id));
    let frame = decodeFrame(keyFrame(people, box), new People());
    expectPeople(frame, people, box);
    for (let k = 0; k < 6; ++k) {
      const next = [];
      for (const w of people) {
        const what = draw(5);
        if (what === 0) continue;
        if (what === 1) next.push({ ...w });
        else if (what === 2) next.push({ ...anybody(w.id), population: w.population });
        else next.push({ ...w, x: Math.min(262143, w.x + draw(100)), y: Math.max(0, w.y - draw(100)), heading: draw(255) });
      }
      const taken = new Set(people.map((w) => w.id));
      for (let i = 0; i < 10; ++i) {
        const id = 1 + draw(1e6);
        if (!taken.has(id)) next.push(anybody(id));
        taken.add(id);
      }
      next.sort((a, b) => a.id - b.id);
      const after = decodeFrame(deltaFrame(people, next), frame);
      expectPeople(after, next, box);
      next.forEach((w, i) => assert.equal(after.before[i], people.findIndex((b) => b.id === w.id)));
      people = next;
      frame = after;
    }
  }
});

test('bytes that are no frame are refused', () => {
  const key = new Uint8Array(keyFrame([anybody(1), anybody(9)], [0, 0, 0, 1, 1]));
  for (let n = 0; n < key.length; ++n) assert.throws(() => decodeFrame(key.slice(0, n).buffer, new People()), RangeError);
  assert.throws(() => decodeFrame(new Uint8Array([...key, 0]).buffer, new People()), RangeError);
  assert.throws(() => decodeFrame(deltaFrame([anybody(1)], []), new People()), RangeError);
});

test('the view is convex and holds what the camera sees', () => {
  for (let round = 0; round < 50; ++round) {
    const points = Array.from({ length: 20 }, () => [draw(1000) / 10, draw(1000) / 10]);
    const hull = convexHull(points);
    for (let i = 0; i < hull.length; ++i) {
      const [ax, ay] = hull[i];
      const [bx, by] = hull[(i + 1) % hull.length];
      for (const [x, y] of points) assert.ok((bx - ax) * (y - ay) - (by - ay) * (x - ax) >= -1e-6);
    }
  }
  // Straight down from 10 m with a right angle of view: a square of 20 m.
  const from = [5, 5, 10];
  const rays = [[-1, -1], [1, -1], [1, 1], [-1, 1]].map(([x, y]) => ({ from, to: [x, y, -1] }));
  const area = viewArea(rays, 0, 0, 1000);
  assert.equal(area.length, 4);
  assert.ok(area.every(([x, y]) => Math.abs(Math.abs(x - 5) - 10) < 0.2 && Math.abs(Math.abs(y - 5) - 10) < 0.2));
});

const { framing } = await load('framing');
test('a camera is put where all of a place is in the free part of its picture, and no farther', () => {
  const fraction = () => draw(1e6) / 1e6;
  const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  for (let round = 0; round < 200; ++round) {
    const size = [0, 1, 2].map(() => 10 ** (0.3 + 3.5 * fraction()));
    const points = [0, size[2] / 10].flatMap((z) => [-1, 1].flatMap((x) => [-1, 1].map((y) => [(x * size[0]) / 2, (y * size[1]) / 2, z])));
    const turn = 2 * Math.PI * fraction();
    const back = [Math.cos(turn), Math.sin(turn), 0.2 + fraction()];
    const free = { left: -1 + 0.6 * fraction(), right: 0.2 + 0.8 * fraction(), bottom: -1 + 0.8 * fraction(), top: 0.3 + 0.7 * fraction() };
    const [fov, aspect] = [0.4 + fraction(), 0.4 + 2 * fraction()];
    const at = framing(points, back, fov, aspect, free);
    // As a camera sees it: across and up, as shares of half the picture.
    const l = Math.hypot(...back);
    const b = back.map((v) => v / l);
    const flat = Math.hypot(b[0], b[1]);
    const right = [-b[1] / flat, b[0] / flat, 0];
    const up = [b[1] * right[2] - b[2] * right[1], b[2] * right[0] - b[0] * right[2], b[0] * right[1] - b[1] * right[0]];
    assert.ok(up[2] > 0);
    const seen = points.map((p) => {
      const d = p.map((v, k) => v - at[k]);
      const depth = -dot(d, b);
      assert.ok(depth > 0.9);
      return [dot(d, right) / (depth * Math.tan(fov / 2) * aspect), dot(d, up) / (depth * Math.tan(fov / 2))];
    });
    const [x, y] = [0, 1].map((k) => seen.map((p) => p[k]));
    const gaps = [Math.min(...x) - free.left, free.right - Math.max(...x), Math.min(...y) - free.bottom, free.top - Math.max(...y)];
    assert.ok(Math.min(...gaps) > -1e-6, `${gaps}`);
    // It touches both edges of one pair.
    assert.ok(Math.max(gaps[0], gaps[1]) < 1e-6 || Math.max(gaps[2], gaps[3]) < 1e-6, `${gaps}`);
  }
});

const { keepDepth } = await load('stage');
test('floors and the ground below them are told apart from every height', () => {
  for (let height = 0.5; height < 20_000; height *= 1.3)
    for (const highest of [0, 3, 80]) {
      let updates = 0;
      const camera = { near: 0.3, position: { z: height }, updateProjectionMatrix: () => ++updates };
      keepDepth(camera, highest);
      assert.equal(camera.near !== 0.3, updates === 1);
      // Nothing of the scene is cut away by it.
      assert.ok(camera.near <= Math.max(0.3, 0.1 * (height - highest)));
      // m: a step of 24 bits of depth on the ground, where one looks half across and half down. The ground lies 0.06 m below a floor.
      const far = 1.5 * height;
      const step = far ** 2 / (camera.near * 2 ** 24);
      if (height > 2 * highest && height < 5000) assert.ok(step < 0.03, `${step} at ${height}`);
    }
});

const { overlayGroup } = await load('overlays');
test('an overlay is three drawings, however much there is of it, and lies on the ground, sloping or not', () => {
  const [width, depth, slope] = [4, 2, 0.25];
  const square = (x, y, w, d) => [[x, y], [x + w, y], [x + w, y + d], [x, y + d], [x, y]].flatMap(([a, b]) => [a, b, 7 + slope * a]);
  const origin = { x: 100, y: 50, z: 7 };
  const areas = Array.from({ length: 300 }, (_, i) => ({ rgb: i * 1000, alpha: 0.5, layer: 0, pieces: [[square(100 + 10 * i, 50, width, depth), square(101 + 10 * i, 50.5, 1, 1)]] }));
  const line = { rgb: 0xff0000, alpha: 1, layer: 0, points: [0, 0, 0, 1, 1, 0, 2, 0, 0] };
  const group = overlayGroup({ name: 'x', caption: '', keys: [], areas, lines: [line, line], dots: [{ at: [0, 0, 0], rgb: 0, alpha: 1 }], labels: [] }, origin);
  assert.equal(group.children.length, 3);
  const mesh = group.children.find((part) => part.isMesh);
  const { position } = mesh.geometry.attributes;
  const at = (i) => [position.getX(i), position.getY(i), position.getZ(i)];
  let sum = 0;
  for (let t = 0; t < mesh.geometry.index.count; t += 3) {
    const [a, b, c] = [0, 1, 2].map((k) => at(mesh.geometry.index.getX(t + k)));
    sum += Math.abs((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])) / 2;
    for (const [x, , z] of [a, b, c]) assert.ok(Math.abs(z - slope * (x + origin.x)) < 0.2 && z > slope * (x + origin.x), `${x} ${z}`);
  }
  assert.ok(Math.abs(sum - 300 * (width * depth - 1)) < 0.05, `${sum}`);
});

const { closedParts, leadsOn } = await load('borders');
test('a border is open where one goes on to another floor, in every direction and however the connection is drawn', () => {
  for (let turn = 0; turn < 12; ++turn)
    for (const [from, to] of [[2, 5], [5, 2], [0, 10], [-3, 4], [8, 14]]) {
      const [c, s] = [Math.cos(turn / 2), Math.sin(turn / 2)];
      const at = (x, y) => [70 + c * x - s * y, -30 + s * x + c * y];
      const [a, b] = [at(0, 0), at(10, 0)];
      const gap = [...at(from, 0.001), ...at(to, 0)];
      const length = closedParts(a, b, [gap, [...at(0, 3), ...at(10, 3)], [...at(4, 0), ...at(4, 9)]]).reduce((sum, [p, q]) => sum + Math.hypot(q[0] - p[0], q[1] - p[1]), 0);
      const open = Math.min(10, Math.max(from, to)) - Math.max(0, Math.min(from, to));
      assert.ok(Math.abs(length - (10 - open)) < 1e-6, `${length} with ${from} to ${to}`);
      assert.ok(leadsOn([a, b, at(10, 8), at(0, 8)], [gap]));
      assert.ok(!leadsOn([a, b, at(10, 8), at(0, 8)], [[...at(0, 3), ...at(10, 3)], [...at(12, 0), ...at(14, 0)]]));
    }
  assert.deepEqual(closedParts([0, 0], [1, 0], []), [[[0, 0], [1, 0]]]);
});

const { extentAround, extentOf } = await load('surroundings');
test('a place without walls is where its people are, on the ground', () => {
  const layer = { walkable: [], obstacles: [], played: [], walls: [], elevation: 0, slope: [0, 0] };
  assert.equal(extentOf({ layers: [layer] }, null).guessed, true);
  const wrapped = extentOf({ layers: [{ ...layer, elevation: 3, wrap: [900000, -20, 900040, 20] }] }, null);
  assert.deepEqual([wrapped.guessed, ...wrapped.min, ...wrapped.max], [false, 900000, -20, 3, 900040, 20, 3]);
  for (const [heights, level] of [[[1.5, 1.9, 1.71], 1.5], [[0, 4, 8], null], [[9.6, 9.6, 9.6], 9.6]]) {
    const people = new People(3);
    people.count = 3;
    heights.forEach((z, i) => ([people.x[i], people.y[i], people.z[i]] = [1000 + 10 * i, 2000 - i, z]));
    const around = extentAround(people);
    assert.equal(around.level, level);
    assert.ok(around.min.x <= 998 && around.max.x >= 1022 && around.min.y <= 1996 && around.max.y >= 2002 && !around.guessed);
  }
});

test('the page is small: all of it, compressed, is less than 5 MB', () => {
  const bundle = require('esbuild').buildSync({ entryPoints: [path.join(studio, 'src/studio.ts')], bundle: true, minify: true, format: 'esm', target: 'es2022', legalComments: 'eof', write: false, logLevel: 'error' });
  const sheets = ['', 'design', 'start', 'watch'].flatMap((part) => readdirSync(path.join(studio, 'src', part)).filter((name) => /\.(css|html|svg)$/.test(name)).map((name) => readFileSync(path.join(studio, 'src', part, name))));
  const size = [bundle.outputFiles[0].contents, ...sheets].reduce((sum, bytes) => sum + gzipSync(bytes).length, 0);
  console.log(`the page takes ${(size / 1000).toFixed(0)} kB, compressed`);
  assert.ok(size > 100_000 && size < 5_000_000, String(size));
});

test('times and speeds are written as people read them', () => {
  assert.equal(clock(0), '0:00.0');
  assert.equal(clock(61.25), '1:01.2');
  assert.equal(clock(3725.5), '1:02:05.5');
  assert.equal(sliderToSpeed(0), 0.1);
  assert.equal(sliderToSpeed(100), 1);
  assert.equal(sliderToSpeed(300), 100);
  for (const speed of [0.1, 0.5, 1, 7, 100]) assert.ok(Math.abs(sliderToSpeed(speedToSlider(speed)) / speed - 1) < 0.05);
});
