import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { rules } from '../../../src/rules/index.ts';
import { filesIn } from '../../../tools/generate/artifact.ts';
import { firstFixtures, MARKER, ruleDocs } from '../../../tools/generate/rule-reference.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const ids: readonly string[] = rules.map(({ id }) => id);
const sorted = (list: readonly string[]) => [...list].sort();

const CLUSTERS_MEMBERS = ['before', 'clusters', 'complete', 'config', 'expect'];
const MEMBERS = new Set('operation subresource user dryRun now state hub config old object expect'.split(' '));

test('test/fixtures has a folder for each rule and no other; add cases for a new rule, remove those of a former one', () => {
  const folders = readdirSync(`${root}/test/fixtures`).flatMap((concept) =>
    readdirSync(`${root}/test/fixtures/${concept}`).map((name) => `${concept}/${name}`),
  );
  expect(sorted(folders)).toEqual(sorted(ids));
});

test('a rule without cases is named with where to add them', () => {
  expect(() => firstFixtures(root, [{ id: 'claim/value' }, { id: 'claim/new' }])).toThrow(
    'to test/fixtures/claim/new/allow',
  );
});

test('a page has manifests before and after, a linked norm and messages with their values', async () => {
  const pages = (await ruleDocs(root, rules, firstFixtures(root, rules))).slice(1);
  expect(pages).toHaveLength(rules.length);
  for (const { text } of pages) {
    expect(text).toMatch(
      /\*\*Before\.\*\* [A-Z][^\n]+\.\n\n```yaml\n# [\s\S]+?\*\*After\.\*\* [A-Z][^\n]+\.\n\n```yaml\n# /,
    );
    expect(text).toMatch(/^Source: \[.+\]\(https:/m);
    expect(text).toMatch(/\n```text\n\[[a-z]+\/[a-z-]+\] \S+: /);
    expect(text).not.toMatch(/\{\{|\| \| \||^operation:|^expect:/m);
  }
});

test('what was written by hand below the marker of a page is kept', async () => {
  const written = readFileSync(`${root}/docs/rules/README.md`, 'utf8').split(MARKER)[1];
  expect(written).toContain('## How to read this');
  const [readme] = await ruleDocs(root, rules, firstFixtures(root, rules));
  expect(readme?.text.split(MARKER)[1]).toBe(written);
});

describe.each(ids)('the cases of %s', (id) => {
  const files = ['allow', 'deny'].flatMap((side) => filesIn(root, `test/fixtures/${id}/${side}`));

  test.each(files)('%s is well formed', (file) => {
    const text = readFileSync(`${root}/${file}`, 'utf8');
    expect(text).toMatch(/^# \S/);
    const fixture = parse(text) as Record<string, unknown>;
    const warned = { verdict: 'allowed', warnings: expect.arrayContaining([id]) };
    const expectations = file.includes('/deny/') ? ['denied', warned] : [undefined];
    expect(expectations).toContainEqual(fixture['expect']);
    if ('clusters' in fixture) return expect(CLUSTERS_MEMBERS).toEqual(expect.arrayContaining(Object.keys(fixture)));
    expect(Object.keys(fixture).filter((member) => !MEMBERS.has(member))).toEqual([]);
    const { operation } = fixture;
    expect(['CREATE', 'UPDATE', 'DELETE']).toContain(operation);
    expect({ old: 'old' in fixture, object: 'object' in fixture }).toEqual({
      old: operation !== 'CREATE',
      object: operation !== 'DELETE',
    });
  });
});
