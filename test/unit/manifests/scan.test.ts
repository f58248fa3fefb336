/** The scan in a cluster, as data: its own rights and no more, and nothing in it touches the installation. */
import { expect, test } from '@jest/globals';
import { type Dialect, dialects } from '../../../src/api/dialects.ts';
import { partOf } from '../../../src/manifests/installation.ts';
import { OPTIONAL_PARTS, PARTS } from '../../../src/manifests/names.ts';

// biome-ignore lint/suspicious/noExplicitAny: a test reads the fields it is about, and fails where they are not.
type Any = any;
const objects: readonly Any[] = partOf('scan', { image: 'muster:1.2.3', namespace: 'guards' });

const isService = ({ plural }: Dialect) => plural.startsWith('service');

test('it is printed only where it is asked for, and names nothing that the installation has', () => {
  expect(OPTIONAL_PARTS).toEqual(['crds', 'scan', 'scan-services', 'monitoring']);
  const names = (all: readonly Any[]) => all.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
  const installed = new Set(PARTS.flatMap((part) => names(partOf(part, { image: 'muster:1.2.3' }))));
  expect(names(objects).filter((name) => installed.has(name))).toEqual([]);
});

test('it may list the kinds muster evaluates and write its own reports in all namespaces, and nothing else', () => {
  const [clusterRole, eventRole] = objects.filter(({ kind }) => kind === 'ClusterRole');
  expect(eventRole.metadata.name).toBe('muster-scan-events');
  const rights = clusterRole.rules.flatMap((rule: Any) =>
    rule.resources.map(
      (resource: string) =>
        `${rule.verbs} ${resource}.${rule.apiGroups}${rule.resourceNames ? ` ${rule.resourceNames}` : ''}`,
    ),
  );
  expect(rights.sort()).toEqual(
    [
      ...dialects.filter((dialect) => !isService(dialect)).map(({ plural, group }) => `list ${plural}.${group}`),
      'list reports.openreports.io',
      'create reports.openreports.io',
      'create clusterreports.openreports.io',
      'patch,delete reports.openreports.io muster-scan',
      'patch clusterreports.openreports.io muster-scan',
    ].sort(),
  );
});

test('what clusters export it may list only with a role of its own, which gives nothing else', () => {
  const [role, binding, ...others]: readonly Any[] = partOf('scan-services', { namespace: 'guards' });
  expect(others).toEqual([]);
  expect(role).toMatchObject({
    kind: 'ClusterRole',
    metadata: { name: 'muster-scan-services' },
    rules: [
      { apiGroups: ['multicluster.x-k8s.io'], resources: ['serviceexports', 'serviceimports'], verbs: ['list'] },
      { apiGroups: [''], resources: ['services'], verbs: ['list'] },
    ],
  });
  expect(binding).toMatchObject({
    kind: 'ClusterRoleBinding',
    roleRef: { kind: 'ClusterRole', name: 'muster-scan-services' },
    subjects: [{ kind: 'ServiceAccount', name: 'muster-scan', namespace: 'guards' }],
  });
});

test('it may write Events in two namespaces alone: of objects without a namespace, and of the features of the cluster', () => {
  const events = { apiGroups: [''], resources: ['events'], verbs: ['create', 'patch'] };
  const role = objects.filter(({ kind }) => kind === 'ClusterRole').at(-1);
  expect(role).toMatchObject({ metadata: { name: 'muster-scan-events' }, rules: [events] });
  const bindings = objects.filter(({ kind }) => kind === 'RoleBinding');
  expect(bindings.map(({ metadata }) => metadata.namespace)).toEqual(['default', 'kube-system']);
  for (const { roleRef, subjects } of bindings) {
    expect(roleRef).toEqual({ apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'muster-scan-events' });
    expect(subjects).toEqual([{ kind: 'ServiceAccount', name: 'muster-scan', namespace: 'guards' }]);
  }
});
