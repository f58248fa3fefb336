/** A recorded suite passes, and notices a changed configuration. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { dialects } from '../../../../src/api/dialects.ts';
import type { JsonObject } from '../../../../src/base/json.ts';
import { type Recorded, recordSuite } from '../../../../src/cli/suites/record.ts';
import { readDocuments } from '../../../../src/documents/index.ts';
import { escapedJson } from '../../../../src/report/json.ts';
import { claim, cluster, yaml } from '../../../support/command-line.ts';
import { configurationOf, policyFrom } from '../../../support/configuration.ts';
import { NOW } from '../../../support/examples.ts';
import { newFolder } from '../../../support/folder.ts';
import { runAt } from './rule-suites.ts';

const folder = newFolder();

interface Input {
  readonly documents?: readonly JsonObject[];
  readonly deleted?: readonly JsonObject[];
  readonly state?: readonly JsonObject[];
  readonly config?: JsonObject;
}

/** Line separators that are not escaped are refused. */
const put = (name: string, written: readonly JsonObject[]) => folder.put(name, escapedJson(yaml(...written)));

async function record(input: Input): Promise<Recorded> {
  const { documents = [], deleted = [], state = [], config = {} } = input;
  folder.put('recorded/muster.yaml', JSON.stringify(configurationOf(config)));
  return recordSuite({
    paths: [put('documents.yaml', documents)],
    deleted: [put('deleted.yaml', deleted)],
    state: [put('state.yaml', state)],
    policy: policyFrom(config, Date.parse(NOW)),
    config: 'muster.yaml',
    identity: { username: 'jane', groups: [] },
    groups: [],
    file: `${folder.path}/recorded/a.muster-test.yaml`,
    now: Date.parse(NOW),
    stdin: async () => new Uint8Array(),
  });
}

function textOf(recorded: Recorded): string {
  if ('errors' in recorded) throw new Error(JSON.stringify(recorded.errors));
  return recorded.text;
}

/** Records, runs what was recorded, and gives the results. */
async function recordAndRun(input: Input) {
  const text = textOf(await record(input));
  const { report } = await runAt(folder.put('recorded/a.muster-test.yaml', text));
  expect(report.errors).toEqual([]);
  return { text, results: report.results };
}

const anything = fc.jsonValue({ maxDepth: 3 });
const awkward = fc.constantFrom(
  ...['On', '012', '1_000', '12:30:45', '2026-06-01', '~', '*a', 'a: b', ' x', 'é\u2028', '0x1F', '#'],
);
const value = fc.oneof(anything, awkward);
const name = fc.oneof(fc.constantFrom('id.k8s.io', 'clusterset.k8s.io', 'a', 'a.yaml', 'unknown'), awkward);
const kind = fc.constantFrom(
  ...dialects.map(({ group, versions, kind }) => ({ apiVersion: `${group}/${versions[0]}`, kind })),
);
const labels = fc.dictionary(awkward, awkward, { maxKeys: 2 });
const body = fc.record(
  {
    metadata: fc.record({ name, labels, finalizers: fc.array(awkward, { maxLength: 1 }) }, { requiredKeys: ['name'] }),
    spec: fc.record({ value, clusterManager: value, displayName: value }, { requiredKeys: [] }),
    status: fc.record({ conditions: value, state: value, uses: value }, { requiredKeys: [] }),
  },
  { requiredKeys: ['metadata'] },
);
const object = fc.tuple(kind, body).map(([type, rest]) => ({ ...type, ...rest }) as JsonObject);
const objects = fc.array(object, { maxLength: 4 });

test('whatever is recorded passes, as often as it is run', async () => {
  let tests = 0;
  await fc.assert(
    fc.asyncProperty(objects, objects, objects, async (documents, deleted, state) => {
      fc.pre(documents.length + deleted.length > 0);
      const { results } = await recordAndRun({ documents, deleted, state });
      tests += results[0]?.writes?.length ?? 1;
      expect(results.flatMap(({ differences }) => differences)).toEqual([]);
    }),
    { numRuns: 60 },
  );
  expect(tests).toBeGreaterThan(90);
});

describe('a suite of manifests', () => {
  const input = {
    state: [claim('id.k8s.io', 'pier-7')],
    documents: [claim('clusterset.k8s.io', 'harbor'), claim('id.k8s.io', 'On'), cluster('pier-7')],
  };

  test('names what it may not read by the objects, and expects each write', async () => {
    const { text, results } = await recordAndRun(input);
    expect(
      results.flatMap(({ writes = [] }) =>
        writes.map(({ object, operation, verdict }) => [object, operation, verdict]),
      ),
    ).toEqual([
      ['ClusterClaim clusterset.k8s.io', 'CREATE', 'allowed'],
      ['ClusterClaim id.k8s.io', 'UPDATE', 'denied'],
      ['InventoryCluster pier-7', 'CREATE', 'allowed'],
    ]);
    const suite = readDocuments(text, 'a').documents[0]?.value as { tests: readonly { check: object[] }[] };
    expect(suite.tests[0]?.check).toEqual(input.documents);
  });

  test('has the Services of exports, which decide with them', async () => {
    const metadata = { namespace: 'shop', name: 'db' };
    const exported = { apiVersion: 'multicluster.x-k8s.io/v1alpha1', kind: 'ServiceExport', metadata };
    const service = { apiVersion: 'v1', kind: 'Service', metadata, spec: { ports: [{ port: 80 }] } };
    const text = textOf(await record({ documents: [exported, service], state: [service] }));
    expect(text.match(/kind: Service\n/g)).toHaveLength(2);
  });

  test('has the deletions first: what is deleted and then applied is created anew', async () => {
    const member = claim('clusterset.k8s.io', 'harbor');
    const { results } = await recordAndRun({ state: [member], deleted: [member], documents: [member] });
    expect(results.flatMap(({ writes = [] }) => writes.map(({ operation }) => operation))).toEqual([
      'DELETE',
      'CREATE',
    ]);
  });

  test('notices a configuration that was changed', async () => {
    await recordAndRun(input);
    const rules = { 'claim/id-syntax': 'ignore', 'claim/id-immutable-in-clusterset': 'ignore' };
    folder.put('recorded/muster.yaml', JSON.stringify(configurationOf({ rules })));
    const { report } = await runAt(`${folder.path}/recorded`);
    expect(report.results[0]?.differences.map(({ what }) => what)).toEqual(['verdict', 'rules', 'code', 'message']);
  });

  const many = Array.from({ length: 1001 }, (_, index) => cluster(`pier-${index}`));
  const elsewhere = /^1001 objects in "state" are more than a suite lists \(1000\): name a file in \S+ with --state$/;
  test.each([
    [
      'checked',
      { documents: many },
      '1001 objects in "check" are more than a suite lists (1000): record them in parts',
    ],
    ['deleted', { deleted: many }, /^1001 objects in "deleted" are more/],
    ['stored', { ...input, state: many }, elsewhere],
  ])('of more objects than a suite lists is refused: %s', async (_, given, message) => {
    await expect(record(given)).rejects.toThrow(message);
  });
});
