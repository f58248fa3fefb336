/** The writes that a policy matches: those of its rule, without those that the engine always admits. */

import type { Dialect } from '../api/dialects.ts';
import type { Policy } from '../engine/index.ts';
import { texts } from '../rules/cel/text.ts';
import { COLLECTORS } from '../rules/principal.ts';
import type { Rule } from '../rules/rule.ts';
import type { MatchCondition } from './match-conditions.ts';
import type { WebhookRule } from './registration.ts';

/** Returns the resources of some dialects, in one version or in all, future ones included. */
export function resourceRulesOf(rule: Rule, among: readonly Dialect[], version = '*'): readonly WebhookRule[] {
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

/** Excludes the removal of finalizers and, except for a member's id, the collectors. */
export function matchConditionsOf(
  rule: Rule,
  about: readonly string[],
  exemptions?: Policy['exemptions'],
): readonly MatchCondition[] {
  const conditions = about.map((expression, index) => ({ name: `about-${index + 1}`, expression }));
  if (exemptions !== undefined) conditions.push(...exemptionsFrom(exemptions));
  const released = releases(rule);
  if (released === undefined) return conditions;
  const created = rule.on.includes('CREATE') ? "request.operation == 'CREATE' || " : '';
  const isLeaving = 'has(oldObject.metadata.deletionTimestamp)';
  conditions.push({ name: 'not-on-its-way-out', expression: `${created}!${isLeaving} || !(${released})` });
  const collected = `request.userInfo.username in ${texts([...COLLECTORS])}`;
  if (!rule.bindsCollectors)
    conditions.push({ name: 'not-collected', expression: `!(${collected}) || !(${released})` });
  return conditions;
}

/** A missing part counts as null. */
const METADATA_ONLY = ['spec', 'status']
  .map((part) => `dyn(object)[?'${part}'].orValue(null) == dyn(oldObject)[?'${part}'].orValue(null)`)
  .join(' && ');

/** A deletion, or an update of metadata alone, as far as the rule applies to them. */
function releases({ on }: Rule): string | undefined {
  const update = `request.operation == 'UPDATE' && ${METADATA_ONLY}`;
  if (!on.includes('DELETE')) return on.includes('UPDATE') ? update : undefined;
  return on.includes('UPDATE') ? `request.operation == 'DELETE' || (${update})` : "request.operation == 'DELETE'";
}

function exemptionsFrom({
  users,
  groups,
  serviceAccounts,
  namespaces,
}: Policy['exemptions']): readonly MatchCondition[] {
  const conditions: string[] = [];
  const names = [...users, ...serviceAccounts];
  if (names.length > 0) conditions.push(`request.userInfo.username in ${texts(names)}`);
  const exists = `request.userInfo.groups.exists(g, g in ${texts([...groups])})`;
  if (groups.size > 0) conditions.push(`has(request.userInfo.groups) && ${exists}`);
  if (namespaces.size > 0) conditions.push(`has(request.namespace) && request.namespace in ${texts([...namespaces])}`);
  return conditions.map((expression, index) => ({ name: `not-exempt-${index + 1}`, expression: `!(${expression})` }));
}
