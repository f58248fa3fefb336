import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { dialects } from '../../../../src/api/dialects.ts';
import { expectSchema, suiteSchema, testSchema } from '../../../../src/cli/suites/suite-schema.ts';
import { ruleIds } from '../../../../src/rules/index.ts';
import { newFolder } from '../../../support/folder.ts';
import { runAt } from './rule-suites.ts';

const folder = newFolder();

const word = fc.constantFrom(
  'a',
  'b',
  'UPDATE',
  'DELETE',
  'status',
  'unknown',
  'allowed',
  'denied',
  '__proto__',
  ...ruleIds,
);
const anything = fc.oneof(fc.jsonValue({ maxDepth: 2 }), word, fc.array(word, { maxLength: 2 }));
const mostly = <T>(usual: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 6, arbitrary: usual }, { weight: 1, arbitrary: anything });
const record = (keys: object, usual: Record<string, fc.Arbitrary<unknown>>) =>
  fc.record(Object.fromEntries(Object.keys(keys).map((key) => [key, mostly(usual[key] ?? anything)])), {
    requiredKeys: Object.keys(usual),
  });
const kind = fc.constantFrom(...dialects.map(({ group, kind }) => ({ apiVersion: `${group}/v1alpha1`, kind })));
const metadata = mostly(fc.record({ name: mostly(word), namespace: anything, labels: anything }));
const object = fc
  .tuple(kind, fc.record({ metadata, spec: anything, status: anything }, { requiredKeys: ['metadata'] }))
  .map(([type, body]) => ({ ...type, ...body }));
const rules = fc.array(word, { maxLength: 2 });
const expected = record(expectSchema.properties, { verdict: fc.constantFrom('allowed', 'denied'), rules });
const reference = fc.oneof({ weight: 5, arbitrary: object }, { weight: 1, arbitrary: fc.constantFrom('a', 'b') });
const one = record(testSchema.properties, { name: fc.string({ minLength: 1 }), check: reference, expect: expected });
const simple = fc.record({ name: fc.string({ minLength: 1 }), check: reference, expect: fc.constant('allowed') });
const suite = record(suiteSchema.properties, {
  apiVersion: fc.constant('muster/v1alpha1'),
  kind: fc.constant('MusterTest'),
  objects: fc.record({ a: object, b: object }),
  tests: fc.array(fc.oneof(one, simple), { minLength: 1, maxLength: 3 }),
}).map(({ config: _, defaults: __, ...rest }) => rest);

test('any suite is run or refused, with each problem in the file, and no rule breaks', async () => {
  let tests = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(
        suite,
        simple.map((only) => ({ apiVersion: 'muster/v1alpha1', kind: 'MusterTest', tests: [only] })),
      ),
      async (input) => {
        const file = folder.put('any.muster-test.json', JSON.stringify(input, null, 1));
        const { report } = await runAt(file);
        const lines = JSON.stringify(input, null, 1).split('\n').length;
        tests += report.summary.tests;
        expect(report.summary.tests + report.summary.errors).toBeGreaterThan(0);
        for (const { line, message } of report.errors) {
          expect(line).toBeLessThanOrEqual(lines);
          expect(message).not.toMatch(/a bug in muster/);
        }
      },
    ),
    { numRuns: 300 },
  );
  expect(tests).toBeGreaterThan(50);
});
