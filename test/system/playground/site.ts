/** The built site on loopback, and a page of it in a real Chromium. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
export const CHROMIUM = process.env['CHROMIUM'] ?? PLACES.find((path) => existsSync(path));
export const DIST = 'docs/.vitepress/dist';
const ARGUMENTS = [
  ...['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
  ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
];
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
  '.png': 'image/png',
};

const { homepage } = JSON.parse(readFileSync('package.json', 'utf8'));
const BASE = new URL(homepage).pathname;

export interface Site {
  /** The address of a page, such as `rules/claim-id-syntax`. */
  readonly address: (path: string) => string;
  readonly close: () => Promise<void>;
}

/** Serves the built site as its host does: a page without `.html` in its address. */
export async function serveSite(): Promise<Site> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://localhost');
    const file = pathname.startsWith(BASE) ? fileOf(pathname.slice(BASE.length)) : undefined;
    if (file === undefined)
      return response
        .writeHead(404, { 'content-type': TYPES['.html'] ?? '' })
        .end(readFileSync(join(DIST, '404.html')));
    const headers = { 'content-type': TYPES[extname(file)] ?? '', 'cache-control': 'max-age=600' };
    return response.writeHead(200, headers).end(readFileSync(file));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    address: (path) => `http://127.0.0.1:${port}${BASE}${path}`,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

function fileOf(path: string): string | undefined {
  const file = join(DIST, normalize(`/${decodeURIComponent(path)}`));
  return [file, `${file}.html`, join(file, 'index.html')].find((one) => existsSync(one) && statSync(one).isFile());
}

export function launch(): Promise<Browser> {
  return chromium.launch({ executablePath: CHROMIUM ?? '', args: ARGUMENTS });
}

/** A page with a list of what it must not do: errors, violations of its policy, requests to other origins. */
export interface WatchedPage {
  readonly page: Page;
  readonly faults: string[];
}

export async function openPage(
  browser: Browser,
  address: string,
  options?: BrowserContextOptions,
): Promise<WatchedPage> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('request', (request) => {
    if (new URL(request.url()).origin !== new URL(address).origin && !request.url().startsWith('data:'))
      faults.push(`a request to ${request.url()}`);
  });
  page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
  page.on('pageerror', (error) => faults.push(error.message));
  await page.addInitScript(
    'addEventListener("securitypolicyviolation", (event) => console.error("violates", event.violatedDirective))',
  );
  await page.goto(address);
  return { page, faults };
}
