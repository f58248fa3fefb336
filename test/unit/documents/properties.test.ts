/** What holds for every text and every value. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { stringify } from 'yaml';
import type { Json, Path } from '../../../src/base/json.ts';
import { readDocuments, type SourceDocument } from '../../../src/documents/index.ts';

/** Text that both JSON and YAML carry: no invisible line breaks, which YAML text may not hold (the corpus has them). */
const words = fc
  .string({ unit: 'binary', maxLength: 12 })
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters meant
  .map((text) => text.replace(/[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]/g, 'x'));
/** Not among them: `<<`, which the printer never quotes as a key. */
const trapWords = fc.constantFrom(
  ...'on No y ~ null 1e3 0o17 017 1_0 12:30 2001-01-01 - *a &a !a { ] " \' --- ... __proto__'.split(' '),
  ...['', '? a', ': b', '# c', 'a: b', 'a #b', 'a\n b', ' a ', '\t'],
);

/** Any JSON value that consists of such texts. JSON has no negative zero that lasts: JavaScript prints it as 0. */
function valuesOf(texts: fc.Arbitrary<string>): fc.Arbitrary<Json> {
  const number = fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true })).map((value) => value + 0);
  const json = fc.letrec<{ value: Json }>((tie) => ({
    value: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.oneof(fc.constant(null), fc.boolean(), number, texts),
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(texts, tie('value'), { maxKeys: 4, noNullPrototype: true }),
    ),
  })).value;
  return fc.oneof(fc.array(json, { maxLength: 4 }), fc.dictionary(texts, json, { maxKeys: 4, noNullPrototype: true }));
}

const values = valuesOf(fc.oneof(words, trapWords));
const plainValues = valuesOf(words);

interface Printed {
  readonly value: Json;
  readonly text: string;
}

/**
 * The printer writes a text that begins with a tab as a block text, where kubectl takes the tab for bad indentation.
 */
const MISPRINTED = /[|>][-+0-9]*\n(?: *\n)* *\t/;

/**
 * Pairs of a value and YAML for it: quoted throughout, or plain where the printer dares (it knows fewer traps than
 * kubectl).
 */
const yaml: fc.Arbitrary<Printed> = fc
  .oneof(
    values.map((value) => ({ value, text: asYaml(value, 'QUOTE_DOUBLE') })),
    values.map((value) => ({ value, text: asYaml(value, 'QUOTE_SINGLE') })),
    plainValues.map((value) => ({ value, text: asYaml(value, 'PLAIN') })),
    plainValues.map((value) => ({ value, text: asYaml(value, 'BLOCK_LITERAL') })),
  )
  .filter(({ text }) => !MISPRINTED.test(text));

const jsonText: fc.Arbitrary<Printed> = fc
  .tuple(values, fc.constantFrom(undefined, 2, '\t'))
  .map(([value, indent]) => ({ value, text: JSON.stringify(value, null, indent) }));

function asYaml(value: Json, style: 'QUOTE_DOUBLE' | 'QUOTE_SINGLE' | 'PLAIN' | 'BLOCK_LITERAL'): string {
  const defaultKeyType = style === 'BLOCK_LITERAL' ? 'QUOTE_DOUBLE' : style;
  return stringify(value, { version: '1.1', lineWidth: 0, defaultStringType: style, defaultKeyType });
}

function only(text: string): SourceDocument {
  const { documents, errors } = readDocuments(text, 'x');
  expect({ text, errors, count: documents.length }).toEqual({ text, errors: [], count: 1 });
  return documents[0] as SourceDocument;
}

describe.each([
  ['JSON', jsonText],
  ['YAML', yaml],
])('what is written as %s', (_name, printed) => {
  test('is read back', () => {
    fc.assert(
      fc.property(printed, ({ value, text }) => expect(only(text).value).toEqual(value)),
      { numRuns: 400 },
    );
  });

  test('is located at its text', () => {
    fc.assert(
      fc.property(printed, ({ value, text }) => {
        const document = only(text);
        for (const [path, part] of pathsOf(value)) expectAt(document, path, part);
      }),
      { numRuns: 200 },
    );
  });
});

function pathsOf(value: Json, path: Path = []): [Path, Json][] {
  if (typeof value !== 'object' || value === null) return [[path, value]];
  const steps: (string | number)[] = Array.isArray(value) ? value.map((_item, index) => index) : Object.keys(value);
  const below = steps.flatMap((step) =>
    pathsOf((value as Record<string | number, Json>)[step] as Json, [...path, step]),
  );
  return [[path, value], ...below];
}

/** Checks that the text at the location begins as the value is written. */
function expectAt(document: SourceDocument, path: Path, value: Json): void {
  const { line, column } = document.locate(path);
  const rest = document.sourceLine(line).slice(column - 1);
  expect({ path, rest }).toEqual({ path, rest: expect.stringMatching(beginningOf(value)) });
}

function beginningOf(value: Json): RegExp {
  if (Array.isArray(value)) return value.length === 0 ? /^\[\]/ : /^(?:\[|- )/;
  if (typeof value === 'object' && value !== null)
    return Object.keys(value).length === 0 ? /^\{\}/ : /^(?:\{|["'?]|[^ \t])/;
  if (typeof value !== 'string') return /^[-\d.tfn]/;
  return new RegExp(`^(?:["'|>]|${value.slice(0, 1).replace(/[^\w]/g, '\\$&')})`);
}
