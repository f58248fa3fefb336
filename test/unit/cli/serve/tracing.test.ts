/** How the calls to the API server are named in traces. */
import { expect, test } from '@jest/globals';
import { traceCalls } from '../../../../src/cli/serve/tracing.ts';
import type { ApiClient } from '../../../../src/cluster/live/client.ts';

test.each([
  ['/apis/about.k8s.io/v1beta1/clusterproperties/cluster.clusterset.k8s.io', 'GET clusterproperties'],
  ['/apis/coordination.k8s.io/v1/namespaces/muster-system/leases/muster-identity?dryRun=All', 'GET leases'],
  ['/apis/coordination.k8s.io/v1/namespaces/muster-system/leases', 'GET leases'],
  ['/apis/multicluster.x-k8s.io/v1alpha1/clusterclaims?limit=5', 'GET clusterclaims'],
  ['/api/v1/namespaces/default/events', 'GET events'],
  ['/api/v1/namespaces/default', 'GET namespaces'],
])('a call to %s is a span %s', async (path, expected) => {
  const names: string[] = [];
  const client = { server: 'https://127.0.0.1:6443', call: async () => undefined } as unknown as ApiClient;
  const traced = traceCalls(client, {
    child: (name: string, _: object, work: (headers: object) => Promise<unknown>) => {
      names.push(name);
      return work({});
    },
  } as unknown as Parameters<typeof traceCalls>[1]);
  await traced.call({ method: 'GET', path });
  expect(names).toEqual([expected]);
});
