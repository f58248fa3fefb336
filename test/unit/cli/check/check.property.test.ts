import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { dialects } from '../../../../src/api/dialects.ts';
import { runCheck } from '../../../../src/cli/check/run.ts';
import { run } from '../../../support/command-line.ts';
import { newFolder } from '../../../support/folder.ts';

const folder = newFolder();

const anything = fc.jsonValue({ maxDepth: 3 });
const mostly = <T>(usual: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 4, arbitrary: usual }, { weight: 1, arbitrary: anything });
const name = mostly(fc.constantFrom('id.k8s.io', 'clusterset.k8s.io', 'a', ''));
const type = fc.constantFrom(
  ...dialects.map(({ group, versions, kind }) => ({ apiVersion: `${group}/${versions[0]}`, kind })),
  { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview' },
  { apiVersion: 'v1', kind: 'List' },
);
const object = fc
  .tuple(
    type,
    fc.record(
      {
        metadata: mostly(fc.record({ name, labels: anything, finalizers: anything, deletionTimestamp: anything })),
        spec: mostly(fc.record({ value: anything, clusterManager: anything }, { requiredKeys: [] })),
        status: mostly(fc.record({ conditions: anything, state: anything, uses: anything }, { requiredKeys: [] })),
        request: anything,
        items: anything,
      },
      { requiredKeys: [] },
    ),
  )
  .map(([kind, body]) => ({ ...kind, ...body }));
const objects = fc.array(object, { maxLength: 4 });

test('any objects, in any role: a report that adds up, and never a rule that breaks', async () => {
  await fc.assert(
    fc.asyncProperty(objects, objects, objects, async (documents, state, deleted) => {
      const put = (file: string, all: readonly unknown[]) =>
        folder.put(file, all.map((one) => `---\n${JSON.stringify(one)}\n`).join(''));
      const input = {
        paths: [put('a.yaml', documents)],
        state: [put('b.yaml', state)],
        deleted: [put('c.yaml', deleted)],
      };
      const { report } = await runCheck(run(input));
      const { evaluated, allowed, denied, indeterminate, errors } = report.summary;
      expect(evaluated).toBe(allowed + denied + indeterminate);
      expect(errors).toBe(report.errors.length);
      expect(report.errors.filter(({ message }) => message.includes('a bug in muster'))).toEqual([]);
    }),
    { numRuns: 300 },
  );
});
