/** Large texts, read in batches. */
import { expect, test } from '@jest/globals';
import { readDocuments, readInBatches } from '../../src/documents/index.ts';

const TEXT = Array.from({ length: 2500 }, (_, index) => (index % 500 === 499 ? 'a: [\n' : `a: ${index}\n`)).join(
  '---\n',
);

test('batches hold the same documents in order, with errors last', () => {
  const batches = [...readInBatches(TEXT, 'x')];
  const { documents, errors } = readDocuments(TEXT, 'x');
  expect(batches.map((batch) => [batch.documents.length, batch.errors.length])).toEqual([
    [1000, 0],
    [1000, 0],
    [495, 5],
  ]);
  expect(batches.flatMap((batch) => batch.documents.map(({ value }) => value))).toEqual(
    documents.map(({ value }) => value),
  );
  expect(batches.flatMap((batch) => batch.errors)).toEqual(errors);
  expect(errors.map(({ line }) => line)).toEqual([999, 1999, 2999, 3999, 4999]);
});

test('a document of an earlier batch can still be located', () => {
  const [first] = readInBatches(TEXT, 'x');
  const document = first?.documents[500];
  for (let time = 0; time < 3; time += 1) expect(document?.locate(['a'])).toMatchObject({ line: 1003, column: 4 });
  expect(document?.sourceLine(1003)).toBe('a: 501');
});

test('items of large lists are located, in YAML and in JSON', () => {
  const items = Array.from({ length: 3000 }, (_, index) => ({ name: `n${index}` }));
  const yaml = `items:\n${items.map(({ name }) => `- name: ${name}\n`).join('')}`;
  const json = `{"items": [\n${items.map((item) => JSON.stringify(item)).join(',\n')}]}`;
  for (const [text, column] of [
    [yaml, 9],
    [json, 9],
  ] as const) {
    const [document] = readDocuments(text, 'x').documents;
    for (const index of [0, 2999, 1]) {
      expect(document?.locate(['items', index, 'name'])).toMatchObject({ line: index + 2, column });
    }
  }
});
