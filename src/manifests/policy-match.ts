/** The writes that a policy matches: those of its rule, without those that the engine always admits. */

import type { Dialect } from '../api/dialects.ts';
import { texts } from '../rules/cel/text.ts';
import { serviceAccountUser } from '../rules/principal.ts';
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

/** Names as the API server knows them: a service account is `system:serviceaccount:NS:NAME`. */
export interface Exemptions {
  readonly users: ReadonlySet<string>;
  readonly groups: ReadonlySet<string>;
  readonly serviceAccounts: ReadonlySet<string>;
  readonly namespaces: ReadonlySet<string>;
}

/** Excludes the removal of finalizers and, except for a member's id, the collectors. */
export function matchConditionsOf(
  rule: Rule,
  about: readonly string[],
  exemptions?: Exemptions,
): readonly MatchCondition[] {
  const own = about.map((expression, index) => ({ name: `about-${index + 1}`, expression }));
  const exempt = exemptions === undefined ? [] : exemptionsFrom(exemptions);
  const released = releases(rule);
  if (released === undefined) return [...own, ...exempt];
  const created = rule.on.includes('CREATE') ? "request.operation == 'CREATE' || " : '';
  const collecting = {
    name: 'not-collected',
    expression: `!(request.userInfo.username in ${texts(COLLECTORS)}) || !(${released})`,
  };
  return [
    ...own,
    ...exempt,
    {
      name: 'not-on-its-way-out',
      expression: `${created}!has(oldObject.metadata.deletionTimestamp) || !(${released})`,
    },
    ...(rule.bindsCollectors ? [] : [collecting]),
  ];
}

const COLLECTORS = ['generic-garbage-collector', 'namespace-controller'].map((name) =>
  serviceAccountUser(`kube-system/${name}`),
);

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

function exemptionsFrom({ users, groups, serviceAccounts, namespaces }: Exemptions): readonly MatchCondition[] {
  const names = [...users, ...serviceAccounts];
  const conditions = [
    ...(names.length > 0 ? [`request.userInfo.username in ${texts(names)}`] : []),
    ...(groups.size > 0
      ? [`has(request.userInfo.groups) && request.userInfo.groups.exists(g, g in ${texts([...groups])})`]
      : []),
    ...(namespaces.size > 0 ? [`has(request.namespace) && request.namespace in ${texts([...namespaces])}`] : []),
  ];
  return conditions.map((expression, index) => ({ name: `not-exempt-${index + 1}`, expression: `!(${expression})` }));
}
