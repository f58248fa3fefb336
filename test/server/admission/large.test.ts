/** A large review is judged in turns with others, within its budget, and for nobody who hung up. */

import { expect, test } from '@jest/globals';
import { clusterStateOf } from '../../../src/engine/cluster-state.ts';
import { createEngine } from '../../../src/engine/index.ts';
import { type AdmissionOptions, type Call, createAdmission } from '../../../src/server/admission/admission.ts';
import { viewOf } from '../../rules/rule-tester.ts';

const engine = createEngine({ point: 'webhook' });
const options: AdmissionOptions = { current: () => engine, clusterState: clusterStateOf(viewOf([])) };

/** A status in which as many conditions are bad as are stored so. */
function bodyOf(count: number): Call['body'] {
  const kind = { group: 'multicluster.x-k8s.io', version: 'v1alpha1', kind: 'InventoryCluster' };
  const status = { conditions: Array.from({ length: count }, (_, index) => ({ type: `T${index}`, status: true })) };
  const object = { metadata: { name: 'harbour-7' }, spec: { clusterManager: { name: 'harbour' } }, status };
  const request = { uid: 'u', kind, subResource: 'status', operation: 'UPDATE', object, oldObject: object };
  const review = { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', request };
  return { bytes: Buffer.from(JSON.stringify(review)), tooLarge: false };
}

async function decided(
  count: number,
  more: Partial<Call>,
): Promise<{ readonly outcome: string; readonly turns: number }> {
  let turns = 0;
  const turn = async () => {
    turns += 1;
    await (more.turn?.() ?? new Promise((begin) => setImmediate(begin)));
  };
  const call: Call = { path: 'validate', body: bodyOf(count), budget: 60_000, gone: new AbortController().signal };
  const { outcome } = await createAdmission(options)({ ...call, ...more, turn });
  return { outcome, turns };
}

test('a small one waits for no turn', async () => {
  expect(await decided(10, {})).toEqual({ outcome: 'allowed', turns: 0 });
});

test('a large one waits for several', async () => {
  const { outcome, turns } = await decided(8000, {});
  expect(outcome).toBe('allowed');
  expect(turns).toBeGreaterThan(2);
});

test('the wait counts: what is left when its turn comes is the budget', async () => {
  const turn = () => new Promise((begin) => setTimeout(begin, 50));
  expect((await decided(8000, { turn, budget: 40 })).outcome).toBe('indeterminate');
});

test('who hangs up in between ends it', async () => {
  const leaving = new AbortController();
  let turns = 0;
  const turn = async () => {
    turns += 1;
    if (turns === 2) leaving.abort();
    await new Promise((begin) => setImmediate(begin));
  };
  expect((await decided(8000, { turn, gone: leaving.signal })).outcome).toBe('indeterminate');
  await new Promise((end) => setTimeout(end, 100));
  expect(turns).toBe(2);
});
