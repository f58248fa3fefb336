import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { readDocuments, type SourceDocument, type SourceError } from '../../../src/documents/index.ts';
import { objectsIn } from '../../../src/input/objects.ts';
import { readPaths, readState, type SourcesOptions } from '../../../src/input/sources.ts';
import { newFolder } from '../../support/folder.ts';

const { path: folder, put } = newFolder();

const object = (name: string) => `apiVersion: about.k8s.io/v1\nkind: ClusterProperty\nmetadata:\n  name: ${name}\n`;

async function readSources(paths: readonly string[], options?: SourcesOptions) {
  const [documents, errors]: [SourceDocument[], SourceError[]] = [[], []];
  for await (const read of readPaths(paths, options)) {
    documents.push(...read.documents);
    errors.push(...read.errors);
  }
  return { documents, errors };
}

async function sourcesOf(...paths: string[]) {
  const { documents, errors } = await readSources(paths);
  const short = (source: string) => source.replace(`${folder}/`, '');
  return {
    sources: documents.map(({ file }) => short(file)),
    errors: errors.map(({ file, message }) => `${short(file)}: ${message}`),
  };
}

describe('reading paths', () => {
  test('folders are read recursively, by name, and only .yaml .yml .json', async () => {
    for (const name of ['b.yaml', 'a/z.yml', 'a/y.json', 'a/x.txt', 'C.yaml', '.git/d.yaml', 'node_modules/e.yaml']) {
      put(`sorted/${name}`, name.endsWith('json') ? '{"apiVersion":"about.k8s.io/v1","kind":"A"}' : object('a'));
    }
    const { sources, errors } = await sourcesOf(join(folder, 'sorted'));
    expect(sources).toEqual(['sorted/C.yaml', 'sorted/a/y.json', 'sorted/a/z.yml', 'sorted/b.yaml']);
    expect(errors).toEqual([]);
  });

  test('a file that is named is read whatever it is called, in the order given, and once', async () => {
    const one = put('named/one.txt', object('a'));
    const two = put('named/two.yaml', object('b'));
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

  test('a folder whose name begins with dots is read like any other', async () => {
    put('dots/..x/a.yaml', object('a'));
    put('dots/..data/b.yaml', object('b'));
    const { sources } = await sourcesOf(join(folder, 'dots'));
    expect(sources).toEqual(['dots/..data/b.yaml', 'dots/..x/a.yaml']);
  });

  test('files of a mounted volume are read by the links to them, and files without a link, too', async () => {
    put('mount/..2026_01_02/a.yaml', object('a'));
    put('mount/..2026_01_02/sub/b.yaml', object('b'));
    symlinkSync('..2026_01_02', join(folder, 'mount/..data'));
    symlinkSync('..data/a.yaml', join(folder, 'mount/a.yaml'));
    symlinkSync('..data/sub', join(folder, 'mount/sub'));
    const { sources } = await sourcesOf(join(folder, 'mount'));
    expect(sources).toEqual(['mount/a.yaml', 'mount/..2026_01_02/sub/b.yaml']);
  });

  test('folders that are not walked are told', async () => {
    put('left/node_modules/p/a.yaml', object('a'));
    put('left/.git/a.yaml', object('a'));
    put('left/own/a.yaml', object('a'));
    symlinkSync('own', join(folder, 'left/link'));
    symlinkSync('jane@host.12:34', join(folder, 'left/.#a.yaml'));
    const told: string[] = [];
    const notWalked = ({ file, message }: SourceError) => void told.push(`${file.slice(folder.length)}: ${message}`);
    const { documents } = await readSources([join(folder, 'left')], { onNotWalked: notWalked });
    expect(documents).toHaveLength(1);
    expect(told).toEqual([
      '/left/.#a.yaml: it is the lock of an editor',
      '/left/.git: it belongs to git',
      '/left/link: links to folders are not followed',
      '/left/node_modules: installed packages are not read',
    ]);
  });

  test('names that are not UTF-8 are errors, of files and of folders', async () => {
    const name = (text: string) => Buffer.concat([Buffer.from(`${folder}/bytes/`), Buffer.from(text, 'latin1')]);
    put('bytes/good.yaml', object('a'));
    writeFileSync(name('bad\xff.yaml'), object('b'));
    put('bytes/bad\ufffd.yaml', object('decoy'));
    mkdirSync(name('bad\xff'));
    writeFileSync(name('bad\xff/c.yaml'), object('c'));
    writeFileSync(name('no-manifest\xff.txt'), '');
    const { sources, errors } = await sourcesOf(join(folder, 'bytes'));
    expect(sources).toEqual(['bytes/good.yaml']);
    const message = 'its name is not UTF-8, or has U+FFFD in it: rename it';
    expect(errors).toEqual(['bad\ufffd', 'bad\ufffd.yaml', 'bad\ufffd.yaml'].map((bad) => `bytes/${bad}: ${message}`));
    expect((await sourcesOf(join(folder, 'bytes/bad\ufffd.yaml'))).errors).toEqual([
      `bytes/bad\ufffd.yaml: ${message}`,
    ]);
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
      expect.stringMatching(/^inside\/link\.yaml: is a link that leads out of the named paths/),
    ]);
    const both = await sourcesOf(join(folder, 'inside'), join(folder, 'outside'));
    expect(both.sources).toEqual(['inside/link.yaml']);
  });

  test('standard input goes by its own name', async () => {
    const stdin = async () => new TextEncoder().encode(`\ufeff${object('a')}`);
    const { documents } = await readSources(['-'], { stdin });
    expect(documents.map(({ file }) => file)).toEqual(['<stdin>']);
  });
});

describe('objects of documents', () => {
  const A = '{apiVersion: v1, kind: A}';
  const B = '{kind: B, apiVersion: v1}';
  const list = (kind: string, ...items: string[]) =>
    `apiVersion: v1\nkind: ${kind}\nitems:\n${items.map((item) => `- ${item}\n`).join('')}`;
  const NO_TYPE = ['4: the object has no apiVersion', '5: the object has no kind'];

  test.each<[string, string, readonly string[]]>([
    ['many documents', `${object('a')}---\n${object('b')}`, ['ClusterProperty at 1:1', 'ClusterProperty at 6:1']],
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
    ['a kind that is no text', 'apiVersion: v1\nkind: 5\n', ['1: kind must be a non-empty string']],
  ])('%s', (_, text, expected) => {
    const found = readDocuments(text, 'x')
      .documents.map((document) => objectsIn(document))
      .flatMap(({ objects, errors, foreign }) => [
        ...objects.map(({ kind, start }) => `${kind} at ${start.line}:${start.column}`),
        ...errors.map(({ line, message }) => `${line}: ${message}`),
        ...Array<string>(foreign).fill('foreign'),
      ]);
    expect(found).toEqual(expected.map((one) => expect.stringContaining(one)));
  });

  test('an item that is an alias begins where the alias is, and has no end', () => {
    const { documents } = readDocuments(`a: &a ${A}\n${list('List', '*a')}`, 'x');
    expect(documents.flatMap((document) => objectsIn(document).objects.map(({ start }) => start))).toEqual([
      { line: 5, column: 3 },
    ]);
  });
});

describe('reading the state', () => {
  test('an empty file, an empty folder and an empty List hold nothing', async () => {
    mkdirSync(join(folder, 'empty'));
    const files = [put('none.yaml', '# nothing\n'), put('list.yaml', 'apiVersion: v1\nkind: List\nitems: []\n')];
    expect(await readState([join(folder, 'empty'), ...files])).toMatchObject({ objects: [], errors: [] });
  });

  test('a file of another program is no empty cluster', async () => {
    const { objects, errors } = await readState([put('values.yaml', 'replicas: 3\n')]);
    expect(objects).toEqual([]);
    expect(errors).toMatchObject([{ line: 1, message: 'this state holds no Kubernetes object' }]);
  });

  test.each([
    ['another kind', '# first\napiVersion: v1\nkind: Secret\n'],
    ['a list of other kinds', 'apiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: Pod}\n'],
    ['another kind behind an empty list', 'kind: List\napiVersion: v1\nitems: []\n---\napiVersion: v1\nkind: Pod\n'],
    ['a document that can not be read', 'apiVersion: v1\nkind: [\n'],
    ['half a type', 'apiVersion: v1\n'],
  ])('%s is no empty cluster, and no error', async (_, text) => {
    const { objects, errors } = await readState([put('other.yaml', text)]);
    expect({ count: objects.length, errors }).toEqual({ count: 1, errors: [] });
  });
});
