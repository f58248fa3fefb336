/** Reads what kubectl's own libraries read; each difference is listed with its reason. */
import { describe, expect, test } from '@jest/globals';
import { readDocuments } from '../../../src/documents/index.ts';
import { readCorpus } from './corpus.ts';

const corpus = readCorpus();

/** Errors here and not there, for a reason. */
const STRICTER: Readonly<Record<string, string>> = {
  'a key written twice is always a mistake; the Go library lets the last one win':
    'duplicates: in block, nested, in flow, quoted and plain, in json, same boolean, in a list item, one of two documents',
  'no object is so deep, and whatever walks it later must not run out of stack':
    'collections: too deep, too deep in block; json: deep',
  'kubectl drops what follows "...", a first JSON value, or --- behind a lone carriage return, without a word':
    'documents: content behind the end mark, JSON in brackets with two values, JSON values behind a separator, separator behind a lone carriage return',
  'nobody sees a line break in these characters, but kubectl breaks the line there':
    'documents: next line, line separator, JSON with an invisible line break behind a separator',
  'nobody means the ":" or the tag to swallow what follows, or "?" to begin a key there':
    'collections: colon and comma, colon and closer, question mark first in flow; tags: tag before a comma',
  'YAML wants a space before "#"; here the package `yaml` keeps to it':
    'block-text: comment without space; collections: comment without space in flow, comment behind bracket; text: quote then comment sign',
  'no YAML; the Go library reads it by accident':
    'collections: dash in flow; keys: no space behind a quoted key; text: escaped single quote',
  'the package `yaml` and the Go library differ on the value, so neither is used':
    'text: escaped break before an empty line',
  'lines in brackets and quotes that are not indented: the lexer of the package `yaml` ends the value there':
    'collections: flow less indented, flow not indented; tabs: at the beginning of a line in a flow list, in quotes over lines; text: quoted lines not indented, quoted with empty lines',
  'a tab in the white space of a line is one rule, also on an empty line': 'tabs: on an empty line behind spaces',
  'kustomize keeps a key before a merge, where kubectl overrides it, and refuses a second merge':
    'anchors: merge behind keys, merge twice',
  'fractions as keys': 'keys: float keys, infinite keys, key beyond 64 bits, small float keys',
  'tags beyond the core types, of which the package and the Go library decode some otherwise':
    'anchors: tagged merge; documents: tag directive; keys: tagged keys; tags: binary, binary in another spelling, omap, own tag, set, timestamp, unknown core tag, verbatim tag',
  'after a byte order mark the Go library can skip characters':
    'documents: byte order mark of a second file, byte order mark shifts a line, byte order mark in a comment, JSON with a byte order mark in a text',
  'kubectl reads half of a pair as U+FFFD': 'json: lone surrogate',
  'kubectl fails on it too, one step later': 'json: too large',
  'kubectl turns to YAML in the middle of JSON, and reads a missing value as null': 'json: second broken',
};

/** Other values here than there, for a reason. */
const OTHERWISE: Readonly<Record<string, string>> = {
  'kubectl gives up the document before a bad separator too; it stops there anyway':
    'documents: content on the separator, more dashes',
  'kubectl stops at a separator behind JSON values; the documents after it are read here':
    'documents: JSON values and a separator',
  'white space at the end of a text with an indentation indicator; the package `yaml` cuts it':
    'block-text: trailing spaces lines with an indicator',
  'a text at the root of a document is no manifest in any reading': 'block-text: at the root not indented',
};

const stricter = namesIn(STRICTER);
const otherwise = namesIn(OTHERWISE);

/** `file: case, case; file: case` are the cases of the corpus `file/case`. */
function namesIn(table: Readonly<Record<string, string>>): ReadonlySet<string> {
  const groups = Object.values(table).flatMap((text) => text.split('; '));
  return new Set(
    groups.flatMap((group) => {
      const [file, cases = ''] = group.split(': ');
      return cases.split(', ').map((name) => `${file}/${name}`);
    }),
  );
}

function read(text: string) {
  const { documents, errors } = readDocuments(text, 'corpus.yaml');
  return { values: documents.map((document) => document.value), errors: errors.length };
}

describe('reads as kubectl', () => {
  const agreed = corpus.filter(({ name }) => !stricter.has(name) && !otherwise.has(name));
  test.each(agreed)('$name', ({ text, values, errors }) => {
    expect(read(text)).toEqual({ values, errors });
  });
});

describe('stricter than kubectl', () => {
  test.each(corpus.filter(({ name }) => stricter.has(name)))('$name', ({ text, errors }) => {
    expect(read(text).errors).toBe(errors + 1);
  });
});

describe('otherwise than kubectl', () => {
  test.each(corpus.filter(({ name }) => otherwise.has(name)))('$name', ({ text, values, errors }) => {
    expect(read(text)).not.toEqual({ values, errors });
  });
});

describe('the corpus', () => {
  test('names each case once, and every difference is a case', () => {
    const names = corpus.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect([...stricter, ...otherwise].filter((name) => !names.includes(name))).toEqual([]);
  });
});
