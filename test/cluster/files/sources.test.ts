import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { objectsIn, readState, type SourcesOptions } from '../../../src/cluster/files/index.ts';
import { readEach } from '../../../src/cluster/files/sources.ts';
import type { SourceDocument, SourceError } from '../../../src/documents/index.ts';

let folder: string;
const put = (name: string, text: string | Uint8Array) => {
  mkdirSync(join(folder, name, '..'), { recursive: true });
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};
const object = (name: string) => `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\n`;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'muster-sources-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

async function readSources(paths: readonly string[], options?: SourcesOptions) {
  const [documents, errors]: [SourceDocument[], SourceError[]] = [[], []];
  for await (const read of readEach(paths, options)) {
    documents.push(...read.documents);
    errors.push(...read.errors);
  }
  return { documents, errors };
}

async function sourcesOf(...paths: string[]) {
  const { documents, errors } = await readSources(paths);
  const short = (source: string) => source.replace(`${folder}/`, '');
  return {
    sources: documents.map(({ source }) => short(source)),
    errors: errors.map(({ source, message }) => `${short(source)}: ${message}`),
  };
}

describe('reading paths', () => {
  test('folders are read recursively, by name, and only .yaml .yml .json', async () => {
    for (const name of ['b.yaml', 'a/z.yml', 'a/y.json', 'a/x.txt', 'C.yaml', '.git/d.yaml', 'node_modules/e.yaml']) {
      put(`sorted/${name}`, name.endsWith('json') ? '{"apiVersion":"v1","kind":"A"}' : object('a'));
    }
    const { sources, errors } = await sourcesOf(join(folder, 'sorted'));
    expect(sources).toEqual(['sorted/C.yaml', 'sorted/a/y.json', 'sorted/a/z.yml', 'sorted/b.yaml']);
    expect(errors).toEqual([]);
  });

  test('a file that is named is read whatever it is called, in the order given, and once', async () => {
    const [one, two] = [put('named/one.txt', object('a')), put('named/two.yaml', object('b'))];
    const { sources } = await sourcesOf(two, one, two, join(folder, 'named'));
    expect(sources).toEqual(['named/two.yaml', 'named/one.txt']);
  });

  test('links in a circle and links to folders are not followed, links inside are', async () => {
    put('links/in/real.yaml', object('a'));
    symlinkSync('..', join(folder, 'links/in/up'));
    symlinkSync('in', join(folder, 'links/again'));
    symlinkSync('in/real.yaml', join(folder, 'links/first.yaml'));
    expect(await sourcesOf(join(folder, 'links'))).toEqual({ sources: ['links/first.yaml'], errors: [] });
  });

  test('a link to outside is an error, unless its target was named too', async () => {
    const target = put('outside/secret.yaml', object('a'));
    mkdirSync(join(folder, 'inside'));
    symlinkSync(target, join(folder, 'inside/link.yaml'));
    symlinkSync('nowhere', join(folder, 'inside/dangling.yaml'));
    symlinkSync('circle.yaml', join(folder, 'inside/circle.yaml'));
    const alone = await sourcesOf(join(folder, 'inside'));
    expect(alone.sources).toEqual([]);
    expect(alone.errors).toEqual([
      expect.stringMatching(/^inside\/circle\.yaml: can't read it: its symbolic links form a circle$/),
      expect.stringMatching(/^inside\/dangling\.yaml: can't read it: no such file or folder$/),
      expect.stringMatching(/^inside\/link\.yaml: is a link to outside/),
    ]);
    const both = await sourcesOf(join(folder, 'inside'), join(folder, 'outside'));
    expect(both.sources).toEqual(['inside/link.yaml']);
  });

  test('what can not be read is an error, and the rest is read', async () => {
    const latin = put('bad/latin.yaml', new Uint8Array([0x61, 0x3a, 0x20, 0xe4]));
    const good = put('bad/good.yaml', object('a'));
    const { sources, errors } = await sourcesOf(join(folder, 'missing.yaml'), latin, '-', good);
    expect(sources).toEqual(['bad/good.yaml']);
    expect(errors).toHaveLength(3);
    expect(errors.join('\n')).toMatch(/no such file.*not UTF-8.*standard input/s);
  });

  test('standard input goes by its own name', async () => {
    const stdin = async () => new TextEncoder().encode(`\ufeff${object('a')}`);
    const { documents } = await readSources(['-'], { stdin });
    expect(documents.map(({ source }) => source)).toEqual(['<stdin>']);
  });
});

describe('objects of documents', () => {
  const [A, B] = ['{apiVersion: v1, kind: A}', '{kind: B, apiVersion: v1}'];
  const list = (kind: string, ...items: string[]) =>
    `apiVersion: v1\nkind: ${kind}\nitems:\n${items.map((item) => `- ${item}\n`).join('')}`;
  const NO_TYPE = ['4: the object has no apiVersion', '5: the object has no kind'];

  test.each<[string, string, readonly string[]]>([
    ['many documents', `${object('a')}---\n${object('b')}`, ['ConfigMap at 1:1', 'ConfigMap at 6:1']],
    ['a List', list('List', A, B), ['A at 4:3', 'B at 5:3']],
    ['a typed list, whose items need not repeat the type', list('AList', '{metadata: {}}'), ['A at 4:3']],
    ['a list of any kind, also of ours', list('ClusterClaim', A, B), ['A at 4:3', 'B at 5:3']],
    ['a list of any kind, with an item without type', list('A', '{metadata: {}}', B), ['A at 4:3', 'B at 5:3']],
    [
      'an item with half a type, which takes nothing from the list',
      list('L', '{kind: B}', '{apiVersion: v2}'),
      NO_TYPE,
    ],
    ['lists in lists', list('L', `{apiVersion: v1, kind: M, items: [${A}]}`), ['A at 4:37']],
    ['items that are no objects', 'apiVersion: v1\nkind: A\nitems: [a, 5]\n', ['A at 1:1']],
    ['an empty list of any kind', 'apiVersion: v1\nkind: A\nitems: []\n', []],
    ['an empty list', list('List'), []],
    ['a list of no list', 'apiVersion: v1\nkind: List\nitems: 5\n', ['1: items of a List']],
    ['a kind that only ends in List', 'apiVersion: v1\nkind: PriceList\n', ['PriceList at 1:1']],
    ['a text', 'hello\n', ['1: expected a Kubernetes object']],
    ['a list of another program', '- {op: remove, path: /spec}\n- b\n', ['foreign']],
    ['a list with an object', `- b\n- ${A}\n`, ['1: expected a Kubernetes object']],
    ['a file of another program', 'replicas: 3\n', ['foreign']],
    ['no kind', 'apiVersion: v1\n', ['1: the object has no kind']],
    ['no apiVersion', 'kind: ClusterClaim\n', ['1: the object has no apiVersion']],
    ['a kind that is no text', 'apiVersion: v1\nkind: 5\n', ['1: kind must be a text']],
  ])('%s', async (_, text, expected) => {
    const { documents } = await readSources([put('objects.yaml', text)]);
    const found = documents
      .map(objectsIn)
      .flatMap(({ objects, errors, foreign }) => [
        ...objects.map(({ kind, start }) => `${kind} at ${start.line}:${start.column}`),
        ...errors.map(({ line, message }) => `${line}: ${message}`),
        ...Array<string>(foreign).fill('foreign'),
      ]);
    expect(found).toEqual(expected.map((one) => expect.stringContaining(one)));
  });
});

describe('reading the state', () => {
  test('an empty file, an empty folder and an empty List hold nothing', async () => {
    mkdirSync(join(folder, 'empty'));
    const files = [put('none.yaml', '# nothing\n'), put('list.yaml', 'apiVersion: v1\nkind: List\nitems: []\n')];
    expect(await readState([join(folder, 'empty'), ...files])).toEqual({ objects: [], errors: [] });
  });

  test('a file of another program is no empty cluster', async () => {
    const { objects, errors } = await readState([put('values.yaml', 'replicas: 3\n')]);
    expect(objects).toEqual([]);
    expect(errors).toMatchObject([{ line: 1, message: 'this state holds no Kubernetes object' }]);
  });
});
