/** The pages of the site in a real Chromium, dark, light and narrow: accessible, and within their policy. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { launch, openPage, type Site, serveSite } from './site.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const PAGES = ['', 'check', 'rules/claim-id-syntax', 'playground'];
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

test('the search finds a rule by its id, without a request to another site', async () => {
  const { page, faults } = await openPage(browser, site.address(''));
  // The button is there before the script that it needs.
  await page.waitForLoadState('networkidle');
  await page.getByRole('button', { name: 'Search' }).first().click();
  await page.getByRole('searchbox').fill('claim/id-syntax');
  await page.locator('.VPLocalSearchBox .result').first().click();
  await page.waitForURL(/\/rules\/claim-id-syntax/);
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
