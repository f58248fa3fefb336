/** What the schema of a configuration can't express: references to rules and kinds, times, and settings that are rarely meant. */
import { type Concept, dialectOf, dialects } from '../api/dialects.ts';
import { didYouMean } from '../base/suggest.ts';
import { isDnsLabel, isDnsSubdomain, isLabelValue, parseTime } from '../base/syntax.ts';
import { plain } from '../base/text.ts';
import { pointsOf } from '../engine/plan.ts';
import { RESERVED } from '../rules/claim/reserved-name.ts';
import { rules } from '../rules/index.ts';
import { rule as propertiesAsIs } from '../rules/inventory/properties-as-is.ts';
import { serviceAccountUser } from '../rules/principal.ts';
import type { Action, EnforcementPoint, Principal } from '../rules/rule.ts';
import { found, oneOf, type Reporter } from './schema-reader.ts';

export function checkRuleId(id: string, at: Reporter): void {
  if (!at.context.ruleIds.has(id)) at.refuse(unknownRule(id, at));
}

type PointActions = { readonly [Point in EnforcementPoint]?: Action | undefined };

/** Checks the keys of the map of rules, and warns of actions where the rule is never evaluated. */
export function checkRules(map: ReadonlyMap<string, Action | PointActions | undefined>, at: Reporter): void {
  for (const [id, actions] of map) {
    if (!at.context.ruleIds.has(id)) at.below(id).refuseKey(unknownRule(id, at));
    else if (typeof actions === 'object') warnOfPoints(id, actions, at);
  }
}

function warnOfPoints(id: string, actions: PointActions, at: Reporter): void {
  const rule = rules.find((each) => each.id === id);
  const points = rule === undefined ? [] : pointsOf(rule);
  for (const [point, action] of Object.entries(actions)) {
    if (action === undefined || action === 'ignore' || points.some((each) => each === point)) continue;
    at.below(id, point).warn(`${id} is evaluated in ${points.join(' and ')} only; the action has no effect`);
  }
}

function unknownRule(id: string, { context }: Reporter): string {
  return `no rule ${found(id)}${didYouMean(id, context.ruleIds) || '; muster rules lists them'}`;
}

/** YAML 1.1 reads `off` and `no` as false, which is why no action has such a name. */
export function hintOfAction(value: unknown): string {
  if (value === false) return ' (which is how YAML reads off and no); write ignore to disable a rule';
  if (value === true) return ' (which is how YAML reads on and yes); name the action';
  return /^(off|no|none|false|disabled?)$/i.test(String(value)) ? '; write ignore to disable a rule' : '';
}

const CALLER_PREFIX = 'system:serviceaccount:';

export function isServiceAccount(value: string): boolean {
  const slash = value.indexOf('/');
  return slash > 0 && isDnsLabel(value.slice(0, slash)) && isDnsSubdomain(value.slice(slash + 1));
}

/** Suggests the short form of a service account's user name. */
export function serviceAccountHint(value: unknown): string {
  if (typeof value !== 'string' || !value.startsWith(CALLER_PREFIX)) return '';
  const short = value.slice(CALLER_PREFIX.length).replace(':', '/');
  return isServiceAccount(short) ? `; write "${short}"` : '';
}

export function warnOfWildcard(name: string, at: Reporter): void {
  if (name.includes('*')) at.warn(`${found(name)} is taken literally; "*" is not a wildcard here`);
}

/** Users and groups that the API server itself gives to callers. `system:masters` is not one: it is assigned. */
const EVERYBODY = {
  user: new Map([['system:anonymous', 'everybody without credentials']]),
  group: new Map([
    ['system:authenticated', 'everybody with credentials'],
    ['system:authenticated:oauth', 'everybody who logs in to OpenShift'],
    ['system:unauthenticated', 'everybody without credentials'],
    ['system:serviceaccounts', 'every service account, so every pod'],
  ]),
};

/** Returns a check that warns of a user or group that is everybody. `effect` says what that disables. */
export function everybody(of: 'user' | 'group', effect: string) {
  return (name: string, at: Reporter): void => {
    warnOfWildcard(name, at);
    const who = EVERYBODY[of].get(name);
    if (who === undefined) return;
    at.warn(`${found(name)} is ${who}: ${effect}; name the users, groups or service accounts that need it`);
  };
}

/** Whether a text can name clusters: by wildcards, or as the folder of one cluster, which is called by the last name. */
export function isClusterGlob(text: string): boolean {
  const names = text.split('/').filter((name) => name !== '' && name !== '.');
  const first = names.findIndex((name) => /[*?]/.test(name));
  const wild = first < 0 ? names.slice(-1) : names.slice(first);
  return wild.length > 0 && !wild.includes('..') && wild.filter((name) => name === '**').length <= 1;
}

export function isReservedName(name: string): boolean {
  return isDnsSubdomain(name.startsWith('*.') ? name.slice(2) : name);
}

/** Warns of a wildcard that allows every name under a reserved suffix. */
export function checkReservedName(name: string, at: Reporter): void {
  if (!name.startsWith('*.')) return;
  const suffixes = RESERVED.filter((suffix) => suffix.endsWith(name.slice(1)));
  if (suffixes.length === 0) return;
  const names = suffixes.map((suffix) => `*${suffix}`).join(' and ');
  at.warn(
    `${found(name)} allows every name under ${names}: claim/reserved-name no longer guards them; list the names that you claim`,
  );
}

type PrincipalsByName = ReadonlyMap<string, readonly unknown[] | undefined>;

/** Checks the names of managers, and warns of a principal of several. */
export function checkManagers(managers: PrincipalsByName, at: Reporter): void {
  for (const name of managers.keys()) {
    if (isLabelValue(name)) continue;
    const limits = 'at most 63 of A-Z, a-z, 0-9, "-", "_", "."';
    at.below(name).refuseKey(`${found(name)} can't be the name of a manager: it has to fit a label (${limits})`);
  }
  warnOfShared('managers', managers, at);
}

/** Checks the names of schedulers, and warns of a principal of several. */
export function checkSchedulers(schedulers: PrincipalsByName, at: Reporter): void {
  if (schedulers.has(''))
    at.below('').refuseKey('a scheduler needs a name: decisions without one may be written by anyone');
  warnOfShared('schedulers', schedulers, at);
}

/** Warns of a principal of several: it can move objects from one to another. */
function warnOfShared(kind: string, owned: PrincipalsByName, at: Reporter): void {
  const owners = new Map<string, Set<string>>();
  for (const [name, principals] of owned) {
    for (const principal of (principals ?? []) as readonly (Principal | undefined)[]) {
      const who = principal && nameOf(principal);
      if (who !== undefined) owners.set(who, (owners.get(who) ?? new Set()).add(name));
    }
  }
  for (const [who, of] of owners)
    if (of.size > 1) at.warn(`${found(who)} is a principal of ${of.size} ${kind}: ${[...of].join(', ')}`);
}

/** Returns the same name for a principal in whatever form it is written. */
function nameOf(principal: Partial<Record<'user' | 'group' | 'serviceAccount', string>>): string | undefined {
  const { user, group, serviceAccount } = principal;
  if (group !== undefined) return `group ${group}`;
  if (serviceAccount !== undefined) return `user ${serviceAccountUser(serviceAccount)}`;
  return user === undefined ? undefined : `user ${user}`;
}

/** Warns where every feature is opted in: without the key it is the same. */
export function warnOfAllFeatures(entry: '*' | { readonly namespace?: string; readonly name?: string }, at: Reporter) {
  if (entry !== '*' && (entry.namespace !== '*' || entry.name !== '*')) return;
  at.warn('every feature is opted in: feature/dynamic-opt-in refuses nothing; list the features, or leave the key out');
}

export function checkServerFlow(entries: readonly ({ readonly namespace?: string } | undefined)[], at: Reporter): void {
  const message = (of: string, earlier: number) =>
    `${found(of)} is in entry ${earlier} already; put all its principals there`;
  refuseRepeated(entries, 'namespace', at, message);
}

/** Refuses each entry whose value under the key an earlier entry has; `message` says so. */
export function refuseRepeated<Key extends string>(
  entries: readonly ({ readonly [name in Key]?: string } | undefined)[],
  key: Key,
  at: Reporter,
  message: (value: string, earlier: number) => string,
): void {
  const values = entries.map((entry) => entry?.[key]);
  for (const [index, value] of values.entries()) {
    const earlier = values.indexOf(value);
    if (value !== undefined && earlier < index) at.below(index, key).refuse(message(value, earlier));
  }
}

/** Returns the end of an exception in milliseconds since the epoch; undefined for no time. A date includes the whole day, in UTC. */
export function endOf(expires: string): number | undefined {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(expires)) return parseTime(expires);
  const start = parseTime(`${expires}T00:00:00Z`);
  return start === undefined ? undefined : start + 24 * 60 * 60 * 1000;
}

type IncompleteException = { readonly rules?: readonly (string | undefined)[] } & {
  readonly [key in 'apiGroup' | 'kind' | 'namespace' | 'name' | 'expires']?: string;
};

/** Checks that the exception names a kind that rules evaluate, and warns where it has no effect. */
export function checkException(exception: IncompleteException, at: Reporter): void {
  const { rules = [], apiGroup, kind, namespace, name = '', expires } = exception;
  if (apiGroup === undefined || kind === undefined) return;
  const dialect = dialectOf(apiGroup, kind);
  if (!dialect) {
    refuseKind(apiGroup, kind, at);
    return;
  }
  if (namespace !== undefined && dialect.scope === 'Cluster')
    at.below('namespace').refuse(`a ${kind} has no namespace; leave the key out`);
  for (const id of rules)
    if (id !== undefined && at.context.ruleIds.has(id) && !evaluates(id, dialect.concept))
      at.below('rules').warn(`${id} never evaluates a ${kind}; the exception has no effect`);
  const end = expires === undefined ? undefined : endOf(expires);
  if (end === undefined || end > at.context.now) return;
  at.warn(
    `the exception for ${plain(`${kind} ${name}`)} (${rules.join(', ')}) expired at ${new Date(end).toISOString()} and has no effect; remove it`,
  );
}

/** Whether a rule reports on objects of a concept. One compares the properties of an inventory with claims. */
function evaluates(id: string, concept: Concept): boolean {
  return (
    id.startsWith(`${concept}/`) || (id === propertiesAsIs.id && propertiesAsIs.comparison.concepts.includes(concept))
  );
}

function refuseKind(apiGroup: string, kind: string, at: Reporter): void {
  const kinds = dialects.filter((each) => each.group === apiGroup).map((each) => each.kind);
  const groups = [...new Set(dialects.map(({ group }) => group))];
  if (kinds.length > 0) {
    const expected = `a kind of ${apiGroup} that rules evaluate (${oneOf(kinds)})`;
    at.below('kind').refuse(`expected ${expected}, found ${found(kind)}${didYouMean(kind, kinds)}`);
  } else {
    const expected = `an API group that rules evaluate, without version (${oneOf(groups)})`;
    const near = didYouMean(apiGroup.replace(/\/.*/s, ''), groups);
    at.below('apiGroup').refuse(`expected ${expected}, found ${found(apiGroup)}${near}`);
  }
}
