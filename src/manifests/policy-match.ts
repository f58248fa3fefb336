/** Which writes a policy is asked about: those its rule is, less those that the engine lets pass whatever a rule says. */

import { texts } from '../rules/cel/text.ts';
import { serviceAccountUser } from '../rules/principal.ts';
import type { Rule } from '../rules/rule.ts';
import type { Dialect } from '../schemas/dialects.ts';
import type { MatchCondition } from './match-conditions.ts';

export interface ResourceRule {
  readonly apiGroups: readonly string[];
  readonly apiVersions: readonly string[];
  readonly operations: readonly string[];
  readonly resources: readonly string[];
  readonly scope: 'Cluster' | 'Namespaced';
}

/** The resources of these dialects, in one version or in all, those to come among them. */
export function resourceRulesOf(rule: Rule, among: readonly Dialect[], version = '*'): readonly ResourceRule[] {
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

const COLLECTORS = ['generic-garbage-collector', 'namespace-controller'].map((name) =>
  serviceAccountUser(`kube-system/${name}`),
);

/** Of whatever kind: an absent part is an absent optional. Members that are null count as there, here alone. */
const METADATA_ONLY = ['spec', 'status']
  .map((part) => `dyn(object)[?'${part}'].orValue(null) == dyn(oldObject)[?'${part}'].orValue(null)`)
  .join(' && ');
const LETS_GO = `(request.operation == 'DELETE' || (request.operation == 'UPDATE' && ${METADATA_ONLY}))`;

/** What the rule is about; a finalizer can always be taken off; the collectors are never in the way, but for a member's id. */
export function matchConditionsOf(rule: Rule, about: readonly string[]): readonly MatchCondition[] {
  const own = about.map((expression, index) => ({ name: `about-${index + 1}`, expression }));
  if (rule.on.every((operation) => operation === 'CREATE')) return own;
  const collecting = `request.userInfo.username in ${texts(COLLECTORS)}`;
  return [
    ...own,
    {
      name: 'not-on-its-way-out',
      expression: `request.operation == 'CREATE' || !has(oldObject.metadata.deletionTimestamp) || !${LETS_GO}`,
    },
    ...(rule.bindsCollectors ? [] : [{ name: 'not-collected', expression: `!(${collecting}) || !${LETS_GO}` }]),
  ];
}
