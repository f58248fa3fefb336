/** Lines of the sources have at most 120 columns. The formatter leaves comments and texts as they are. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';

const COLUMNS = 120;

const files = ['src', 'tools/generate'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.generated.ts'))
    .map((name) => join(folder, name)),
);

/** A regular expression can't be written on several lines. */
const PATTERN = /^\s*\/\S.*\/[a-z]*;$/;

test('no line of the sources is longer', () => {
  const long = files.flatMap((file) => {
    const lines = readFileSync(file, 'utf8').split('\n');
    return lines.flatMap((line, index) =>
      [...line].length > COLUMNS && !PATTERN.test(line) ? [`${file}:${index + 1}`] : [],
    );
  });
  expect(long).toEqual([]);
});
