/** Writes that go on while muster is away under Fail, so that nobody is locked out. */
import type { Json } from '../../e2e/harness/index.ts';
import * as objects from '../../e2e/verbs/objects.ts';

const CLAIMS = '/apis/multicluster.x-k8s.io/v1alpha1/clusterclaims';
const INVENTORY = '/apis/multicluster.x-k8s.io/v1alpha1/inventoryclusters/one';
const PROFILES = '/apis/multicluster.x-k8s.io/v1alpha2/namespaces';
const FEATURES = '/apis/features.x-k8s.io/v1alpha1/namespaces';
const LEASE = '/apis/coordination.k8s.io/v1/namespaces/muster-system/leases/muster-cluster-claim';
const REGISTRATION = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/muster';

/** Stored before muster goes away. */
export const PREPARED: readonly Json[] = [
  objects.id,
  objects.membership,
  objects.claim('custom.example.com', objects.value('a')),
  objects.memberInventory,
  objects.memberProfile,
  objects.offFeature,
  objects.feature('system', { spec: {} }, { namespace: 'kube-system' }),
];

const annotated = { metadata: { annotations: { a: 'b' } } };
const finalizers = (names: readonly string[] | null) => ({ metadata: { finalizers: names } });
const reported = { status: { conditions: [objects.condition] } };
const off = { status: { state: 'Off', source: 'Default', default: 'Disabled' } };
const ownProfile = objects.profile('own', objects.managed('m'), { namespace: 'muster-system' });
const collector = { 'Impersonate-User': 'system:serviceaccount:kube-system:namespace-controller' };

type Unguarded = readonly [method: string, path: string, body?: object | undefined, headers?: Record<string, string>];

/** In this order: the later ones use the objects of the earlier. */
export const UNGUARDED: readonly Unguarded[] = [
  ['GET', CLAIMS],
  ['PATCH', `${CLAIMS}/id.k8s.io`, annotated],
  ['PATCH', `${CLAIMS}/custom.example.com`, finalizers(['e2e.muster/hold'])],
  ['PATCH', `${CLAIMS}/custom.example.com`, finalizers(null)],
  ['PATCH', `${CLAIMS}/custom.example.com`, objects.value('b')],
  ['DELETE', `${CLAIMS}/custom.example.com`],
  ['POST', CLAIMS, objects.claim('custom.example.com', 'a')],
  ['DELETE', `${CLAIMS}/clusterset.k8s.io`],
  ['PATCH', INVENTORY, annotated],
  ['PATCH', `${INVENTORY}/status`, reported],
  ['PATCH', INVENTORY, { spec: { displayName: 'Berth 7' } }],
  ['DELETE', INVENTORY],
  ['POST', `${PROFILES}/muster-system/clusterprofiles`, ownProfile],
  ['DELETE', `${PROFILES}/default/clusterprofiles/one`],
  ['POST', `${PROFILES}/default/clusterprofiles`, objects.memberProfile],
  ['PATCH', `${FEATURES}/kube-system/features/system/status`, off],
  ['DELETE', `${FEATURES}/kube-system/features/system`],
  ['DELETE', `${FEATURES}/default/features/one`, undefined, collector],
  ['PATCH', LEASE, annotated],
  ['PATCH', REGISTRATION, annotated],
];
