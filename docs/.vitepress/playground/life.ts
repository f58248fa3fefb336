/**
 * A Feature's life to click through: what each button writes, from what is stored. Whether a write is allowed, the
 * engine decides.
 */
import { stringify } from 'yaml';
import { type FeatureState, WAIT_FOR_USES } from '../../../src/api/feature.ts';
import { emptyWrite, type Write } from './scenario.ts';

interface Use {
  readonly version: string;
  readonly enabled: 'Enabled' | 'Disabled';
  readonly reportTime: string;
}

/** The part of a Feature's status that changes in its life. */
export interface FeatureStatus {
  readonly default: 'Enabled' | 'Disabled';
  readonly source: 'Default';
  readonly state: FeatureState | undefined;
  readonly transitionTasks?: readonly string[] | undefined;
  readonly uses?: readonly Use[] | undefined;
  readonly useEvaluationTime?: string | undefined;
}

/** A write that a button makes. */
export interface Step {
  readonly text: string;
  /** Whether the step is one that a server would make, as opposed to a mistake. It only orders the buttons. */
  readonly isMistake: boolean;
  readonly status: FeatureStatus;
  /** When it is written; default: at once. */
  readonly now?: string;
}

export const initialStatus: FeatureStatus = { default: 'Enabled', source: 'Default', state: 'Off' };

/** The time of every write but one, and the end of the clients' time to report. */
const NOW = '2026-06-01T12:00:00Z';
const LATER = '2026-06-01T12:05:00Z';

/** Returns the writes that are offered next, the right ones first. */
export function stepsFrom(status: FeatureStatus): readonly Step[] {
  const { state } = status;
  return state === 'TurningOn' || state === 'TurningOff' ? stepsWithin(status, state) : stepsOfRest(status);
}

/** Returns the write of the status, for the engine. */
export function writeOf(stored: FeatureStatus, { status, now = NOW }: Step): Write {
  const texts = { object: textOf(status), old: textOf(stored) };
  return { ...emptyWrite, ...texts, operation: 'UPDATE', subresource: 'status', now };
}

/** Returns a Feature as YAML. `Off` and `On` are quoted, since YAML 1.1 reads them as booleans. */
export function textOf(status: FeatureStatus): string {
  const metadata = { name: 'multi-cluster-dns', namespace: 'networking' };
  const feature = { apiVersion: 'features.x-k8s.io/v1alpha1', kind: 'Feature', metadata, spec: {}, status };
  return stringify(JSON.parse(JSON.stringify(feature)), { version: '1.1' });
}

function stepsOfRest(status: FeatureStatus): readonly Step[] {
  const isOff = status.state === 'Off';
  const entered = isOff ? 'TurningOn' : 'TurningOff';
  const enter = entering(status, entered);
  return [
    right(`Begin: ${entered}, with its tasks`, enter),
    wrong(`${entered} without tasks`, { ...enter, transitionTasks: [] }),
    wrong(`Leap to ${isOff ? 'On' : 'Off'}`, { ...status, state: isOff ? 'On' : 'Off' }),
    wrong(`${entered} against the configured value`, { ...enter, default: isOff ? 'Disabled' : 'Enabled' }),
    wrong('Remove the state', { ...status, state: undefined }),
  ];
}

function stepsWithin(status: FeatureStatus, state: 'TurningOn' | 'TurningOff'): readonly Step[] {
  const [first, ...rest] = status.transitionTasks ?? [];
  const end = state === 'TurningOn' ? 'On' : 'Off';
  const done = { ...status, state: end, transitionTasks: [], useEvaluationTime: undefined } as const;
  if (first !== WAIT_FOR_USES) {
    return [
      right(`Task ${first} is done`, { ...status, transitionTasks: rest }),
      right('Turn around', entering(status, turned(state))),
      wrong(`Complete: ${end}, with tasks left`, done),
      wrong('Take off the last task first', { ...status, transitionTasks: status.transitionTasks?.slice(0, -1) }),
    ];
  }
  const before = state === 'TurningOn' ? 'Disabled' : 'Enabled';
  const isOld = status.uses?.some(({ enabled }) => enabled === before) === true;
  return [
    ...(isOld ? repeated(status, `Complete: ${end}, while a client reports ${before}`, done) : []),
    ...(!isOld && status.useEvaluationTime !== undefined ? awaited(end, done) : []),
    ...(!isOld && status.useEvaluationTime === undefined
      ? [right(`Complete: ${end}`, done), right(`A client reports ${before}`, using(status, before))]
      : []),
    right('Turn around', entering(status, turned(state))),
    wrong(`Take off ${WAIT_FOR_USES} without ${end}`, { ...status, transitionTasks: [] }),
    wrong('Add a task', { ...status, transitionTasks: ['NotifyClients', WAIT_FOR_USES] }),
  ];
}

/** A client reports the old value: the server clears the reports and looks at the new ones later. */
function repeated(status: FeatureStatus, complete: string, done: FeatureStatus): readonly Step[] {
  return [
    right('Ask the clients again, and wait 5 minutes', { ...status, uses: [], useEvaluationTime: LATER }),
    wrong(complete, done),
    wrong('Clear the report without waiting', { ...status, uses: [] }),
  ];
}

function awaited(end: FeatureState, done: FeatureStatus): readonly Step[] {
  return [
    { ...right(`Complete: ${end}, 5 minutes later`, done), now: LATER },
    wrong(`Complete: ${end}, at once`, done),
  ];
}

function entering(status: FeatureStatus, state: 'TurningOn' | 'TurningOff'): FeatureStatus {
  const isOn = state === 'TurningOn';
  const task = isOn ? 'MigrateRecords' : 'DrainRecords';
  const tasks = { transitionTasks: [task, WAIT_FOR_USES] };
  return { default: isOn ? 'Enabled' : 'Disabled', source: 'Default', state, ...tasks, uses: status.uses };
}

function using(status: FeatureStatus, enabled: Use['enabled']): FeatureStatus {
  return { ...status, uses: [{ version: '1.4.0', enabled, reportTime: NOW }] };
}

function turned(state: 'TurningOn' | 'TurningOff'): 'TurningOn' | 'TurningOff' {
  return state === 'TurningOn' ? 'TurningOff' : 'TurningOn';
}

function right(text: string, status: FeatureStatus): Step {
  return { text, isMistake: false, status };
}

function wrong(text: string, status: FeatureStatus): Step {
  return { text, isMistake: true, status };
}
