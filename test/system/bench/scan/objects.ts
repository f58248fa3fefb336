/**
 * A hub's objects as they are stored: four kinds with what an API server adds, and one in fifty that a rule has
 * something to say about. The same at every run.
 */
import { clusterProfile, clusterProperty, feature, health, inventoryCluster } from '../serve/reviews/objects.ts';
import type { Fields } from '../serve/reviews/review.ts';

export interface Kind {
  readonly group: string;
  readonly plural: string;
  /** Of the version that is stored. */
  readonly version: string;
  /** In how many of a hundred objects. */
  readonly share: number;
  readonly namespace?: (index: number) => string;
  readonly object: (index: number) => Fields;
}

export const nameOf = ({ plural }: Kind, index: number) =>
  plural === 'clusterproperties' ? `p${index}.${isBad(index) ? 'k8s.io' : 'example.com'}` : `object-${index}`;
const isBad = (index: number) => index % 50 === 0;
/** A healthy member with an id of its own: what objects share is a finding of each. */
const member = (index: number) =>
  health({
    properties: [
      { name: 'clusterset.k8s.io', value: 'harbour' },
      { name: 'cluster.clusterset.k8s.io', value: `berth-${index}` },
    ],
  });
const fleet = (index: number) => `fleet-${index % 20}`;

export const KINDS: readonly Kind[] = [
  {
    group: 'multicluster.x-k8s.io',
    plural: 'inventoryclusters',
    version: 'v1alpha1',
    share: 40,
    object: (index) => inventoryCluster(member(index), isBad(index) ? { labels: {} } : {}),
  },
  {
    group: 'multicluster.x-k8s.io',
    plural: 'clusterprofiles',
    version: 'v1alpha2',
    share: 25,
    namespace: fleet,
    object: (index) => clusterProfile(isBad(index) ? { version: { kubernetes: 'latest' } } : member(index)),
  },
  {
    group: 'about.k8s.io',
    plural: 'clusterproperties',
    version: 'v1beta1',
    share: 20,
    object: (index) => clusterProperty('name', `value ${index}`),
  },
  {
    group: 'features.x-k8s.io',
    plural: 'features',
    version: 'v1alpha1',
    share: 15,
    namespace: fleet,
    object: (index) => feature(fleet(index), { name: isBad(index) ? 'another' : `object-${index}`, state: 'Off' }),
  },
];
