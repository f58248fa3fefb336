/** Writes of features: a step each, or a step that must not be. */
import { CLIENT, feature, JANE, SERVER } from './objects.ts';
import type { Fields, Scenario } from './review.ts';

const status = { operation: 'UPDATE', subresource: 'status' } as const;
const TASKS = ['MigrateStorage', 'RestartNodes', 'WaitForUses'];
const PAST = '2026-03-02T10:00:00Z';

export const features: readonly Scenario[] = [
  {
    name: 'a feature begins to turn on',
    ...status,
    oldObject: feature('kube-system', { state: 'Off', transitionTasks: [] }),
    object: feature('kube-system', { state: 'TurningOn', transitionTasks: TASKS }),
    user: SERVER,
    allowed: true,
  },
  {
    name: 'a task is done',
    ...status,
    oldObject: feature('kube-system', { state: 'TurningOn', transitionTasks: TASKS }),
    object: feature('kube-system', { state: 'TurningOn', transitionTasks: TASKS.slice(1) }),
    user: SERVER,
    allowed: true,
  },
  {
    name: 'a state is left out',
    ...status,
    oldObject: feature('apps', { state: 'Off', transitionTasks: [] }),
    object: feature('apps', { state: 'On', transitionTasks: [] }),
    user: CLIENT,
    allowed: false,
  },
  {
    name: 'a task is skipped',
    ...status,
    oldObject: feature('apps', { state: 'TurningOn', transitionTasks: TASKS }),
    object: feature('apps', { state: 'TurningOn', transitionTasks: TASKS.slice(2) }),
    user: CLIENT,
    allowed: false,
  },
  {
    name: 'a transition completes, and nobody waited for uses',
    ...status,
    oldObject: feature('kube-system', { state: 'TurningOn', transitionTasks: ['WaitForUses'] }),
    object: feature('kube-system', { state: 'On', transitionTasks: [] }),
    user: SERVER,
    allowed: true,
    warned: true,
  },
  {
    name: 'a transition completes when its time has come',
    ...status,
    oldObject: feature('apps', { state: 'TurningOn', transitionTasks: ['WaitForUses'], useEvaluationTime: PAST }),
    object: feature('apps', { state: 'On', transitionTasks: [], uses: [use('1.36.3', 'Enabled')] }),
    user: CLIENT,
    allowed: true,
  },
  {
    name: 'a client reports its use',
    ...status,
    oldObject: feature('kube-system', { state: 'On', uses: [use('1.36.2', 'Enabled')] }),
    object: feature('kube-system', { state: 'On', uses: [use('1.36.2', 'Enabled'), use('1.36.3', 'Enabled')] }),
    user: CLIENT,
    allowed: true,
  },
  {
    name: 'a stranger changes the state',
    ...status,
    oldObject: feature('kube-system', { state: 'Off', transitionTasks: [] }),
    object: feature('kube-system', { state: 'TurningOn', transitionTasks: TASKS }),
    user: CLIENT,
    allowed: false,
  },
  {
    name: 'a feature is announced',
    operation: 'CREATE',
    object: feature('apps', undefined),
    user: JANE,
    allowed: true,
  },
  {
    name: 'a feature goes',
    operation: 'DELETE',
    oldObject: feature('apps', { state: 'Off', transitionTasks: [] }),
    user: JANE,
    allowed: true,
  },
];

function use(version: string, enabled: string): Fields {
  return { version, enabled, reportTime: '2026-03-02T09:30:00Z' };
}
