/** The scan in a cluster, as data: its own rights and no more, and nothing in it touches the installation. */
import { expect, test } from '@jest/globals';
import { dialects } from '../../src/api/dialects.ts';
import { OPTIONAL_PARTS, PARTS, partOf } from '../../src/manifests/installation.ts';

// biome-ignore lint/suspicious/noExplicitAny: a test reads the fields it is about, and fails where they are not.
type Any = any;
const objects: readonly Any[] = partOf('scan', { image: 'muster:1.2.3', namespace: 'guards' });
const one = (kind: string): Any => objects.find((object) => object.kind === kind);

test('it is printed only where it is asked for, and names nothing that the installation has', () => {
  expect(OPTIONAL_PARTS).toEqual(['scan']);
  const names = (all: readonly Any[]) => all.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
  const installed = new Set(PARTS.flatMap((part) => names(partOf(part, { image: 'muster:1.2.3' }))));
  expect(names(objects).filter((name) => installed.has(name))).toEqual([]);
});

test('it may list the kinds muster evaluates and write its own reports in all namespaces, and nothing else', () => {
  const rights = one('ClusterRole').rules.flatMap((rule: Any) =>
    rule.resources.map(
      (resource: string) =>
        `${rule.verbs} ${resource}.${rule.apiGroups}${rule.resourceNames ? ` ${rule.resourceNames}` : ''}`,
    ),
  );
  expect(rights.sort()).toEqual(
    [
      ...dialects.map(({ plural, group }) => `list ${plural}.${group}`),
      'list reports.openreports.io',
      'create reports.openreports.io',
      'create clusterreports.openreports.io',
      'patch,delete reports.openreports.io muster-scan',
      'patch clusterreports.openreports.io muster-scan',
    ].sort(),
  );
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

test('the job is not repeated for what it finds, and reads the configuration of the server', () => {
  const { spec } = one('CronJob').spec.jobTemplate;
  const pod = spec.template.spec;
  expect([spec.backoffLimit, pod.restartPolicy]).toEqual([0, 'Never']);
  const [container] = pod.containers;
  expect(container.image).toBe('muster:1.2.3');
  expect(container.args).toEqual(['scan', '--live', '--config=/etc/muster/muster.yaml', '--event']);
  expect(pod.volumes[0].configMap.name).toBe(partOf('config', { image: '' })[0]?.metadata.name);
  const { labels } = spec.template.metadata;
  expect(labels).toMatchObject(one('NetworkPolicy').spec.podSelector.matchLabels);
  const [service]: readonly Any[] = partOf('workload', { image: '' }).filter(({ kind }) => kind === 'Service');
  expect(labels).not.toMatchObject(service.spec.selector);
});
