/** What can't be muster's is skipped by its text: nothing of muster's is lost, and nothing else is parsed. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { dialects } from '../../../src/api/dialects.ts';
import { couldNameOurs, readDocuments, readManifests, type SourceDocument } from '../../../src/documents/index.ts';
import { objectsIn } from '../../../src/input/objects.ts';
import { manifestFiles } from '../../system/bench/check/manifests.ts';
import { readCorpus } from './corpus.ts';

const GROUP = 'multicluster.x-k8s.io';
const FOREIGN = 'apiVersion: v1\nkind: ConfigMap\n';

function read(text: string) {
  const batches = [...readManifests(text, 'x')];
  return {
    documents: batches.flatMap(({ documents }) => documents),
    errors: batches.flatMap(({ errors }) => errors),
    skipped: batches.flatMap(({ skipped }) => skipped),
  };
}

/** The objects of muster's groups in documents, with the location of each. */
function oursIn(documents: readonly SourceDocument[]) {
  const groups = dialects.map(({ group }) => group);
  return documents
    .flatMap((document) => objectsIn(document).objects)
    .filter(({ apiVersion }) => groups.some((group) => apiVersion.includes(group)))
    .map(({ object, start }) => ({ object, start }));
}

test('a pointer of Git LFS is read: its text is not known', () => {
  expect(read('version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n').documents).toHaveLength(1);
});

test.each([0, 1])('an object in UTF-16 without a byte order mark is an error, byte order %d', (order) => {
  const text = [...`${FOREIGN}---\napiVersion: ${GROUP}/v1alpha1\n`];
  const found = read(text.map((character) => (order === 0 ? `${character}\0` : `\0${character}`)).join(''));
  expect(found.errors).toMatchObject([{ message: expect.stringMatching(/U\+0000/) }]);
});

test.each(dialects)('an object of $groupResource is read', ({ group, kind }) => {
  expect(read(`apiVersion: ${group}/v99\nkind: ${kind}x\n`).skipped).toEqual([]);
});

describe('a name that is not written as it is', () => {
  test.each([
    ['"multicluster.\\x78-k8s.io/v1alpha1"'],
    ['"multicluster.\\X78-k8s.io/v1alpha1"'],
    ['"multicluster\\u002ex-k8s.io/v1alpha1"'],
    ['"multicluster\\u002Ex-k8s.io/v1alpha1"'],
    ['"multicluster.x\\U0000002dk8s.io/v1alpha1"'],
    ['"\\u006Dulticluster.x-k8s.io/v1alpha1"'],
    ['"multicluster.x-k8\\u0073.i\\u006F/v1alpha1"'],
    ['"multicluster.x-k\\u0038s.io/v1alpha1"'],
    ['"multicluster.\\\n  x-k8s.io/v1alpha1"'],
    ['"multicluster.\\\r\n  x-k8s.io/v1alpha1"'],
    ['"multicluster.\\\r  x-k8s.io/v1alpha1"'],
    ['"multicluster.\\\x85  x-k8s.io/v1alpha1"'],
    ['"multicluster.\\\u2028  x-k8s.io/v1alpha1"'],
    ['"m\\\n ulticluster.x-k8s.io/v1alpha1"'],
    ['!!binary bXVsdGljbHVzdGVyLngtazhzLmlvL3YxYWxwaGEx'],
    ['!!bin%61ry bXVsdGljbHVzdGVyLngtazhzLmlvL3YxYWxwaGEx'],
    ['!<tag:yaml.org,2002:binary> bXVsdGljbHVzdGVyLngtazhzLmlvL3YxYWxwaGEx'],
    ['!<tag:yaml.org,2002:bin%61ry> bXVsdGljbHVzdGVyLngtazhzLmlvL3YxYWxwaGEx'],
    ['!%21binary bXVsdGljbHVzdGVyLngtazhzLmlvL3YxYWxwaGEx'],
    ['!tag%3Ayaml.org,2002:binary bXVsdGljbHVzdGVyLngtazhzLmlvL3YxYWxwaGEx'],
  ])('%j is read', (spelling) => {
    expect(couldNameOurs(`apiVersion: ${spelling}\nkind: ClusterClaim\n`)).toBe(true);
    expect(couldNameOurs(`{"apiVersion":${spelling},"kind":"ClusterClaim"}`)).toBe(true);
  });

  test('after a directive that renames tags', () => {
    expect(couldNameOurs('%TAG !b! tag:yaml.org,2002:bin\r--- \rapiVersion: !b!ary bXVsdGlj\n')).toBe(true);
  });

  test('as JSON, or as a Windows file, it is found in the text that is read', () => {
    const escaped = JSON.stringify({ apiVersion: `${GROUP}/v1alpha1`, kind: 'ClusterClaim' }).replace('-', '\\u002d');
    expect(oursIn(read(escaped).documents)).toHaveLength(1);
    const windows = `apiVersion: "multicluster.\\\n  x-k8s.io/v1alpha1"\nkind: ClusterClaim\n`.replaceAll('\n', '\r\n');
    expect(oursIn(read(windows).documents)).toHaveLength(1);
  });

  test('in any part, by any escape, it is found', () => {
    const code = (letter: string, digits: number) => letter.charCodeAt(0).toString(16).padStart(digits, '0');
    const escapes = [
      (letter: string) => `\\x${code(letter, 2)}`,
      (letter: string) => `\\u${code(letter, 4)}`,
      (letter: string) => `\\U${code(letter, 8).toUpperCase()}`,
      (letter: string) => `${letter}\\\n   `,
    ];
    for (const { group, kind } of dialects)
      for (const spell of escapes)
        for (let at = 0; at < group.length - 1; at += 1) {
          const name = group.slice(0, at) + spell(group[at] ?? '') + group.slice(at + 1);
          const found = read(`apiVersion: "${name}/v1"\nkind: ${kind}\n`);
          expect({ name, ours: oursIn(found.documents).length }).toEqual({ name, ours: 1 });
        }
  });
});

describe('a document that names nothing of muster', () => {
  test.each([
    ['a document of another kind', FOREIGN],
    ['an escape that is no part of a name', `${FOREIGN}data: {a: "\\u003cb\\u003e \\x1b\\n\\"\\/\\\\"}\n`],
    [
      'a shell command of several lines',
      `${FOREIGN}data:\n  run: |\n    curl \\\n      --fail "$URL" \\\n      --silent\n`,
    ],
    ['exclamation marks', `${FOREIGN}data: {a: "!important", b: 'width:100%!', c: "a != b"}\n---\na: !Ref b\n`],
    [
      'a group with a similar name',
      'apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingWebhookConfiguration\n',
    ],
  ])('is not parsed: %s', (_, text) => {
    expect(couldNameOurs(text)).toBe(false);
  });

  test.each([
    ['a template', 'metadata:\n  name: {{ .Values.name }}\n'],
    ['half a type', 'apiVersion: v1\n'],
    ['a duplicate key', 'kind: A\nkind: B\n'],
    ['a bracket without an end', 'kind: [\n'],
    ['a tag', 'kind: !Sub A\n'],
    ['a byte order mark', 'kind: A\nname: \ufeffb\n'],
    ['an end mark', '...\n'],
    ['JSON that is broken', '{"a": 1} {"b": }\n'],
  ])('is one skipped document, and its mistakes are not reported: %s', (_, text) => {
    const { documents, errors, skipped } = read(`# first\n${text}---\napiVersion: ${GROUP}/v1\nkind: A\n`);
    expect({ documents: documents.length, errors, skipped: skipped.map(({ start }) => start()) }).toEqual({
      documents: 1,
      errors: [],
      skipped: [{ line: 2, column: 1 }],
    });
  });

  test.each(['', '\n', '---\n---\n', '# a\n---\n  # b\n', 'null\n', '~', '---\r\n# a\r\n---\r\n'])(
    '%j holds no document to skip',
    (text) => {
      expect(read(text)).toEqual({ documents: [], errors: [], skipped: [] });
      expect(read(`${text}\n---\napiVersion: ${GROUP}/v1\nkind: A\n`).skipped).toEqual([]);
    },
  );

  test('a separator that kubectl refuses is an error only in a file that names something of muster', () => {
    expect(read('--- a\nb: 1\n').errors).toEqual([]);
    expect(read(`--- a\nb: 1\n---\napiVersion: ${GROUP}/v1\nkind: A\n`).errors).toMatchObject([{ line: 1, column: 1 }]);
  });

  test('can still be read', () => {
    const [skipped] = read(`# a\n${FOREIGN}`).skipped;
    expect(skipped?.read().documents).toMatchObject([{ value: { kind: 'ConfigMap' }, start: { line: 2, column: 1 } }]);
  });
});

test('manifests of other kinds are skipped, each on its own', () => {
  const texts = manifestFiles(400).map(({ text }) => text);
  const ours = texts.join('\n').match(/apiVersion\W+multicluster|apiVersion: (features|about)\./g) ?? [];
  const found = texts.map(read);
  expect(found.reduce((sum, { documents }) => sum + documents.length, 0)).toBe(ours.length);
  expect(found.reduce((sum, { skipped }) => sum + skipped.length, 0)).toBe(400 - ours.length);
});

/** Lines of documents, separated by ¦. */
const LINES =
  String.raw`apiVersion: ${GROUP}/v1 ¦ kind: ClusterClaim ¦ 'apiVersion': "${GROUP}/v1" ¦ apiVersion: "multicluster.x-k8s\x2eio/v1" ¦ apiVersion: >-
${GROUP}/v1 ¦ apiVersion: &a ¦ apiVersion: *a ¦ - "multicluster\ ¦ .x-k8s.io/v1" ¦ &a "${GROUP}/v1" ¦ apiVersion: !!str ${GROUP}/v1 ¦ apiVersion: "multi\
cluster.x-k8s.io/v1" ¦ {"apiVersion": "multicluster\u002ex-k8s.io/v1", "kind": "A"} ¦ items: ¦ - apiVersion: ${GROUP}/v1 ¦ items: [] ¦   kind: A
kind: Secret ¦ a: b ¦ b: ¦ f: | ¦ - a ¦ # comment ¦ text ¦ --- ¦ --- # a ¦ ... ¦ { ¦ } ¦ ? items ¦ : - *a ¦ <<: *a ¦ x: "y`
    .split(/ ¦ |\n/)
    .concat('a:\tb', '\ufeffa: b', 'b: \u00a0', 'c: \u0085', 'd: 😀', 'kind: A\r');

test('whatever the text, no object of muster is lost, and the errors beside it stay', () => {
  const line = fc.tuple(fc.constantFrom(0, 0, 0, 2), fc.constantFrom(...LINES));
  const lines = fc
    .array(line, { maxLength: 12 })
    .map((all) => all.map(([indent, content]) => `${' '.repeat(indent)}${content}\n`).join(''));
  const seeds = [...readCorpus(), ...manifestFiles(60)].map(({ text }) => text.slice(0, 600));
  fc.assert(
    fc.property(fc.oneof(lines, fc.constantFrom(...seeds)), lines, (before, after) => {
      const text = before + after;
      const found = read(text);
      const full = readDocuments(text, 'x');
      expect({ text, ours: oursIn(found.documents) }).toEqual({ text, ours: oursIn(full.documents) });
      expect(full.errors).toEqual(expect.arrayContaining(found.errors));
    }),
    { numRuns: 4000 },
  );
});

/** In quadratic time each of them would take minutes. */
test.each(['!', '!a', '!<', '\\', '\\u', 'a\\', '!%', '!a%4', '# a\n', '# a\n---\n', ' \n', '\\x', '!b!', '\n---'])(
  'a text of many %j is searched in linear time',
  (piece) => {
    const begun = process.cpuUsage();
    for (const _ of readManifests(piece.repeat(300_000), 'x'));
    const { user, system } = process.cpuUsage(begun);
    expect((user + system) / 1000).toBeLessThan(30_000);
  },
);
