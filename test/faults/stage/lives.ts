/** The lives of objects as steps with their verdicts: what muster allows, and what it alone refuses. */
import type { Json } from '../../e2e/harness/index.ts';

export interface Step {
  readonly what: string;
  readonly method: 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly body?: object;
  /** The rule that refuses it; none: it is stored. */
  readonly refusedBy?: string;
  /** What else is true of the object that was stored. */
  readonly holds?: (stored: Json) => boolean;
}

/** Steps of one object, by its name. The last one deletes it. */
export type Life = (name: string) => readonly Step[];

const CLAIMS = '/apis/multicluster.x-k8s.io/v1alpha1/clusterclaims';
const INVENTORY = '/apis/multicluster.x-k8s.io/v1alpha1/inventoryclusters';
const FEATURES = '/apis/features.x-k8s.io/v1alpha1/namespaces/default/features';
const LABEL = 'x-k8s.io/cluster-manager';

export const lives = { claim, inventory, feature, identity } as const satisfies Readonly<Record<string, Life>>;

function claim(name: string): Step[] {
  const path = `${CLAIMS}/${name}.example.com`;
  return [
    { what: 'claim: create', ...create(CLAIMS, 'ClusterClaim', `${name}.example.com`, { spec: { value: 'one' } }) },
    { what: 'claim: change', method: 'PATCH', path, body: { spec: { value: 'two' } } },
    {
      what: 'claim: create under a reserved name',
      ...create(CLAIMS, 'ClusterClaim', `${name}.k8s.io`, { spec: { value: 'one' } }),
      refusedBy: 'claim/reserved-name',
    },
    { what: 'claim: delete', method: 'DELETE', path },
  ];
}

function inventory(name: string): Step[] {
  const path = `${INVENTORY}/${name}`;
  return [
    {
      what: 'inventory: create',
      ...create(INVENTORY, 'InventoryCluster', name, { spec: { clusterManager: { name: 'm' } } }),
      holds: ({ metadata }) => metadata.labels?.[LABEL] === 'm',
    },
    { what: 'inventory: change', method: 'PATCH', path, body: { spec: { displayName: 'one' } } },
    {
      what: 'inventory: relabel',
      method: 'PATCH',
      path,
      body: { metadata: { labels: { [LABEL]: 'other' } } },
      refusedBy: 'inventory/cluster-manager-label',
    },
    { what: 'inventory: delete', method: 'DELETE', path },
  ];
}

function feature(name: string): Step[] {
  const path = `${FEATURES}/${name}`;
  const status = { state: 'Off', source: 'Default', default: 'Disabled' };
  return [
    { what: 'feature: create', ...create(FEATURES, 'Feature', name, { spec: { desired: 'Enabled' } }) },
    { what: 'feature: first status', method: 'PATCH', path: `${path}/status`, body: { status } },
    {
      what: 'feature: turn on against its default',
      method: 'PATCH',
      path: `${path}/status`,
      body: { status: { state: 'TurningOn', transitionTasks: ['WaitForUses'] } },
      refusedBy: 'feature/direction',
    },
    { what: 'feature: delete', method: 'DELETE', path },
  ];
}

/** Of one cluster, so by one writer: its steps take an intent, and read what is stored. */
function identity(name: string): Step[] {
  const id = `${CLAIMS}/id.k8s.io`;
  const membership = `${CLAIMS}/clusterset.k8s.io`;
  return [
    { what: 'identity: create', ...create(CLAIMS, 'ClusterClaim', 'id.k8s.io', { spec: { value: name } }) },
    { what: 'identity: join', ...create(CLAIMS, 'ClusterClaim', 'clusterset.k8s.io', { spec: { value: 'fleet' } }) },
    {
      what: 'identity: change in a ClusterSet',
      method: 'PATCH',
      path: id,
      body: { spec: { value: 'other' } },
      refusedBy: 'claim/id-immutable-in-clusterset',
    },
    { what: 'identity: leave', method: 'DELETE', path: membership },
    { what: 'identity: change', method: 'PATCH', path: id, body: { spec: { value: 'other' } } },
    { what: 'identity: delete', method: 'DELETE', path: id },
  ];
}

function create(path: string, kind: string, name: string, rest: object): Pick<Step, 'method' | 'path' | 'body'> {
  const apiVersion = path.split('/').slice(2, 4).join('/');
  return { method: 'POST', path, body: { apiVersion, kind, metadata: { name }, ...rest } };
}
