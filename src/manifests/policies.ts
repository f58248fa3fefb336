/**
 * The fallback policies: ValidatingAdmissionPolicies for the rules that CEL can express. They apply while muster is
 * away.
 */
import { type Dialect, dialects } from '../api/dialects.ts';
import { plannedAction } from '../engine/plan.ts';
import { defaultPolicy, type Policy } from '../engine/policy.ts';
import { listLiteral } from '../rules/cel/expressions.ts';
import { rules } from '../rules/index.ts';
import type { Action, CelExpressions, CelValidation, Rule } from '../rules/rule.ts';
import { type Manifest, manifest } from './manifest.ts';
import { BY_COLLECTOR, type MatchCondition } from './match-conditions.ts';
import { messagesOf, usedBy } from './policy-expressions.ts';
import type { WebhookRule } from './registration.ts';

const ADMISSION = 'admissionregistration.k8s.io/v1';

/**
 * Returns the policies for a configuration, each followed by its binding, in the order of the catalogue: with its
 * actions, allowed reserved names and exemptions.
 */
export function policies(configured: Policy = defaultPolicy, catalogue: readonly Rule[] = rules): readonly Manifest[] {
  return catalogue.flatMap((rule) =>
    groupsOf(rule, configured).flatMap((group) => [policy(rule, group, configured), binding(group)]),
  );
}

/** Dialects that share one policy. */
interface Group {
  readonly name: string;
  readonly among: readonly Dialect[];
  /** The version of the writes and of the parameter; undefined if the policy applies to any version. */
  readonly version?: string;
  readonly action: Exclude<Action, 'ignore'>;
  readonly expressions: CelExpressions;
}

function groupsOf(rule: Rule, configured: Policy): readonly Group[] {
  const name = `muster-${rule.id.replace('/', '-')}`;
  const byDialect = rule.cel !== undefined && 'byDialect' in rule.cel ? rule.cel.byDialect : {};
  const single = dialects.flatMap((dialect): Group[] => {
    const expressions = byDialect[dialect.name];
    if (expressions === undefined) return [];
    return byLevel(rule, expressions).flatMap(({ messageId, ...own }) => {
      const action = plannedAction(rule, dialect, configured, 'webhook', messageId);
      if (action === 'ignore') return [];
      const suffix = messageId === undefined ? '' : `-${messageId}`;
      // The rules in CEL that have a `capAction` use it so that a status is at most warned about.
      const limited = rule.capAction !== undefined && action === 'deny' ? 'warn' : action;
      return [{ name: `${name}-${dialect.name}${suffix}`, among: [dialect], action: limited, ...own }];
    });
  });
  const [first] = single;
  if (first === undefined) return [];
  if (first.expressions.parameter !== undefined) return single.flatMap(byVersion);
  const contents = new Set(single.map(({ action, expressions }) => JSON.stringify([action, expressions])));
  return contents.size === 1 ? [{ ...first, name, among: single.flatMap(({ among }) => among) }] : single;
}

/**
 * Splits a rule into policies: a binding has one action, so a message with a level of its own needs a policy of its
 * own.
 */
function byLevel({ meta }: Rule, { validations, ...rest }: CelExpressions) {
  const isOwn = ({ messageId }: CelValidation) => meta.messageLevels?.[messageId] !== undefined;
  const others = validations.filter((validation) => !isOwn(validation));
  const own = validations.filter(isOwn).map((validation) => ({ messageId: validation.messageId, of: [validation] }));
  const all = [...(others.length > 0 ? [{ messageId: undefined, of: others }] : []), ...own];
  return all.map(({ messageId, of }) => ({ messageId, expressions: { ...rest, validations: of } }));
}

/**
 * Splits a policy by version. Its parameter is read in one version, which a cluster may not serve, so there is a policy
 * for each version, for writes in that version alone.
 */
function byVersion(group: Group): readonly Group[] {
  const versions = group.among.flatMap((dialect) => dialect.versions);
  const nameIn = (version: string) => (versions.length === 1 ? group.name : `${group.name}-${version}`);
  return versions.map((version) => ({ ...group, name: nameIn(version), version }));
}

function policy(rule: Rule, group: Group, { settings, exemptions }: Policy): Manifest {
  const { name, among, version, expressions } = group;
  const validations = expressions.validations.map((validation) => ({
    expression: validation.expression,
    ...messagesOf(rule, validation),
    // On 422 `kubectl apply --force` and delivery tools delete an object and create it anew.
    reason: 'Forbidden',
  }));
  const variables = usedBy(validations, expressions.variables ?? [], settings);
  const [dialect] = among;
  const paramKind = { apiVersion: `${dialect?.group}/${version}`, kind: dialect?.kind };
  const hasParameter = expressions.parameter !== undefined;
  const spec = {
    // If the kind of a parameter is not served, the policy is not valid, and `Fail` would refuse each write with 422.
    // Without a parameter, `Fail` has no effect, since no expression fails for an object that the CRD accepts.
    failurePolicy: hasParameter ? 'Ignore' : 'Fail',
    ...(hasParameter && { paramKind }),
    matchConstraints: {
      matchPolicy: hasParameter ? 'Exact' : 'Equivalent',
      resourceRules: resourceRulesOf(rule, among, version),
    },
    matchConditions: matchConditionsOf(rule, among, expressions.matchConditions ?? [], exemptions),
    ...(variables.length > 0 ? { variables } : {}),
    validations,
  };
  return manifest([ADMISSION, 'ValidatingAdmissionPolicy'], { name }, { spec });
}

function binding({ name, action, expressions: { parameter } }: Group): Manifest {
  const paramRef = { name: parameter, parameterNotFoundAction: 'Allow' };
  const spec = {
    policyName: name,
    ...(parameter === undefined ? {} : { paramRef }),
    validationActions: [{ deny: 'Deny', warn: 'Warn', audit: 'Audit' }[action]],
  };
  return manifest([ADMISSION, 'ValidatingAdmissionPolicyBinding'], { name }, { spec });
}

/** Returns the resources of some dialects, in one version or in all, future ones included. */
function resourceRulesOf(rule: Rule, among: readonly Dialect[], version = '*'): readonly WebhookRule[] {
  const { on, subresources = [''] } = rule;
  return among.flatMap(({ group, plural, scope }) =>
    subresources.map((subresource) => ({
      apiGroups: [group],
      apiVersions: [version],
      operations: subresource === '' ? on : on.filter((operation) => operation === 'UPDATE'),
      resources: [subresource === '' ? plural : `${plural}/${subresource}`],
      scope,
    })),
  );
}

/**
 * Returns the conditions: those of the rule, and that the write is neither a release of an object on its way out nor a
 * deletion, or a change of metadata alone, by a collector.
 */
function matchConditionsOf(
  rule: Rule,
  among: readonly Dialect[],
  about: readonly string[],
  exemptions: Policy['exemptions'],
): MatchCondition[] {
  const conditions = about.map((expression, index) => ({ name: `about-${index + 1}`, expression }));
  conditions.push(...exemptionsFrom(exemptions));
  const released = releaseExpression(rule, among);
  if (released === undefined) return conditions;
  const created = rule.on.includes('CREATE') ? "request.operation == 'CREATE' || " : '';
  const isLeaving = 'has(oldObject.metadata.deletionTimestamp)';
  conditions.push({ name: 'not-on-its-way-out', expression: `${created}!${isLeaving} || !(${released})` });
  if (!rule.appliesToGarbageCollector)
    conditions.push({ name: 'not-collected', expression: `!(${BY_COLLECTOR}) || !(${released})` });
  return conditions;
}

/**
 * Returns CEL for deletions and updates of metadata alone, as far as the rule applies to them. Missing counts as null.
 */
function releaseExpression({ on }: Rule, among: readonly Dialect[]): string | undefined {
  const parts = [...new Set(among.flatMap(({ content }) => content))];
  const stays = parts.map(
    (part) => `dyn(object)[?'${part}'].orValue(null) == dyn(oldObject)[?'${part}'].orValue(null)`,
  );
  const update = `request.operation == 'UPDATE' && ${stays.join(' && ')}`;
  if (!on.includes('DELETE')) return on.includes('UPDATE') ? update : undefined;
  return on.includes('UPDATE') ? `request.operation == 'DELETE' || (${update})` : "request.operation == 'DELETE'";
}

function exemptionsFrom(exemptions: Policy['exemptions']): readonly MatchCondition[] {
  const { groups, namespaces } = exemptions;
  const names = [...exemptions.users, ...exemptions.serviceAccounts];
  const conditions: string[] = [];
  if (names.length > 0) conditions.push(`request.userInfo.username in ${listLiteral(names)}`);
  const exists = `request.userInfo.groups.exists(g, g in ${listLiteral([...groups])})`;
  if (groups.size > 0) conditions.push(`has(request.userInfo.groups) && ${exists}`);
  if (namespaces.size > 0)
    conditions.push(`has(request.namespace) && request.namespace in ${listLiteral([...namespaces])}`);
  return conditions.map((expression, index) => ({ name: `not-exempt-${index + 1}`, expression: `!(${expression})` }));
}
