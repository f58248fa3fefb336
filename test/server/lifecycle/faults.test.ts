import { expect, test } from '@jest/globals';
import { createFaults, type FaultPlace, faultsCheck, REPEATED } from '../../../src/server/lifecycle/faults.ts';

function faultsAt(now: { at: number }) {
  const lines: unknown[][] = [];
  const counts: FaultPlace[] = [];
  const tell = (...line: unknown[]) => void lines.push(line);
  const faults = createFaults({
    log: { error: tell, warn: tell },
    count: (where) => counts.push(where),
    clock: () => now.at,
  });
  return { faults, lines, counts };
}

test('each is counted; of one place, the first is told, under a reference', () => {
  const { faults, lines, counts } = faultsAt({ at: 0 });
  const error = new Error('x');
  faults.happened('ops', error);
  faults.happened('ops', error);
  faults.happened('request', error, 'ab12cd34');
  faults.crashed(2);
  expect(counts).toEqual(['ops', 'ops', 'request', 'judging', 'judging']);
  expect(lines).toEqual([
    ['the ops port failed', error, { reference: expect.stringMatching(/^[0-9a-f]{8}$/) }],
    ['a request broke', error, { reference: 'ab12cd34' }],
  ]);
});

test('ten within a minute are shown, told once, and forgotten when the minute is over', () => {
  const now = { at: 0 };
  const { faults, lines } = faultsAt(now);
  const check = faultsCheck(faults);
  for (let n = 1; n < REPEATED; n++) {
    faults.crashed(1);
    now.at += 1000;
  }
  expect(check.run()).toBeUndefined();
  faults.crashed(1);
  expect(check.run()).toBe('10 internal errors in the last minute; the log tells each, please report them');
  faults.crashed(5);
  expect(lines).toEqual([['10 internal errors in the last minute; the log tells each, please report them']]);
  now.at = 60_000;
  expect(faults.lately()).toBe(14);
  now.at = 69_000;
  expect(check.run()).toBeUndefined();
  now.at = 1e9;
  expect(faults.lately()).toBe(0);
  expect(check.advisory).toBe(true);
});
