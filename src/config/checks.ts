/**
 * Checks what the schema of a configuration can't express: references, times, and settings that are likely mistakes.
 */
import { type Dialect, dialectOf, dialects } from '../api/dialects.ts';
import { getOrInsert } from '../base/collections.ts';
import { didYouMean } from '../base/suggest.ts';
import { isLabelValue } from '../base/syntax.ts';
import { escapeControls, withArticle } from '../base/text.ts';
import { pointsOf, reportsOn } from '../engine/plan.ts';
import type { Policy } from '../engine/policy.ts';
import { RESERVED } from '../rules/claim/reserved-name.ts';
import { rules as allRules } from '../rules/index.ts';
import { serviceAccountUser } from '../rules/principal.ts';
import { endOf } from '../schema/formats.ts';
import { found, oneOf, type Reporter } from '../schema/reporter.ts';
import type { Incomplete } from '../schema/schema.ts';
import type { MusterConfiguration } from './schema.ts';

/** What the checks need in addition to the configuration. */
export interface CheckContext {
  readonly ruleIds: ReadonlySet<string>;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** Checks the parts of a configuration that the schema accepted. */
export function checkConfiguration(
  {
    rules,
    claims,
    inventory,
    features,
    placements,
    services,
    registrar,
    exemptions,
    exceptions,
  }: Incomplete<MusterConfiguration>,
  context: CheckContext,
  at: Reporter,
): void {
  checkRules(rules, context, at.below('rules'));
  eachOf(claims?.allowedReservedNames, at.below('claims', 'allowedReservedNames'), warnOfReservedNames);
  warnOfPrincipals(
    claims?.membershipManagers,
    'claim/clusterset-manager refuses',
    at.below('claims', 'membershipManagers'),
  );
  checkManagers(inventory?.managers ?? {}, at.below('inventory', 'managers'));
  checkFeatures(features ?? {}, at.below('features'));
  checkSchedulers(placements?.schedulers ?? {}, at.below('placements', 'schedulers'));
  if (FOREIGN_LEASE_NAMESPACES.includes(registrar?.namespace ?? '')) {
    const reason = `every member could change the Leases of others in ${registrar?.namespace} of the hub`;
    at.below('registrar', 'namespace').warn(`${reason}; choose a namespace for reservations alone`);
  }
  warnOfPrincipals(services?.importManagers, 'import/manager refuses', at.below('services', 'importManagers'));
  eachOf(exemptions?.users, at.below('exemptions', 'users'), (name, here) =>
    warnOfEverybody('user', name, EXEMPT, here),
  );
  eachOf(exemptions?.groups, at.below('exemptions', 'groups'), (name, here) =>
    warnOfEverybody('group', name, EXEMPT, here),
  );
  eachOf(exceptions, at.below('exceptions'), (exception, here) => checkException(exception, context, here));
}

/** Namespaces with Leases of other components. Members of a hub must not get the right to change these. */
export const FOREIGN_LEASE_NAMESPACES: readonly string[] = ['kube-system', 'kube-node-lease', 'muster-system'];

/** Refuses unknown rule ids. */
export function checkRuleIds(
  ids: readonly (string | undefined)[] | undefined,
  ruleIds: ReadonlySet<string>,
  at: Reporter,
): void {
  eachOf(ids, at, (id, here) => {
    if (!ruleIds.has(id)) here.refuse(unknownRule(id, ruleIds));
  });
}

/** Refuses each entry whose value of `key` is that of an earlier entry. @param message gets the index of that entry */
export function refuseRepeated<Key extends string>(
  entries: readonly ({ readonly [name in Key]?: string | undefined } | undefined)[],
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

/** Calls `check` for each entry that was not refused. */
function eachOf<T>(
  entries: readonly (T | undefined)[] | undefined,
  at: Reporter,
  check: (entry: T, at: Reporter) => void,
): void {
  for (const [index, entry] of (entries ?? []).entries()) if (entry !== undefined) check(entry, at.below(index));
}

type Rules = Incomplete<MusterConfiguration>['rules'];
type Principals = NonNullable<NonNullable<Incomplete<MusterConfiguration>['claims']>['membershipManagers']>;
type PrincipalsByName = { readonly [name: string]: Principals | undefined };
type Features = NonNullable<Incomplete<MusterConfiguration>['features']>;
type WrittenException = Incomplete<NonNullable<MusterConfiguration['exceptions']>[number]>;

function checkRules(rules: Rules, { ruleIds }: CheckContext, at: Reporter): void {
  for (const [id, actions] of Object.entries(rules ?? {})) {
    if (!ruleIds.has(id)) at.below(id).refuseKey(unknownRule(id, ruleIds));
    else if (actions !== null && typeof actions === 'object') warnOfPoints(id, actions, at.below(id));
  }
}

/** Warns of actions at enforcement points where the rule is never evaluated. */
function warnOfPoints(id: string, actions: Readonly<Record<string, unknown>>, at: Reporter): void {
  const rule = allRules.find((each) => each.id === id);
  const points: readonly string[] = rule === undefined ? [] : pointsOf(rule);
  for (const [point, action] of Object.entries(actions)) {
    if (action === undefined || action === 'ignore' || points.includes(point)) continue;
    at.below(point).warn(`${id} is evaluated in ${points.join(' and ')} only; the action has no effect`);
  }
}

/** Warns of actions of rules that the settings do not enable. */
export function warnOfDisabledRules({ actions, settings }: Policy, at: Reporter): void {
  for (const [id, points] of actions) {
    const rule = allRules.find((each) => each.id === id);
    if (rule?.enabled?.(settings) !== false || Object.values(points).every((action) => action === 'ignore')) continue;
    at.below(id).warn(`${id} is disabled until ${rule.meta.inertUntil} is configured; the action has no effect`);
  }
}

function unknownRule(id: string, ruleIds: ReadonlySet<string>): string {
  return `no rule ${found(id)}${didYouMean(id, ruleIds) || '; muster rules lists them'}`;
}

/** Users and groups that the API server gives to all callers of a kind. (Not `system:masters`, which is assigned.) */
const EVERYBODY = {
  user: new Map([['system:anonymous', 'everybody without credentials']]),
  group: new Map([
    ['system:authenticated', 'everybody with credentials'],
    ['system:authenticated:oauth', 'everybody who logs in to OpenShift'],
    ['system:unauthenticated', 'everybody without credentials'],
    ['system:serviceaccounts', 'every service account, so every pod'],
  ]),
};
const EXEMPT = 'no rule applies to them';

/** Warns of a name with a wildcard, and of a name that stands for everybody. @param effect what the latter disables */
function warnOfEverybody(of: 'user' | 'group', name: string, effect: string, at: Reporter): void {
  if (name.includes('*')) at.warn(`${found(name)} is taken literally; "*" is not a wildcard here`);
  const who = EVERYBODY[of].get(name);
  if (who === undefined) return;
  at.warn(`${found(name)} is ${who}: ${effect}; name the users, groups or service accounts that need it`);
}

/** Warns of principals that stand for everybody. @param guard such as `RULE refuses` */
function warnOfPrincipals(principals: Principals | undefined, guard: string, at: Reporter): void {
  eachOf(principals, at, ({ user, group }, here) => {
    const effect = `${guard} none of them`;
    if (user !== undefined) warnOfEverybody('user', user, effect, here.below('user'));
    if (group !== undefined) warnOfEverybody('group', group, effect, here.below('group'));
  });
}

/** Warns of a wildcard that allows every name under a reserved suffix. */
function warnOfReservedNames(name: string, at: Reporter): void {
  if (!name.startsWith('*.')) return;
  const suffixes = RESERVED.filter((suffix) => suffix.endsWith(name.slice(1)));
  if (suffixes.length === 0) return;
  const names = suffixes.map((suffix) => `*${suffix}`).join(' and ');
  at.warn(
    `${found(name)} allows every name under ${names}: claim/reserved-name no longer guards them; ` +
      'list the names that you claim',
  );
}

function checkManagers(managers: PrincipalsByName, at: Reporter): void {
  for (const name of Object.keys(managers)) {
    if (isLabelValue(name)) continue;
    const limits = 'at most 63 of A-Z, a-z, 0-9, "-", "_", "."';
    at.below(name).refuseKey(`${found(name)} can't be the name of a manager: it has to fit a label (${limits})`);
  }
  warnOfOwners('managers', managers, 'inventory/sole-manager refuses', at);
}

function checkSchedulers(schedulers: PrincipalsByName, at: Reporter): void {
  if (Object.hasOwn(schedulers, ''))
    at.below('').refuseKey('a scheduler needs a name: decisions without one may be written by anyone');
  warnOfOwners('schedulers', schedulers, 'placement/scheduler refuses', at);
}

/**
 * Warns of managers or schedulers whose name may be YAML's reading of an unquoted word, of principals that stand for
 * everybody, and of a principal of several of them, which can move objects from one to another.
 */
function warnOfOwners(kind: string, owned: PrincipalsByName, guard: string, at: Reporter): void {
  const owners = new Map<string, Set<string>>();
  for (const [name, principals] of Object.entries(owned)) {
    warnOfPrincipals(principals, guard, at.below(name));
    if (name === 'true' || name === 'false')
      at.below(name).warn(
        'YAML reads an unquoted on, yes or true as true, and off, no or false as false; if that is not the name, put ' +
          'it in quotes',
      );
    for (const principal of principals ?? []) {
      const who = principal && nameOf(principal);
      if (who !== undefined) getOrInsert(owners, who, () => new Set()).add(name);
    }
  }
  for (const [who, of] of owners)
    if (of.size > 1) at.warn(`${found(who)} is a principal of ${of.size} ${kind}: ${[...of].join(', ')}`);
}

/** Returns a name that is equal for two ways to write the same principal. */
function nameOf({ user, group, serviceAccount }: NonNullable<Principals[number]>): string | undefined {
  if (group !== undefined) return `group ${group}`;
  if (serviceAccount !== undefined) return `user ${serviceAccountUser(serviceAccount)}`;
  return user === undefined ? undefined : `user ${user}`;
}

function checkFeatures({ dynamic, serverFlow = [] }: Features, at: Reporter): void {
  if (dynamic === '*') warnOfAllFeatures(at.below('dynamic'));
  else
    eachOf(dynamic, at.below('dynamic'), ({ namespace, name }, here) => {
      if (namespace === '*' && name === '*') warnOfAllFeatures(here);
    });
  const flow = at.below('serverFlow');
  eachOf(serverFlow, flow, ({ principals }, here) =>
    warnOfPrincipals(principals, 'feature/server-flow and feature/client-uses refuse', here.below('principals')),
  );
  refuseRepeated(serverFlow, 'namespace', flow, (namespace, earlier) => {
    return `${found(namespace)} is in entry ${earlier} already; put all its principals there`;
  });
}

/** Warns if every feature is opted in, as it is without the setting. */
function warnOfAllFeatures(at: Reporter): void {
  at.warn('every feature is opted in: feature/dynamic-opt-in refuses nothing; list the features, or leave the key out');
}

/** Checks that the exception names a kind that rules evaluate, and warns where it has no effect. */
function checkException(exception: WrittenException, context: CheckContext, at: Reporter): void {
  const { rules = [], apiGroup, kind, namespace, name = '', expires } = exception;
  checkRuleIds(rules, context.ruleIds, at.below('rules'));
  if (apiGroup === undefined || kind === undefined) return;
  const dialect = dialectOf(apiGroup, kind);
  if (!dialect) {
    refuseKind(apiGroup, kind, at);
    return;
  }
  if (namespace !== undefined && dialect.scope === 'Cluster')
    at.below('namespace').refuse(`${withArticle(kind)} has no namespace; leave the key out`);
  for (const id of rules)
    if (id !== undefined && context.ruleIds.has(id) && !evaluates(id, dialect))
      at.below('rules').warn(`${id} never evaluates ${withArticle(kind)}; the exception has no effect`);
  const end = expires === undefined ? undefined : endOf(expires);
  if (end === undefined || end > context.now) return;
  const object = escapeControls(`${kind} ${name}`);
  const time = new Date(end).toISOString();
  at.warn(`the exception for ${object} (${rules.join(', ')}) expired at ${time} and has no effect; remove it`);
}

/** Whether a rule reports on objects of a dialect. */
export function evaluates(id: string, dialect: Dialect): boolean {
  return allRules.some((rule) => rule.id === id && reportsOn(rule, dialect));
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
