/**
 * The built site: no dead link, image or anchor; every page in the sidebar and in the search; the reference is
 * complete.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import type { DefaultTheme } from 'vitepress';
import { sidebar } from '../../../docs/.vitepress/sidebar.ts';
import { createProgram } from '../../../src/cli/program.ts';
import { configurationSchema } from '../../../src/config/schema.ts';
import { ruleIds } from '../../../src/rules/index.ts';
import type { Schema } from '../../../src/schema/schema.ts';

const SITE = 'docs/.vitepress/dist';
const { homepage, repository } = JSON.parse(readFileSync('package.json', 'utf8'));
const base = new URL(homepage).pathname;
const source = `${repository.url.replace(/^git\+|\.git$/g, '')}/blob/main/`;

if (!existsSync(join(SITE, 'index.html'))) throw new Error('there is no built site: npm run docs:build');
const files = readdirSync(SITE, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.html'));
const pages = new Map(files.map((file) => [addressOf(file), readFileSync(join(SITE, file), 'utf8')]));
const ids = new Map([...pages].map(([address, html]) => [address, new Set(attributes(html, 'id'))]));

/** The address of a file, from the root of the host: `/kube-muster/rules/` for `rules/index.html`. */
function addressOf(file: string): string {
  return base + file.replace(/(^|\/)index\.html$/, '$1').replace(/\.html$/, '');
}

function attributes(html: string, name: string): readonly string[] {
  return [...html.matchAll(new RegExp(`<[^<>]* ${name}="([^"]*)"`, 'g'))].map(([, value = '']) => unescaped(value));
}

function unescaped(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&');
}

test.each(['href', 'src'])(
  'each %s leads to a page of the site and its anchor, to a file of the repository, or elsewhere',
  (name) => {
    const dead = [...pages].flatMap(([address, html]) => {
      const links = attributes(html, name).filter((link) => !leadsSomewhere(link, address));
      return links.map((link) => ({ link, address }));
    });
    // A link of the navigation is on every page.
    expect([...Map.groupBy(dead, ({ link }) => link)].map(([link, [first]]) => `${link} on ${first?.address}`)).toEqual(
      [],
    );
  },
);

test('each image has a text', () => {
  const images = [...pages.values()].flatMap((html) => html.match(/<img [^>]*>/g) ?? []);
  expect(images.filter((image) => !/ alt="[^"]+/.test(image))).toEqual([]);
});

function leadsSomewhere(href: string, from: string): boolean {
  // A small image is written into the page.
  if (href.startsWith('data:image/')) return true;
  const url = new URL(href, new URL(from, homepage));
  if (url.href.startsWith(source)) return existsSync(decodeURI(url.href.slice(source.length).replace(/#.*$/, '')));
  if (url.origin !== new URL(homepage).origin) return /^(?:https|mailto):$/.test(url.protocol);
  const path = decodeURI(url.pathname);
  const anchor = decodeURIComponent(url.hash.slice(1));
  const anchors = ids.get(path);
  const isExample = path === `${base}playground` && anchor.startsWith('example=');
  if (anchors !== undefined) return anchor === '' || anchors.has(anchor) || isExample;
  return path.startsWith(base) && existsSync(join(SITE, path.slice(base.length)));
}

test('each page is in the sidebar', () => {
  const linked = linksOf(sidebar).map((link) => base + link.slice(1));
  const without = [base, `${base}404`, `${base}playground`];
  const missing = [...pages.keys()].filter((address) => !linked.includes(address) && !without.includes(address));
  expect(missing).toEqual([]);
});

function linksOf(items: readonly DefaultTheme.SidebarItem[]): readonly string[] {
  return items.flatMap(({ link, items: below = [] }) => [...(link === undefined ? [] : [link]), ...linksOf(below)]);
}

test('the search index is a part of the site, and has every page', async () => {
  const [chunk = ''] = readdirSync(join(SITE, 'assets/chunks')).filter((name) => name.startsWith('@localSearchIndex'));
  const { default: index } = await import(resolve(SITE, 'assets/chunks', chunk));
  const addresses = Object.values<string>(JSON.parse(index).documentIds);
  const indexed = new Set(addresses.map((address) => address.replace(/#.*$/, '')));
  expect([...pages.keys()].filter((address) => !indexed.has(address) && !isWithoutText(address))).toEqual([]);
});

/** The home page and the playground are made of components. */
function isWithoutText(address: string): boolean {
  return [base, `${base}404`, `${base}playground`].includes(address);
}

describe('the reference', () => {
  const textOf = (page: string) => unescaped((pages.get(base + page) ?? '').replace(/<[^>]*>/g, ''));

  test('has each command and each flag', async () => {
    const html = pages.get(`${base}reference/cli`) ?? '';
    for (const command of (await createProgram()).commands) {
      const [, section = ''] = html.split(`<h2 id="muster-${command.name()}"`);
      const [text = ''] = unescaped(section).split('<h2 ');
      const flags = command.options.filter(({ hidden }) => !hidden).map(({ flags: each }) => each);
      expect([command.name(), flags.filter((each) => !text.includes(`<code>${each}</code>`))]).toEqual([
        command.name(),
        [],
      ]);
    }
  });

  test('has a page for each rule', () => {
    const missing = [...ruleIds].filter((id) => !pages.has(`${base}rules/${id.replace('/', '-')}`));
    expect(missing).toEqual([]);
  });

  test('has each key of the configuration', () => {
    const text = textOf('configuration');
    expect(keysOf(configurationSchema).filter((key) => !text.includes(key))).toEqual([]);
  });
});

function keysOf({ properties = {}, items, anyOf = [], additionalProperties }: Schema): readonly string[] {
  const below = [items, ...anyOf, ...Object.values(properties)].filter((schema) => schema !== undefined);
  if (typeof additionalProperties === 'object') below.push(additionalProperties);
  return [...Object.keys(properties), ...below.flatMap(keysOf)];
}
