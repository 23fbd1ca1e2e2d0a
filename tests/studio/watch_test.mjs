// Watching in a real browser: watch_test.mjs STUDIO CHROMIUM PROGRAM SOURCE OUTPUT. The start page opens a scene; charts go on, a
// box of people is told, one walks at eye height; what was recorded becomes a report, and comes back as a recording that is scrubbed;
// two go side by side; a page comes back by itself when the studio does; a stranger gets neither files nor what was made. With
// THRONG_PICTURES the pictures of docs/studio.md are made.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { everythingByTab, focused, readable } from './access.mjs';
import { eventually, figures, headings, lap, launch, newPage, noProblems, output, pictures, program, scene, source, start as studio, until, withoutShadows } from './page.mjs';

const folder = mkdtempSync(path.join(tmpdir(), 'throng-watch-'));
const start = (...parameters) => studio(parameters, { cwd: source, env: { ...process.env, XDG_CACHE_HOME: path.join(folder, 'cache') } });

async function shot(page, name) {
  // The frame around what has the focus is for those who go by keys.
  if (pictures) await page.evaluate(() => document.activeElement?.blur());
  await sleep(pictures ? 1500 : 0);
  await page.screenshot({ path: path.join(output, `${name}.png`) });
}
const press = (page, name) => page.getByRole('button', { name, exact: false }).first().click();
function seek(page, time) {
  return page.getByLabel('Time of the run').evaluate((input, to) => {
    input.value = String(to);
    input.dispatchEvent(new Event('input'));
    input.dispatchEvent(new Event('change'));
  }, time);
}
async function download(page, name) {
  const link = page.getByRole('button', { name });
  await link.waitFor();
  const [file] = await Promise.all([page.waitForEvent('download'), link.click()]);
  const to = path.join(folder, file.suggestedFilename());
  await file.saveAs(to);
  return to;
}

/** Every button and field says what it is, to those who cannot see it, too. */
async function names(page) {
  const without = await page.evaluate(() =>
    [...document.querySelectorAll('button, input, select, canvas:not([aria-hidden]), dialog')]
      .filter((e) => !e.getAttribute('aria-label') && !e.closest('label')?.textContent?.trim() && !e.textContent?.trim())
      .map((e) => e.outerHTML.slice(0, 120)),
  );
  assert.deepEqual(without, []);
}

async function fromTheStartPage(page) {
  await page.getByRole('region', { name: 'What to open' }).waitFor();
  await page.getByRole('button', { name: 'Open doors', exact: true }).waitFor();
  await names(page);
  assert.deepEqual(await headings(page), ['Throng studio']);
  await page.keyboard.press('Tab');
  await page.keyboard.press('e');
  assert.equal((await figures(page)).design, false, 'keys reach what lies behind the start page');
  await everythingByTab(page, 'the start page');
  await readable(page, 'section.start');
  if (pictures) await shot(page, 'studio-start');
  await page.getByRole('searchbox').fill('rooms with two doors');
  assert.equal(await page.locator('.entry').count(), 1);
  await page.getByRole('button', { name: 'Open doors', exact: true }).click();
  await until(page, 'the scene is open', (f) => !f.start && f.inView === 60);
  lap('a scene is open');
  await press(page, 'Got it');
  await names(page);
  assert.deepEqual(await headings(page), ['doors']);
  await withoutShadows(page);

  // The list of keys opens and closes.
  await page.keyboard.press('?');
  const keys = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await keys.waitFor();
  assert.match(await keys.textContent(), /charts.*eyes.*open another scene/s);
  await page.keyboard.press('Escape');

  // Charts go on.
  await page.keyboard.press('g');
  const before = (await figures(page)).charts;
  await until(page, 'charts go on', (f) => f.charts > before + 2);
  assert.match(await page.locator('.charts figure').first().textContent(), /people60/);
  if (pictures) {
    await sleep(6000);
    await shot(page, 'studio-charts');
  }
  await page.keyboard.press('g');
}

/** Without a mouse: everything is reached, dialogs hold the focus and give it back, and it is never lost. */
async function byKeys(page) {
  await everythingByTab(page, 'watching');
  for (const [button, part] of [['Film, report, recording (F)', 'dialog.make'], ['Keyboard shortcuts', 'dialog[aria-label="Keyboard shortcuts"]'], ['Open another scene or recording (O)', 'section.start']]) {
    await page.getByRole('button', { name: button }).focus();
    await page.keyboard.press('Enter');
    await page.locator(part).waitFor();
    if (part.startsWith('dialog')) await everythingByTab(page, part);
    if (part.startsWith('dialog')) await readable(page, part);
    await page.keyboard.press('Escape');
    await page.locator(part).waitFor({ state: 'hidden' });
    assert.equal(await focused(page), button);
  }
  // What is told anew some times a second keeps the focus; what goes away leaves it to the picture.
  await page.keyboard.press('n');
  const letGo = page.getByRole('button', { name: 'Follow nobody' });
  await letGo.focus();
  const speed = page.locator('.person dl');
  const before = await speed.textContent();
  await eventually('their card changes', async () => (await speed.textContent()) !== before);
  assert.equal(await focused(page), 'Follow nobody');
  await page.keyboard.press('Enter');
  await eventually('the picture has the focus', async () => (await focused(page)).startsWith('The scene'));
  // The tools of the designer, and back.
  await page.getByRole('button', { name: 'Design this scene' }).focus();
  await page.keyboard.press('Enter');
  await eventually('the first tool has the focus', async () => (await focused(page)).startsWith('Select'));
  await everythingByTab(page, 'designing');
  await page.getByRole('button', { name: 'Back to watching (E)' }).focus();
  await page.keyboard.press('Enter');
  await eventually('back where the tools were opened', async () => (await focused(page)) === 'Design this scene');
  await page.locator('#app > canvas').focus();
}

async function lookAround(page) {
  await page.keyboard.press('b');
  const { width, height } = page.viewportSize();
  await page.mouse.move(width * 0.3, height * 0.3);
  await page.mouse.down();
  await page.mouse.move(width * 0.62, height * 0.72, { steps: 3 });
  await page.mouse.up();
  await page.getByRole('heading', { name: /[1-9]\d* people in the box/ }).waitFor();
  await page.keyboard.press('Escape');
  // At eye height: forwards, as long as the key is down, and not through walls for ever.
  await page.keyboard.press('w');
  const begin = await until(page, 'somebody stands there', (f) => f.walking === 'walk' && f.at[0] !== 0);
  await page.keyboard.down('w');
  await until(page, 'somebody walks', (f) => Math.hypot(f.at[0] - begin.at[0], f.at[1] - begin.at[1]) > 0.5);
  if (pictures) await shot(page, 'studio-walk');
  await page.keyboard.up('w');
  await page.keyboard.press('Escape');
  assert.equal((await figures(page)).walking, 'off');
}

/** Records a while; the report, and the recording itself, which is then dropped into the page. */
async function takeAway(page) {
  await page.keyboard.press('f');
  await press(page, 'Record what happens from now on');
  await page.getByText(/Recording: (0:0[2-9]|0:[1-5]|[1-9])/).waitFor();
  lap('recorded');
  await press(page, 'Make a report');
  await press(page, 'Save the recording');
  const report = readFileSync(await download(page, /Download doors.html/), 'utf8');
  assert.match(report, /<svg/);
  assert.match(report, /data:image\/png;base64,/);
  assert.match(report, /line south door/);
  const recording = await download(page, /Download doors.sqlite/);
  lap('report and recording');
  const dialog = page.getByRole('dialog', { name: 'Film, report, recording' });
  await dialog.getByLabel('width').selectOption('854');
  await dialog.getByLabel('speed').selectOption('10');
  await press(page, 'Make a film');
  const film = readFileSync(await download(page, /Download doors.mp4/));
  assert.equal(film.subarray(4, 8).toString(), 'ftyp');
  await dialog.getByRole('button', { name: 'Close' }).click();
  return recording;
}

async function scrub(page, recording) {
  await page.keyboard.press('o');
  await page.getByLabel('A file to open').setInputFiles(recording);
  const range = page.getByLabel('Time of the run');
  await until(page, 'the recording is open', async (f) => !f.start && !(await range.isDisabled()));
  if ((await page.getByRole('button', { name: 'Pause', exact: true }).count()) > 0) await page.keyboard.press('Space');
  const [from, to] = await range.evaluate((input) => [Number(input.min), Number(input.max)]);
  assert.ok(to > from + 1.5, `${from} to ${to}`);
  await page.getByRole('button', { name: 'Design', exact: false }).waitFor({ state: 'hidden' }); // what has happened cannot be changed
  const places = [];
  for (const time of [from + 1, to, from + 0.5, from + 1]) {
    await seek(page, time);
    const now = await until(page, `goes to ${time}`, (f) => Math.abs(f.time - time) < 0.01);
    places.push(now.first.join(' '));
  }
  assert.equal(places[3], places[0]); // the same moment again
  assert.notEqual(places[1], places[0]);
  if (pictures) await shot(page, 'studio-recording');
}

const SQUARE = [[0, 0], [20, 0], [20, 10], [0, 10], [0, 0]];
const [GLTF, GLTF_DATA] = (() => {
  const bytes = Buffer.alloc(60);
  [0, 0, 0, 20, 0, 0, 20, 0, -10, 0, 0, -10].forEach((v, i) => bytes.writeFloatLE(v, 4 * i));
  [0, 1, 2, 0, 2, 3].forEach((v, i) => bytes.writeUInt16LE(v, 48 + 2 * i));
  const model = JSON.stringify({
    asset: { version: '2.0' }, scene: 0, scenes: [{ nodes: [0] }], nodes: [{ mesh: 0 }], meshes: [{ primitives: [{ attributes: { POSITION: 0 }, indices: 1 }] }],
    buffers: [{ byteLength: 60, uri: 'hall.bin' }],
    bufferViews: [{ buffer: 0, byteOffset: 0, byteLength: 48 }, { buffer: 0, byteOffset: 48, byteLength: 12 }],
    accessors: [{ bufferView: 0, componentType: 5126, count: 4, type: 'VEC3', min: [0, 0, -10], max: [20, 0, 0] }, { bufferView: 1, componentType: 5123, count: 6, type: 'SCALAR' }],
  });
  return [model, bytes.toString('latin1')];
})();
/** What can be dropped into the page, each of them ground of 20 m by 10 m. */
const DROPS = {
  'a plan.wkt': `POLYGON ((${SQUARE.map((p) => p.join(' ')).join(', ')}))`,
  'map.geojson': JSON.stringify({ type: 'Feature', properties: {}, geometry: { type: 'Polygon', coordinates: [SQUARE] } }),
  'room.obj': 'v 0 0 0\nv 20 0 0\nv 20 0 -10\nv 0 0 -10\nf 1 2 3\nf 1 3 4\n',
  'hall.gltf': GLTF,
};

/** Plans and models are dropped into the page, and a scene is begun from nothing, whose copy stays. */
async function fromFiles(page) {
  for (const [name, text] of Object.entries(DROPS)) {
    await page.evaluate(
      ([file, content, data]) => {
        const dataTransfer = new DataTransfer();
        // With what models name beside them: materials, and data without which a glTF is nothing.
        dataTransfer.items.add(new File(['newmtl a'], 'materials.mtl'));
        dataTransfer.items.add(new File([Uint8Array.from(data, (c) => c.charCodeAt(0))], 'hall.bin'));
        dataTransfer.items.add(new File([content], file));
        window.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
      },
      [name, text, GLTF_DATA],
    );
    await page.getByRole('heading', { name: path.parse(name).name, exact: true, level: 1 }).waitFor();
    const size = await eventually(`${name} is shown`, () => page.evaluate(() => throng.figures().drawCalls > 1 && throng.extent.max.clone().sub(throng.extent.min).toArray().map(Math.round)));
    assert.deepEqual(size.slice(0, 2), [20, 10], name);
  }
  lap('plans and models are dropped');
  await page.keyboard.press('o');
  page.once('dialog', (dialog) => dialog.accept('12 m x 7'));
  await page.getByRole('button', { name: /^New scene/ }).first().click();
  await until(page, 'a new scene, and the tools', (f) => !f.start && f.design);
  await eventually('its document', () => page.evaluate(() => throng.documentText().includes('12 7')));
  await page.locator('#app > canvas').focus();
  const [file] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Control+s')]);
  const to = path.join(folder, 'begun.json');
  await file.saveAs(to);
  assert.equal(file.suggestedFilename(), 'new scene.json');
  assert.equal(readFileSync(to, 'utf8'), await page.evaluate(() => throng.documentText()));
  await page.keyboard.press('e');
}

/** A page of another origin can neither send a file nor fetch what was made. */
async function strangers(browser, address) {
  const there = new URL(address).origin;
  const page = await browser.newPage();
  await page.goto('data:text/html,<p>evil');
  const got = await page.evaluate(async (origin) => {
    const tries = [
      [`${origin}/files/a.json`, { method: 'PUT', body: '{}' }],
      [`${origin}/files/a.json`, { method: 'PUT', body: '{}', mode: 'no-cors' }],
      [`${origin}/made/1`, { headers: { 'X-Throng-Token': 'x' } }],
      [`${origin}/made/1`, {}],
    ];
    return Promise.all(tries.map(([url, what]) => fetch(url, what).then((r) => r.text()).catch(() => 'nothing')));
  }, there);
  assert.deepEqual(got, ['nothing', 'nothing', 'nothing', 'nothing']);
  await page.close();
}

/** For the documentation: the same scene by two seeds, and where they differ. */
async function comparison(browser) {
  const runs = [1, 2].map((seed) => {
    const file = path.join(folder, `crossing-${seed}.sqlite`);
    execFileSync(program, ['run', scene('crossing.json'), '--seed', String(seed), '--duration', '60', '-o', file]);
    return file;
  });
  const { child, address } = await start(...runs, '--paused');
  children.push(child);
  const page = await newPage(browser, 1280, 720, { tips: false });
  await page.goto(address);
  await until(page, 'two runs', (f) => f.comparing && f.inView > 0 && f.second > 0);
  await page.keyboard.press('y');
  await page.evaluate(() => {
    const { x, y } = throng.extent.min.clone().add(throng.extent.max).divideScalar(2);
    throng.look([x - 6, y - 34, 30], [x, y - 1, 0]);
  });
  await seek(page, 20);
  await until(page, 'both go there', (f) => Math.abs(f.time - 20) < 0.2);
  await sleep(7000); // until what it says about the colours is gone
  await shot(page, 'studio-compare');
  await page.close();
}

const browser = await launch();
const children = [];
try {
  const page = await newPage(browser, 800, 450);
  const first = await start('--keep-address');
  children.push(first.child);
  await page.goto(first.address);
  await fromTheStartPage(page);
  lap('fromTheStartPage');
  await byKeys(page);
  lap('byKeys');
  await lookAround(page);
  lap('lookAround');
  const recording = await takeAway(page);
  lap('takeAway');
  await strangers(browser, first.address);
  lap('strangers');
  await fromFiles(page);
  lap('fromFiles');
  await scrub(page, recording);
  lap('scrub');

  // The studio ends and comes back, now with two runs; the page that is open finds it by itself.
  first.child.kill('SIGINT');
  assert.equal(await first.ended, 0);
  await page.getByRole('alert').filter({ hasText: 'comes back by itself' }).waitFor();
  lap('the studio has ended');
  const again = await start('--keep-address', recording, recording, '--paused');
  children.push(again.child);
  assert.equal(again.address, first.address);
  await until(page, 'two runs side by side', (f) => f.comparing && f.inView === 60 && f.second === 60);
  assert.equal(await page.getByRole('alert').isHidden(), true);
  await page.getByText(/60 people are 0.00 m apart/).waitFor();
  lap('it is back, with two runs');
  await page.keyboard.press('y');
  await seek(page, await page.getByLabel('Time of the run').evaluate((input) => Number(input.max)));
  await until(page, 'both go there', (f) => f.second === 60 && f.time > 1);
  lap('compared');
  if (pictures) await comparison(browser);
} finally {
  for (const child of children) child.kill('SIGKILL');
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
}
noProblems();
lap('watching works in a browser');
