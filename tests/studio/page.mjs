// What the tests of the page in a real browser share: the studio, the browser, and waiting for what is drawn. Software draws here, and
// its time goes by the pixel: the page is laid out at its full size and drawn with a third of the pixels across and down. With
// THRONG_PICTURES every pixel is drawn, for the pictures of docs/studio.md.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

export const [studio, chromium, program, source, output] = process.argv.slice(2);
const { chromium: engine } = createRequire(path.join(studio, 'package.json'))('playwright-core');

export const pictures = Boolean(process.env.THRONG_PICTURES);
/** Drawn pixels for one of the page, across or down. */
export const ratio = pictures ? 1 : 1 / 3;
export const problems = [];
/** s that anything may take: pictures are drawn by a processor that other tests want, too. Nothing waits so long unless it is broken. */
const PATIENCE = 200;

/** Of studios that are killed, and so leave what they had. */
const temporary = mkdtempSync(path.join(tmpdir(), 'throng-browser-test-'));
process.on('exit', () => rmSync(temporary, { recursive: true, force: true }));

/** `throng studio` with these parameters; ends the test as skipped where the program has no page. */
export async function start(parameters, options = {}) {
  const env = { ...(options.env ?? process.env), TMPDIR: temporary };
  const child = spawn(program, ['studio', ...parameters, '--no-browser', '--threads', '1'], { stdio: ['ignore', 'pipe', 'pipe'], ...options, env });
  const ended = new Promise((resolve) => child.on('exit', resolve));
  let said = '';
  child.stderr.on('data', (data) => (said += data));
  const address = await Promise.race([new Promise((resolve) => child.stdout.once('data', (data) => resolve(String(data).trim()))), ended.then(() => null)]);
  if (!address) {
    if (!said.includes("without the studio's page")) throw new Error(said);
    console.log('skipped: the program was built without the page');
    process.exit(77);
  }
  return { child, address, ended };
}
export const scene = (name) => path.join(source, 'scenes', name);

export const launch = () => engine.launch({ executablePath: chromium, args: ['--enable-unsafe-swiftshader', '--no-sandbox'] });

/** A page whose mistakes are kept in `problems`. */
export async function newPage(browser, width, height, { tips = true } = {}) {
  const viewport = pictures ? { width: 1280, height: 720 } : { width, height };
  const page = await browser.newPage({ viewport, deviceScaleFactor: ratio, acceptDownloads: true });
  page.setDefaultTimeout(PATIENCE * 1000);
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
  if (!tips) await page.addInitScript(() => localStorage.setItem('throng.tips', 'seen'));
  return page;
}

/** None, but for connections that end with the server, which the console tells and which are meant to. */
export const noProblems = () => assert.deepEqual(problems.filter((p) => !/WebSocket|ERR_CONNECTION|Failed to load/.test(p)), []);

const begun = Date.now();
/** For whoever asks where the time goes; ctest shows it when the test fails. */
export const lap = (what) => console.log(`${((Date.now() - begun) / 1000).toFixed(1)} s: ${what}`);

export const figures = (page) => page.evaluate(() => window.throng?.figures());
export async function eventually(what, good, seconds = PATIENCE, why = () => '') {
  const deadline = Date.now() + seconds * 1000;
  for (;;) {
    const found = await good();
    if (found) return found;
    if (Date.now() > deadline) throw new Error(`${what} ${await why()}`);
    await sleep(30);
  }
}
/** The figures, once they are as wanted. */
export function until(page, what, good, seconds = PATIENCE) {
  const now = async () => {
    const f = await figures(page);
    return f && (await good(f)) ? f : null;
  };
  return eventually(what, now, seconds, async () => JSON.stringify(await figures(page)));
}
/** What the server knows now has come to the page, in its frame too: nothing of before is on the way any more. */
export async function upToDate(page) {
  const { told } = await figures(page);
  // Of two more the second was made after the first had come, and so after everything that was asked before.
  const { toldTime } = await until(page, 'news', (f) => f.told >= told + 2);
  return until(page, 'the frame of then', (f) => f.time >= toldTime - 1e-9);
}
/** Another picture has been drawn, which is all it takes: what the page has been told before, a picture shows as a whole. */
export async function drawn(page) {
  const { frames } = await figures(page);
  return until(page, 'a picture', (f) => f.frames > frames);
}
export async function look(page, from, at) {
  await page.evaluate(([a, b]) => throng.look(a, b), [from, at]);
  return drawn(page);
}
/** Shadows are a second drawing of everything. */
export const withoutShadows = (page) => (pictures ? null : page.getByLabel('shadows').evaluate((box) => box.checked && box.click()));

/** The main headings as the browser tells them to a screen reader. There is always one: what the start page covers is not read. */
export async function headings(page) {
  const session = await page.context().newCDPSession(page);
  const { nodes } = await session.send('Accessibility.getFullAXTree');
  await session.detach();
  const main = (node) => node.properties?.some(({ name, value }) => name === 'level' && value.value === 1);
  return nodes.filter((node) => !node.ignored && node.role?.value === 'heading' && main(node)).map((node) => node.name.value);
}
