// How people look, move and are drawn, without a browser: people_test.mjs STUDIO. The clips are read as the graphics card reads
// them, half floats and interpolation included.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import test from 'node:test';
import { pathToFileURL } from 'node:url';

const studio = process.argv[2];
const require = createRequire(path.join(studio, 'package.json'));
const folder = mkdtempSync(path.join(tmpdir(), 'throng-people-'));
process.on('exit', () => rmSync(folder, { recursive: true }));
const names = ['clips', 'gait', 'skeleton', 'looks', 'figure', 'detail', 'doing', 'people', 'protocol', 'intake'];
require('esbuild').buildSync({
  stdin: { contents: names.map((n) => `export * as ${n} from './${n}';`).join('\n'), resolveDir: path.join(studio, 'src'), loader: 'ts' },
  bundle: true, format: 'esm', outfile: path.join(folder, 'all.mjs'), logLevel: 'error',
});
const { clips, gait, skeleton, looks, figure, detail, doing, people, protocol, intake } = await import(pathToFileURL(path.join(folder, 'all.mjs')).href);

const baked = clips.bake();
const Bone = { Hips: 0, Chest: 1, Head: 2, ThighLeft: 9, ShinLeft: 10, FootLeft: 11, ToesLeft: 12, ThighRight: 13, ShinRight: 14, FootRight: 15, ToesRight: 16 };

/** Where a point of a bone is, in metres along the way, for somebody of this height after walking so far. */
function placed(bone, rest, place, phase, height) {
  const k = Math.min(Math.floor(place), gait.CYCLES.length - 2);
  const m = clips.boneOf(baked, bone, k, phase, k + 1, phase, place - k);
  return skeleton.apply(m, rest).map((v) => v * height);
}

/** The largest drift (m) of heel and ball while they bear, and the share of time that nothing does. */
function drift(speed, height, running) {
  const place = gait.gaitFor(speed, height, running);
  const cycle = gait.cycleAt(place, height);
  let worst = 0;
  let flying = 0;
  let samples = 0;
  for (const [bone, side] of [[Bone.FootLeft, 1], [Bone.FootRight, -1]])
    for (const along of [skeleton.HEEL, skeleton.BALL]) {
      let stood = null;
      for (let way = 0; way < 3 * cycle; way += cycle / 97) {
        const [x, y, z] = placed(bone, [along, side * skeleton.HIP_SIDE, 0], place, way / cycle, height);
        const bears = z < 0.006 * height;
        if (!bears) stood = null;
        else if (stood === null) stood = { x: way + x, y };
        else worst = Math.max(worst, Math.hypot(way + x - stood.x, y - stood.y));
      }
    }
  for (let way = 0; way < cycle; way += cycle / 97, ++samples) {
    const lowest = Math.min(...[[11, 1], [15, -1]].flatMap(([bone, side]) => [skeleton.HEEL, skeleton.BALL].map((a) => placed(bone, [a, side * skeleton.HIP_SIDE, 0], place, way / cycle, height)[2])));
    if (lowest > 0.02 * height) ++flying;
    assert.ok(lowest > -0.012 * height, `a foot is ${lowest} m in the ground at ${speed} m/s`);
  }
  return { worst, flying: flying / samples };
}

test('a foot on the ground does not slide, from children to tall men, from shuffling to hurrying', () => {
  let most = 0;
  for (let speed = 0.3; speed <= 2.001; speed += 0.1)
    for (const height of [1.1, 1.3, 1.5, 1.65, 1.78, 1.95]) {
      const running = gait.runs(speed, height, false);
      const { worst, flying } = drift(speed, height, running);
      most = Math.max(most, worst);
      assert.ok(worst <= 0.03, `${worst.toFixed(3)} m at ${speed.toFixed(1)} m/s, ${height} m tall`);
      if (running) assert.ok(flying > 0.05, 'runners leave the ground');
      else assert.equal(flying, 0, `a walker of ${height} m flies at ${speed} m/s`);
    }
  console.log(`feet drift by at most ${(most * 100).toFixed(1)} cm in a stance`);
});

test('legs bend at the knee only, and keep their length', () => {
  for (let clip = 0; clip < clips.CLIPS - 3; ++clip)
    for (let u = 0; u < 1; u += 1 / 32) {
      const bones = clips.pose(clip, u);
      for (const [thigh, shin, foot] of [[9, 10, 11], [13, 14, 15]]) {
        const at = (bone, joint) => skeleton.apply(bones[bone], skeleton.JOINTS[joint]);
        const apart = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
        assert.ok(apart(at(thigh, shin), at(shin, shin)) < 0.004, `clip ${clip}: the knee comes apart`);
        assert.ok(apart(at(shin, foot), at(foot, foot)) < 0.012, `clip ${clip} at ${u}: the ankle comes apart by ${apart(at(shin, foot), at(foot, foot))}`);
      }
      // Nobody spreads their arms: hands stay near the body.
      for (const hand of [5, 8]) {
        const [x, y] = skeleton.apply(bones[hand], skeleton.JOINTS[hand]);
        assert.ok(Math.abs(y) < 0.26 && Math.abs(x) < 0.32, `clip ${clip}: a hand at ${x}, ${y}`);
      }
    }
});

test('clips go round without a jump', () => {
  for (let clip = 0; clip < clips.CLIPS; ++clip)
    for (let k = 0; k < 64; ++k)
      for (let bone = 0; bone < skeleton.BONES; ++bone) {
        const [a, b] = [k / 64, (k + 1) / 64].map((u) => clips.boneOf(baked, bone, clip, u, clip, u, 0));
        for (let n = 0; n < 12; ++n) assert.ok(Math.abs(a[n] - b[n]) < 0.3, `clip ${clip}, bone ${bone} at ${k}/64`);
      }
});

test('the texture holds what the poses are', () => {
  for (const [clip, u] of [[0, 0], [4, 0.25], [9, 0.5], [12, 0.75], [15, 0], [17, 0.5]])
    clips.pose(clip, u).forEach((m, bone) => {
      const read = clips.boneOf(baked, bone, clip, u, clip, u, 0);
      m.forEach((v, n) => assert.ok(Math.abs(v - read[n]) < 0.002));
    });
});

test('longer legs and higher speeds make longer steps', () => {
  for (let speed = 0.2; speed < 2; speed += 0.1) {
    assert.ok(gait.cycleLength(speed, 1.9) > gait.cycleLength(speed, 1.2));
    assert.ok(gait.cycleLength(speed + 0.1, 1.7) > gait.cycleLength(speed, 1.7));
    // The clip's own length is that of the speed wherever clips reach.
    const place = gait.gaitFor(speed, 1.7, false);
    assert.ok(Math.abs(gait.cycleAt(place, 1.7) - gait.cycleLength(speed, 1.7)) < 0.02);
  }
  assert.ok(Math.abs(gait.cycleLength(1.34, 1.75) / 2 - 0.72) < 0.02, 'an everyday step is 0.72 m');
});

test('people are of all kinds, always the same', () => {
  const seen = new Map();
  let adults = 0;
  let sum = 0;
  for (let id = 1; id <= 20000; ++id) {
    const look = looks.lookOf(id);
    assert.deepEqual(look, looks.lookOf(id));
    for (const name of ['kind', 'build', 'skin', 'hair', 'hairStyle', 'wear', 'load', 'prop', 'shortSleeves', 'shorts', 'jacket']) {
      const key = `${name} ${look[name]}`;
      seen.set(key, (seen.get(key) ?? 0) + 1);
    }
    assert.ok(look.height >= 1.05 && look.height <= 2.02, String(look.height));
    if (look.kind < 2) {
      ++adults;
      sum += look.height;
    }
    const bits = looks.packLook(look);
    assert.ok(Number.isInteger(bits) && bits < 2 ** 23);
    assert.equal(Math.fround(bits), bits);
    assert.equal(bits >> 20, look.kind);
    assert.equal((bits >> 3) & 3, look.prop);
    assert.ok(looks.bodyOf(look) < looks.BODIES.length);
  }
  for (const [name, most] of Object.entries({ kind: 6, build: 8, skin: 8, hair: 8, hairStyle: 4, wear: 3, load: 3, prop: 4 }))
    for (let v = 0; v < most; ++v) assert.ok((seen.get(`${name} ${v}`) ?? 0) > 40, `too few of ${name} ${v}`);
  assert.ok(Math.abs(sum / adults - 1.715) < 0.02, `adults are ${sum / adults} m tall`);
});

test('figures keep to their budget, stand on the ground, and are closed to the outside', () => {
  const triangles = [0, 1, 2].map((d) => figure.figure(d).index.count / 3);
  assert.ok(triangles[0] <= 3300 && triangles[1] <= 620 && triangles[2] <= 560, String(triangles));
  for (const d of [0, 1]) {
    const f = figure.figure(d);
    const [p, n, skin] = ['position', 'normal', 'skin'].map((name) => f.getAttribute(name));
    for (let i = 0; i < p.count; ++i) {
      assert.ok(p.getZ(i) >= -0.001 && p.getZ(i) <= 1.01 && Math.abs(p.getX(i)) < 0.25 && Math.abs(p.getY(i)) < 0.2);
      assert.ok(Math.abs(Math.hypot(n.getX(i), n.getY(i), n.getZ(i)) - 1) < 1e-3);
      assert.ok(skin.getX(i) < 17 && skin.getY(i) < 17 && skin.getZ(i) >= 0 && skin.getZ(i) <= 1);
      if (d === 1) assert.equal(skin.getZ(i), 0, 'simple figures are rigid');
    }
  }
});

test('a city of 35,000 people, shadows included, keeps to 3 million triangles', () => {
  const [fine, plain, props] = [0, 1, 2].map((d) => figure.figure(d).index.count / 3);
  const { MOST_FINE, MOST_PLAIN } = detail;
  const holding = Array.from({ length: 5000 }, (_, i) => looks.lookOf(i + 1)).filter((l) => l.prop === 1 || l.prop === 2).length / 5000;
  const people = MOST_FINE * fine + (MOST_PLAIN * 2 + MOST_FINE) * plain + (35000 - MOST_FINE - MOST_PLAIN) * 2 * 2 + holding * (MOST_FINE + MOST_PLAIN) * props * 2;
  console.log(`${Math.round(people).toLocaleString('en')} triangles of people at most`);
  assert.ok(people + 2 * 80_000 <= 3_000_000, String(people)); // the city itself has 80,000 at most, drawn twice
});

test('who is larger on the screen is never drawn more coarsely', () => {
  const n = 20000;
  const place = new Float32Array(n * 4);
  const weight = new Float32Array(n);
  const slots = new Uint32Array(n);
  let state = 1;
  const draw = () => (state = looks.hash(state)) / 2 ** 32;
  for (let spread of [40, 300, 3000]) {
    for (let i = 0; i < n; ++i) {
      place.set([(draw() - 0.5) * spread, (draw() - 0.5) * spread, 0], i * 4);
      weight[i] = detail.weightOf(1.2 + draw(), i);
      slots[i] = i;
    }
    const viewer = { x: -spread * draw(), y: 0, z: 2 + 20 * draw(), forward: [1, 0, 0], scale: 900 };
    const choice = detail.makeChoice(n);
    detail.choose(choice, slots, n, place, 4, 0, weight, viewer);
    const [a, b, c] = choice.counts;
    assert.equal(a + b + c, n);
    assert.ok(a <= detail.MOST_FINE && b <= detail.MOST_PLAIN);
    const all = choice.slots.flatMap((list, k) => [...list.subarray(0, choice.counts[k])]);
    assert.equal(new Set(all).size, n, 'everybody once');
    const size = (s) => Math.sqrt(((place[s * 4] - viewer.x) ** 2 + (place[s * 4 + 1] - viewer.y) ** 2 + (0.9 - viewer.z) ** 2) * weight[s]);
    const range = choice.slots.map((list, k) => [...list.subarray(0, choice.counts[k])].filter((s) => place[s * 4] > viewer.x).map(size));
    const bin = viewer.scale / detail.PLAIN / 256;
    for (const k of [0, 1])
      if (range[k].length && range[k + 1].length) assert.ok(Math.max(...range[k]) <= Math.min(...range[k + 1]) + bin, `spread ${spread}, ${k}`);
    if (range[0].length) assert.ok(900 / Math.max(...range[0]) >= detail.FINE * 0.99);
  }
});

function moment(list) {
  const n = list.length;
  const m = { count: n, time: 0, id: new Uint32Array(n), x: new Float64Array(n), y: new Float64Array(n), z: new Float64Array(n), heading: new Float32Array(n), speed: new Float32Array(n), state: new Uint8Array(n) };
  list.forEach((p, i) => {
    for (const [name, value] of Object.entries({ id: i + 1, ...p })) m[name][i] = value;
  });
  return m;
}
function found(list, seats = [], turn = 0) {
  const [c, s] = [Math.cos(turn), Math.sin(turn)];
  const m = moment(list.map((p) => ({ ...p, x: p.x * c - p.y * s, y: p.x * s + p.y * c, heading: p.heading + turn })));
  const out = { clip: new Uint8Array(m.count), gaze: new Float32Array(m.count), density: new Float32Array(m.count) };
  const rows = list.map((_, i) => i);
  doing.find(m, rows, rows, seats.map((ring) => ring.flatMap(([x, y]) => [x * c - y * s, x * s + y * c])), out);
  return out;
}

test('who stands face to face talks, who stands in line queues, who stays on a seat sits; whatever way the scene is turned', () => {
  const [Stand, Wait, Talk, Look, Sit, Queue] = [11, 12, 13, 14, 15, 16];
  for (const turn of [0, 0.7, 2.4, 4]) {
    const pair = found([{ x: 0, y: 0, heading: 0, state: 2 }, { x: 1.1, y: 0, heading: Math.PI, state: 2 }], [], turn);
    assert.deepEqual([...pair.clip], [Talk, Talk]);
    const oblique = found([{ x: 0, y: 0, heading: 0.6, state: 2 }, { x: 1, y: 0, heading: Math.PI, state: 2 }], [], turn);
    assert.deepEqual([...oblique.clip], [Talk, Talk]);
    assert.ok(Math.abs(oblique.gaze[0] + 0.6) < 1e-5 && Math.abs(oblique.gaze[1]) < 1e-5, 'they look at one another');
    const line = found([0, 1, 2].map((k) => ({ x: k * 0.8, y: 0, heading: 0, speed: 0.02, state: 0 })), [], turn);
    assert.deepEqual([...line.clip].slice(0, 2), [Queue, Queue]);
    const seat = found([{ x: 0, y: 0, heading: 0, state: 2 }, { x: 8, y: 0, heading: 0, state: 2 }], [[[-1, -1], [1, -1], [1, 1], [-1, 1]]], turn);
    assert.equal(seat.clip[0], Sit);
    assert.ok([Stand, Wait, Look].includes(seat.clip[1]));
    const walkers = found([{ x: 0, y: 0, heading: 0, speed: 1.3 }, { x: 3, y: 0.5, heading: Math.PI, speed: 1.3 }], [], turn);
    assert.deepEqual([...walkers.clip], [0, 0]);
    for (const g of walkers.gaze) assert.ok(Math.abs(g) < 0.5);
  }
});

test('people near one another are found as by trying all pairs', () => {
  let state = 5;
  const draw = () => (state = looks.hash(state)) / 2 ** 32;
  const list = Array.from({ length: 400 }, () => ({ x: (draw() - 0.5) * 300, y: (draw() - 0.5) * 30, z: draw() < 0.5 ? 0 : 4, heading: 0 }));
  const m = moment(list);
  const near = new doing.Near(m, list.map((_, i) => i));
  list.forEach((p, i) => {
    const got = [];
    near.each(i, (j, _dx, _dy, square) => square < 4 && got.push(j));
    const want = list.flatMap((q, j) => (j !== i && Math.hypot(q.x - p.x, q.y - p.y) < 2 && Math.abs(q.z - p.z) < 1.5 ? [j] : []));
    assert.deepEqual(got.sort((a, b) => a - b), want);
  });
});

/** A frame after `before`: these people, in the order of their ids. */
function frameOf(before, time, list) {
  const frame = new protocol.People(list.length);
  frame.time = time;
  frame.count = list.length;
  list.forEach((p, i) => {
    frame.id[i] = p.id;
    frame.x[i] = p.x;
    frame.y[i] = p.y;
    frame.heading[i] = p.heading ?? 0;
    frame.speed[i] = p.speed ?? 0;
    frame.before[i] = before ? [...before.id.subarray(0, before.count)].indexOf(p.id) : -1;
  });
  return frame;
}

test('walkers go on smoothly and feet stay where they are, through the frames of a crowd', () => {
  const crowd = new people.Crowd();
  let last = null;
  const at = { x: 0, y: 0 };
  const speedAt = (t) => 1.2 + 0.4 * Math.sin(t);
  const places = [];
  const dt = 0.1;
  let x = 0;
  Object.assign(crowd.viewer, { x: 0, y: -5, z: 2, forward: [0, 1, 0], scale: 2000 });
  for (let k = 0; k < 80; ++k) {
    for (let s = 0; s < 100; ++s) x += (speedAt((k + s / 100) * dt) * dt) / 100;
    last = frameOf(last, (k + 1) * dt, [{ id: 1, x, y: 0, speed: speedAt((k + 1) * dt) }, { id: 2 + k, x: 50 + k, y: 3 }]);
    crowd.advance(last);
    crowd.viewer.x = x;
    crowd.arrange();
    if (k < 10) continue;
    for (let step = 0; step < 10; ++step) {
      crowd.uniforms.uMix.value = step / 10;
      places.push(crowd.place(crowd.row(1), { set(a, b) { this.x = a; this.y = b; return this; }, sub() { return this; } }).x);
    }
  }
  for (let i = 2; i < places.length; ++i) {
    const [v, w] = [places[i] - places[i - 1], places[i - 1] - places[i - 2]];
    assert.ok(v > 0.005 && v < 0.018, `a jump of ${v} m`);
    assert.ok(Math.abs(v - w) < 0.0016, `speed jumps by ${((v - w) / 0.01).toFixed(2)} m/s`);
  }
  assert.equal(crowd.row(2), -1);
  assert.ok(crowd.row(81) >= 0 && at);
});

test('slots of a crowd are used again, and nobody takes another one\'s clothes', () => {
  const crowd = new people.Crowd();
  let last = null;
  let state = 9;
  const draw = (n) => (state = looks.hash(state)) % n;
  let list = [];
  let id = 0;
  for (let k = 0; k < 60; ++k) {
    list = list.filter(() => draw(10) > 0).map((p) => ({ ...p, x: p.x + 0.1, speed: 1 }));
    while (list.length < 300 + (k === 30 ? 2000 : 0)) list.push({ id: ++id, x: draw(100), y: draw(100), speed: 1 });
    last = frameOf(last, 0.1 * (k + 1), list);
    crowd.advance(last);
    const moves = crowd.uniforms.uMoves.value.image.data;
    const dressed = crowd.uniforms.uLooks.value.image.data;
    crowd.uniforms.uMix.value = 1;
    const slots = new Set();
    list.forEach((p, row) => {
      const slot = crowd.slots[row];
      slots.add(slot);
      assert.equal(moves[slot * 16 + 4], Math.fround(p.x));
      assert.equal(dressed[slot * 8 + 4], Math.fround(looks.lookOf(p.id).height));
      assert.equal(dressed[slot * 8], looks.packLook(looks.lookOf(p.id)));
    });
    assert.equal(slots.size, list.length, 'two people in one slot');
  }
  assert.ok(crowd.used < 2700, `${crowd.used} slots for 2300 people`);
});

test('a frame that is carried over with pauses is the frame that is carried over at once; what is drawn changes at the end only', () => {
  const [once, bit] = [new people.Crowd(), new people.Crowd()];
  let last = null;
  let state = 3;
  const draw = (n) => (state = looks.hash(state)) % n;
  let list = [];
  let id = 0;
  for (let k = 0; k < 25; ++k) {
    list = list.filter(() => draw(12) > 0).map((p) => ({ ...p, x: p.x + draw(30) / 100, y: p.y + 0.05, heading: draw(6), speed: draw(2) }));
    while (list.length < (k === 12 ? 14000 : 9000)) list.push({ id: (id += 1 + draw(3)), x: draw(200), y: draw(200), speed: 1 });
    const ids = new Map(last ? Array.from(last.id.subarray(0, last.count), (v, i) => [v, i]) : []);
    const time = k === 9 ? 0.8 : 0.1 * k; // once the same moment again
    const frame = frameOf(null, time, list);
    list.forEach((p, i) => (frame.before[i] = ids.get(p.id) ?? -1));
    for (const crowd of [once, bit]) {
      Object.assign(crowd.viewer, { x: 100, y: 100, z: 3, forward: [1, 0, 0], scale: 900 });
      crowd.origin.set(k > 15 ? 50 : 0, 0, 0);
    }
    once.advance(frame);
    const work = bit.advancing(frame);
    const shown = bit.uniforms.uMoves.value.image.data;
    const drawn = k === 16 ? null : Float32Array.from(shown.subarray(0, 4096)); // 16: the origin has moved, and everybody with it
    const slots = Uint32Array.from(bit.slots.subarray(0, bit.frame.count));
    let pauses = 0;
    let step;
    while (!(step = work.next()).done) {
      ++pauses;
      assert.equal(bit.frame, last ?? bit.frame);
      if (drawn && bit.uniforms.uMoves.value.image.data === shown) assert.deepEqual(shown.subarray(0, 4096), drawn);
      assert.deepEqual(bit.slots.subarray(0, bit.frame.count), slots);
    }
    assert.ok(pauses >= list.length / 4096);
    step.value();
    assert.equal(bit.frame, frame);
    assert.deepEqual(bit.slots.subarray(0, list.length), once.slots.subarray(0, list.length));
    for (const slot of bit.slots.subarray(0, list.length))
      for (let n = 0; n < 16; ++n) assert.equal(bit.current[slot * 16 + n], once.current[slot * 16 + n], `frame ${k}, number ${n} of a slot`);
    for (const crowd of [once, bit]) {
      crowd.arrange();
      if (k % 3 === 0) crowd.survey(k > 12);
    }
    last = frame;
  }
});

test('frames are shown in their order, a part in every picture, acknowledged when they are shown, and all at once when it has to be', () => {
  const frameBytes = (k, n) => {
    // Everybody moves by one step of the box.
    const bytes = new Uint8Array(k === 1 ? 64 + n * 11 : 32 + ((n + 3) >> 2) + 4 * n);
    const view = new DataView(bytes.buffer);
    [k === 1 ? 1 : 2, k].forEach((v, i) => view.setUint32(4 * i, v, true));
    view.setFloat64(8, k / 10, true);
    [n, n].forEach((v, i) => view.setUint32(16 + 4 * i, v, true));
    if (k === 1) {
      [0, 0, 0, 1, 1].forEach((v, i) => view.setFloat64(24 + 8 * i, v, true));
      for (let i = 0; i < n; ++i) bytes[64 + 11 * i] = 1;
    } else {
      view.setUint32(24, n, true);
      bytes.fill(0x55, 32, 32 + (n >> 2));
      if (n & 3) bytes[32 + (n >> 2)] = 0x55 & ((1 << (2 * (n & 3))) - 1);
      for (let i = 0; i < n; ++i) bytes[32 + ((n + 3) >> 2) + 4 * i] = 1;
    }
    return bytes.buffer;
  };
  const shown = [];
  const done = [];
  const wrong = [];
  const slow = function* (frame) {
    for (let i = 0; i < 20; ++i) {
      const until = performance.now() + 1;
      while (performance.now() < until);
      yield;
    }
    shown.push([frame.sequence, frame.count, frame.x[frame.count - 1]]);
  };
  const made = new intake.Intake(slow, (sequence) => done.push(sequence), (why) => wrong.push(why));
  assert.equal(made.picture(), 0);
  made.push(frameBytes(1, 9001));
  made.picture();
  assert.deepEqual(shown, [[1, 9001, 0]], 'the first frame waits for nothing');
  for (let k = 2; k <= 12; ++k) {
    made.push(frameBytes(k, 9001));
    for (let picture = 0; picture < 6; ++picture) made.picture();
  }
  made.push(frameBytes(13, 9001));
  made.picture();
  assert.ok(made.busy, 'all of a frame in one picture');
  made.finish();
  assert.ok(!made.busy);
  assert.deepEqual(shown, Array.from({ length: 13 }, (_, i) => [i + 1, 9001, i]));
  assert.deepEqual(done, shown.map(([sequence]) => sequence));
  // Bytes that are no frame: it says so, and the next connection's frames are read.
  made.push(frameBytes(15, 4));
  made.finish();
  assert.equal(wrong.length, 1);
  made.reset();
  made.push(frameBytes(1, 5));
  made.finish();
  assert.deepEqual(shown.at(-1), [1, 5, 0]);
});
