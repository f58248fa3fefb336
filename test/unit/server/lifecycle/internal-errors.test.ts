import { expect, test } from '@jest/globals';
import { createInternalErrors, type InternalErrorSource } from '../../../../src/server/lifecycle/internal-errors.ts';

function errorsAt(now: { at: number }) {
  const lines: unknown[][] = [];
  const counts: InternalErrorSource[] = [];
  const write = (...line: unknown[]) => void lines.push(line);
  const errors = createInternalErrors({
    log: { error: write, warn: write },
    count: (source) => counts.push(source),
    clock: () => now.at,
  });
  return { errors, lines, counts };
}

test('each error is counted; of one source the first is logged, under a reference', () => {
  const { errors, lines, counts } = errorsAt({ at: 0 });
  const error = new Error('x');
  errors.report('ops', error);
  errors.report('ops', error);
  errors.report('request', error, 'ab12cd34');
  errors.countEvaluation(2);
  expect(counts).toEqual(['ops', 'ops', 'request', 'evaluation', 'evaluation']);
  expect(lines).toEqual([
    ['an internal error on the operations port', error, { reference: expect.stringMatching(/^[0-9a-z]{8}$/) }],
    ['an internal error in a request', error, { reference: 'ab12cd34' }],
  ]);
});

test('ten within a minute are reported, logged once, and forgotten when the minute is over', () => {
  const now = { at: 0 };
  const { errors, lines } = errorsAt(now);
  for (let n = 1; n < 10; n++) {
    errors.countEvaluation(1);
    now.at += 1000;
  }
  expect(errors.problem()).toBeUndefined();
  errors.countEvaluation(1);
  const message = '10 internal errors in the last minute; see the log, and please report them';
  expect(errors.problem()).toBe(message);
  errors.countEvaluation(5);
  expect(lines).toEqual([[message]]);
  now.at = 60_000;
  expect(errors.problem()).toMatch(/^14 internal errors/);
  now.at = 69_000;
  expect(errors.problem()).toBeUndefined();
});
