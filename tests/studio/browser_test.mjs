// The page in a real browser: browser_test.mjs STUDIO CHROMIUM PROGRAM SOURCE OUTPUT. It opens, is not blank, people move, one
// can be followed, overlays come, a page of another origin gets nothing, and nothing is written to the console. Pictures of it
// stay in OUTPUT; docs/images holds some of them.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { drawn, eventually, figures, headings, lap, launch, newPage, noProblems, output, pictures, scene, start, until, upToDate, withoutShadows } from './page.mjs';

/** How many different colours a picture of the page has, roughly: a blank one has one or two. */
function colours(page) {
  return page.evaluate(() => {
    const canvas = document.querySelector('canvas');
    const small = document.createElement('canvas');
    small.width = 160;
    small.height = 90;
    const context = small.getContext('2d');
    context.drawImage(canvas, 0, 0, 160, 90);
    const { data } = context.getImageData(0, 0, 160, 90);
    const seen = new Set();
    for (let i = 0; i < data.length; i += 4) seen.add((data[i] >> 4) * 256 + (data[i + 1] >> 4) * 16 + (data[i + 2] >> 4));
    return seen.size;
  });
}

async function watchDoors(browser) {
  const { child, address, ended } = await start([scene('doors.json')]);
  try {
    const page = await newPage(browser, 800, 450, { tips: !pictures });
    await page.goto(address);
    const first = await until(page, 'people come', (f) => f.inView === 60 && f.frames > 2);
    assert.ok((await colours(page)) > 12, 'the picture is blank');
    const later = await until(page, 'people move', (f) => f.time > first.time + 0.5);
    assert.ok(Math.hypot(later.first[1] - first.first[1], later.first[2] - first.first[2]) > 0.1, 'somebody stands still');
    assert.deepEqual(await headings(page), ['doors']);
    await withoutShadows(page);
    lap('people move');

    // Pause, step, and on again, by keyboard and by button.
    await page.keyboard.press('Space');
    await page.getByRole('button', { name: 'Play', exact: true }).waitFor();
    const paused = await upToDate(page);
    await page.keyboard.press('.');
    const stepped = await until(page, 'a step', (f) => f.time > paused.time);
    assert.ok(stepped.time < paused.time + 0.6);

    // The whole scene, seen aslant and as a plan: all of it where no panel lies over it.
    for (const key of ['h', 't']) {
      await page.keyboard.press(key);
      const [corners, side, bar] = await page.evaluate(() => [
        [[0, 0], [40, 0], [40, 16], [0, 16]].map(([x, y]) => throng.pageOf(x, y)),
        document.querySelector('.side').getBoundingClientRect().left,
        document.querySelector('.bar').getBoundingClientRect().top,
      ]);
      for (const [x, y] of corners) assert.ok(x > 0 && x < side && y > 0 && y < bar, `${key}: ${x} ${y} of ${side} ${bar}`);
    }

    // A click on somebody says who they are.
    await page.evaluate(() => throng.look([10, -9, 12], [20, 8, 0]));
    const middle = () =>
      page.evaluate(() => {
        for (let row = 0; row < throng.figures().inView; ++row) {
          const at = throng.onPage(row);
          if (at[0] > 60 && at[0] < 540 && at[1] > 110 && at[1] < 340) return at;
        }
        return null;
      });
    // They walk on between being found and being clicked on: on a busy machine a click may miss.
    const card = page.getByText(/^Person \d+$/);
    for (let tries = 0; tries < 30 && !(await card.isVisible()); ++tries) {
      const [x, y] = await eventually('somebody is in the middle of the picture', middle);
      await page.mouse.click(x, y);
      await card.waitFor({ timeout: 4000 }).catch(() => {});
    }
    await card.waitFor({ timeout: 4000 });
    await page.getByRole('region', { name: 'Followed person' }).getByText('throng', { exact: true }).waitFor();
    lap('somebody is followed');
    await page.screenshot({ path: path.join(output, 'studio-follow.png') });
    await page.keyboard.press('Escape');
    // The same by keys alone: somebody, somebody else, and nearer.
    const chosen = [];
    for (let i = 0; i < 2; ++i) {
      await page.keyboard.press('n');
      chosen.push((await until(page, 'somebody is followed by key', (f) => f.followed !== 0 && f.followed !== chosen[0])).followed);
    }
    await page.keyboard.press('Escape');
    const distance = () => page.evaluate(() => throng.camera.position.distanceTo(throng.controls.target));
    const far = await distance();
    await page.keyboard.press('PageUp');
    await eventually('it is nearer', async () => (await distance()) < 0.9 * far);
    await page.keyboard.press('PageDown');

    // Overlays are fetched and drawn; the list of keys opens.
    const calls = (await figures(page)).drawCalls;
    await page.getByRole('checkbox', { name: 'corridor map', exact: true }).check();
    await page.getByRole('checkbox', { name: 'density', exact: true }).check();
    await until(page, 'overlays', (f) => f.drawCalls >= calls + 2);
    // The corridor map follows doors.
    const corners = () =>
      page.evaluate(() => {
        let sum = 0;
        throng.overlays.group.traverse((part) => (sum += part.geometry?.attributes.position?.count ?? 0));
        return sum;
      });
    const open = await corners();
    for (const wanted of [false, true]) {
      await page.evaluate((to) => throng.sendTest({ type: 'door', name: 'south', open: to }), wanted);
      await eventually('the corridor map follows a door', async () => ((await corners()) === open) === wanted);
    }
    await page.keyboard.press('?');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('l');
    assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), 'dark');
    await page.keyboard.press('l');

    lap('overlays and keys');
    await strangers(browser, address);
    lap('strangers');

    // The server ends: the page says so.
    child.kill('SIGINT');
    assert.equal(await ended, 0);
    await page.getByRole('alert').filter({ hasText: 'The studio has ended' }).waitFor();
    await page.close();
  } finally {
    child.kill('SIGKILL');
  }
}

/** A page of another origin, and one without the token. */
async function strangers(browser, address) {
  const port = new URL(address).port;
  const evil = createServer((_, response) => response.setHeader('content-type', 'text/html').end('<!doctype html><p>evil'));
  await new Promise((resolve) => evil.listen(0, '127.0.0.1', resolve));
  const page = await browser.newPage();
  try {
    await page.goto(`http://127.0.0.1:${evil.address().port}/`);
    const got = await page.evaluate(async (there) => {
      const read = await fetch(`http://127.0.0.1:${there}/`).then((r) => r.text()).catch(() => 'nothing');
      const opened = await new Promise((resolve) => {
        const socket = new WebSocket(`ws://127.0.0.1:${there}/stream`);
        socket.onopen = () => resolve('open');
        socket.onerror = () => resolve('refused');
      });
      return [read, opened];
    }, port);
    assert.deepEqual(got, ['nothing', 'refused']);
    await page.goto(`http://127.0.0.1:${port}/#${'0'.repeat(32)}`);
    await page.getByRole('alert').filter({ hasText: /earlier start.*token/ }).waitFor();
    assert.equal((await figures(page)).inView, 0);
  } finally {
    await page.close();
    evil.close();
  }
}

/** A floor of 2 km whose people stand in a corner: it opens whole, with them in the picture, and nothing of it is lost in the ground below. */
async function large(browser) {
  const folder = mkdtempSync(path.join(tmpdir(), 'throng-large-'));
  const file = path.join(folder, 'large.json');
  const square = (low, high) => `POLYGON ((${low} ${low}, ${high} ${low}, ${high} ${high}, ${low} ${high}, ${low} ${low}))`;
  writeFileSync(file, JSON.stringify({ version: 1, layers: [{ walkable: square(0, 2000) }], populations: [{ count: 9, start: { area: square(5, 30) } }], run: { duration: 60 } }));
  const { child, address } = await start([file, '--paused']);
  try {
    const page = await newPage(browser, 640, 400, { tips: false });
    await page.goto(address);
    const seen = (places) =>
      page.evaluate((all) => {
        const canvas = document.querySelector('#app > canvas');
        const copy = document.createElement('canvas');
        [copy.width, copy.height] = [canvas.width, canvas.height];
        const context = copy.getContext('2d', { willReadFrequently: true });
        context.drawImage(canvas, 0, 0);
        return all.map(([x, y]) => {
          const [px, py] = throng.pageOf(x, y);
          const inside = px >= 0 && py >= 0 && px < innerWidth && py < innerHeight;
          return inside ? [...context.getImageData((px / innerWidth) * copy.width, (py / innerHeight) * copy.height, 1, 1).data] : null;
        });
      }, places);
    const corners = [[5, 5], [1995, 5], [1995, 1995], [5, 1995]];
    await eventually('the whole floor', async () => (await figures(page)).frames > 2 && (await seen(corners)).every(Boolean));
    for (const key of ['t', 'h']) {
      await page.keyboard.press(key);
      await drawn(page);
      const places = [0, 1, 2, 3, 4, 5, 6].flatMap((i) => [0, 1, 2, 3, 4, 5, 6].map((k) => [100 + 300 * i, 100 + 300 * k]));
      // The ground is green, through haze too; the floor is grey.
      const green = (await seen(places)).filter((c) => !c || c[1] - c[2] > 10).length;
      assert.equal(green, 0, `${key}: ${green} of ${places.length} places of the floor are not seen`);
    }
    await page.close();
  } finally {
    child.kill('SIGKILL');
    rmSync(folder, { recursive: true });
  }
}

const browser = await launch();
try {
  await watchDoors(browser);
  await large(browser);
} finally {
  await browser.close();
}
noProblems();
lap('the studio works in a browser');
