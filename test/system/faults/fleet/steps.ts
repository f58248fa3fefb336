/** The writes of one object from its creation to its deletion, each with its verdict. */
import type { Json } from '../../e2e/harness/index.ts';

export interface Step {
  readonly what: string;
  readonly method: 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly body?: object;
  /** The rule that refuses it; none if it is stored. */
  readonly refusedBy?: string;
  /** What else holds for the stored object. */
  readonly holds?: (stored: Json) => boolean;
}

/** Returns the steps of one object, by its name. The last one deletes it. */
export type Steps = (name: string) => readonly Step[];

const CLAIMS = '/apis/multicluster.x-k8s.io/v1alpha1/clusterclaims';
const INVENTORY = '/apis/multicluster.x-k8s.io/v1alpha1/inventoryclusters';
const FEATURES = '/apis/features.x-k8s.io/v1alpha1/namespaces/default/features';
const LABEL = 'x-k8s.io/cluster-manager';

export const steps = { claim, inventory, feature, identity } as const satisfies Readonly<Record<string, Steps>>;

/** Its name has no domain: only then the API server calls muster for a new claim. */
function claim(name: string): Step[] {
  const path = `${CLAIMS}/${name}`;
  const reserved = create('claim: reserved name', CLAIMS, 'ClusterClaim', `${name}.k8s.io`, value('one'));
  return [
    create('claim: create', CLAIMS, 'ClusterClaim', name, value('one')),
    patch('claim: change', path, value('two')),
    { ...reserved, refusedBy: 'claim/reserved-name' },
    { what: 'claim: delete', method: 'DELETE', path },
  ];
}

function inventory(name: string): Step[] {
  const path = `${INVENTORY}/${name}`;
  const spec = { clusterManager: { name: 'm' } };
  const relabel = patch('inventory: relabel', path, { metadata: { labels: { [LABEL]: 'other' } } });
  return [
    {
      ...create('inventory: create', INVENTORY, 'InventoryCluster', name, { spec }),
      holds: ({ metadata }) => metadata.labels?.[LABEL] === 'm',
    },
    patch('inventory: change', path, { spec: { displayName: 'one' } }),
    { ...relabel, refusedBy: 'inventory/cluster-manager-label' },
    { what: 'inventory: delete', method: 'DELETE', path },
  ];
}

function feature(name: string): Step[] {
  const path = `${FEATURES}/${name}`;
  const status = { state: 'Off', source: 'Default', default: 'Disabled' };
  const turnOn = { status: { state: 'TurningOn', transitionTasks: ['WaitForUses'] } };
  return [
    create('feature: create', FEATURES, 'Feature', name, { spec: { desired: 'Enabled' } }),
    patch('feature: first status', `${path}/status`, { status }),
    { ...patch('feature: turn on against its default', `${path}/status`, turnOn), refusedBy: 'feature/direction' },
    { what: 'feature: delete', method: 'DELETE', path },
  ];
}

/** The identity of the cluster, so only one writer can use it: its steps take a lock and read what is stored. */
function identity(name: string): Step[] {
  const id = `${CLAIMS}/id.k8s.io`;
  return [
    create('identity: create', CLAIMS, 'ClusterClaim', 'id.k8s.io', value(name)),
    create('identity: join', CLAIMS, 'ClusterClaim', 'clusterset.k8s.io', value('fleet')),
    { ...patch('identity: change of a member', id, value('other')), refusedBy: 'claim/id-immutable-in-clusterset' },
    { what: 'identity: leave', method: 'DELETE', path: `${CLAIMS}/clusterset.k8s.io` },
    patch('identity: change', id, value('other')),
    { what: 'identity: delete', method: 'DELETE', path: id },
  ];
}

function value(text: string): object {
  return { spec: { value: text } };
}

function create(what: string, path: string, kind: string, name: string, rest: object): Step {
  const apiVersion = path.split('/').slice(2, 4).join('/');
  return { what, method: 'POST', path, body: { apiVersion, kind, metadata: { name }, ...rest } };
}

function patch(what: string, path: string, body: object): Step {
  return { what, method: 'PATCH', path, body };
}
