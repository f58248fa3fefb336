/** The responses in docs/reference/http.md against those that the code of the server makes. */
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { findMutation } from '../../../../src/engine/manager-label.ts';
import { createEngine, subjectOf, unknownView, viewOf } from '../../../../src/index.ts';
import type { ClusterView } from '../../../../src/rules/rule.ts';
import {
  crashed,
  encode,
  evaluated,
  overdue,
  patched,
  type ReviewResponse,
  skipped,
  unreadable,
} from '../../../../src/server/admission/respond.ts';
import { claim } from '../../../support/objects.ts';

const page = readFileSync('docs/reference/http.md', 'utf8');
const documented = Object.fromEntries(
  [...page.matchAll(/^### ([^\n]*)\n.*?```json\n(.*?)```/gms)].map(([, title, text = '']) => [title, JSON.parse(text)]),
);

const apiVersion = 'multicluster.x-k8s.io/v1alpha1';
const ID = claim('id.k8s.io', 'east-1');
const CHANGED = claim('id.k8s.io', 'east-2');
const CLUSTER = {
  apiVersion,
  kind: 'InventoryCluster',
  metadata: { name: 'east', namespace: 'fleet' },
  spec: { clusterManager: { name: 'depot' } },
};
const joined = viewOf([ID, claim('clusterset.k8s.io', 'harbor')]);
const UID = '705ab4f5-6393-11e8-b7cc-42010a800002';

function requestFor({ kind, metadata: { name } }: typeof ID | typeof CLUSTER) {
  const [group = '', version = ''] = apiVersion.split('/');
  const request = { group, version, kind, name, operation: 'CREATE', subresource: '', dryRun: false } as const;
  return { ...request, uid: UID, namespace: undefined, username: undefined };
}

function subjectFor(object: object, oldObject?: object) {
  const subject = subjectOf(object, oldObject === undefined ? {} : { oldObject, operation: 'UPDATE' });
  if (subject === undefined) throw new Error('no rule applies to the object');
  return subject;
}

async function verdictOn(object: typeof ID, view: ClusterView, oldObject?: object): Promise<ReviewResponse> {
  const verdict = await createEngine({ point: 'webhook' }).evaluate(subjectFor(object, oldObject), view);
  return evaluated(requestFor(object), verdict);
}

test('each response of the page', async () => {
  const responses: Readonly<Record<string, ReviewResponse>> = {
    Allowed: await verdictOn(ID, joined),
    'Allowed, with a warning': await verdictOn(CHANGED, viewOf([ID]), ID),
    'Denied: 422': await verdictOn(claim('id.k8s.io', 'East 1'), joined),
    'Denied: 403': await verdictOn(CHANGED, joined, ID),
    'Indeterminate: 503': await verdictOn(CHANGED, unknownView, ID),
    'Overdue: 503': overdue(requestFor(ID)),
    'Internal error: 500': crashed(UID, '4f9a1c', requestFor(ID)),
    'Unreadable: 400': unreadable(UID, 'request.operation: expected one of CREATE, UPDATE, DELETE, CONNECT'),
    'Not evaluated': skipped(requestFor(ID)),
    Patched: patched(requestFor(CLUSTER), findMutation(subjectFor(CLUSTER), createEngine({ point: 'webhook' }))),
  };
  const made = Object.entries(responses).map(([title, response]) => [title, JSON.parse(encode(response))]);
  expect(documented).toEqual(Object.fromEntries(made));
});
