/** What goes on while the webhook is away under Fail, so that nobody is locked out. */
import type { ApiAnswer, ControlPlane, Json } from '../../e2e/harness/index.ts';
import * as objects from '../../e2e/verbs/objects.ts';

export interface Way {
  readonly what: string;
  run(): Promise<ApiAnswer>;
}

const CLAIMS = '/apis/multicluster.x-k8s.io/v1alpha1/clusterclaims';
const INVENTORY = '/apis/multicluster.x-k8s.io/v1alpha1/inventoryclusters';
const PROFILES = '/apis/multicluster.x-k8s.io/v1alpha2/namespaces';
const FEATURES = '/apis/features.x-k8s.io/v1alpha1/namespaces';
const OWN = 'muster-system';
const custom = objects.claim('custom.example.com', objects.value('a'));

/** To be stored before it goes away. */
export const STORED: readonly Json[] = [
  objects.id,
  custom,
  objects.memberInventory,
  objects.memberProfile,
  objects.offFeature,
  objects.feature('system', { spec: {} }, { namespace: 'kube-system' }),
];

/** In this order: the later ones use the earlier. */
export function ways(controlPlane: ControlPlane): readonly Way[] {
  const admin = controlPlane.api('admin');
  const jane = controlPlane.api('jane');
  const noted = { metadata: { annotations: { note: 'x' }, finalizers: ['e2e.muster/hold'] } };
  const collector = { headers: { 'Impersonate-User': 'system:serviceaccount:kube-system:namespace-controller' } };
  const system = objects.feature('other', { spec: {} }, { namespace: 'kube-system' });
  const own = objects.profile('own', objects.managed('m'), { namespace: OWN });
  const status = { status: { state: 'Off', source: 'Default', default: 'Disabled' } };
  return [
    { what: 'read claims', run: () => jane.call('GET', CLAIMS) },
    { what: 'read an inventory', run: () => jane.call('GET', `${INVENTORY}/one`) },
    { what: 'read features', run: () => jane.call('GET', `${FEATURES}/default/features`) },
    {
      what: 'annotate an id',
      run: () => jane.call('PATCH', `${CLAIMS}/id.k8s.io`, { metadata: { annotations: { a: 'b' } } }),
    },
    {
      what: 'annotate a claim, and hold it by a finalizer',
      run: () => jane.call('PATCH', `${CLAIMS}/custom.example.com`, noted),
    },
    {
      what: 'annotate an inventory',
      run: () => jane.call('PATCH', `${INVENTORY}/one`, { metadata: { annotations: { a: 'b' } } }),
    },
    {
      what: 'annotate a profile',
      run: () =>
        jane.call('PATCH', `${PROFILES}/default/clusterprofiles/one`, { metadata: { annotations: { a: 'b' } } }),
    },
    {
      what: 'annotate a feature',
      run: () => jane.call('PATCH', `${FEATURES}/default/features/one`, { metadata: { annotations: { a: 'b' } } }),
    },
    {
      what: 'let a claim go',
      run: () => jane.call('PATCH', `${CLAIMS}/custom.example.com`, { metadata: { finalizers: null } }),
    },
    { what: 'delete a claim that is no id', run: () => jane.call('DELETE', `${CLAIMS}/custom.example.com`) },
    {
      what: 'tell the status of an inventory',
      run: () => jane.call('PATCH', `${INVENTORY}/one/status`, { status: { conditions: [objects.condition] } }),
    },
    {
      what: 'tell the status of a profile',
      run: () =>
        jane.call('PATCH', `${PROFILES}/default/clusterprofiles/one/status`, {
          status: { conditions: [objects.condition] },
        }),
    },
    {
      what: 'create a feature of kube-system',
      run: () => jane.call('POST', `${FEATURES}/kube-system/features`, system),
    },
    {
      what: 'tell the status of a feature of kube-system',
      run: () => jane.call('PATCH', `${FEATURES}/kube-system/features/system/status`, status),
    },
    {
      what: 'delete a feature of kube-system',
      run: () => jane.call('DELETE', `${FEATURES}/kube-system/features/other`),
    },
    {
      what: "create a profile in muster's own namespace",
      run: () => jane.call('POST', `${PROFILES}/${OWN}/clusterprofiles`, own),
    },
    {
      what: 'rename an inventory for people',
      run: () => jane.call('PATCH', `${INVENTORY}/one`, { spec: { displayName: 'Berth 7' } }),
    },
    { what: 'delete an inventory', run: () => jane.call('DELETE', `${INVENTORY}/one`) },
    { what: 'delete a profile', run: () => jane.call('DELETE', `${PROFILES}/default/clusterprofiles/one`) },
    {
      what: 'collect a feature whose namespace ends',
      run: () => admin.call('DELETE', `${FEATURES}/default/features/one`, undefined, collector),
    },
    ...ofTheCluster(controlPlane),
  ];
}

/** What has nothing to do with muster, and what muster itself needs in order to come back. */
function ofTheCluster(controlPlane: ControlPlane): readonly Way[] {
  const admin = controlPlane.api('admin');
  const labels = { app: 'x' };
  const container = { name: 'x', image: 'x' };
  const deployment = {
    metadata: { name: 'x' },
    spec: {
      replicas: 0,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [container] } },
    },
  };
  const deployments = `/apis/apps/v1/namespaces/${OWN}/deployments`;
  const lease = `/apis/coordination.k8s.io/v1/namespaces/${OWN}/leases/muster-cluster-claim`;
  const registration = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/muster';
  const crd = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/clusterproperties.about.k8s.io';
  const annotated = { metadata: { annotations: { a: 'b' } } };
  return [
    {
      what: 'create a namespace',
      run: () => admin.call('POST', '/api/v1/namespaces', { metadata: { name: 'meanwhile' } }),
    },
    {
      what: 'create a ConfigMap',
      run: () => admin.call('POST', '/api/v1/namespaces/meanwhile/configmaps', { metadata: { name: 'x' } }),
    },
    { what: 'delete a ConfigMap', run: () => admin.call('DELETE', '/api/v1/namespaces/meanwhile/configmaps/x') },
    {
      what: 'create a Secret',
      run: () => admin.call('POST', `/api/v1/namespaces/${OWN}/secrets`, { metadata: { name: 'x' } }),
    },
    { what: "deploy in muster's namespace", run: () => admin.call('POST', deployments, deployment) },
    { what: 'scale from 0 to 2', run: () => admin.call('PATCH', `${deployments}/x/scale`, { spec: { replicas: 2 } }) },
    {
      what: 'create a service account',
      run: () => admin.call('POST', '/api/v1/namespaces/meanwhile/serviceaccounts', { metadata: { name: 'x' } }),
    },
    {
      what: 'create a pod there',
      run: () =>
        admin.call('POST', '/api/v1/namespaces/meanwhile/pods', {
          metadata: { name: 'x' },
          spec: { containers: [container], automountServiceAccountToken: false, serviceAccountName: 'x' },
        }),
    },
    { what: 'write a Lease', run: () => admin.call('PATCH', lease, annotated) },
    { what: 'change a CRD', run: () => admin.call('PATCH', crd, annotated) },
    { what: 'change the registration', run: () => admin.call('PATCH', registration, annotated) },
  ];
}
