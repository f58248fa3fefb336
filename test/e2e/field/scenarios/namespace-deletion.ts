/** The namespace controller: a namespace can be deleted, whatever is in it. */
import type { Json } from '../../harness/index.ts';
import { FLOW_NAMESPACES } from '../cluster.ts';
import type { Field } from '../field.ts';
import { feature, labelled, managed, profile, storedProfile, turningOn } from '../objects.ts';
import { away, restarting, type ToolScenario, up } from '../scenario.ts';

const namespaceOf = (name: string): Json => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });

async function goes(field: Field, name: string): Promise<void> {
  const namespace = namespaceOf(name);
  await field.controlPlane.api('admin').call('DELETE', await field.controlPlane.pathOf(namespace));
  await field.goes(namespace);
}

/** One of each namespaced kind and state: in a transition, on, with the wrong label. */
function contents(field: Field, namespace = field.namespace): Json[] {
  return [
    storedProfile({ namespace, name: 'one' }),
    profile('two', managed('fleet'), { namespace, ...labelled('wrong') }),
    turningOn({ namespace, name: 'turning' }),
    feature('on', { status: { state: 'On' } }, { namespace }),
  ];
}

export const namespaceDeletion: readonly ToolScenario[] = [
  ...[up, away].map((state) =>
    state('a namespace with ClusterProfiles and Features is deleted', 'passes; the namespace goes', {
      before: (field) => field.store(...contents(field)),
      run: (field) => goes(field, field.namespace),
    }),
  ),
  restarting(
    'a namespace with ClusterProfiles and Features is deleted',
    'passes; the namespace goes',
    async (field) => {
      await field.store(...contents(field));
      await Promise.all([field.cluster.replace(), goes(field, field.namespace)]);
    },
  ),
  ...[up, away].map((state, index) => {
    const name = FLOW_NAMESPACES[index + 1] ?? '';
    const pattern = 'the same where managers are configured: nobody else may delete these';
    return state(pattern, 'passes; the namespace controller is no deleter that a rule refuses', {
      managers: true,
      before: (field) => field.store(namespaceOf(name), ...contents(field, name)),
      run: (field) => goes(field, name),
    });
  }),
];
