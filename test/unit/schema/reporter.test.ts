import { expect, test } from '@jest/globals';
import { Reporter } from '../../../src/schema/reporter.ts';

test('includes more problems than a call can have arguments', () => {
  const at = new Reporter();
  const problem = { path: ['a'], message: 'wrong' };
  at.below('config').include({ problems: Array(200_000).fill(problem), warnings: Array(200_000).fill(problem) });
  expect([at.problems.length, at.warnings.length]).toEqual([200_000, 200_000]);
  expect(at.problems[0]).toEqual({ path: ['config', 'a'], message: 'wrong' });
});
