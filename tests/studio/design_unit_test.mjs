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
const { parseWkt, wktOf, moved, turned, scaled, isConvex, areaOf, snapped, distanceTo, points } = await load('geometry');
const { SceneDocument, at, id, editMessage } = await load('document');
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

test('who is not moved keeps every digit, however the shape is written', () => {
  const text = 'MULTIPOLYGON  (((0.1234567 1e1, 2.50 0, 2 2)),((500000.123456 5400000.5, 500001 5400000, 500002 5400002.00)))';
  for (const value of [text, [text, 'POLYGON ((0.00004 0, 1 0, 1 1, 0.00004 0))'], { type: 'MultiPolygon', coordinates: [[[[0.1234567, 0], [1, 0], [1, 1.00009], [0.1234567, 0]]], [[[5.1234567, 0], [9, 0], [9, 1], [5.1234567, 0]]]] }]) {
    const json = { version: 1, layers: [{ obstacles: value }] };
    const item = reread(json).items.find((i) => i.kind === 'obstacle');
    const after = carryOut(json, item.write(moved(item.geometry, [1, 1]))).layers[0].obstacles;
    const [before, now] = [value, after].map((v) => (typeof v === 'string' ? v.slice(v.indexOf(')),') < 0 ? 0 : v.indexOf(')),')) : JSON.stringify(v.coordinates?.[1] ?? v[1])));
    assert.equal(now, before);
    assert.notDeepEqual(after, value);
    // One corner is taken elsewhere: the others stay.
    let first = true;
    const corner = { type: 'polygon', rings: item.geometry.rings.map((ring) => ring.map((p) => (first ? ((first = false), [7.77777, 7]) : p))) };
    const bent = reread(carryOut(json, item.write(corner))).items.find((i) => i.kind === 'obstacle').geometry;
    assert.deepEqual(bent.rings[0].slice(1), item.geometry.rings[0].slice(1));
    assert.deepEqual(bent.rings[0][0], [7.778, 7]);
  }
});

test('what is sent is as long as the server takes it, in every script', () => {
  for (const letter of ['a', 'я', '駅', '🚪', '\ud83d', 'ا'])
    for (const length of [1, 26, 27, 80, 81, 400]) {
      const name = letter.repeat(length);
      const message = editMessage(`move ${name}`, [{ op: 'set', at: '/name', value: name }], `nudge ${name}`);
      for (const part of [message.label, message.merge]) {
        assert.ok(Buffer.byteLength(part) <= 80, `${part.length} ${letter}`);
        assert.equal(part, Buffer.from(part).toString(), 'half a character');
      }
    }
  const merge = (name) => editMessage('x', [{ op: 'set', at: '/name', value: 1 }], name).merge;
  assert.notEqual(merge(`/profiles/${'я'.repeat(60)}/steering/a`), merge(`/profiles/${'я'.repeat(60)}/steering/b`));
  assert.match(editMessage('x', [{ op: 'set', at: '/layers/0/walkable', value: 'x'.repeat(2e6) }]), /too many corners/);
  assert.match(editMessage('x', Array.from({ length: 257 }, () => ({ op: 'remove', at: '/a' }))), /257 things/);
  assert.match(editMessage('x', [{ op: 'remove', at: `/profiles/${'я'.repeat(300)}` }]), /too long/);
});

/** A ring with dents, of 3 to 14 corners. */
function dented(draw) {
  const n = 3 + Math.floor(draw() * 12);
  return Array.from({ length: n }, (_, k) => {
    const [angle, far] = [(2 * Math.PI * (k + 0.8 * draw())) / n, 1 + 9 * draw()];
    return [Math.round(1000 * (500 + far * Math.cos(angle))) / 1000, Math.round(1000 * (300 + far * Math.sin(angle))) / 1000];
  });
}
function random(seed) {
  let state = seed;
  return () => (state = (Math.imul(state, 1103515245) + 12345) >>> 0) / 2 ** 32;
}
const close = (a, b, by) => a.length === b.length && a.every((p, i) => Math.hypot(p[0] - b[i][0], p[1] - b[i][1]) <= by);
/** The same ring, wherever it begins. */
const sameRing = (a, b, by) => a.some((_, i) => close([...a.slice(i), ...a.slice(0, i)], b, by));

test('an obstacle that a model takes in pieces is one thing for the hand', () => {
  const draw = random(5);
  let several = 0;
  for (let i = 0; i < 200; ++i) {
    const wall = i % 4 === 0;
    const ring = dented(draw);
    if (areaOf(ring) < 0) ring.reverse();
    const drawn = wall ? { type: 'line', points: ring.slice(0, 3 + (i % 3)) } : { type: 'polygon', rings: [ring] };
    const other = { time: 3, insert: { name: 'crate', obstacle: 'POLYGON ((0 0, 1 0, 1 1, 0 0))' } };
    let json = { version: 1, mesh: {}, events: [other] };
    json = carryOut(json, reread(json).addShape(0, 'obstacles', drawn));
    if (json.events.length < 3) continue; // convex, or refused
    ++several;
    json.events.push({ time: 9, remove: 'crate' });
    const item = () => reread(json).items.find((one) => one.label !== 'crate');
    const shape = (g) => (g.type === 'line' ? g.points : g.rings[0]);
    assert.equal(reread(json).items.length, 2, JSON.stringify(json.events));
    const is = (wanted, by) => {
      const found = item();
      assert.equal(found.geometry.type, wanted.type);
      assert.ok(wanted.type === 'line' ? close(shape(found.geometry), shape(wanted), by) : sameRing(shape(found.geometry), shape(wanted), by), `${i}: ${JSON.stringify([found.geometry, wanted])}`);
    };
    is(drawn, wall ? 0.004 : 1e-9);
    for (const change of [(g) => moved(g, [3, -2]), (g) => turned(g, [500, 300], 0.7), (g) => scaled(g, [490, 310], 2, 2), () => ({ ...drawn, ...(wall ? { points: [[1, 1], [5, 1], [5, 5]] } : { rings: [[[0, 0], [6, 0], [6, 6], [3, 1], [0, 6]]] }) })]) {
      const wanted = change(item().geometry);
      json = carryOut(json, item().write(wanted));
      is(wanted, wall ? 0.008 : 0.002);
      assert.ok(json.events.every((event) => !event.insert || isConvex(parseWkt(event.insert.obstacle)[0].rings[0])));
      assert.deepEqual(new Set(json.events.filter((e) => e.insert).map((e) => e.insert.name)).size, json.events.filter((e) => e.insert).length);
      assert.deepEqual(json.events[0], other);
    }
    assert.deepEqual(carryOut(json, item().remove()).events, [other, { time: 9, remove: 'crate' }]);
  }
  assert.ok(several > 100, String(several));
});

const { Stroke } = await load('stroke');
test('a brush paints what is near its way, and leaves the rest', () => {
  const draw = random(11);
  for (let i = 0; i < 40; ++i) {
    const radius = 0.25 + 4 * draw();
    const middle = i % 2 ? [0, 0] : [500000.25, 5400000.75];
    const stroke = new Stroke(radius);
    const way = Array.from({ length: 2 + Math.floor(8 * draw()) }, () => [middle[0] + 30 * draw(), middle[1] + 30 * draw()]);
    way.forEach((p) => assert.ok(stroke.to(p)));
    const parts = stroke.parts();
    assert.ok(parts.length >= 1);
    for (const { rings } of parts) rings.forEach((ring, k) => assert.ok(areaOf(ring) > 0 === (k === 0), 'the outer ring is counter-clockwise, holes are not'));
    const line = { type: 'line', points: way };
    const inside = (p) => parts.some((part) => distanceTo(p, part) === 0);
    for (let n = 0; n < 200; ++n) {
      const p = [middle[0] + 40 * draw() - 5, middle[1] + 40 * draw() - 5];
      const away = distanceTo(p, line);
      if (away < 0.85 * radius) assert.ok(inside(p), `${i}: ${away} of ${radius} is not painted`);
      if (away > 1.1 * radius) assert.ok(!inside(p), `${i}: ${away} of ${radius} is painted`);
    }
  }
  // What goes round something leaves it out, and what is painted once more is no more than it was.
  const round = new Stroke(1);
  for (let turn = 0; turn < 2; ++turn) for (let a = 0; a <= 63; ++a) round.to([9 * Math.cos(a / 10), 9 * Math.sin(a / 10)]);
  assert.equal(round.parts().length, 1);
  assert.equal(round.parts()[0].rings.length, 2);
  assert.ok(points(round.parts()[0]).length < 200);
});

const { Aim } = await load('aim');
const { Sheet } = await load('sheet');
const { PerspectiveCamera, Vector3 } = require('three');
test('things are taken on the floor where they are seen, from everywhere', () => {
  const draw = random(3);
  Object.assign(globalThis, { innerWidth: 1280, innerHeight: 720 });
  const element = () => ({ setAttribute() {}, append() {}, replaceChildren() {} });
  globalThis.document = { createElementNS: element };
  let seen = 0;
  for (let i = 0; i < 300; ++i) {
    const shift = i % 2 ? [0, 0] : [500000, 5400000];
    const square = (x, y, w) => `POLYGON ((${[[x, y], [x + w, y], [x + w, y + w], [x, y + w], [x, y]].map((p) => `${p[0] + shift[0]} ${p[1] + shift[1]}`).join(', ')}))`;
    const ring = (x0, x1) => [[x0, 0, x1, 0, x1, 40, x0, 40].map((v, k) => v + shift[k % 2])];
    // The upper floor lies over the eastern half of the lower one; a stair of slope 1/2 is beside them.
    const json = {
      layers: [{ name: 'low', obstacles: [square(3, 3, 10), square(24, 5, 10)] }, { name: 'stair', obstacles: [square(42, 5, 6)] }, { name: 'high', obstacles: [square(24, 20, 10)] }],
      places: [{ name: 'up', at: [30 + shift[0], 8 + shift[1], 4], radius: 2 }],
    };
    const layers = [[0, [0, 0], ring(0, 40)], [-20 - shift[0] / 2, [0.5, 0], ring(40, 50)], [4, [0, 0], ring(20, 40)]].map(([elevation, slope, polygon], k) => ({ name: json.layers[k].name, elevation, slope, walkable: [polygon] }));
    const document = reread(json);
    const camera = new PerspectiveCamera(45, 1280 / 720, 0.3, 8000);
    camera.up.set(0, 0, 1);
    camera.position.set(-20 + 80 * draw(), -50 + 130 * draw(), 15 + 60 * draw());
    camera.lookAt(10 + 25 * draw(), 10 + 20 * draw(), 2);
    camera.updateMatrixWorld();
    const origin = new Vector3(shift[0], shift[1], 0);
    const hidden = new Set(i % 3 === 0 ? [2] : []);
    const aim = new Aim({ canvas: null, camera, origin, layers: () => layers, model: () => null, hidden: (k) => hidden.has(k), standsAt: () => undefined }, new Sheet(camera, origin));
    for (const [label, x, y, floor] of [['obstacle', 8, 8, 'low'], ['obstacle', 45, 8, 'stair'], ['obstacle', 29, 25, 'high'], ['up', 30, 8, 'high'], ['obstacle', 29, 9, 'low']]) {
      const layer = layers.find(({ name }) => name === floor);
      const p = [x + shift[0], y + shift[1]];
      const z = layer.elevation + layer.slope[0] * p[0];
      const page = new Vector3(x, y, z).project(camera);
      if (page.z > 1 || Math.abs(page.x) > 0.98 || Math.abs(page.y) > 0.98) continue;
      const event = { clientX: ((page.x + 1) / 2) * 1280, clientY: ((1 - page.y) / 2) * 720, pointerType: 'mouse' };
      // Is another floor before it?
      const far = camera.position.distanceTo(new Vector3(x, y, z));
      const covered = layers.some((other, k) => {
        if (other === layer || hidden.has(k)) return false;
        aim.layer = k;
        const at = aim.ground(event, false);
        if (!at || distanceTo(at, { type: 'polygon', rings: [Array.from({ length: 4 }, (_, n) => [other.walkable[0][0][2 * n], other.walkable[0][0][2 * n + 1]])] }) > 0) return false;
        return new Vector3(at[0] - shift[0], at[1] - shift[1], other.elevation + other.slope[0] * at[0]).distanceTo(camera.position) < far;
      });
      const isHidden = hidden.has(layers.indexOf(layer));
      if (covered || isHidden) continue;
      ++seen;
      const item = aim.pick(event, document);
      assert.ok(item, `${i}: nothing at ${label} of ${floor}`);
      assert.deepEqual([item.label, floor === 'high' && label === 'up' ? floor : item.layer], [label, floor], String(i));
      aim.chosen = null;
      aim.settle(event);
      assert.equal(layers[aim.layer].name, floor, `${i}: drawn on another floor`);
      const there = aim.ground(event, true);
      assert.ok(Math.hypot(there[0] - p[0], there[1] - p[1]) < 1e-3 * far, `${i}: ${there} for ${p}`);
      aim.chosen = 0;
      aim.settle(event);
      assert.equal(aim.layer, 0);
    }
  }
  assert.ok(seen > 300, String(seen));
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
