import { expect, test } from '@jest/globals';
import { errorIn, parts } from '../../../../src/input/git/process.ts';

test('the error of git is the last line that is no hint, escaped', () => {
  expect(errorIn('warning: x\nfatal: first\nfatal: bad \u001b[31m\nhint: try y\n')).toBe('bad \\u001b[31m');
  expect(errorIn('')).toBe('');
  expect(parts(Buffer.from('a\0b\n\0'))).toEqual(['a', 'b\n']);
  expect(parts(Buffer.from(''))).toEqual([]);
});
