/**
 * Lines of the sources have at most 120 columns, and so have comments everywhere. The formatter leaves comments and
 * texts as they are.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';

const COLUMNS = 120;

const files = execFileSync('git', ['ls-files', '*.ts', '*.js', '*.vue', '*.css', '*.go'], { encoding: 'utf8' })
  .split('\n')
  .filter((file) => file !== '' && existsSync(file) && !file.endsWith('.generated.ts'));
const isSource = (file: string) => file.startsWith('src/') || file.startsWith('tools/generate/');

const COMMENT = /^\s*(?:\/[/*]|\*) /;
/** A regular expression can't be written on several lines. */
const PATTERN = /^\s*\/\S.*\/[a-z]*;$/;

test('no line of the sources is longer, and no comment', () => {
  const long = files.flatMap((file) => {
    const isLong = (line: string) =>
      [...line].length > COLUMNS && (isSource(file) ? !PATTERN.test(line) : COMMENT.test(line));
    const lines = readFileSync(file, 'utf8').split('\n');
    return lines.flatMap((line, index) => (isLong(line) ? [`${file}:${index + 1}`] : []));
  });
  expect(long).toEqual([]);
});
