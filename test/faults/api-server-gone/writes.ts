/** Reviews as an API server sends them, each with what has to come of it while there is none. */
import type { Json } from '../../e2e/harness/index.ts';
import type { Write } from '../../e2e/races/ask.ts';

export interface Asked {
  readonly what: string;
  /** `undefined`: not allowed and not refused for good, but 503. */
  readonly code: number | undefined;
  readonly write: Write;
}

const of =
  (apiVersion: string, kind: string) =>
  (name: string, rest: Json, metadata: Json = {}) => ({
    apiVersion,
    kind,
    metadata: { name, uid: `uid-of-${name}`, resourceVersion: '7', ...metadata },
    ...rest,
  });
const claim = of('multicluster.x-k8s.io/v1alpha1', 'ClusterClaim');
const property = of('about.k8s.io/v1beta1', 'ClusterProperty');
const inventory = of('multicluster.x-k8s.io/v1alpha1', 'InventoryCluster');
const feature = of('features.x-k8s.io/v1alpha1', 'Feature');

const value = (text: string) => ({ spec: { value: text } });
const managed = (name: string) => ({ spec: { clusterManager: { name } } });
const labelled = (name: string) => ({ labels: { 'x-k8s.io/cluster-manager': name } });
const here = { namespace: 'default' };

const created = (what: string, code: number, object: Json): Asked => ({
  what,
  code,
  write: { operation: 'CREATE', object },
});
const updated = (what: string, code: number | undefined, oldObject: Json, change: Json): Asked => ({
  what,
  code,
  write: { operation: 'UPDATE', oldObject, object: { ...oldObject, ...change } },
});

/** Certain from the object alone, allowed and refused, of each concept. */
export const OBJECT_ONLY: readonly Asked[] = [
  created('a claim', 200, claim('zone.example.com', value('apac'))),
  created('a claim of a reserved name', 403, claim('mine.k8s.io', value('x'))),
  created('an inventory', 200, inventory('one', managed('m'), labelled('m'))),
  created('an inventory under the label of another', 422, inventory('one', managed('m'), labelled('n'))),
  created('a feature', 200, feature('one', { spec: { desired: 'Enabled' } }, here)),
  updated('a wish that there is not', 403, feature('one', { spec: { desired: 'Enabled' } }, here), {
    spec: { desired: 'Maybe' },
  }),
];

/** Certain from the object alone as well; others are asked, for a moment, and nothing depends on their answer. */
export const LOOKING: readonly Asked[] = [
  updated('an id that is no label', 403, claim('id.k8s.io', value('one')), value('Not_A_Label')),
  {
    what: 'leaving',
    code: 200,
    write: { operation: 'DELETE', oldObject: claim('clusterset.k8s.io', value('fleet')) },
  },
];

/** Each looks at another object. */
export const IDENTITY: readonly Asked[] = [
  updated('a change of the id', undefined, claim('id.k8s.io', value('one')), value('two')),
  {
    what: 'a join',
    code: undefined,
    write: { operation: 'CREATE', object: claim('clusterset.k8s.io', value('fleet')) },
  },
  {
    what: 'a deletion of the id',
    code: undefined,
    write: { operation: 'DELETE', oldObject: property('cluster.clusterset.k8s.io', value('one')) },
  },
];
