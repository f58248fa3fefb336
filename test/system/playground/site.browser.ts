/** The pages of the site in a real Chromium, dark, light and narrow: accessible, and within their policy. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { launch, openPage, type Site, serveSite } from './site.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const PAGES = ['', 'how-to/change-the-configuration', 'rules/claim-id-syntax', 'playground'];
const LOOKS = {
  light: { colorScheme: 'light', viewport: { width: 1280, height: 900 } },
  dark: { colorScheme: 'dark', viewport: { width: 1280, height: 900 } },
  narrow: { colorScheme: 'light', viewport: { width: 390, height: 844 } },
} as const;

let browser: Browser;
let site: Site;
beforeAll(async () => {
  [browser, site] = await Promise.all([launch(), serveSite()]);
});
afterAll(async () => {
  await browser?.close();
  await site?.close();
});

interface AxeResults {
  readonly violations: readonly { id: string; nodes: readonly { target: readonly string[] }[] }[];
}

describe.each(Object.entries(LOOKS))('%s', (look, options) => {
  test.each(PAGES)('axe finds nothing on /%s, and the page keeps to its policy', async (path) => {
    const { page, faults } = await openPage(browser, site.address(path), options);
    if (path === 'playground') await page.locator('[data-part=clusters] .outcome').waitFor();
    // Playwright evaluates through the debugger, which the policy of the page does not concern.
    await page.evaluate(axe);
    const { violations } = (await page.evaluate('axe.run()')) as AxeResults;
    expect(violations.map(({ id, nodes }) => [id, nodes.map(({ target }) => target.join(' '))])).toEqual([]);
    const isTooWide = 'document.documentElement.scrollWidth > document.documentElement.clientWidth';
    expect(look === 'narrow' && (await page.evaluate(isTooWide))).toBe(false);
    expect(faults).toEqual([]);
    const folder = process.env['SCREENSHOTS'];
    if (folder) await page.screenshot({ path: `${folder}/${path.replace('/', '-') || 'home'}-${look}.png` });
    await page.context().close();
  });
});

/** Elements of the page's frame whose text or picture is cut off, by what they show. Evaluated in the page. */
const CUT_OFF = `(() => {
  const isVisible = (one) => one.checkVisibility() && one.getBoundingClientRect().width > 0;
  const frame = [...document.querySelectorAll('.VPNav a, .VPNav button, .VPSidebar .text, .VPHero a, .VPHero img, h1')].filter(isVisible);
  return frame
    .filter((one) => {
      const { left, right } = one.getBoundingClientRect();
      // On narrow screens the sidebar waits outside until it is opened.
      if (right <= 0) return false;
      return left < 0 || right > document.documentElement.clientWidth || one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).display !== 'inline';
    })
    .map((one) => one.textContent.trim() || one.getAttribute('aria-label') || one.tagName);
})()`;

const WIDTHS = [360, 390, 768, 960, 1280, 1440, 1536, 1920, 2560];
/** The least of the widths with each layout. */
const LEAST_WIDTHS = [360, 768, 960, 1280, 1440];

test.each(['', 'check', 'rules/', 'playground'])(
  '/%s shows all of its frame in every width, and does not scroll sideways',
  async (path) => {
    const { page, faults } = await openPage(browser, site.address(path));
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      // Loaded anew, as by who opens it with that layout.
      if (LEAST_WIDTHS.includes(width)) await page.reload();
      const beyond = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
      const found = { width, cutOff: await page.evaluate(CUT_OFF), beyond: await page.evaluate(beyond) };
      expect(found).toEqual({ width, cutOff: [], beyond: 0 });
    }
    expect(faults).toEqual([]);
    await page.context().close();
  },
);

test('the home page shows the terminal beside the headline on a desktop', async () => {
  const { page } = await openPage(browser, site.address(''), { viewport: { width: 1440, height: 900 } });
  const headline = await page.locator('.VPHero h1').boundingBox();
  const terminal = await page.locator('.VPHero img').boundingBox();
  expect(terminal?.width).toBeGreaterThan(400);
  expect(terminal?.x).toBeGreaterThanOrEqual((headline?.x ?? 0) + (headline?.width ?? Infinity));
  expect(terminal?.y).toBeLessThan(600);
  await page.context().close();
});

test('an address without a page shows the page for that, with a way back', async () => {
  const { page } = await openPage(browser, site.address('no-such-page'));
  await page.getByText('PAGE NOT FOUND').waitFor();
  expect(await page.getByRole('link', { name: /home/i }).first().getAttribute('href')).toBe(
    new URL(site.address('')).pathname,
  );
  await page.context().close();
});

test.each([
  ['claim/id-syntax', /\/rules\/claim-id-syntax/],
  ['disable a rule', /\/configuration/],
  ['OCM', /\/integrations\/ocm/],
])('the search for %s leads to its page first, without a request to another site', async (words, address) => {
  const { page, faults } = await openPage(browser, site.address(''));
  // The button is there before the script that it needs.
  await page.waitForLoadState('networkidle');
  await page.getByRole('button', { name: 'Search' }).first().click();
  await page.getByRole('searchbox').fill(words);
  await page.locator('.VPLocalSearchBox .result').first().click();
  await page.waitForURL(address);
  expect(faults).toEqual([]);
  await page.context().close();
});

test('every page begins with a policy without unsafe scripts', async () => {
  const { page } = await openPage(browser, site.address('playground'));
  const policy = await page.locator('meta[http-equiv="Content-Security-Policy"]').getAttribute('content');
  expect(policy).toContain("default-src 'none'");
  expect(/script-src ([^;]*)/.exec(policy ?? '')?.[1]).toMatch(/^'self'( 'sha256-[\w+/]+=*')+$/);
  // An inline script that is not part of the page as built is refused.
  const run = await page.evaluate(`(() => {
    const script = document.createElement('script');
    script.textContent = 'globalThis.wasRun = true';
    document.head.append(script);
    return globalThis.wasRun === true;
  })()`);
  expect(run).toBe(false);
  await page.context().close();
});
