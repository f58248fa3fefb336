/** Checks the answers to probes. */
import { describe, expect, test } from '@jest/globals';
import { type Dialect, dialects } from '../../../../src/api/dialects.ts';
import { admitted } from '../../../../src/cli/doctor/answers.ts';
import { refusedCheck } from '../../../../src/cli/doctor/probe-checks.ts';
import { contextOf } from './context.ts';

describe('a forbidden object that passes', () => {
  const dialect = dialects[0] as Dialect;
  test.each([
    ['enforce', [], 'fail', /the webhook is not called/],
    [undefined, [], 'fail', /or has mode: audit/],
    ['audit', [], 'warn', /mode: audit, so whether muster was called/],
    ['warn', [`[claim/reserved-name] no`], 'warn', /passes with a warning/],
    ['warn', [], 'fail', /the webhook is not called/],
  ] as const)('in mode %s with the warnings %j: %s', (mode, warnings, status, message) => {
    const context = contextOf({ mode });
    const check = refusedCheck({ context, dialect }, 'claim/reserved-name', admitted(warnings));
    expect(check).toMatchObject({ status, message: expect.stringMatching(message) });
  });
});
