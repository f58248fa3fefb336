/** Objects stored without a webhook, each with the rules that a scan has to report, and `muster scan` as a process. */

import { MANAGER_LABEL } from '../../../../src/api/labels.ts';
import type { CheckReport } from '../../../../src/report/report.ts';
import { MEMBER_ID_PATH } from '../../../../src/rules/inventory/inventory-fields.ts';
import * as objects from '../../../support/objects.ts';
import { type ControlPlane, type Json, type Outcome, runMuster } from '../harness/index.ts';

interface Stored {
  readonly object: Record<string, unknown> & {
    readonly metadata: { readonly name: string; readonly namespace?: string };
  };
  readonly rules: readonly string[];
}

const claim = (name: string, text: Json, ...rules: string[]): Stored => ({ object: objects.claim(name, text), rules });
const property = (name: string, text: Json, ...rules: string[]): Stored => ({
  object: objects.property(name, text),
  rules,
});

const identity = (id: string, set: string) => [
  { name: 'clusterset.k8s.io', value: set },
  { name: 'cluster.clusterset.k8s.io', value: id },
];

function cluster(name: string, status: object, label: string, ...rules: string[]): Stored {
  return { object: objects.inventory(name, { ...objects.managed('depot'), status }, objects.labelled(label)), rules };
}

function profile(namespace: string, name: string, memberId: string | undefined, ...rules: string[]): Stored {
  const labels = {
    [MANAGER_LABEL]: 'depot',
    ...(memberId !== undefined && { [String(MEMBER_ID_PATH.at(-1))]: memberId }),
  };
  return { object: objects.profile(name, objects.managed('depot'), { namespace, labels }), rules };
}

/** A profile that stands for this member of a ClusterSet. */
function profileOf(id: string, ...[namespace, name, memberId, ...rules]: Parameters<typeof profile>): Stored {
  const { object } = profile(namespace, name, memberId);
  return { object: { ...object, status: { properties: identity(id, 's') } }, rules };
}

function feature(name: string, status: object, ...rules: string[]): Stored {
  return { object: objects.feature(name, { spec: {}, status }, { namespace: 'kube-system' }), rules };
}

const condition = { type: 'Joined', reason: 'Joined', message: '', lastTransitionTime: '2026-01-01T00:00:00Z' };

export const STORED: readonly Stored[] = [
  claim('clusterset.k8s.io', 'fleet', 'claim/clusterset-requires-id'),
  claim('mine.k8s.io', 'x', 'claim/reserved-name'),
  claim('number.example.com', 7, 'claim/value'),
  claim('well.example.com', 'x'),
  { object: objects.ocmClaim('id.k8s.io', 'a.b'), rules: ['claim/id-syntax'] },
  property('clusterset.k8s.io', '', 'claim/clusterset-value'),
  property('cluster.clusterset.k8s.io', 'one.example'),
  property('id.k8s.io', 'other.example', 'claim/id-immutable-in-clusterset'),
  cluster('same-a', { properties: identity('x', 's') }, 'depot', 'inventory/unique-cluster-id'),
  cluster('same-b', { properties: identity('x', 's') }, 'depot', 'inventory/unique-cluster-id'),
  cluster('elsewhere', { properties: identity('x', 't') }, 'depot'),
  cluster('mislabelled', {}, 'other', 'inventory/cluster-manager-label'),
  cluster(
    'sick',
    { conditions: [{ ...condition, status: true }], version: { kubernetes: 'new' } },
    'depot',
    'inventory/conditions',
    'inventory/version',
  ),
  profile('default', 'p-one', 'm', 'inventory/member-id-unique'),
  profile('default', 'p-two', 'm', 'inventory/member-id-unique'),
  profile('kube-public', 'p-three', 'm'),
  profile('kube-public', 'p-four', '', 'inventory/member-id'),
  profile('kube-public', 'p-five', undefined, 'inventory/member-id-present'),
  profile('default', 'p-same', 'same-1', 'inventory/unique-name'),
  profile('kube-public', 'p-same', 'same-2', 'inventory/unique-name'),
  profileOf('pier', 'default', 'p-pier', 'pier-1', 'inventory/member-id-agrees'),
  profileOf('pier', 'kube-public', 'p-pier-too', 'pier-2', 'inventory/member-id-agrees'),
  feature('bare', { state: true }, 'feature/shape'),
  feature('endless', { state: 'TurningOn', transitionTasks: ['A'] }, 'feature/tasks-on-entry', 'feature/settled'),
  feature('leftover', { state: 'On', transitionTasks: ['WaitForUses'] }, 'feature/completion', 'feature/settled'),
  feature('turning', { state: 'TurningOff', transitionTasks: [] }, 'feature/settled'),
];

export const scan = (...args: readonly string[]): Promise<Outcome> => runMuster(['scan', ...args]);

/** Scans with `-o json`, and reads the report. */
export async function scanned(...args: readonly string[]): Promise<Outcome & { readonly report: CheckReport }> {
  const outcome = await scan(...args, '-o', 'json');
  if (!outcome.stdout.startsWith('{')) throw new Error(`no report: ${outcome.stderr}`);
  return { ...outcome, report: JSON.parse(outcome.stdout) as CheckReport };
}

/** Returns the rules of each object that has findings, by `GROUP KIND/[NAMESPACE/]NAME`. */
export function rulesByObject({ results }: CheckReport): Record<string, readonly string[]> {
  const found = results.filter(({ findings }) => findings.length > 0);
  return Object.fromEntries(
    found.map(({ findings, namespace, name, ...object }) => [
      keyOf({ ...object, metadata: { name, ...(namespace === '' ? {} : { namespace }) } }),
      findings.map(({ ruleId }) => ruleId),
    ]),
  );
}

/** What a scan has to find in `STORED`. */
export const EXPECTED: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  STORED.filter(({ rules }) => rules.length > 0).map(({ object, rules }) => [keyOf(object), rules]),
);

function keyOf({ apiVersion, kind, metadata: { namespace, name } }: Json): string {
  return [`${apiVersion.split('/')[0]} ${kind}`, namespace, name].filter((part) => part !== undefined).join('/');
}

/** Stores `STORED` as a user, with its status; returns how many were accepted. */
export async function storeAll(controlPlane: ControlPlane, user: string): Promise<number> {
  const api = controlPlane.api(user);
  const accepted = await Promise.all(
    STORED.map(async ({ object }: { object: Json }) => {
      const path = await controlPlane.pathOf(object);
      const { status } = await api.call('POST', path.slice(0, path.lastIndexOf('/')), object);
      if (status !== 201 || object.status === undefined) return status === 201;
      return (await api.call('PATCH', `${path}/status`, { status: object.status })).status === 200;
    }),
  );
  return accepted.filter(Boolean).length;
}

export async function removeAll(controlPlane: ControlPlane): Promise<void> {
  for (const { object } of STORED) await controlPlane.api('admin').call('DELETE', await controlPlane.pathOf(object));
}
