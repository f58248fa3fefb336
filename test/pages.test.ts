/** The pages that readers hold on to: links, paths, metrics and questions that they name exist; a decision fits on a page. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, test } from '@jest/globals';

const DECISIONS = 'docs/decisions';
const decisions = readdirSync(DECISIONS).filter((file) => /^\d{4}-/.test(file));
const PAGES = [
  'SECURITY.md',
  'SUPPORT.md',
  'docs/production-readiness.md',
  'docs/versioning.md',
  ...['README.md', ...decisions].map((file) => join(DECISIONS, file)),
];
const read = (file: string) => readFileSync(file, 'utf8');
const matches = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, group = '']) => group);

/** The fragment of a heading, as GitHub makes it. */
const fragment = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\w -]/g, '')
    .replaceAll(' ', '-');

test.each(PAGES)('%s: each link leads to a page and a heading, each path exists', (page) => {
  const text = read(page);
  const broken = matches(text, /\]\(([^):]+)\)/g).filter((link) => {
    const [path = '', heading] = link.split('#');
    const file = path === '' ? page : normalize(join(dirname(page), path));
    if (!existsSync(file)) return true;
    return (
      heading !== undefined &&
      !matches(read(file), /^#+ (.*)$/gm)
        .map(fragment)
        .includes(heading)
    );
  });
  const paths = matches(text, /`((?:src|test|manifests|docs)\/[\w./-]+)`/g);
  expect([...broken, ...paths.filter((path) => !existsSync(path))]).toEqual([]);
});

test.each(decisions)('%s has its four parts on one page, and is in the index', (file) => {
  const text = read(join(DECISIONS, file));
  expect(matches(text, /^## (.*)$/gm)).toEqual(['Context', 'Decision', 'Alternatives', 'Consequences']);
  expect(text.split('\n').length).toBeLessThanOrEqual(60);
  expect(read(join(DECISIONS, 'README.md'))).toContain(`(${file})`);
});

test('production readiness: each metric of muster is one that the documents list', () => {
  const named = matches(read('docs/production-readiness.md'), /\b((?:muster|nodejs)_[a-z_]+)/g);
  const listed = read('docs/operations.md');
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter((name) => !listed.includes(name.replace(/_bucket$/, '')))).toEqual([]);
});

test('production readiness: each question of a section has its stage', () => {
  const questions = matches(read('docs/production-readiness.md'), /^### (.*)$/gm);
  expect(questions.filter((question) => !/\((alpha|beta)\)$/.test(question))).toEqual([]);
  const of = (stage: string) => questions.filter((question) => question.endsWith(`(${stage})`)).length;
  expect({ alpha: of('alpha'), beta: of('beta') }).toEqual({ alpha: 5, beta: 20 });
});
