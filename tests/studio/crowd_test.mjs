// People and the world around them in a real browser: crowd_test.mjs STUDIO CHROMIUM PROGRAM SOURCE OUTPUT. All three
// representations are drawn and look alike, floors are hidden and cut, evening is darker, what a walker sees is shown live. With
// THRONG_PICTURES it takes the pictures of docs/studio.md instead.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { drawn, eventually, figures, lap, launch, look, newPage, noProblems, output, pictures, ratio, scene, start, until } from './page.mjs';

/** Squares of pictures that were looked at. THRONG_REFERENCES=1 takes them anew. */
const references = path.join(path.dirname(fileURLToPath(import.meta.url)), 'references');

/** The picture, made smaller: mean red, green and blue of 40 × 24 squares. */
function squares(page) {
  return page.evaluate(() => {
    const small = document.createElement('canvas');
    [small.width, small.height] = [40, 24];
    const context = small.getContext('2d');
    context.imageSmoothingQuality = 'high';
    context.drawImage(document.querySelector('#app > canvas'), 0, 0, 40, 24);
    return [...context.getImageData(0, 0, 40, 24).data].filter((_, i) => i % 4 < 3);
  });
}
const apart = (a, b) => a.reduce((sum, v, i) => sum + Math.abs(v - b[i]), 0) / a.length;
const mean = (a, k) => a.reduce((sum, v, i) => sum + (i % 3 === k ? v : 0), 0) / (a.length / 3);

async function open(browser, name) {
  const { child, address } = await start([scene(name)]);
  const page = await newPage(browser, 640, 405, { tips: false });
  await page.goto(address);
  await until(page, 'people come', (f) => f.inView > 0 && f.frames > 2);
  lap(`${name} is open`);
  return { page, child };
}

async function doors(browser) {
  const { page, child } = await open(browser, 'doors.json');
  try {
    await until(page, 'people walk', (f) => f.time > 3);
    await page.keyboard.press('Space');
    await page.getByRole('button', { name: 'Play', exact: true }).waitFor();
    await page.evaluate(() => throng.freeze());

    // The same moment with each of the three: who is drawn as what changes, what one sees hardly does.
    const setQuality = (quality) => page.evaluate((q) => throng.setQuality(q), quality / ratio);
    await setQuality(1);
    const near = await look(page, [8, -6, 7], [17, 8, 0]);
    assert.ok(near.shownAs[0] + near.shownAs[1] > 20, JSON.stringify(near.shownAs));
    const seen = [];
    for (const quality of [8, 1.3, 0.01]) {
      await setQuality(quality);
      const now = await drawn(page);
      seen.push({ shown: now.shownAs, triangles: now.triangles, picture: await squares(page) });
    }
    const empty = await page.evaluate(() => {
      throng.crowd.group.visible = false;
    }).then(() => drawn(page)).then(() => squares(page));
    await page.evaluate(() => (throng.crowd.group.visible = true));
    assert.ok(seen[0].shown[0] > 20 && seen[1].shown[1] > 20, JSON.stringify(seen.map((s) => s.shown)));
    assert.deepEqual(seen[2].shown, [0, 0, 60]);
    assert.ok(seen[2].triangles < seen[1].triangles && seen[1].triangles < seen[0].triangles);
    const people = apart(seen[0].picture, empty);
    assert.ok(people > 2, `people change the picture by ${people}`);
    for (const k of [1, 2]) {
      const change = apart(seen[k - 1].picture, seen[k].picture);
      console.log(`from representation ${k - 1} to ${k} the picture changes by ${change.toFixed(2)} of 255, people by ${people.toFixed(2)}`);
      assert.ok(change < 0.45 * people, `a change from ${k - 1} to ${k} shows: ${change} of ${people}`);
    }
    lap('all three ways of drawing');

    // From here on few are figures: those are what software takes longest for.
    await setQuality(0.5);
    // Evening is darker and redder than noon; at night one still sees something.
    const day = {};
    for (const hour of [13, 19.5, 21]) {
      await page.evaluate((h) => throng.setHour(h), hour);
      await drawn(page);
      day[hour] = await squares(page);
    }
    assert.ok(mean(day[13], 1) > mean(day[19.5], 1) && mean(day[19.5], 1) > mean(day[21], 1));
    assert.ok(mean(day[19.5], 0) / mean(day[19.5], 2) > mean(day[13], 0) / mean(day[13], 2));
    assert.ok(mean(day[21], 1) > 8);
    await page.evaluate(() => throng.setHour(14.5));

    lap('the day');
    // What somebody sees, live.
    await page.keyboard.press('Space');
    await page.getByLabel('what they see').check();
    await page.evaluate(() => throng.follow(throng.people()[0][0]));
    const canvas = page.locator('.sight canvas[data-time]');
    await canvas.waitFor();
    const first = await canvas.getAttribute('data-time');
    await page.waitForFunction((t) => document.querySelector('.sight canvas').dataset.time !== t, first);
    const shades = await canvas.evaluate((c) => new Set(new Uint32Array(c.getContext('2d').getImageData(0, 0, c.width, c.height).data.buffer)).size);
    assert.ok(shades > 2, `their picture has ${shades} colours`);
    await page.getByLabel('what they see').uncheck();
    await page.locator('.sight').waitFor({ state: 'hidden' });

    lap('what they see');
    // Overlays and colours.
    for (const name of ['gates', 'speed map']) await page.getByLabel(name, { exact: true }).check();
    for (const colour of ['speed', 'level of simulation', 'level of service', 'population', 'clothes']) {
      await page.getByLabel('Colour of people').selectOption({ label: colour });
      await drawn(page);
    }
    await page.locator('[data-overlay=gates] .legend span').first().waitFor();
    await setQuality(1);
    const all = await drawn(page);
    lap('overlays and colours');
    assert.ok(all.drawCalls <= 60, `${all.drawCalls} draw calls`);
    await page.close();
  } finally {
    child.kill('SIGKILL');
  }
}

/** Thirty people who walk in a ring, as another program would have recorded them: what is drawn of them depends on no model of ours. */
function ring() {
  const rows = ['# framerate: 10', '# id frame x y z'];
  for (let frame = 0; frame <= 40; ++frame)
    for (let id = 1; id <= 30; ++id) {
      const angle = id * 0.21 + frame * (id % 2 ? 0.02 : -0.02);
      rows.push(`${id} ${frame} ${((4 + (id % 3)) * Math.cos(angle)).toFixed(4)} ${((4 + (id % 3)) * Math.sin(angle)).toFixed(4)} 0`);
    }
  return `${rows.join('\n')}\n`;
}

/** A moment drawn as it was when the reference was taken: no square of the picture far off, all of them near on average. */
async function asBefore(browser, name, file, time, from, at) {
  const { child, address } = await start([file, '--paused']);
  const page = await newPage(browser, 640, 360, { tips: false });
  try {
    await page.goto(address);
    await until(page, 'people come', (f) => f.inView > 0);
    if (time > 0) await page.evaluate((t) => throng.sendTest({ type: 'seek', time: t }), time);
    await until(page, `${time} s`, (f) => Math.abs(f.time - time) < 1e-6);
    await page.evaluate((quality) => (throng.freeze(), throng.setQuality(quality), throng.setHour(14.5)), 1 / ratio);
    await eventually('people are where the last step has put them', () => page.evaluate(() => throng.crowd.uniforms.uMix.value > 0.999));
    await look(page, from, at);
    await drawn(page);
    const now = await squares(page);
    const reference = path.join(references, `${name}.json`);
    if (process.env.THRONG_REFERENCES) writeFileSync(reference, `${JSON.stringify(now)}\n`);
    const before = JSON.parse(readFileSync(reference, 'utf8'));
    assert.equal(now.length, before.length);
    const off = now.map((v, i) => Math.abs(v - before[i])).sort((a, b) => a - b);
    const [mean, most] = [off.reduce((a, b) => a + b) / off.length, off[Math.floor(0.99 * off.length)]];
    console.log(`${name}: ${mean.toFixed(2)} of 255 from the reference on average, ${most} at most for 99 %`);
    assert.ok(mean < 2.5 && most < 24, `${name} looks different: ${mean}, ${most}`);
    await page.close();
  } finally {
    child.kill('SIGKILL');
  }
}

/** 35,000 people in a town with shadows: what the graphics card is asked for, in the whole and in the street. */
async function budget(browser) {
  const { child, address } = await start([scene('city.json'), '--paused']);
  const page = await newPage(browser, 320, 180, { tips: false });
  try {
    await page.goto(address);
    await until(page, 'the city comes', (f) => f.total === 35000 && f.inView > 0 && f.frames > 1);
    await page.evaluate(() => throng.panels.flip('density'));
    const middle = await page.evaluate(() => {
      throng.look([0, 0, 900], [315, 215, 0]);
      // As tall in pixels as on a page of 1080 rows.
      throng.setQuality(1080 / document.querySelector('#app > canvas').height);
      const people = throng.people();
      return people[people.length >> 1].slice(1);
    });
    const whole = await drawn(page);
    const street = await look(page, [middle[0] - 12, middle[1], 4], [middle[0], middle[1], 1]);
    for (const [name, f] of Object.entries({ whole, street })) {
      console.log(`${name}: ${f.inView} people as ${f.shownAs}, ${f.drawCalls} draw calls, ${f.triangles} triangles`);
      assert.ok(f.drawCalls <= 60 && f.triangles <= 3_000_000, `${name}: ${f.drawCalls} draw calls, ${f.triangles} triangles`);
    }
    assert.ok(street.shownAs[0] > 0 && street.shownAs[1] > 0, `nobody is near: ${street.shownAs}`);
    await page.close();
  } finally {
    child.kill('SIGKILL');
  }
}

async function floors(browser) {
  const { page, child } = await open(browser, 'two-floors.json');
  try {
    const whole = await until(page, 'people on both floors', (f) => f.time > 2);
    const drawnPeople = (f) => f.shownAs.reduce((a, b) => a + b, 0);
    assert.equal(drawnPeople(whole), whole.inView);
    const lists = page.locator('.floors select');
    const count = await lists.count();
    assert.ok(count >= 2);
    const before = await squares(page);
    await lists.nth(count - 1).selectOption('cut');
    await drawn(page);
    await lists.nth(count - 1).selectOption('hidden');
    const hidden = await drawn(page);
    assert.ok(apart(before, await squares(page)) > 0.5, 'hiding a floor changes nothing');
    assert.ok(drawnPeople(hidden) < hidden.inView, 'people stand on a floor that is hidden');
    await page.close();
  } finally {
    child.kill('SIGKILL');
  }
}

async function evening(browser) {
  const { page, child } = await open(browser, 'doors.json');
  try {
    await page.getByLabel('Hour of the day').fill('19.25');
    await until(page, 'people meet', (f) => f.time > 9);
    await look(page, [8, 0, 2.2], [17, 8, 1.2]);
    await page.screenshot({ path: path.join(output, 'studio-evening.png'), timeout: 120_000 });
    await page.close();
  } finally {
    child.kill('SIGKILL');
  }
}

async function documentation(browser) {
  const { page, child } = await open(browser, 'city.json');
  const shot = async (name) => {
    await drawn(page);
    await sleep(1500);
    await page.screenshot({ path: path.join(output, `${name}.png`), timeout: 120_000 });
    console.log(name, JSON.stringify(await figures(page)));
  };
  try {
    await until(page, 'the city walks', (f) => f.time > 8, 300);
    await shot('studio-city');
    // Where people are close together, from where somebody else stands, over their heads.
    const [from, at] = await page.evaluate(() => {
      const people = throng.people();
      const around = (p, r) => people.reduce((n, q) => n + (Math.hypot(p[1] - q[1], p[2] - q[2]) < r ? 1 : 0), 0);
      const some = people.filter((_, i) => i % 97 === 0);
      const p = some.reduce((best, q) => (around(q, 10) > around(best, 10) ? q : best));
      const away = people.filter((q) => Math.hypot(p[1] - q[1], p[2] - q[2]) > 12 && Math.hypot(p[1] - q[1], p[2] - q[2]) < 16);
      const height = (q) => throng.heightAt(q[0]);
      const level = away.filter((q) => Math.abs(height(q) - height(p)) < 0.6);
      const q = level.reduce((best, r) => (around(r, 6) > around(best, 6) ? r : best));
      return [[q[1], q[2], height(q) + 2.4], [p[1], p[2], height(p) + 1.1]];
    });
    await look(page, from, at);
    await shot('studio-street');
    await page.close();
  } finally {
    child.kill('SIGKILL');
  }
}

const browser = await launch();
try {
  if (pictures) {
    await evening(browser);
    await documentation(browser);
  } else {
    await doors(browser);
    await floors(browser);
    const recording = path.join(output, 'ring.txt');
    writeFileSync(recording, ring());
    await asBefore(browser, 'ring', recording, 2, [-3, -9, 4], [0, 0, 0.5]);
    await asBefore(browser, 'two-floors', scene('two-floors.json'), 0, [-6, -12, 14], [8, 6, 2]);
    lap('pictures are as before');
    await budget(browser);
  }
} finally {
  await browser.close();
}
noProblems();
lap('people and the world look as they should');
