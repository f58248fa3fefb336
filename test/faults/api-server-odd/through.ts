/** Writes through a real API server that calls muster, while what muster asks it is answered oddly. */
import type { Api, ControlPlane } from '../../e2e/harness/index.ts';
import { begin, end, type Meeting } from './meeting.ts';
import type { OddProxy } from './proxy.ts';
import type { Worlds } from './worlds.ts';

export interface Through {
  /** Forbidden identity writes. */
  refused: number;
  passed: number;
  /** Writes that need no other object: made, and taken away again. */
  own: number;
  /** Milliseconds that a forbidden write took, at most. */
  longest: number;
}

export async function writeThrough(
  controlPlane: ControlPlane,
  proxy: OddProxy,
  { member, empty }: Worlds,
  meetings: readonly Meeting[],
): Promise<Through> {
  const through: Through = { refused: 0, passed: 0, own: 0, longest: 0 };
  for (const one of meetings) {
    begin(proxy, { ...one, met: 'any' });
    const began = performance.now();
    const answers = await Promise.all([member.changeId('never'), empty.join()]);
    through.longest = Math.max(through.longest, performance.now() - began);
    for (const { status } of answers) {
      if (status === 403 || status === 503) through.refused += 1;
      else through.passed += 1;
    }
    through.own += (await makeAndTake(controlPlane.api('jane'))) ? 1 : 0;
  }
  end(proxy);
  return through;
}

async function makeAndTake(api: Api): Promise<boolean> {
  const claims = '/apis/multicluster.x-k8s.io/v1alpha1/clusterclaims';
  const claim = {
    apiVersion: 'multicluster.x-k8s.io/v1alpha1',
    kind: 'ClusterClaim',
    metadata: { name: 'zone.example.com' },
    spec: { value: 'apac' },
  };
  const made = await api.call('POST', claims, claim);
  const gone = await api.call('DELETE', `${claims}/zone.example.com`);
  return made.status === 201 && gone.status === 200;
}
