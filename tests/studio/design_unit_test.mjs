// The page's side of designing, without a browser: design_unit_test.mjs STUDIO. Shapes as scene files write them, and steps that change
// them and nothing else.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import test from 'node:test';
import { pathToFileURL } from 'node:url';

const studio = process.argv[2];
const scenes = path.join(studio, '..', 'scenes');
const require = createRequire(path.join(studio, 'package.json'));
const folder = mkdtempSync(path.join(tmpdir(), 'throng-design-'));
process.on('exit', () => rmSync(folder, { recursive: true }));

async function load(name) {
  const outfile = path.join(folder, `${path.basename(name)}.mjs`);
  require('esbuild').buildSync({ entryPoints: [path.join(studio, 'src/design', `${name}.ts`)], bundle: true, format: 'esm', outfile, logLevel: 'error' });
  return import(pathToFileURL(outfile).href);
}
const { parseWkt, wktOf, moved, turned, scaled, isConvex, areaOf, snapped, distanceTo } = await load('geometry');
const { SceneDocument, at, id } = await load('document');
const { sceneFileName, sizeOf } = await load('../start/new_scene');

/** What the server does with steps. */
function carryOut(json, steps) {
  const copy = structuredClone(json);
  for (const step of steps) {
    const slash = step.at.lastIndexOf('/');
    const owner = at(copy, step.at.slice(0, slash));
    const last = step.at.slice(slash + 1).replace(/~1/g, '/').replace(/~0/g, '~');
    assert.ok(owner && typeof owner === 'object', step.at);
    if (step.op === 'set') owner[last] = step.value;
    else if (step.op === 'insert') owner.splice(last === '-' ? owner.length : Number(last), 0, step.value);
    else if (Array.isArray(owner)) owner.splice(Number(last), 1);
    else delete owner[last];
  }
  return copy;
}
const reread = (json) => new SceneDocument(JSON.stringify(json));

test('well-known text is read and written', () => {
  for (const text of ['POINT (1 2)', 'LINESTRING (0 0, 1.5 -2, 3 4)', 'POLYGON ((0 0, 4 0, 4 4, 0 0), (1 1, 2 1, 2 2, 1 1))', 'MULTIPOLYGON (((0 0, 1 0, 1 1, 0 0)), ((5 5, 6 5, 6 6, 5 5)))', 'MULTILINESTRING ((0 0, 1 1), (2 2, 3 3))', 'GEOMETRYCOLLECTION (POLYGON ((0 0, 1 0, 1 1, 0 0)), LINESTRING (2 2, 3 3))']) {
    const parts = parseWkt(text);
    assert.ok(parts, text);
    assert.equal(wktOf(parts), text);
  }
  for (const text of ['', 'POLYGON', 'POLYGON ((0 0, 1', 'CIRCLE (0 0)', 'POINT (1)', 'POINT (1 2) POINT (3 4)']) assert.equal(parseWkt(text), null, text);
});

test('shapes are moved, turned and scaled', () => {
  const square = parseWkt('POLYGON ((0 0, 2 0, 2 2, 0 2, 0 0))')[0];
  assert.equal(wktOf([moved(square, [1, -1])]), 'POLYGON ((1 -1, 3 -1, 3 1, 1 1, 1 -1))');
  assert.equal(wktOf([turned(square, [1, 1], Math.PI / 2)]), 'POLYGON ((2 0, 2 2, 0 2, 0 0, 2 0))');
  assert.equal(wktOf([scaled(square, [0, 2], 2, 0.5)]), 'POLYGON ((0 1, 4 1, 4 2, 0 2, 0 1))');
  assert.ok(isConvex(square.rings[0]));
  assert.ok(!isConvex([[0, 0], [4, 0], [4, 4], [2, 1]]));
  assert.deepEqual(snapped([1.05, 0.97], [[1, 1]], 0.2, 0.5), [1, 1]);
  assert.deepEqual(snapped([1.3, 0.97], [[1, 1]], 0.2, 0.5), [1.5, 1]);
  assert.equal(distanceTo([1, 1], square), 0);
  assert.equal(distanceTo([3, 1], square), 1);
});

// In every scene that comes with the program, and in every way a shape can be written.
const WAYS = {
  version: 1,
  layers: [
    { name: 'ground', walkable: { type: 'Polygon', coordinates: [[[0, 0], [9, 0], [9, 9], [0, 0]]] }, obstacles: 'MULTIPOLYGON (((1 1, 2 1, 2 2, 1 1)), ((3 3, 4 3, 4 4, 3 3)))' },
    { name: 'up', walkable: { type: 'FeatureCollection', features: [{ type: 'Feature', properties: { keep: 'me' }, geometry: { type: 'MultiPolygon', coordinates: [[[[0, 0], [9, 0], [9, 9], [0, 0]]], [[[20, 0], [29, 0], [29, 9], [20, 0]]]] } }] }, obstacles: ['LINESTRING (1 1, 2 2)', { file: 'other.wkt' }, { type: 'LineString', coordinates: [[3, 3], [4, 4]] }] },
  ],
  populations: [{ start: { circle: { centre: [5, 5], radius: 2 } }, goals: [{ point: 'POINT (1 2)' }, { opposite: [3, 4] }] }],
};
const all = [WAYS, ...readdirSync(scenes).filter((n) => n.endsWith('.json') && n !== 'scene.schema.json').map((n) => JSON.parse(readFileSync(path.join(scenes, n), 'utf8')))];

test('a shape that is moved there and back is where it was, and nothing else has changed', () => {
  let items = 0;
  for (const json of all) {
    const document = reread(json);
    for (const item of document.items) {
      ++items;
      const there = carryOut(json, item.write(moved(item.geometry, [1, 2])));
      const moved_item = reread(there).items.find((other) => id(other) === id(item) && other.kind === item.kind);
      const back = reread(carryOut(there, moved_item.write(moved(moved_item.geometry, [-1, -2]))));
      assert.equal(back.items.length, document.items.length);
      back.items.forEach((other, i) => {
        assert.equal(other.kind, document.items[i].kind);
        assert.equal(wktOf([other.geometry]), wktOf([document.items[i].geometry]));
      });
      const others = reread(there).items.filter((other) => id(other) !== id(item));
      const same = document.items.filter((other) => id(other) !== id(item));
      // A goal of the mirror and the like stand beside one another; nothing but the one shape may move.
      assert.deepEqual(others.map((o) => wktOf([o.geometry])), same.map((o) => wktOf([o.geometry])));
    }
  }
  assert.ok(items > 40, String(items));
  assert.equal(JSON.stringify(carryOut(WAYS, reread(WAYS).items.find((i) => i.layer === 'up').write(parseWkt('POLYGON ((0 0, 8 0, 8 8, 0 0))')[0]))).includes('"keep":"me"'), true);
});

test('deleting takes one thing, and what would be wrong without it', () => {
  for (const json of all)
    for (const item of reread(json).items) {
      const left = reread(carryOut(json, item.remove()));
      const gone = reread(json).items.length - left.items.length;
      assert.ok(gone >= 1, `${item.kind} ${item.pointer}`);
      if (item.kind === 'obstacle' || item.kind === 'region' || item.kind === 'place') assert.equal(gone, 1, `${item.kind} ${item.pointer}`);
    }
  const flows = { places: [{ name: 'a', at: [0, 0] }, { name: 'place 1', at: [9, 0] }], flows: [{ from: 'a', to: 'place 1', count: 3 }] };
  assert.deepEqual(carryOut(flows, reread(flows).items[0].remove()), { places: [flows.places[1]], flows: [] });
  assert.deepEqual(carryOut(flows, reread(flows).removeFlow('/flows/0')), { places: [flows.places[0]], flows: [] });
});

test('what is added stands where scenes have it', () => {
  const empty = reread({ version: 1 });
  const square = parseWkt('POLYGON ((0 0, 2 0, 2 2, 0 2, 0 0))')[0];
  assert.deepEqual(carryOut(empty.json, empty.addShape(0, 'obstacles', square)).layers, [{ obstacles: ['POLYGON ((0 0, 2 0, 2 2, 0 2, 0 0))'] }]);
  const ways = carryOut(WAYS, reread(WAYS).addShape(0, 'obstacles', square));
  assert.equal(ways.layers[0].obstacles.length, 2);
  assert.equal(ways.layers[0].obstacles[0], WAYS.layers[0].obstacles);
  const { steps, pointer } = empty.addFlow({ at: [0, 0], radius: 1 }, { at: [9, 0], radius: 1 }, 7);
  const flow = carryOut(empty.json, steps);
  assert.equal(pointer, '/flows/0');
  assert.deepEqual(flow.flows, [{ name: 'flow 1', from: 'place 1', to: 'place 2', count: 7 }]);
  // Found in a model: something that is put there at the very beginning, and only what is convex.
  const model = reread({ version: 1, mesh: { file: 'a.obj' } });
  assert.equal(carryOut(model.json, model.addShape(0, 'obstacles', square)).events[0].time, 0);
  assert.deepEqual(model.addShape(0, 'obstacles', parseWkt('POLYGON ((0 0, 4 0, 0 4, 4 4, 0 0))')[0]), []); // it crosses itself
  const dented = carryOut(model.json, model.addShape(1, 'obstacles', parseWkt('POLYGON ((0 0, 4 0, 4 4, 2 1, 0 0))')[0], 'floor 2')).events;
  assert.deepEqual(dented.map((event) => event.insert.name), ['obstacle 1', 'obstacle 1.2']);
  assert.ok(dented.every((event) => event.time === 0 && event.insert.layer === 'floor 2' && isConvex(parseWkt(event.insert.obstacle)[0].rings[0])));
  const wall = carryOut({ version: 1, mesh: {}, events: dented }, reread({ version: 1, mesh: {}, events: dented }).addShape(0, 'obstacles', parseWkt('LINESTRING (0 0, 3 0, 3 2)')[0])).events;
  assert.deepEqual(wall.slice(2).map((event) => event.insert.name), ['wall 1', 'wall 1.2']);
});

const { convexPieces } = await load('pieces');
test('a shape with dents is covered by convex pieces, each place once', () => {
  let state = 7;
  const draw = () => (state = (Math.imul(state, 1103515245) + 12345) >>> 0) / 2 ** 32;
  for (let i = 0; i < 300; ++i) {
    const n = 3 + Math.floor(draw() * 12);
    const ring = Array.from({ length: n }, (_, k) => {
      const [angle, far] = [(2 * Math.PI * (k + 0.8 * draw())) / n, 1 + 9 * draw()];
      return [Math.round(1000 * (500 + far * Math.cos(angle))) / 1000, Math.round(1000 * (300 + far * Math.sin(angle))) / 1000];
    });
    if (draw() < 0.5) ring.reverse();
    const pieces = convexPieces({ type: 'polygon', rings: [ring] });
    assert.ok(pieces.length > 0 && pieces.every(isConvex), JSON.stringify(ring));
    const whole = Math.abs(areaOf(ring));
    const sum = pieces.reduce((total, piece) => total + Math.abs(areaOf(piece)), 0);
    assert.ok(Math.abs(sum - whole) < 1e-4 * whole + 1e-4, `${sum} of ${whole}: ${JSON.stringify(ring)}`);
    assert.ok(pieces.length <= n - 2);
  }
});

const cameras = await load('cameras');
test('cameras are added, moved and turned, and keep what else is said of them', () => {
  let scene = reread({ version: 1, name: 'x' });
  const added = cameras.addCamera(scene, [1, 2], [1, 7], 4.2);
  scene = reread(carryOut(scene.json, added.steps));
  assert.deepEqual(scene.json.levels, { cameras: [{ position: [1, 2, 5.9], direction: [0, 1, 0] }] });
  scene = reread(carryOut(scene.json, cameras.addCamera(scene, [500000.25, 5400000.5], [500003.25, 5400004.5], 0).steps));
  assert.deepEqual(scene.json.levels.cameras[1], { position: [500000.25, 5400000.5, 1.7], direction: [0.6, 0.8, 0] });
  assert.equal(scene.items.filter((item) => item.kind === 'camera').length, 2);

  // A direction of any length and slope stays as it is written while the camera is moved, and keeps its slope when it is turned.
  const json = { levels: { near_distance: 5, cameras: [{ position: [0, 0, 12], direction: [2, 0, -1], field_of_view: 40 }] } };
  const item = reread(json).items.find((i) => i.kind === 'camera');
  assert.deepEqual(item.write(item.geometry), []);
  const to = carryOut(json, item.write(moved(item.geometry, [3, -1])));
  assert.deepEqual(to.levels.cameras, [{ position: [3, -1, 12], direction: [2, 0, -1], field_of_view: 40 }]);
  for (const angle of [0.3, Math.PI / 2, 3, -2]) {
    const round = carryOut(json, item.write(turned(item.geometry, [0, 0], angle))).levels.cameras[0];
    [Math.cos(angle), Math.sin(angle), -0.5].forEach((v, i) => assert.ok(Math.abs(round.direction[i] - v) < 1e-3));
    assert.deepEqual(round.position, [0, 0, 12]);
  }
  assert.deepEqual(carryOut(json, item.remove()).levels, { near_distance: 5, cameras: [] });
  // One that looks straight down looks all around: nothing but the circle near it.
  const down = reread({ levels: { cameras: [{ position: [0, 0, 9], direction: [0, 0, -1] }] } });
  const only = down.items.find((i) => i.kind === 'camera');
  assert.deepEqual(only.write(only.geometry), []);
  assert.equal(cameras.sightOf(down, only, only.geometry).length, 1);
  assert.equal(cameras.sightOf(reread(json), item, item.geometry).length, 2);
});

test('files are called as people write it, and lead nowhere else', () => {
  for (const [typed, name] of [['hall', 'hall.json'], [' hall.JSON ', 'hall.json'], ['Bahnhof Süd', 'Bahnhof Süd.json'], ['駅', '駅.json'], ['v1.2 (new) & old', 'v1.2 (new) & old.json']])
    assert.equal(sceneFileName(typed), name);
  for (const typed of ['', ' ', '.json', '../a', 'a/b', 'a\\b', '.hidden', 'a\0b', 'a\nb', 'a\u0085b', 'a:b', '..', 'a..b', 'x'.repeat(300), '/etc/passwd', 'a*', 'a?', 'a|b', '<a>', '"a"'])
    assert.equal(sceneFileName(typed), null, typed);
});

test('sizes of a new scene are read as people write them', () => {
  for (const typed of ['30 x 20', '30x20', '30×20', '30, 20', '30 20', ' 30 m x 20 m ', '30.0*20']) assert.deepEqual(sizeOf(typed), [30, 20], typed);
  for (const typed of ['', '30', 'a x b', '1 x 20', '30 x 10001', '-30 x 20', '30 x 20 x 10', '1e3 x 20']) assert.equal(sizeOf(typed), null, typed);
});
