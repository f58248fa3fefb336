/** What the reference says of a rule beside its metadata, as short text. */

import { type Dialect, dialects } from '../api/dialects.ts';
import { defaultAction } from '../engine/plan.ts';
import type { EnforcementPoint, Rule } from '../rules/rule.ts';

/** The level with what departs from it: `ADVICE (scan: MUST)`. */
export function levelsOf(rule: Rule): string {
  const others = partsOf(rule).map(({ part, level }) => `${part}: ${level}`);
  return `${rule.meta.level}${others.length > 0 ? ` (${others.join(', ')})` : ''}`;
}

/** Enforcement points and messages with a level of their own, and what they lead to. */
function partsOf(rule: Rule): readonly { readonly part: string; readonly level: string; readonly action: string }[] {
  const { pointLevels = {}, messageLevels = {} } = rule.meta;
  const points = Object.entries(pointLevels).map(([point, level]) => {
    const action = defaultAction(rule, undefined, point as EnforcementPoint);
    return { part: point, level, action };
  });
  const messages = Object.entries(messageLevels).map(([messageId, level]) => {
    const action = defaultAction(rule, undefined, undefined, messageId);
    return { part: `\`${messageId}\``, level, action };
  });
  return [...points, ...messages];
}

/** The default action with what departs from it: `deny (OCM ClusterClaim: warn), once configured`. */
export function actionsOf(rule: Rule): string {
  const ofKinds = Object.entries(rule.dialectActions ?? {}).map(([name, action]) => `${nameOf(name)}: ${action}`);
  const others = [...ofKinds, ...partsOf(rule).map(({ part, action }) => `${part}: ${action}`)];
  const departing = others.length > 0 ? ` (${others.join(', ')})` : '';
  return `${defaultAction(rule)}${departing}${rule.meta.inertUntil ? ', once configured' : ''}`;
}

/** The writes a rule judges: `CREATE, UPDATE of the object and of /status`. */
export function judgedOn(rule: Rule): string {
  const subresources = rule.subresources ?? [''];
  const status = subresources.includes('status');
  const main = subresources.includes('');
  const operations = rule.on.join(', ');
  if (!status) return operations;
  return main ? `${operations}; UPDATE of \`/status\`` : `${operations} of \`/status\``;
}

/** The kinds a rule is about, as `ClusterClaim (multicluster.x-k8s.io)`. */
export function kindsOf(rule: Rule): string {
  const own = dialects.filter(
    ({ name, concept }) => concept === rule.concept && (rule.dialects ?? [name]).includes(name),
  );
  return own.map(({ kind, group }) => `${kind} (${group})`).join(', ');
}

function nameOf(name: string): string {
  const dialect: Dialect | undefined = dialects.find((candidate) => candidate.name === name);
  return dialect ? `${dialect.kind} of ${dialect.group}` : name;
}
