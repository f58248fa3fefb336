/** A cluster whose Leases muster may not use, in several ways. */
import { setTimeout as sleep } from 'node:timers/promises';
import { clusterClaim } from '../../../../src/api/dialects.ts';
import { claim as newClaim } from '../../../support/objects.ts';
import type { Write } from '../../../support/writes.ts';
import { askerOf, type ControlPlane, codeOf, grantAccess, type Muster } from '../../e2e/harness/index.ts';

/**
 * Takes the rights on Leases away in each way, and gives them back. Returns the ways, how many writes that need no
 * Lease were sent, and how many of them were decided. @throws Error on the first way that is not named, or does not
 * heal, within a minute
 */
export async function withoutLeases(controlPlane: ControlPlane, muster: Muster) {
  const asker = askerOf(muster);
  const joining = claim(clusterClaim.claim.membershipName, 'fleet');
  let asked = 0;
  let decided = 0;
  const until = async (what: string, holds: () => Promise<boolean>) => {
    for (const end = Date.now() + 60_000; !(await holds()); await sleep(100)) {
      asked += 1;
      if (codeOf(await asker.ask(claim('zone.example.com', 'apac'))) === 200) decided += 1;
      if (Date.now() > end) throw new Error(`not ${what} within 60 s; ${muster.log().slice(-500)}`);
    }
  };
  const ways = waysOf(controlPlane);
  try {
    for (const [what, remove, message] of ways) {
      const logged = () =>
        muster
          .log()
          .split('\n')
          .filter((line) => line.includes('the cluster: ') && message.test(line));
      const before = logged().length;
      await remove();
      await until(`refused with 503: ${what}`, async () => {
        const response = await asker.ask(joining);
        return codeOf(response) === 503 && message.test(response.status.message);
      });
      await until(`named in readiness: ${what}`, async () => {
        const text = await (await fetch(`${muster.opsUrl}/readyz?verbose`)).text();
        return text.split('\n').some((line) => line.startsWith('[!]cluster advisory: ') && message.test(line));
      });
      await until(`logged: ${what}`, async () => logged().length > before);
      await grantAccess(controlPlane);
      await until(`well again: ${what}`, async () => codeOf(await asker.ask(joining)) === 200);
    }
    await until('reported as well', async () => (await muster.metrics()).includes('muster_cluster_up 1'));
  } finally {
    asker.close();
  }
  return { ways: ways.map(([what]) => what), asked, decided };
}

type Way = readonly [what: string, remove: () => Promise<unknown>, message: RegExp];

/** Consecutive ones have different messages. */
function waysOf({ api }: ControlPlane): readonly Way[] {
  const admin = api('admin');
  const rbac = '/apis/rbac.authorization.k8s.io/v1/namespaces/muster-system';
  const lease = `/apis/coordination.k8s.io/v1/namespaces/muster-system/leases/muster-${clusterClaim.name}`;
  const onlyGet = [{ op: 'replace', path: '/rules/0/verbs', value: ['get'] }];
  const jsonPatch = { contentType: 'application/json-patch+json' };
  return [
    [
      'no RoleBinding',
      () => admin.call('DELETE', `${rbac}/rolebindings/muster`),
      /may not get the Lease .*apply its RBAC/,
    ],
    [
      'no update',
      () => admin.call('PATCH', `${rbac}/roles/muster`, onlyGet, jsonPatch),
      /may not update the Lease .*apply its RBAC/,
    ],
    ['no Lease', () => admin.call('DELETE', lease), /the Lease .* does not exist: apply muster's manifests/],
  ];
}

function claim(name: string, value: string): Write {
  return { operation: 'CREATE', object: newClaim(name, value, { uid: 'u' }) };
}
