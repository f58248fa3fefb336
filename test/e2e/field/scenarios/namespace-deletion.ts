/** The namespace controller: a namespace goes, whatever is in it. */
import type { Json } from '../../harness/index.ts';
import type { Field } from '../field.ts';
import { feature, labelled, managed, profile, storedProfile, turningOn } from '../objects.ts';
import type { Scenario } from '../scenario.ts';
import { FLOW_NAMESPACES } from '../world.ts';

const tool = 'Namespace deletion';
const namespaceOf = (name: string): Json => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });

async function goes(field: Field, name: string): Promise<void> {
  const namespace = namespaceOf(name);
  await field.controlPlane.api('admin').call('DELETE', await field.controlPlane.pathOf(namespace));
  await field.goes(namespace);
}

/** Some of everything that stands in a namespace: in a transition, on, with the wrong label. */
function contents(field: Field, namespace = field.namespace): Json[] {
  return [
    storedProfile({ namespace, name: 'one' }),
    profile('two', managed('fleet'), { namespace, ...labelled('wrong') }),
    turningOn({ namespace, name: 'turning' }),
    feature('on', { status: { state: 'On' } }, { namespace }),
  ];
}

export const namespaceDeletion: readonly Scenario[] = [
  ...(['up', 'away'] as const).map(
    (muster): Scenario => ({
      tool,
      title: `a namespace goes with its profiles and Features while muster is ${muster}`,
      pattern: 'a namespace with ClusterProfiles and Features is deleted',
      muster,
      result: 'passes; the namespace goes',
      before: (field) => field.store(...contents(field)),
      run: (field) => goes(field, field.namespace),
    }),
  ),
  {
    tool,
    title: 'namespaces go while the replicas are replaced',
    pattern: 'a namespace with ClusterProfiles and Features is deleted',
    muster: 'restarting',
    result: 'passes; the namespace goes',
    async run(field) {
      await field.store(...contents(field));
      await Promise.all([field.world.replace(), goes(field, field.namespace)]);
    },
  },
  ...(['up', 'away'] as const).map(
    (muster, index): Scenario => ({
      tool,
      title: `a namespace goes where managers are configured, while muster is ${muster}`,
      pattern: 'the same where managers are configured: nobody else may delete these',
      muster,
      managers: true,
      result: 'passes; the namespace controller is no deleter that a rule refuses',
      async before(field) {
        const name = FLOW_NAMESPACES[index + 1] ?? '';
        await field.store(namespaceOf(name), ...contents(field, name));
      },
      run: (field) => goes(field, FLOW_NAMESPACES[index + 1] ?? ''),
    }),
  ),
];
