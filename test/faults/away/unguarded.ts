/** Writes that go on while muster is away under Fail, so that nobody is locked out. */
import type { ApiAnswer, ControlPlane, Json } from '../../e2e/harness/index.ts';
import * as objects from '../../e2e/verbs/objects.ts';

const CLAIMS = '/apis/multicluster.x-k8s.io/v1alpha1/clusterclaims';
const INVENTORY = '/apis/multicluster.x-k8s.io/v1alpha1/inventoryclusters';
const PROFILES = '/apis/multicluster.x-k8s.io/v1alpha2/namespaces';
const FEATURES = '/apis/features.x-k8s.io/v1alpha1/namespaces';
const OWN = 'muster-system';

/** Stored before muster goes away. */
export const PREPARED: readonly Json[] = [
  objects.id,
  objects.claim('custom.example.com', objects.value('a')),
  objects.memberInventory,
  objects.memberProfile,
  objects.offFeature,
  objects.feature('system', { spec: {} }, { namespace: 'kube-system' }),
];

type Unguarded = readonly [what: string, write: () => Promise<ApiAnswer>];

/** In this order: the later ones use the objects of the earlier. */
export function unguarded(controlPlane: ControlPlane): readonly Unguarded[] {
  const [admin, jane] = [controlPlane.api('admin'), controlPlane.api('jane')];
  const annotated = { metadata: { annotations: { a: 'b' } } };
  const reported = { status: { conditions: [objects.condition] } };
  const get = (what: string, path: string): Unguarded => [what, () => jane.call('GET', path)];
  const patch = (what: string, path: string, body: object, api = jane): Unguarded => [
    what,
    () => api.call('PATCH', path, body),
  ];
  const remove = (what: string, path: string, api = jane): Unguarded => [what, () => api.call('DELETE', path)];
  const create = (what: string, path: string, body: object, api = admin): Unguarded => [
    what,
    () => api.call('POST', path, body),
  ];
  const [profile, feature] = [`${PROFILES}/default/clusterprofiles/one`, `${FEATURES}/default/features/one`];
  const collector = { headers: { 'Impersonate-User': 'system:serviceaccount:kube-system:namespace-controller' } };
  return [
    get('read claims', CLAIMS),
    get('read an inventory', `${INVENTORY}/one`),
    patch('annotate an id', `${CLAIMS}/id.k8s.io`, annotated),
    patch('add a finalizer to a claim', `${CLAIMS}/custom.example.com`, {
      metadata: { finalizers: ['e2e.muster/hold'] },
    }),
    patch('annotate an inventory', `${INVENTORY}/one`, annotated),
    patch('remove a finalizer', `${CLAIMS}/custom.example.com`, { metadata: { finalizers: null } }),
    remove('delete a claim that is no id', `${CLAIMS}/custom.example.com`),
    patch('report the status of an inventory', `${INVENTORY}/one/status`, reported),
    patch('report the status of a feature in kube-system', `${FEATURES}/kube-system/features/system/status`, {
      status: { state: 'Off', source: 'Default', default: 'Disabled' },
    }),
    remove('delete a feature in kube-system', `${FEATURES}/kube-system/features/system`),
    create(
      "create a profile in muster's namespace",
      `${PROFILES}/${OWN}/clusterprofiles`,
      objects.profile('own', objects.managed('m'), { namespace: OWN }),
      jane,
    ),
    patch('change the display name of an inventory', `${INVENTORY}/one`, { spec: { displayName: 'Berth 7' } }),
    remove('delete an inventory', `${INVENTORY}/one`),
    remove('delete a profile', profile),
    ['collect a feature with its namespace', () => admin.call('DELETE', feature, undefined, collector)],
    patch(
      'write a Lease',
      `/apis/coordination.k8s.io/v1/namespaces/${OWN}/leases/muster-cluster-claim`,
      annotated,
      admin,
    ),
    patch(
      'change the registration',
      '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/muster',
      annotated,
      admin,
    ),
  ];
}
