/** A cluster that keeps its Leases from muster, in each way there is. */
import { setTimeout as sleep } from 'node:timers/promises';
import { clusterClaim, lockLeaseOf } from '../../../src/api/dialects.ts';
import { type ControlPlane, grantAccess, type Json, type Muster } from '../../e2e/harness/index.ts';
import { type Asker, askerOf, type Write } from '../../e2e/races/ask.ts';

export interface Outcome {
  /** What was tried, and was as it should be. */
  readonly cases: readonly string[];
  /** Writes that need no Lease, and those of them that were decided. */
  readonly asked: number;
  readonly decided: number;
}

/** @throws Error on the first that is not named, or does not heal, within a minute */
export async function withoutLeases(controlPlane: ControlPlane, muster: Muster): Promise<Outcome> {
  const asker = askerOf(muster);
  const counts = { asked: 0, decided: 0 };
  const alone = async () => {
    counts.asked += 1;
    counts.decided += codeOf(await asker.ask(claim('zone.example.com', 'apac'))) === 200 ? 1 : 0;
  };
  const until: Until = async (stage, holds) => {
    for (const end = Date.now() + 60_000; !(await holds()); await sleep(100)) {
      await alone();
      if (Date.now() > end) throw new Error(`not ${stage} within 60 s; ${muster.log().slice(-500)}`);
    }
  };
  const cases: string[] = [];
  try {
    for (const wrong of wrongs(controlPlane)) {
      await tryOne({ controlPlane, muster, asker, until }, wrong);
      cases.push(wrong.what);
    }
    await until('said to be well', async () => (await muster.metrics()).includes('muster_cluster_up 1'));
  } finally {
    asker.close();
  }
  return { cases, ...counts };
}

type Until = (stage: string, holds: () => Promise<boolean>) => Promise<void>;

interface Wrong {
  readonly what: string;
  readonly spoil: () => Promise<unknown>;
  readonly said: RegExp;
}

/** One after the other says something else: what was said before can't be taken for it. */
function wrongs({ api }: ControlPlane): Wrong[] {
  const admin = api('admin');
  const rbac = '/apis/rbac.authorization.k8s.io/v1/namespaces/muster-system';
  const lease = `/apis/coordination.k8s.io/v1/namespaces/muster-system/leases/${lockLeaseOf(clusterClaim)}`;
  const verbs = (value: readonly string[]) =>
    admin.call('PATCH', `${rbac}/roles/muster`, [{ op: 'replace', path: '/rules/0/verbs', value }], {
      contentType: 'application/json-patch+json',
    });
  const noGet = /may not get the Lease .*apply its RBAC/;
  return [
    { what: 'no RoleBinding', spoil: () => admin.call('DELETE', `${rbac}/rolebindings/muster`), said: noGet },
    { what: 'no update', spoil: () => verbs(['get']), said: /may not update the Lease .*apply its RBAC/ },
    { what: 'no get', spoil: () => verbs(['update']), said: noGet },
    {
      what: 'no Lease',
      spoil: () => admin.call('DELETE', lease),
      said: /the Lease .* does not exist: apply muster's manifests/,
    },
  ];
}

interface Stage {
  readonly controlPlane: ControlPlane;
  readonly muster: Muster;
  readonly asker: Asker;
  readonly until: Until;
}

async function tryOne({ controlPlane, muster, asker, until }: Stage, { what, spoil, said }: Wrong): Promise<void> {
  const logged = () =>
    muster
      .log()
      .split('\n')
      .filter((line) => line.includes('the cluster: ') && said.test(line)).length;
  const before = logged();
  const joining = claim(clusterClaim.claim.membershipName, 'fleet');
  await spoil();
  await until(`refused with 503: ${what}`, async () => {
    const response = await asker.ask(joining);
    return codeOf(response) === 503 && said.test(response.status.message);
  });
  await until(`named in readiness: ${what}`, async () => {
    const text = await (await fetch(`${muster.opsUrl}/readyz?verbose`)).text();
    return text.split('\n').some((line) => line.startsWith('[!]cluster advisory: ') && said.test(line));
  });
  await until(`logged: ${what}`, async () => logged() > before);
  await grantAccess(controlPlane);
  await until(`well again: ${what}`, async () => codeOf(await asker.ask(joining)) === 200);
}

function codeOf(response: Json): number {
  return response.allowed ? 200 : response.status.code;
}

function claim(name: string, value: string): Write {
  const apiVersion = 'multicluster.x-k8s.io/v1alpha1';
  return {
    operation: 'CREATE',
    object: { apiVersion, kind: 'ClusterClaim', metadata: { name, uid: 'u' }, spec: { value } },
  };
}
