/**
 * The state machine of a Feature (KEP-3920, Server flow) in CEL, as in `feature/state-machine.ts`. The checks have the
 * same order, so that one bad write breaks one rule. The rules on time are left out, since CEL has no clock.
 */
import { featureState, featureTransitions, nextStates, WAIT_FOR_USES } from '../../api/feature.ts';
import type { CelExpressions, CelRule, CelVariable } from '../rule.ts';
import {
  isDateTime,
  LONGEST,
  listLiteral,
  listVariablesAt,
  member,
  stringLiteral,
  variablePair,
  variablesAt,
} from './expressions.ts';

/** The limits of the CRD. */
const MOST_TASKS = 1024;
const MOST_USES = 4096;

/** Reads a text member of an entry of `uses`; null if it is missing or not a text. */
const textAt = (use: string, key: string): string =>
  `(type(${member(use, key)}) == string ? ${member(use, key)} : null)`;

/** Whether an entry of `uses` has a readable version and value. */
const isUse = (use: string): string =>
  `(${textAt(use, 'version')} != null && ${member(use, 'enabled')} in ['Enabled', 'Disabled'])`;

/** The keys of a use, as a list: to compare a list costs one step, whatever the length of its texts. */
const keyOf = (use: string): string => `[${textAt(use, 'version')}, ${textAt(use, 'enabled')}]`;

const REPORTS = "type(u) == map && 'enabled' in u && u.enabled == variables.oldValue";

const legal = Object.entries(featureTransitions).flatMap(([from, transitions]) =>
  Object.entries(transitions).map(
    ([to, transition]) => `${stringLiteral(`${from} ${to}`)}: ${stringLiteral(transition)}`,
  ),
);

const nextByState = featureState.map(
  (from) => `${stringLiteral(from)}: ${stringLiteral(nextStates(from).join(' or '))}`,
);

/** `statusState` and so on are the values as written; `state` and so on are null if the value can't be read. */
const readings: readonly CelVariable[] = [
  ...variablesAt(['status', 'state']),
  ...variablesAt(['status', 'version']),
  ...variablesAt(['status', 'useEvaluationTime']),
  ...variablesAt(['status', 'transitionTasks']),
  ...listVariablesAt(['status', 'uses'], MOST_USES),
  ...variablesAt(['status', 'source']),
  ...variablesAt(['status', 'stability']),
  ...variablesAt(['status', 'default']),
  ...variablesAt(['spec', 'desired']),
  ...variablesAt(['status', 'class']),
  ...variablesAt(['status', 'name']),
  ...variablePair('state', 'statusState', (value) => `${value} in ${listLiteral(featureState)} ? ${value} : null`),
  ...variablePair('version', 'statusVersion', (value) => `type(${value}) == string ? ${value} : null`),
  ...variablePair('time', 'statusUseEvaluationTime', (value) => `${isDateTime(value)} ? ${value} : null`),
  ...variablePair('tasks', 'statusTransitionTasks', tasksOf),
];

/**
 * Whether no zone offset moves the times out of the range that CEL supports: excludes the years 0000, 0001 and 9999.
 */
const ORDINARY = ['variables.time', 'variables.oldTime']
  .map((time) => `!${time}.matches('^(000[01]|9999)')`)
  .join(' && ');

const derived = variablesOf({
  transition: [
    "variables.state == null ? (variables.oldState == null || variables.statusState != null ? '' : 'vanishes')",
    `{${legal.join(', ')}}[?(variables.oldState == null ? 'none' : variables.oldState) + ' ' + ` +
      `variables.state].orValue('illegal')`,
  ].join(' : '),
  moves: "variables.state in ['TurningOn', 'TurningOff']",
  removesFirstTask: 'size(variables.oldTasks) > 0 && [variables.oldTasks[0]] + variables.tasks == variables.oldTasks',
  endsInWait:
    `size(variables.tasks) > 0 && variables.tasks[size(variables.tasks) - 1] == ${stringLiteral(WAIT_FOR_USES)} && ` +
    `size(variables.tasks.filter(t, t == ${stringLiteral(WAIT_FOR_USES)})) == 1`,
  final: "variables.state == 'TurningOn' ? 'On' : 'Off'",
  next: `{${nextByState.join(', ')}}[?variables.oldState].orValue('')`,
  target: "variables.state == 'TurningOn' ? 'Enabled' : 'Disabled'",
  configuredBy:
    "variables.statusSource == 'Dynamic' && variables.specDesired != null ? 'spec.desired' : 'status.default'",
  configured:
    `!(variables.statusSource in ['Default', 'Dynamic']) ? null : (variables.configuredBy == 'spec.desired' ? ` +
    'variables.specDesired : variables.statusDefault)',
  // Only a change from one version to another is an upgrade; an empty text is not a version.
  upgrades:
    "[variables.version, variables.oldVersion].all(v, v != null && v != '') && variables.version != " +
    'variables.oldVersion',
  badTransition: "variables.transition in ['vanishes', 'illegal']",
  readable: '!variables.badTransition && variables.state != null && variables.tasks != null',
  leftover:
    "variables.readable && !variables.moves && size(variables.tasks) > 0 && !(variables.transition == 'stays' && " +
    'variables.tasks == variables.oldTasks)',
  unfinished:
    "variables.readable && !variables.moves && variables.transition == 'completes' && variables.oldTasks != null " +
    '&& size(variables.oldTasks) > 1',
  badOrder:
    "variables.readable && variables.moves && variables.transition == 'stays' && variables.oldTasks != null && " +
    'variables.tasks != variables.oldTasks && !(variables.removesFirstTask && size(variables.tasks) > 0) && ' +
    '!(variables.upgrades && variables.endsInWait)',
  badEntry: "variables.readable && variables.moves && variables.transition != 'stays' && !variables.endsInWait",
  badTasks: 'variables.leftover || variables.unfinished || variables.badOrder || variables.badEntry',
  claimsAgreement:
    `variables.transition == 'completes' || (variables.transition == 'stays' && variables.moves && ` +
    'variables.oldTasks != null && variables.tasks != null && variables.removesFirstTask && variables.oldTasks[0] ' +
    `== ${stringLiteral(WAIT_FOR_USES)})`,
  oldValue: "variables.oldState == 'TurningOn' ? 'Disabled' : 'Enabled'",
  reported: reports('statusUsesList'),
  stored: reports('oldStatusUsesList'),
  reporters: `(variables.reported ? variables.statusUsesList : variables.oldStatusUsesList).filter(u, ${REPORTS})`,
  reporter: member('variables.reporters[0]', 'version'),
  disagrees:
    '!variables.badTransition && !variables.badTasks && variables.claimsAgreement && (variables.reported || ' +
    'variables.stored)',
  sound: '!variables.badTransition && !variables.badTasks && !variables.disagrees',
  // Searches each stored entry among the written ones, which only short lists can afford.
  removed: [
    [
      'variables.sound && variables.moves && (variables.statusUses == null || type(variables.statusUses) == list)',
      `[variables.statusUsesList, variables.oldStatusUsesList].all(l, size(l) <= ${LONGEST})`,
      // feature/shape reports entries that can't be read, unless the stored list had such an entry.
      `!(variables.oldStatusUsesList.all(u, ${isUse('u')}) && !variables.statusUsesList.all(u, ${isUse('u')}))`,
    ].join(' && '),
    `variables.oldStatusUsesList.filter(o, ${textAt('o', 'enabled')} != null && ` +
      `!variables.statusUsesList.exists(u, ${keyOf('u')} == ${keyOf('o')})) : dyn([])`,
  ].join(' ? '),
  cleared:
    'size(variables.removed) > 0 && (variables.statusUseEvaluationTime == null || (variables.time == null && ' +
    'variables.oldTime == null && variables.oldStatusUseEvaluationTime != null) || (variables.time != null && ' +
    `variables.oldTime != null && ${ORDINARY} && timestamp(variables.time) <= timestamp(variables.oldTime)))`,
});

/**
 * That a written time is not earlier than the stored one, if both can be read. Less than a millisecond does not count,
 * since the rule reads times in milliseconds.
 */
export const IS_NOT_EARLIER =
  `!(variables.time != null && variables.oldTime != null && ${ORDINARY} && timestamp(variables.time) <= ` +
  `timestamp(variables.oldTime) - duration('1ms'))`;

/** Returns the variables of these names and expressions, in this order. */
function variablesOf(expressions: Readonly<Record<string, string>>): readonly CelVariable[] {
  return Object.entries(expressions).map(([name, expression]) => ({ name, expression }));
}

/** Returns the CEL of a rule on features. */
export function forFeatures(validations: CelExpressions['validations'], omits?: string): CelRule {
  return { byDialect: { feature: { variables: [...readings, ...derived], validations } }, omits };
}

/** Reads a list of texts: an empty list if it is absent, null if it is anything else. */
function tasksOf(value: string): string {
  const isList = `type(${value}) == list && size(${value}) <= ${MOST_TASKS} && ${value}.all(t, type(t) == string)`;
  return `${value} == null ? dyn([]) : (${isList} ? ${value} : null)`;
}

function reports(list: string): string {
  return `variables.${list}.exists(u, ${REPORTS})`;
}
