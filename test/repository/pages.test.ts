/** The pages that readers hold on to: links, paths and metrics that they name exist. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, test } from '@jest/globals';
import { fragmentOf } from '../../docs/.vitepress/markdown.ts';
import { pages } from '../support/pages.ts';

const DECISIONS = 'docs/decisions';
const decisions = readdirSync(DECISIONS).filter((file) => /^\d{4}-/.test(file));
const read = (file: string) => readFileSync(file, 'utf8');
const matches = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, group = '']) => group);

/** Pages of the repository that are not on the site, whose links test/system/docs/site.docs.ts follows. */
const notOnSite = pages().filter((page) => !page.startsWith('docs/'));

test.each(notOnSite)('%s: each link leads to a page and a heading', (page) => {
  const broken = matches(read(page), /\]\(([^):]+)\)/g).filter((link) => {
    const [path = '', heading] = link.split('#');
    const file = path === '' ? page : normalize(join(dirname(page), path));
    if (!existsSync(file)) return true;
    const headings = heading === undefined ? [] : matches(read(file), /^#+ (.*)$/gm).map(fragmentOf);
    return heading !== undefined && !headings.includes(heading);
  });
  expect(broken).toEqual([]);
});

test.each(pages())('%s: no conflict of a merge is left in it', (page) => {
  expect(read(page)).not.toMatch(/^(<{7} |={7}$|>{7} )/m);
});

/** The built site, which a clean checkout does not have. */
const BUILT = 'docs/.vitepress/dist';

test('each path of the sources that a page names exists', () => {
  const named = pages().flatMap((page) => {
    const paths = matches(read(page), /`((?:src|test|manifests|docs|examples|charts)\/[\w./-]+)`/g);
    return paths.map((path) => ({ page, path }));
  });
  expect(named.length).toBeGreaterThan(100);
  expect(named.filter(({ path }) => path !== BUILT && !existsSync(path))).toEqual([]);
});

test('the index of decisions has each of them', () => {
  const index = read(join(DECISIONS, 'README.md'));
  expect(decisions.filter((file) => !index.includes(`(${file})`))).toEqual([]);
});

/** After a new measurement, these pages have to follow. */
test.each(['docs/production-readiness.md', ...decisions.map((file) => join(DECISIONS, file))])(
  '%s: its figures are those of the last measurements',
  (page) => {
    const measured = ['performance', 'reliability', 'operations'].map((name) => read(`docs/${name}.md`)).join('\n');
    const figures = matches(
      read(page),
      /(?<![\d.,])(\d[\d.,]*)(?= (?:to [\d.]+ )?(?:ms|µs|MiB|requests a|decisions a)\b)/g,
    );
    const others = new Set(matches(measured, /(?<![\d.,])(\d[\d.,]*\d|\d)/g));
    expect(figures.filter((figure) => !others.has(figure))).toEqual([]);
  },
);

test('production readiness: each metric of muster is one that the documents list', () => {
  const named = matches(read('docs/production-readiness.md'), /\b((?:muster|nodejs)_[a-z_]+)/g);
  const listed = read('docs/operations.md') + read('docs/reference/metrics.md');
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter((name) => !listed.includes(name.replace(/_bucket$/, '')))).toEqual([]);
});
