/** A cluster whose Leases muster may not use, in several ways. */
import { setTimeout as sleep } from 'node:timers/promises';
import { clusterClaim } from '../../../src/api/dialects.ts';
import {
  type Asker,
  askerOf,
  type ControlPlane,
  codeOf,
  grantAccess,
  type Muster,
  type Write,
} from '../../e2e/harness/index.ts';
import * as objects from '../../e2e/verbs/objects.ts';

export interface Outcome {
  /** The ways that were tried. */
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
  const until: Until = async (what, holds) => {
    for (const end = Date.now() + 60_000; !(await holds()); await sleep(100)) {
      await alone();
      if (Date.now() > end) throw new Error(`not ${what} within 60 s; ${muster.log().slice(-500)}`);
    }
  };
  const cases: string[] = [];
  try {
    for (const way of ways(controlPlane)) {
      await tryOne({ controlPlane, muster, asker, until }, way);
      cases.push(way.what);
    }
    await until('reported as well', async () => (await muster.metrics()).includes('muster_cluster_up 1'));
  } finally {
    asker.close();
  }
  return { cases, ...counts };
}

type Until = (what: string, holds: () => Promise<boolean>) => Promise<void>;

interface Way {
  readonly what: string;
  readonly remove: () => Promise<unknown>;
  readonly message: RegExp;
}

/** Consecutive ones have different messages. */
function ways({ api }: ControlPlane): Way[] {
  const admin = api('admin');
  const rbac = '/apis/rbac.authorization.k8s.io/v1/namespaces/muster-system';
  const lease = `/apis/coordination.k8s.io/v1/namespaces/muster-system/leases/muster-${clusterClaim.name}`;
  const verbs = (value: readonly string[]) =>
    admin.call('PATCH', `${rbac}/roles/muster`, [{ op: 'replace', path: '/rules/0/verbs', value }], {
      contentType: 'application/json-patch+json',
    });
  const noGet = /may not get the Lease .*apply its RBAC/;
  return [
    { what: 'no RoleBinding', remove: () => admin.call('DELETE', `${rbac}/rolebindings/muster`), message: noGet },
    { what: 'no update', remove: () => verbs(['get']), message: /may not update the Lease .*apply its RBAC/ },
    { what: 'no get', remove: () => verbs(['update']), message: noGet },
    {
      what: 'no Lease',
      remove: () => admin.call('DELETE', lease),
      message: /the Lease .* does not exist: apply muster's manifests/,
    },
  ];
}

interface Setup {
  readonly controlPlane: ControlPlane;
  readonly muster: Muster;
  readonly asker: Asker;
  readonly until: Until;
}

async function tryOne({ controlPlane, muster, asker, until }: Setup, { what, remove, message }: Way): Promise<void> {
  const logged = () =>
    muster
      .log()
      .split('\n')
      .filter((line) => line.includes('the cluster: ') && message.test(line)).length;
  const before = logged();
  const joining = claim(clusterClaim.claim.membershipName, 'fleet');
  await remove();
  await until(`refused with 503: ${what}`, async () => {
    const response = await asker.ask(joining);
    return codeOf(response) === 503 && message.test(response.status.message);
  });
  await until(`named in readiness: ${what}`, async () => {
    const text = await (await fetch(`${muster.opsUrl}/readyz?verbose`)).text();
    return text.split('\n').some((line) => line.startsWith('[!]cluster advisory: ') && message.test(line));
  });
  await until(`logged: ${what}`, async () => logged() > before);
  await grantAccess(controlPlane);
  await until(`well again: ${what}`, async () => codeOf(await asker.ask(joining)) === 200);
}

function claim(name: string, value: string): Write {
  return { operation: 'CREATE', object: objects.claim(name, objects.value(value), { uid: 'u' }) };
}
