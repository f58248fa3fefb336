/**
 * A cluster leaves its ClusterSet while muster is away: its id stays guarded, and the lock of its join, which nothing
 * releases then, ends by itself.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { clusterClaim, clusterProperty, ocmClusterClaim } from '../../../src/api/dialects.ts';
import type { Webhook } from '../../../src/manifests/registration.ts';
import { DEFAULT_ENFORCEMENT } from '../../../src/manifests/requirements.ts';
import {
  type ApiAnswer,
  type ClaimDialect,
  type ControlPlane,
  DIALECTS,
  done,
  freeLock,
  grantAccess,
  type Identity,
  identityOf,
  type Json,
  type Muster,
  register,
  runMuster,
  type ServiceProxy,
  startControlPlane,
  startMuster,
  startProxy,
} from './harness/index.ts';

/** The lifetime of a lock, as in docs/live.md, by a clock of whole seconds, and some time for a busy machine. */
const EXPIRED_MS = 65_000;
const HOLD = 'e2e.example.com/hold';

let controlPlane: ControlPlane;
let muster: Muster;
let proxy: ServiceProxy;
let isAway = false;

const of = (dialect: ClaimDialect, user = 'jane'): Identity => identityOf(dialect, controlPlane.api(user));
const rootOf = ({ group, versions, plural }: ClaimDialect) => `/apis/${group}/${versions.at(-1)}/${plural}`;
const namesIn = async (dialect: ClaimDialect): Promise<string[]> => {
  const { body } = await controlPlane.api('admin').call('GET', rootOf(dialect));
  return body.items.map(({ metadata }: Json) => metadata.name);
};

beforeAll(async () => {
  controlPlane = await startControlPlane();
  await grantAccess(controlPlane);
  muster = await startMuster({ controlPlane });
  proxy = await startProxy({ targets: () => (isAway ? [] : [muster]) });
  await register(controlPlane, muster, { url: proxy.url });
});
afterAll(async () => {
  await muster?.stop();
  await proxy?.close();
  await controlPlane?.stop();
});

function goAway(): void {
  isAway = true;
  for (const connection of proxy.open()) connection.cut();
}

function comeBack(): void {
  isAway = false;
}

/** Each cluster is a member, with the id `a`, and no lock is held. */
beforeEach(async () => {
  for (const dialect of DIALECTS) {
    const one = of(dialect);
    await freeLock(controlPlane, dialect);
    if ((await one.id()).status === 404) done(await one.createId('a'));
    if ((await one.membership()).status === 404) done(await one.join());
    await freeLock(controlPlane, dialect);
  }
});
afterEach(comeBack);

function expectUncalled({ status, body }: ApiAnswer, webhook = 'claims'): void {
  expect(status).toBe(500);
  expect(body.message).toContain(`failed calling webhook "${webhook}.validate.muster"`);
}

describe('while muster is away', () => {
  test.each(DIALECTS)('$group: a member leaves, and its id is neither changed nor deleted', async (dialect) => {
    const one = of(dialect);
    goAway();
    expectUncalled(await one.changeId('b'));
    expectUncalled(await one.deleteId());
    expect((await one.leave()).status).toBe(200);
    expect((await one.membership()).status).toBe(404);
    // The API server can't know that no rule would deny these any more.
    expectUncalled(await one.changeId('b'));
    expectUncalled(await one.deleteId());
    expectUncalled(await one.join());
    expect((await one.id()).body.spec.value).toBe('a');
  });

  test('a membership with a finalizer is left once that is removed; until then, it is a membership', async () => {
    const one = of(clusterClaim);
    const path = `${rootOf(clusterClaim)}/clusterset.k8s.io`;
    const setFinalizers = (finalizers: readonly string[] | null) =>
      controlPlane.api('jane').call('PATCH', path, { metadata: { finalizers } });
    done(await setFinalizers([HOLD]));
    goAway();
    const { status, body } = await one.leave();
    expect([status, body.metadata.deletionTimestamp]).toEqual([200, expect.any(String)]);
    comeBack();
    expect((await one.changeId('b')).status).toBe(403);
    goAway();
    expect((await setFinalizers(null)).status).toBe(200);
    expect((await one.membership()).status).toBe(404);
    comeBack();
    done(await one.changeId('b'));
    done(await one.changeId('a'));
  });

  test('a collection: each object by its own webhook, up to the id', async () => {
    const custom = { apiVersion: 'multicluster.x-k8s.io/v1alpha1', kind: 'ClusterClaim', spec: { value: 'x' } };
    for (const name of ['a.example.com', 'z.example.com']) await controlPlane.apply({ ...custom, metadata: { name } });
    goAway();
    const answer = await controlPlane.api('jane').call('DELETE', rootOf(clusterClaim));
    expectUncalled(answer);
    expect(await namesIn(clusterClaim)).toEqual(['id.k8s.io', 'z.example.com']);
    comeBack();
    expect((await controlPlane.api('jane').call('DELETE', rootOf(clusterClaim))).status).toBe(200);
    expect(await namesIn(clusterClaim)).toEqual([]);
  });

  test('a collection in which the id comes first, as that of ClusterProperty does: kubectl goes on after it', async () => {
    goAway();
    expectUncalled(await controlPlane.api('jane').call('DELETE', rootOf(clusterProperty)));
    expect(await namesIn(clusterProperty)).toEqual(['cluster.clusterset.k8s.io', 'clusterset.k8s.io']);
    const { code, stderr } = await controlPlane.kubectl('jane', ['delete', 'clusterproperties.about.k8s.io', '--all']);
    expect([code, stderr]).toEqual([1, expect.stringContaining('"claims.validate.muster"')]);
    expect(await namesIn(clusterProperty)).toEqual(['cluster.clusterset.k8s.io']);
  });

  test('where a rule may deny it, leaving waits for muster', async () => {
    const webhooks = { ...DEFAULT_ENFORCEMENT.webhooks, 'membership-deletions': 'deny' } as const;
    const enforcement = { ...DEFAULT_ENFORCEMENT, webhooks };
    await register(controlPlane, muster, { url: proxy.url, enforcement });
    const one = of(ocmClusterClaim);
    goAway();
    expectUncalled(await one.leave(), 'membership-deletions');
    comeBack();
    done(await one.leave());
    await register(controlPlane, muster, { url: proxy.url });
  });
});

/** As the API server counts them. */
async function unseenLeaves(): Promise<number> {
  const { stdout } = await controlPlane.kubectl('admin', ['get', '--raw', '/metrics']);
  const count =
    /^apiserver_admission_webhook_fail_open_count\{name="membership-deletions\.validate\.muster".*\} (\d+)/m;
  return Number(count.exec(stdout)?.[1] ?? 0);
}

test('a lock that no leave released ends by itself; a scan finds nothing', async () => {
  const joined = new Map<ClaimDialect, number>();
  for (const dialect of DIALECTS) {
    done(await of(dialect).leave());
    joined.set(dialect, performance.now());
    done(await of(dialect).join());
  }
  goAway();
  const before = await unseenLeaves();
  for (const dialect of DIALECTS) done(await of(dialect).leave());
  expect((await unseenLeaves()) - before).toBe(DIALECTS.length);
  comeBack();
  const scanned = await runMuster(['scan', '--live', '--kubeconfig', controlPlane.kubeconfig('admin'), '-o', 'json']);
  const { results } = JSON.parse(scanned.stdout);
  expect([scanned.code, results.flatMap(({ findings }: Json) => findings)]).toEqual([0, []]);
  // The same user who joined before joins again.
  done(await of(ocmClusterClaim).join());
  // Others wait, with the reason.
  const writes = [
    [clusterClaim, () => of(clusterClaim, 'bob').changeId('b')],
    [clusterProperty, () => of(clusterProperty, 'bob').join()],
  ] as const;
  const untilDone = async ([dialect, write]: (typeof writes)[number]) => {
    let answer = await write();
    expect([answer.status, answer.body.message]).toEqual([503, expect.stringMatching(/CREATE of clusterset\.k8s\.io/)]);
    const waited = () => performance.now() - (joined.get(dialect) ?? 0);
    while (answer.status === 503 && waited() < EXPIRED_MS) {
      await sleep(1000);
      answer = await write();
    }
    done(answer);
  };
  await Promise.all(writes.map(untilDone));
  // The rules hold as before.
  expect((await of(clusterProperty, 'bob').changeId('b')).status).toBe(403);
  done(await of(clusterClaim).changeId('a'));
});

test('a registration of an older version sends leaves by the webhook of claims, and the lock is released', async () => {
  const names = `['id.k8s.io', 'clusterset.k8s.io', 'cluster.clusterset.k8s.io']`;
  const isGuarded = `oldObject.?metadata.?name.orValue('') in ${names}`;
  const older = (webhook: Webhook) => {
    const [first] = webhook.matchConditions ?? [];
    const deletes = { name: 'deletes-id-or-membership', expression: `request.operation != 'DELETE' || ${isGuarded}` };
    return { ...webhook, matchConditions: [first, deletes] };
  };
  await register(controlPlane, muster, { url: proxy.url, only: ['claims'], change: older });
  for (const dialect of DIALECTS) {
    const one = of(dialect);
    done(await one.leave());
    done(await one.join());
    done(await one.leave());
    done(await of(dialect, 'bob').changeId('b'));
  }
  await register(controlPlane, muster, { url: proxy.url });
});
