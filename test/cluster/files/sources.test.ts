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
  async function objectsOf(text: string) {
    const { documents } = await readSources([put('objects.yaml', text)]);
    const all = documents.map(objectsIn);
    return {
      objects: all.flatMap((one) => one.objects).map(({ kind, start }) => `${kind} at ${start.line}:${start.column}`),
      errors: all.flatMap((one) => one.errors).map(({ line, message }) => `${line}: ${message}`),
      foreign: all.reduce((sum, { foreign }) => sum + foreign, 0),
    };
  }

  const cases: { name: string; text: string; objects?: string[]; errors?: RegExp[]; foreign?: number }[] = [
    {
      name: 'many documents',
      text: `${object('a')}---\n${object('b')}`,
      objects: ['ConfigMap at 1:1', 'ConfigMap at 6:1'],
    },
    {
      name: 'a List',
      text: 'apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: A\n- apiVersion: v1\n  kind: B\n',
      objects: ['A at 4:3', 'B at 6:3'],
    },
    {
      name: 'a typed list, whose items need not repeat the type',
      text: 'apiVersion: v1\nkind: AList\nitems:\n- {metadata: {}}\n',
      objects: ['A at 4:3'],
    },
    {
      name: 'a list of any kind: the object of our own that has items, too',
      text: 'apiVersion: v1\nkind: ClusterClaim\nspec: {value: x}\nitems:\n- {apiVersion: v1, kind: A}\n- {kind: B, apiVersion: v1}\n',
      objects: ['A at 5:3', 'B at 6:3'],
    },
    {
      name: 'a list of any kind, whose items have its type where they have none',
      text: 'apiVersion: v1\nkind: A\nitems:\n- {metadata: {}}\n- {kind: B, apiVersion: v1}\n',
      objects: ['A at 4:3', 'B at 5:3'],
    },
    {
      name: 'an item with one half of its type takes nothing from the list',
      text: 'apiVersion: v1\nkind: AList\nitems:\n- {kind: B}\n- {apiVersion: v2}\n',
      errors: [/^4: the object has no apiVersion$/, /^5: the object has no kind$/],
    },
    {
      name: 'lists in lists',
      text: 'apiVersion: v1\nkind: A\nitems:\n- apiVersion: v1\n  kind: B\n  items:\n  - {apiVersion: v1, kind: C}\n',
      objects: ['C at 7:5'],
    },
    { name: 'items that are no objects', text: 'apiVersion: v1\nkind: A\nitems: [a, 5]\n', objects: ['A at 1:1'] },
    { name: 'items that are no array', text: 'apiVersion: v1\nkind: A\nitems: {a: b}\n', objects: ['A at 1:1'] },
    { name: 'an empty list of any kind', text: 'apiVersion: v1\nkind: A\nitems: []\n' },
    { name: 'an empty list', text: 'apiVersion: v1\nkind: List\nitems:\n' },
    { name: 'a list of no list', text: 'apiVersion: v1\nkind: List\nitems: 5\n', errors: [/^1: items of a List/] },
    { name: 'a kind that only ends in List', text: 'apiVersion: v1\nkind: PriceList\n', objects: ['PriceList at 1:1'] },
    { name: 'a text', text: 'hello\n', errors: [/^1: expected a Kubernetes object/] },
    { name: "somebody else's list", text: '- {op: remove, path: /spec}\n- b\n', foreign: 1 },
    {
      name: 'a list of objects',
      text: '- b\n- {apiVersion: v1, kind: A}\n',
      errors: [/^1: expected a Kubernetes object/],
    },
    { name: "somebody else's file", text: 'replicas: 3\n', foreign: 1 },
    { name: 'no kind', text: 'apiVersion: v1\n', errors: [/^1: the object has no kind$/] },
    { name: 'no apiVersion', text: 'kind: ClusterClaim\n', errors: [/^1: the object has no apiVersion$/] },
    { name: 'a kind that is no text', text: 'apiVersion: v1\nkind: 5\n', errors: [/^1: kind must be a text/] },
  ];
  test.each(cases)('$name', async ({ text, objects = [], errors = [], foreign = 0 }) => {
    const found = await objectsOf(text);
    expect(found.objects).toEqual(objects);
    expect(found.errors).toEqual(errors.map((error) => expect.stringMatching(error)));
    expect(found.foreign).toBe(foreign);
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
