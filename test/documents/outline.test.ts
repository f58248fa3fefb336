/** A document that is read by its outline gives what reading it in full gives: type, place, errors. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { objectsIn } from '../../src/cluster/files/objects.ts';
import { readDocuments, readInBatches, type SourceDocument } from '../../src/documents/index.ts';
import { outlineOf } from '../../src/documents/yaml/outline.ts';
import { isObject } from '../../src/rules/json.ts';
import type { Json } from '../../src/rules/rule.ts';
import { manifestFiles } from '../bench/check/manifests.ts';
import { readCorpus } from './corpus.ts';

const OURS = 'multicluster.x-k8s.io';

/** Reads a text in both ways and compares all that a check makes of it; returns how many documents were only outlined. */
function compare(text: string): number {
  const full = readDocuments(text, 'x');
  const batches = [...readInBatches(text, 'x', { isTypeEnough: (apiVersion) => !apiVersion.includes(OURS) })];
  const documents = batches.flatMap((batch) => batch.documents);
  const errors = batches.flatMap((batch) => batch.errors);
  expect({ text, errors, documents: documents.map(seen) }).toEqual({
    text,
    errors: full.errors,
    documents: full.documents.map(seen),
  });
  return documents.filter(({ value }, index) => keysOf(value) < keysOf(full.documents[index]?.value)).length;
}

/** What a check makes of a document: its objects, of other kinds only their number and types; its errors. */
function seen(document: SourceDocument) {
  const { objects, errors, foreign } = objectsIn(document);
  const summary = objects.map(({ apiVersion, kind, start, object }) => {
    return { apiVersion, kind, start, object: apiVersion.includes(OURS) ? object : undefined };
  });
  return { summary, errors, foreign, start: document.start };
}

function keysOf(value: Json | undefined): number {
  return isObject(value) ? Object.keys(value).length : 0;
}

const TYPE = 'apiVersion: v1\nkind: ConfigMap\n';

describe('the documents of the corpus', () => {
  test.each(readCorpus())('$name', ({ text }) => {
    compare(text);
    compare(`${TYPE}${text}`);
    compare(`${TYPE}data:\n${text.replace(/^(?=.)/gm, '  ')}`);
    compare(`${TYPE}list:\n- ${text.replace(/\n(?=.)/g, '\n  ')}`);
  });
});

/** Lines of documents, separated by ¦. */
const LINES =
  String.raw`a: b ¦ b: ¦ c: d e ¦ d: "e" ¦ e: 'f''g' ¦ f: | ¦ g: >- ¦ h: [] ¦ i: {j: k} ¦ l: [m, "n"] ¦ o: p # q ¦ q: r:s#t
- a ¦ - b: c ¦ - ¦ - d: ¦ - | ¦ - e: >+ ¦ - - f ¦ - "g" ¦ - {h: i} ¦ # comment ¦  ¦ text ¦ more text: ¦ - # comment
"a": b ¦ 'b': c ¦ c: "d ¦ e" ¦ f: {g: h, g: i} ¦ j: {k: l, m: n} ¦ o: [ ¦ p] ¦ q: r: s ¦ t: u: ¦ v:w ¦ x: y z: ¦ "<<": {a: b}
x: *y ¦ y: &y z ¦ <<: *y ¦ <<: {a: b} ¦ z: !!binary aa ¦ ! a: b ¦ ? a ¦ : b ¦ yes: a ¦ true: b ¦ ~: c ¦ .5: d ¦ 0x1: a ¦ 1: b
.nan: d ¦ e: .inf ¦ f: .NaN ¦ g: -.inf ¦ h: +.Inf ¦ 1.5: c ¦ .: d ¦ h: +1 ¦ i: -1 ¦ j: - k ¦ l: --m ¦ n: ./o ¦ p: @q ¦ @r: s
g: |2 ¦ h: >1- ¦ i: | # j ¦ k: |x ¦ l: "\x2e" ¦ m: "a" b ¦ n: 'a'b ¦ o: 'p' # q ¦ r: "s"# t ¦ #u ¦ v: |+ ¦ $a: b ¦ w: >- x
kind: Secret ¦ kind: ¦ kind: on ¦ "kind": Role ¦ kind: A # b ¦ apiVersion: v2 ¦ apiVersion: ¦ apiVersion: 1 ¦ apiVersion: "a b"
apiVersion: ${OURS}/v1 ¦ 'apiVersion': "${OURS}/v1" ¦ apiVersion: "multicluster.x-k8s\x2eio/v1" ¦ items: ¦ items: []
apiVersion: >- ¦ ${OURS}/v1 ¦ "\u0061piVersion": b ¦ apiVersion: &a ¦ apiVersion: *a ¦ "items": c ¦ 'items': ¦ ? items
--- ¦ --- # a ¦ --- a ¦ ... ¦ %YAML 1.1 ¦ { ¦ } ¦ {"a": 1} ¦ a: {b} ¦ c: [d,] ¦ e: [f,g] ¦ h: {i: } ¦ j: {yes: a} ¦ k: [?l]`
    .split(/ ¦ |\n/)
    .concat(
      'a:\tb',
      '\tb: c',
      'c: \t',
      'd: e\tf',
      '\ufeffa: b',
      'a: \ufeff',
      'b: \u00a0',
      'c: \u0085',
      'd: 😀',
      'e: é',
    );

describe('whatever the text', () => {
  /** The lines of the first two rows are ordinary. */
  const text = fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...LINES.slice(0, 26)) }, fc.constantFrom(...LINES));
  const line = fc.tuple(fc.constantFrom(-2, -1, 0, 0, 1, 2), text);
  const lines = fc.array(line, { maxLength: 9 }).map((all) => {
    let indent = 0;
    return all.map(([step, content]) => {
      indent = Math.max(0, indent + step);
      return `${' '.repeat(indent)}${content}\n`;
    });
  });

  test('lines that do not belong together', () => {
    fc.assert(
      fc.property(fc.constantFrom('', TYPE, 'kind: A\n'), lines, fc.constantFrom('', TYPE), (before, all, after) => {
        compare(before + all.join('') + after);
      }),
      { numRuns: 4000 },
    );
  });

  test('manifests that were cut and mixed', () => {
    const seeds = [...manifestFiles(120), ...readCorpus()].map(({ text }) => text.slice(0, 2000));
    const cut = fc
      .tuple(fc.constantFrom(...seeds), fc.nat(1500), fc.constantFrom(...seeds), fc.nat(1500), fc.nat(40), fc.nat(9))
      .map(
        ([text, at, other, from, more, less]) =>
          text.slice(0, at) + other.slice(from, from + more) + text.slice(at + less),
      );
    fc.assert(
      fc.property(cut, (text) => void compare(text)),
      { numRuns: 2000 },
    );
  });
});

/** In quadratic time each of them would take minutes. */
test.each([
  ['white space behind a value', `k: a${' '.repeat(400_000)}\t`],
  ['white space behind a key', `k:${' '.repeat(400_000)}\t`],
  ['number signs', `k: ${'a#'.repeat(400_000)}\t`],
  ['colons', `k: ${'a:b'.repeat(400_000)}: `],
  ['a list without an end', `k: [${'"a" , '.repeat(400_000)}`],
  ['a mapping without an end', `k: {${'a:  b  , '.repeat(400_000)}`],
  ['quotes', `k: '${"''".repeat(400_000)}`],
])('a line of %s is searched in linear time', (_name, line) => {
  const text = TYPE + line;
  expect(outlineOf(text, { from: 0, to: text.length }, () => true)).toBeUndefined();
});

test('manifests of ordinary form are only outlined', () => {
  const texts = manifestFiles(400).map(({ text }) => text);
  const outlined = texts.reduce((sum, text) => sum + compare(text), 0);
  const others = texts.flatMap((text) => text.match(/^apiVersion: (?!multicluster)/gm) ?? []);
  expect(outlined).toBe(others.length);
});

test('a value of a document that is only outlined is located by reading it in full', () => {
  const [full, outlined] = [
    readDocuments,
    (text: string) => [...readInBatches(text, 'x', { isTypeEnough: () => true })][0],
  ].map((read) => read(`# a\n${TYPE}metadata:\n  name: b\n`, 'x')?.documents[0]);
  expect(keysOf(outlined?.value)).toBe(2);
  for (const path of [['kind'], ['metadata', 'name'], ['spec']])
    expect(outlined?.locate(path)).toEqual(full?.locate(path));
});
