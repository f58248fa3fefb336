/** What muster adds to a create on the API server, beside a twin of the same CRD that no webhook guards, in one run. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { kinds } from '../../src/api/index.ts';
import { definition } from '../../src/manifests/crds.ts';
import {
  type Api,
  type ControlPlane,
  grantAccess,
  type Muster,
  register,
  say,
  startControlPlane,
  startMuster,
} from './harness/index.ts';

const TWIN = 'unguarded.example.com';
const GUARDED = 'multicluster.x-k8s.io';
/** Of each kind, in turns, so that a slow moment of the machine falls on both. */
const ROUNDS = 8;

let plane: ControlPlane;
let muster: Muster;
beforeAll(async () => {
  plane = await startControlPlane();
  await plane.apply(twin());
  await grantAccess(plane);
  muster = await startMuster({ controlPlane: plane });
  await register(plane, muster);
  await createMany(plane.api('admin'), TWIN, 1, 50);
  await createMany(plane.api('admin'), GUARDED, 1, 50);
});
afterAll(async () => {
  await muster?.stop();
  await plane?.stop();
});

describe.each([
  { writers: 1, creates: 60 },
  { writers: 50, creates: 500 },
])('at $writers writers', ({ writers, creates }) => {
  test('a create costs no multiple of what it costs unguarded', async () => {
    const admin = plane.api('admin');
    const before = await decisions();
    const bare: number[] = [];
    const guarded: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      bare.push(...(await createMany(admin, TWIN, writers, creates)));
      guarded.push(...(await createMany(admin, GUARDED, writers, creates)));
    }
    const figures = [0.5, 0.99].map((share) => ({
      share: `p${share * 100}`,
      bare: quantile(bare, share),
      guarded: quantile(guarded, share),
    }));
    for (const { share, bare: without, guarded: withIt } of figures) {
      const added = (withIt - without).toFixed(2);
      say(
        `latency, ${writers} writers, ${share}: ${without.toFixed(2)} ms unguarded, ${withIt.toFixed(2)} ms guarded, ${added} ms added`,
      );
    }
    // Each create was really judged, and none of the twin's was.
    expect((await decisions()) - before).toBe(creates * ROUNDS);
    const [median] = figures;
    expect((median?.guarded ?? 0) / (median?.bare ?? 1)).toBeLessThan(5);
  });
});

let made = 0;

/** Creates so many claims with so many writers at once; answers the milliseconds of each. */
async function createMany(api: Api, group: string, writers: number, count: number): Promise<number[]> {
  const path = `/apis/${group}/v1alpha1/clusterclaims`;
  const times: number[] = [];
  let left = count;
  const write = async () => {
    while (left > 0) {
      left -= 1;
      made += 1;
      const body = {
        apiVersion: `${group}/v1alpha1`,
        kind: 'ClusterClaim',
        metadata: { name: `claim-${made}.example.com` },
        spec: { value: `value-${made}` },
      };
      const began = performance.now();
      const { status } = await api.call('POST', path, body);
      times.push(performance.now() - began);
      if (status !== 201) throw new Error(`a create was answered with ${status}`);
    }
  };
  await Promise.all(Array.from({ length: writers }, write));
  return times;
}

/** The CRD of ClusterClaim in a group of which no webhook knows. */
function twin(): object {
  const claim = kinds.find(({ dialect }) => dialect.name === 'cluster-claim');
  if (claim === undefined) throw new Error('there is no ClusterClaim');
  const { metadata: _, ...rest } = definition(claim);
  const names = {
    plural: 'clusterclaims',
    singular: 'clusterclaim',
    kind: 'ClusterClaim',
    listKind: 'ClusterClaimList',
  };
  return { ...rest, metadata: { name: `clusterclaims.${TWIN}` }, spec: { ...rest.spec, group: TWIN, names } };
}

async function decisions(): Promise<number> {
  const lines = (await muster.metrics()).split('\n').filter((line) => line.startsWith('muster_decisions_total{'));
  return lines.reduce((sum, line) => sum + Number(line.split(' ')[1]), 0);
}

function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.ceil(sorted.length * share) - 1] ?? Number.NaN;
}
