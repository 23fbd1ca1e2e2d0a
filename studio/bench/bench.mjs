// node studio/bench/bench.mjs [PEOPLE]: script time of the page for so many people in view (100,000), in chromium.
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const here = path.dirname(fileURLToPath(import.meta.url));
const require = createRequire(path.join(here, '../package.json'));
const code = require('esbuild').buildSync({ entryPoints: [path.join(here, 'people.ts')], bundle: true, minify: true, format: 'iife', target: 'es2022', write: false, logLevel: 'error' });
const browser = await require('playwright-core').chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox'] });
try {
  const page = await browser.newPage();
  await page.addScriptTag({ content: code.outputFiles[0].text });
  const people = Number(process.argv[2] ?? 100_000);
  for (let round = 0; round < 3; ++round) console.log(JSON.stringify(await page.evaluate((n) => bench(n), people)));
} finally {
  await browser.close();
}
