// Designing in a real browser: design_test.mjs STUDIO CHROMIUM PROGRAM SOURCE OUTPUT. In a small hall: a flow by two clicks, an obstacle
// on people's way, paint, an errand, undo, a door, a mistake that is marked as `check` says it, saving, and the same after opening again. With
// THRONG_PICTURES the pictures of docs/studio.md are made.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { drawn, eventually as until, lap, launch, newPage, noProblems, output, pictures, program, start, upToDate, withoutShadows } from './page.mjs';

const HALL = `{
  "version": 1,
  "name": "hall",
  "layers": [
    {
      "name": "ground",
      "walkable": "POLYGON ((0 0, 30 0, 30 12, 0 12, 0 0))",
      "obstacles": ["POLYGON ((14.50 0, 15.5 0, 15.5 4.5, 14.5 4.5, 14.5 0))", "POLYGON ((14.5 7.5, 15.5 7.5, 15.5 12, 14.5 12, 14.5 7.5))"],
      "doors": [{"name": "gate", "line": [[15, 4.5], [15, 7.5]]}]
    }
  ],
  "profiles": {"adult": {"radius": 0.25, "preferred_speed": 1.30}},
  "populations": [
    {"name": "west", "profile": "adult", "count": 12, "start": {"area": "POLYGON ((1 2, 8 2, 8 10, 1 10, 1 2))"}, "goal": {"point": [28, 6]}, "on_arrival": "go_back"}
  ],
  "run": {"duration": 6e2}
}
`;

const folder = mkdtempSync(path.join(tmpdir(), 'throng-design-'));
const file = path.join(folder, 'hall.json');
writeFileSync(file, HALL);

/** The page, as a hand and an eye meet it. */
class Desk {
  constructor(page) {
    this.page = page;
  }
  async at(x, y) {
    return this.page.evaluate(([a, b]) => throng.pageOf(a, b), [x, y]);
  }
  async click(x, y) {
    await this.page.mouse.click(...(await this.at(x, y)));
  }
  async drag(from, to) {
    await this.page.mouse.move(...(await this.at(...from)));
    await this.page.mouse.down();
    await this.page.mouse.move(...(await this.at((from[0] + to[0]) / 2, (from[1] + to[1]) / 2)));
    await this.page.mouse.move(...(await this.at(...to)));
    await this.page.mouse.up();
  }
  document() {
    return this.page.evaluate(() => JSON.parse(throng.documentText()));
  }
  text() {
    return this.page.evaluate(() => throng.documentText());
  }
  figures() {
    return this.page.evaluate(() => throng.figures());
  }
  people() {
    return this.page.evaluate(() => throng.people());
  }
  async picture(name) {
    if (!pictures) return;
    await this.page.evaluate(() => document.activeElement?.blur());
    await this.page.screenshot({ path: path.join(output, `studio-${name}.png`) });
  }
  running() {
    return until('the change runs', () => this.page.evaluate(() => throng.documentState() === 'running'));
  }
}

/** The whole hall, from the south. */
async function overview(page) {
  await page.evaluate(() => throng.look([15, -8, 24], [15, 5, 0]));
  await drawn(page);
}

async function open(browser, address) {
  const page = await newPage(browser, 900, 560);
  await page.goto(address);
  await until('people come', () => page.evaluate(() => window.throng?.figures().inView > 0));
  await withoutShadows(page);
  await overview(page);
  await page.keyboard.press('e');
  await page.getByRole('navigation', { name: 'Design tools' }).waitFor();
  const desk = new Desk(page);
  await until('the document comes', () => page.evaluate(() => throng.documentText() !== ''));
  return desk;
}

async function design(browser) {
  const { child, address, ended } = await start([file]);
  try {
    const desk = await open(browser, address);
    const { page } = desk;
    assert.equal(await desk.text(), HALL);

    lap('open');
    // A flow: click, click, and it walks.
    const before = (await desk.figures()).total;
    await page.keyboard.press('f');
    await page.getByText('Click where they start.').waitFor();
    await desk.click(3, 10.5);
    await page.getByText('Click where they go.').waitFor();
    await desk.click(12, 1.5);
    await until('people of the flow', async () => (await desk.figures()).total === before + 20);
    assert.deepEqual((await desk.document()).flows, [{ name: 'flow 1', from: 'place 1', to: 'place 2', count: 20, profile: 'adult' }]);
    const places = new Map((await desk.people()).map(([id, x, y]) => [id, [x, y]]));
    await until('they walk', async () => (await desk.people()).filter(([id, x, y]) => id > 12 && Math.hypot(x - places.get(id)?.[0], y - places.get(id)?.[1]) > 0.5).length > 10);
    await desk.picture('design');
    // Its size, while it walks.
    await page.getByRole('spinbutton', { name: 'people', exact: true }).fill('8');
    await page.getByRole('spinbutton', { name: 'people', exact: true }).press('Enter');
    await until('a smaller flow', async () => (await desk.figures()).total === before + 8);
    await page.keyboard.press('Escape');
    for (const total of [before + 20, before]) {
      await page.locator('canvas').first().focus();
      await page.keyboard.press('Control+z');
      await until(`undo to ${total}`, async () => (await desk.figures()).total === total);
    }
    assert.equal(await desk.text(), HALL, 'undo gives the same bytes');

    lap('a flow');
    // An obstacle on their way: nobody is in it from then on, and they come to the other side all the same.
    await page.keyboard.press('o');
    await desk.drag([19, 2.5], [21, 9.5]);
    await until('an obstacle', async () => (await desk.document()).layers[0].obstacles.length === 3);
    await desk.running();
    await page.evaluate(() => throng.sendTest({ type: 'speed', factor: 8 }));
    await until('the page has it', () => page.evaluate(() => throng.message.layers[0].obstacles.length === 3));
    await upToDate(page);
    let around = 0;
    await until('people go round it', async () => {
      for (const [, x, y] of await desk.people()) {
        assert.ok(!(x > 19.1 && x < 20.9 && y > 2.6 && y < 9.4), `somebody is in the obstacle: ${x}, ${y}`);
        if (x > 19.2 && x < 20.8) ++around;
      }
      return around > 4;
    });
    lap('people go round an obstacle');
    // It is moved with the hand, turned by nothing, and gone again with two undos.
    await page.keyboard.press('v');
    await desk.click(20, 6);
    await desk.drag([20, 6], [23, 6]);
    await until('it has moved', async () => (await desk.document()).layers[0].obstacles[2]?.includes('24 '));
    await desk.picture('design-obstacle');
    await page.keyboard.press('Control+z');
    await page.keyboard.press('Control+z');
    await until('undo restores', async () => (await desk.text()) === HALL);
    await desk.running();
    await until('somebody walks where it was', async () => (await desk.people()).some(([, x, y]) => x > 19.3 && x < 20.7 && y > 3 && y < 9));
    await page.keyboard.press('Control+Shift+z');
    await until('redo', async () => (await desk.document()).layers[0].obstacles.length === 3);
    await page.keyboard.press('Control+z');
    await until('undo', async () => (await desk.text()) === HALL);

    lap('an obstacle is moved, undone, done again');
    // A door closes with a double click: nobody passes it any more.
    await page.evaluate(() => throng.sendTest({ type: 'restart' }));
    await page.evaluate(() => throng.sendTest({ type: 'speed', factor: 1 }));
    await page.mouse.dblclick(...(await desk.at(15, 6)));
    await until('the door closes', async () => (await desk.document()).layers[0].doors[0].open === false);
    await page.evaluate(() => throng.sendTest({ type: 'restart' }));
    await page.evaluate(() => throng.sendTest({ type: 'speed', factor: 20 }));
    const closedAt = (await desk.figures()).time;
    await until('time goes on', async () => (await desk.figures()).time > closedAt + 15 || (await desk.figures()).time > 25);
    assert.ok((await desk.people()).every(([, x]) => x < 15), 'somebody has passed a closed door');
    await page.keyboard.press('Control+z');
    await until('the door opens', async () => (await desk.text()) === HALL);
    await until('they pass it', async () => (await desk.people()).some(([, x]) => x > 16));

    lap('a door');
    // A mistake is marked in place, with the words of `throng check`; what ran goes on.
    await page.evaluate(() => throng.sendTest({ type: 'speed', factor: 1 }));
    await page.evaluate(() => throng.sendTest({ type: 'edit', label: 'a goal in the wall', steps: [{ op: 'set', at: '/populations/0/goal/point', value: [40, 6] }] }));
    await until('a draft', () => page.evaluate(() => throng.documentState() === 'draft'));
    const wrong = path.join(folder, 'wrong.json');
    writeFileSync(wrong, await desk.text());
    const said = (() => {
      try {
        execFileSync(program, ['check', wrong], { stdio: ['ignore', 'pipe', 'pipe'] });
        return '';
      } catch (error) {
        assert.equal(error.status, 2);
        return `${error.stdout}${error.stderr}`;
      }
    })();
    const message = await page.locator('.inspector button.finding.error').first().textContent();
    assert.ok(said.includes(message.slice(message.indexOf('error:'))), `${message} is not in ${said}`);
    await page.locator('.sheet .goal.wrong').first().waitFor({ state: 'attached' });
    await page.locator('.inspector button.finding.error').first().click();
    await page.getByLabel('near enough, m').waitFor();
    await desk.picture('design-mistake');
    await page.locator('canvas').first().focus();
    await page.keyboard.press('Control+z');
    await desk.running();

    lap('a mistake');
    // Another steering model by the form, and one of its sliders: everybody goes on, and undo takes both back.
    await page.getByRole('tab', { name: 'People' }).click();
    await page.getByRole('button', { name: /^adult/ }).click();
    await page.getByLabel('steering', { exact: true }).selectOption('social-force');
    await until('another model', async () => (await desk.document()).profiles.adult.steering === 'social-force');
    await desk.running();
    const slider = page.getByRole('slider', { name: /^relaxation time/ });
    await slider.focus();
    await page.keyboard.press('ArrowRight');
    await until('its parameter', async () => (await desk.document()).profiles.adult.steering.relaxation_time > 0);
    await desk.running();
    assert.equal((await desk.figures()).total, before);
    await page.locator('canvas').first().focus();
    await page.keyboard.press('Control+z');
    await page.keyboard.press('Control+z');
    await until('the model of before', async () => (await desk.text()) === HALL);
    await page.getByRole('tab', { name: 'Selection' }).click(); // so that the form does not lie over the hall
    lap('another model');
    // A region with its tool, in the whole hall again, as a click on a mistake looks at it; saved; undone, saved: the file is the
    // one it was.
    await overview(page);
    await page.keyboard.press('g');
    await desk.drag([22, 1], [27, 4]);
    await until('a region', async () => (await desk.document()).layers[0].regions?.length === 1);
    await page.keyboard.press('Control+s');
    await until('it is saved', () => readFileSync(file, 'utf8').includes('"regions"'));
    const saved = readFileSync(file, 'utf8');
    assert.equal(saved, await desk.text());
    assert.ok(saved.includes('14.50 0') && saved.includes('1.30') && saved.includes('6e2'), 'numbers stay as they were written');
    await page.keyboard.press('Control+z');
    await until('undone', async () => (await desk.text()) === HALL);
    await page.keyboard.press('Control+s');
    await until('the same file', () => readFileSync(file, 'utf8') === HALL);

    lap('a region, saved and undone');
    // The same with a brush: two strokes that touch are one region.
    await page.keyboard.press('p');
    for (const [from, to] of [[[22, 2], [27, 2]], [[27, 2.5], [27, 8]]]) {
      const before = await desk.text();
      await desk.drag(from, to);
      await until('paint', async () => (await desk.text()) !== before);
    }
    const { regions } = (await desk.document()).layers[0];
    assert.deepEqual([regions.length, regions[0].type], [1, 'grass']);
    assert.match(regions[0].area, /^POLYGON \(\(/);
    // An errand: an area after the goal that they have.
    await page.getByRole('tab', { name: 'People' }).click();
    await page.locator('.inspector button.link').first().click();
    await page.getByRole('button', { name: 'An area …' }).click();
    await desk.drag([17, 1], [19, 3]);
    await until('two goals', async () => (await desk.document()).populations[0].goals?.length === 2);
    const { goal, goals } = (await desk.document()).populations[0];
    assert.deepEqual([goal, goals[0], typeof goals[1].area], [undefined, { point: [28, 6] }, 'string']);
    await desk.running();
    for (let i = 0; i < 3; ++i) await page.keyboard.press('Control+z');
    await until('no paint, and the errand of before', async () => (await desk.text()) === HALL);
    await page.getByRole('tab', { name: 'Selection' }).click();
    lap('paint and an errand');
    // A region of interest: where a camera stands, and where it looks. Who is far from it has a lower level.
    await page.keyboard.press('c');
    await page.getByText('Click where the camera stands.').waitFor();
    await desk.click(3, 3);
    await page.getByText('Click where it looks.').waitFor();
    await desk.click(8, 3);
    const levels = await until('a camera', async () => (await desk.document()).levels);
    assert.equal(levels.cameras.length, 1);
    assert.ok(Math.abs(levels.cameras[0].position[0] - 3) < 0.2 && levels.cameras[0].direction[0] > 0.95, JSON.stringify(levels));
    await page.getByRole('spinbutton', { name: 'near, m' }).fill('4');
    await page.getByRole('spinbutton', { name: 'near, m' }).press('Enter');
    await until('its distance', async () => (await desk.document()).levels.near_distance === 4);
    await desk.running();
    const seen = new Set();
    await until('people have different levels', async () => {
      for (const state of await page.evaluate(() => [...throng.crowd.frame.state.subarray(0, throng.crowd.frame.count)])) seen.add(state >> 2);
      return seen.size > 1;
    });
    await page.locator('canvas').first().focus();
    await page.keyboard.press('Control+z');
    await page.keyboard.press('Control+z');
    await until('no camera', async () => (await desk.text()) === HALL);
    lap('a camera');
    // Somebody else sees it, and may not change it meanwhile.
    const other = await open(browser, address);
    await other.page.keyboard.press('f');
    await other.page.getByText('Somebody else is changing it.').waitFor();
    await other.page.close();
    child.kill('SIGINT');
    assert.equal(await ended, 0);
    await page.close();
  } finally {
    child.kill('SIGKILL');
  }
}

const browser = await launch();
try {
  await design(browser);
} finally {
  await browser.close();
  rmSync(folder, { recursive: true });
}
noProblems();
lap('designing works in a browser');
