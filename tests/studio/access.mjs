// What the tests of the page in a real browser ask for those who go by keys, and for those who see less than others.
import assert from 'node:assert/strict';

/** Tab comes to everything that can be used now and to nothing else, shows where it is, and nothing lies over that. What is wrong stays so: on a
 * busy machine something may still be on its way to its place. */
export async function everythingByTab(page, what) {
  let wrong = [];
  for (let tries = 0; tries < 4; ++tries) {
    wrong = await wrongByTab(page, what);
    if (wrong.length === 0) return;
    await page.waitForTimeout(1000);
  }
  assert.deepEqual(wrong, [], what);
}

async function wrongByTab(page, what) {
  const count = await page.evaluate(() => {
    const label = (e) => `${e.tagName} ${e.getAttribute('aria-label') ?? e.closest('label')?.textContent ?? e.textContent}`.trim();
    const reachable = document.querySelector('dialog:modal') ?? document;
    const all = [...reachable.querySelectorAll('button, input, select, textarea, [tabindex="0"]')].filter((e) => !e.disabled && e.checkVisibility() && !e.closest('[inert]'));
    const come = (event) => {
      const e = event.target;
      const { left, top, width, height } = e.getBoundingClientRect();
      const above = document.elementFromPoint(left + width / 2, top + height / 2);
      const { outlineStyle, outlineWidth } = getComputedStyle(e);
      const seen = above && (e.contains(above) || above.contains(e));
      window.tabbed.places.set(e, outlineStyle === 'none' || parseFloat(outlineWidth) < 2 ? 'does not show the focus' : seen ? '' : 'is not seen');
    };
    window.tabbed = { all, places: new Map(), label, come };
    document.addEventListener('focusin', come);
    return all.length;
  });
  assert.ok(count > 0, what);
  // Once round, and once out of the page; none waits for what the one before changes in the picture.
  await Promise.all(Array.from({ length: count + 2 }, () => page.keyboard.press('Tab')));
  return page.evaluate(() => {
    const { all, places, label, come } = window.tabbed;
    document.removeEventListener('focusin', come);
    delete window.tabbed;
    return [
      ...all.filter((e) => !places.has(e)).map((e) => `${label(e)} is not reached`),
      ...[...places.keys()].filter((e) => !all.includes(e) && e.scrollHeight <= e.clientHeight).map((e) => `${label(e)} is reached`),
      ...[...places].filter(([, why]) => why).map(([e, why]) => `${label(e)} ${why}`),
    ];
  });
}

/** Text of this part that is hard to read, light or dark: less than 4.5 to 1 (WCAG 2.2, 1.4.3), whatever picture shines through from behind. */
export async function readable(page, part) {
  const wrong = await page.evaluate((selector) => {
    const brush = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
    const rgba = (colour) => {
      brush.clearRect(0, 0, 1, 1);
      brush.fillStyle = colour;
      brush.fillRect(0, 0, 1, 1);
      const [r, g, b, a] = brush.getImageData(0, 0, 1, 1).data;
      return [r, g, b, a / 255];
    };
    const over = ([r, g, b, a], below) => [r, g, b].map((v, i) => a * v + (1 - a) * below[i]);
    const light = (rgb) => {
      const [r, g, b] = rgb.map((v) => (v / 255 <= 0.04045 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4));
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const parts = (e) => (e ? [...parts(e.parentElement), e] : []);
    const contrast = (e, colour, behind) => {
      const ground = parts(e).slice(2).reduce((below, p) => over(rgba(getComputedStyle(p).backgroundColor), below), behind);
      const [a, b] = [light(over(rgba(colour), ground)), light(ground)].sort((x, y) => y - x);
      return (a + 0.05) / (b + 0.05);
    };
    const found = [];
    const theme = document.documentElement.dataset.theme;
    for (const now of ['light', 'dark']) {
      document.documentElement.dataset.theme = now;
      let texts = 0;
      for (const e of document.querySelector(selector).querySelectorAll('*')) {
        const own = [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim());
        if (!e.checkVisibility() || e.matches(':disabled, option') || !(own || e.matches('input, select'))) continue;
        ++texts;
        const colours = [getComputedStyle(e).color, ...(e.placeholder ? [getComputedStyle(e, '::placeholder').color] : [])];
        for (const colour of colours)
          for (const behind of [0, 255]) {
            const ratio = contrast(e, colour, [behind, behind, behind]);
            if (ratio < 4.5) found.push(`${now}, over ${behind}: ${ratio.toFixed(2)} for "${(e.placeholder || e.textContent).slice(0, 40)}"`);
          }
      }
      if (texts < 5) found.push(`${now}: ${texts} texts`);
    }
    document.documentElement.dataset.theme = theme;
    return found;
  }, part);
  assert.deepEqual(wrong, [], part);
}

/** What has the focus, by its name. */
export const focused = (page) => page.evaluate(() => (document.activeElement === document.body ? '' : (document.activeElement.getAttribute('aria-label') ?? document.activeElement.tagName)));
