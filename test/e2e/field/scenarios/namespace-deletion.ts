/** The namespace controller: a namespace can be deleted, whatever is in it. */
import type { Json } from '../../harness/index.ts';
import { FLOW_NAMESPACES } from '../cluster.ts';
import { feature, labelled, managed, profile, storedProfile, turningOn, withMetadata } from '../objects.ts';
import { away, awayWithManagers, restarting, type Scenario, up, upWithManagers } from '../scenario.ts';
import { before, goes, type Step, step, store, whileReplaced } from '../steps.ts';

/** The namespace, and one of each namespaced kind and state: in a transition, on, with the wrong label. */
const contents = (namespace: string): Json[] => [
  { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } },
  withMetadata(storedProfile, { namespace }),
  profile('two', managed('fleet'), { namespace, ...labelled('wrong') }),
  withMetadata(turningOn, { namespace }),
  feature('on', { status: { state: 'On' } }, { namespace }),
];

const deletes = (name: string): Step =>
  step(async (field) => {
    const { api, pathOf } = field.cluster.controlPlane;
    const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: field.fill(name) } };
    await api('admin').call('DELETE', await pathOf(namespace));
    await goes(namespace).run(field);
  });

const PATTERN = 'a namespace with ClusterProfiles and Features is deleted';
const RESULT = 'passes; the namespace goes';

export const namespaceDeletion: readonly Scenario[] = [
  ...[up, away].map((state) => state(PATTERN, RESULT, before(store(...contents('{field}'))), deletes('{field}'))),
  restarting(PATTERN, RESULT, store(...contents('{field}')), whileReplaced(deletes('{field}'))),
  ...[upWithManagers, awayWithManagers].map((state, index) => {
    const name = FLOW_NAMESPACES[index + 1] ?? '';
    return state(
      'the same where managers are configured: nobody else may delete these',
      'passes; the namespace controller is no deleter that a rule refuses',
      before(store(...contents(name))),
      deletes(name),
    );
  }),
];
