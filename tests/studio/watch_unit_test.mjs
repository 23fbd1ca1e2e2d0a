// The page's own code for watching, without a browser: watch_unit_test.mjs STUDIO.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import test from 'node:test';
import { pathToFileURL } from 'node:url';

const studio = process.argv[2];
const require = createRequire(path.join(studio, 'package.json'));
const folder = mkdtempSync(path.join(tmpdir(), 'throng-watch-unit-'));
process.on('exit', () => rmSync(folder, { recursive: true }));

async function load(name) {
  const outfile = path.join(folder, `${path.basename(name)}.mjs`);
  require('esbuild').buildSync({ entryPoints: [path.join(studio, 'src', `${name}.ts`)], bundle: true, format: 'esm', outfile, logLevel: 'error' });
  return import(pathToFileURL(outfile).href);
}

const { People } = await load('protocol');
const { SECOND, apart, differences, split } = await load('watch/compare');
const { Ground, insidePolygon } = await load('watch/ground');
const { spanOf } = await load('watch/timeline');
const { markStep } = await load('watch/charts');
const { sizeText, sorted } = await load('start/start');

let seed = 5;
const random = () => (seed = (seed * 1103515245 + 12345) % 2147483648) / 2147483648;

function people(list) {
  const made = new People(list.length);
  made.count = list.length;
  list.forEach(([id, x, y, before], i) => {
    made.id[i] = id;
    made.x[i] = x;
    made.y[i] = y;
    made.before[i] = before;
  });
  return made;
}

test('a frame of two runs is two frames', () => {
  const frame = people([[2, 0, 0, 0], [7, 1, 0, -1], [SECOND + 2, 0, 3, 2], [SECOND + 9, 5, 5, -1], [SECOND + 11, 5, 6, 3]]);
  const [a, b] = split(frame, 2);
  assert.deepEqual([...a.id], [2, 7]);
  assert.deepEqual([...a.before], [0, -1]);
  assert.deepEqual([...b.id], [2, 9, 11]);
  assert.deepEqual([...b.before], [0, -1, 1]);
  assert.deepEqual([...b.y], [3, 5, 6]);
  assert.equal(frame.id[2], SECOND + 2, 'what the next frame starts from stays');
  assert.deepEqual(apart(a, b), { mean: 3, both: 1 });
  assert.deepEqual(apart(a, people([])), { mean: 0, both: 0 });
});

test('differences are those of counting around every square', () => {
  for (let round = 0; round < 10; ++round) {
    const make = () => people(Array.from({ length: 30 }, (_, i) => [i + 1, random() * 12, random() * 12, -1]));
    const a = make();
    const b = make();
    const near = (p, x, y) => {
      let n = 0;
      for (let i = 0; i < p.count; ++i) n += Math.abs(Math.floor(p.x[i]) + 0.5 - x) < 1.1 && Math.abs(Math.floor(p.y[i]) + 0.5 - y) < 1.1 ? 1 : 0;
      return n;
    };
    const cells = differences(a, b);
    assert.ok(cells.length > 10);
    for (const { x, y, more } of cells) assert.ok(Math.abs(more - (near(a, x, y) - near(b, x, y)) / 9) < 1e-9);
    assert.equal(differences(a, a).length, 0);
  }
});

const layer = (more) => ({ name: '', elevation: 0, slope: [0, 0], wallHeight: 2, walkable: [], obstacles: [], openings: [], played: [], playedObjects: [], walls: [], doors: [], regions: [], ground: [], ...more });
const square = (x, y, size) => [x, y, x + size, y, x + size, y + size, x, y + size];

test('whoever walks stays on the ground and out of walls', () => {
  const scene = {
    layers: [
      layer({ walkable: [[square(0, 0, 20), square(14, 14, 3)]], obstacles: [[square(8, 8, 4)]], walls: [[4, 0, 4, 10]], doors: [{ name: 'd', line: [4, 10, 4, 20], open: false }] }),
      layer({ elevation: 5, walkable: [[square(0, 0, 20)]] }),
    ],
  };
  const ground = new Ground(scene, null);
  let at = [2, 5, 0];
  for (let i = 0; i < 20_000; ++i) {
    at = ground.walk(at, (random() - 0.5) * 0.3, (random() - 0.5) * 0.3);
    assert.ok(at[0] > 0 && at[0] < 4 && at[1] > 0 && at[1] < 20, String(at)); // the wall and the closed door hold
    assert.equal(at[2], 0); // and nobody is lifted to the floor above
  }
  scene.layers[0].doors[0].open = true;
  at = [3.5, 15, 0];
  for (let i = 0; i < 40; ++i) at = ground.walk(at, 0.1, 0);
  assert.ok(at[0] > 7, 'an open door lets through');
  assert.equal(ground.stand(10, 10, 0), null);
  assert.equal(ground.stand(15, 15, 0), null);
  assert.equal(ground.stand(10, 2, 5.1), 5);
  assert.ok(ground.begin(10, 10));
  assert.ok(!insidePolygon([square(0, 0, 4), square(1, 1, 2)], 2, 2));
});

test('ground of a mesh carries at its height, and roofs are not walked through', () => {
  // A ramp from z = 0 at x = 0 to z = 2 at x = 10, and a roof 3 m above it.
  const vertices = new Float32Array([0, 0, 0, 10, 0, 2, 10, 4, 2, 0, 4, 0, 0, 0, 3, 10, 0, 5, 10, 4, 5, 0, 4, 3]);
  const triangles = new Uint32Array([0, 1, 2, 0, 2, 3, 4, 5, 6, 4, 6, 7]);
  const ground = new Ground({ layers: [layer({ walkable: [[[0, 0, 10, 0, 10, 4, 0, 4]]] })] }, { vertices, triangles, materials: new Uint32Array(4) });
  let at = ground.begin(1, 2);
  assert.ok(Math.abs(at[2] - 0.2) < 1e-5, String(at));
  for (let i = 0; i < 80; ++i) at = ground.walk(at, 0.1, 0);
  assert.ok(Math.abs(at[0] - 9) < 1e-6 && Math.abs(at[2] - 1.8) < 1e-4, String(at));
});

test('strips, marks and sizes', () => {
  const open = { from: 0, to: null };
  assert.deepEqual(spanOf({ from: 0, to: 30 }, 12), [0, 30]);
  assert.deepEqual(spanOf(open, 12), [0, 60]);
  for (const now of [59, 61, 400, 1e5]) {
    const [, end] = spanOf(open, now);
    assert.ok(end >= now && end <= Math.max(60, now * 1.5));
  }
  assert.ok(spanOf({ from: 0, to: 30 }, 40)[1] >= 40, 'a run may go on after its duration');
  for (let most = 1e-3; most < 1e6; most *= 1.37) {
    const step = markStep(most);
    assert.ok(most / step <= 3.01 && most / step > 1, `${most} ${step}`);
    assert.match((step / 10 ** Math.floor(Math.log10(step) + 1e-9)).toFixed(6), /^(1|2|5)\.000000$/);
  }
  assert.equal(sizeText(999), '999 B');
  assert.equal(sizeText(1234), '1.2 kB');
  assert.equal(sizeText(35_300_000), '35 MB');
});

test('of files that are dropped together the one that names the others is opened', () => {
  const endings = ['.json', '.sqlite', '.obj', '.gltf', '.wkt'];
  const knows = (name) => endings.some((ending) => name.toLowerCase().endsWith(ending));
  const of = (...names) => {
    const { main, others } = sorted(names.map((name) => ({ name })), knows);
    return [main?.name ?? null, ...others.map(({ name }) => name)];
  };
  assert.deepEqual(of(), [null]);
  assert.deepEqual(of('a.exe'), [null]);
  assert.deepEqual(of('hall.bin', 'hall.gltf', 'photo.png'), ['hall.gltf', 'hall.bin']);
  assert.deepEqual(of('hall.mtl', 'hall.obj'), ['hall.obj', 'hall.mtl']);
  assert.deepEqual(of('hall.mtl', 'hall.obj', 'Hall.JSON'), ['Hall.JSON', 'hall.mtl', 'hall.obj']);
  assert.deepEqual(of('one.sqlite', 'two.sqlite'), ['one.sqlite']);
});
