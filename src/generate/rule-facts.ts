/** What the reference says of a rule beside its metadata, as short text. */
import { defaultAction } from '../engine/plan.ts';
import type { Rule } from '../rules/rule.ts';
import { type Dialect, dialects } from '../schemas/dialects.ts';

/** The default action with what departs from it: `deny (OCM ClusterClaim: warn), once configured`. */
export function actionsOf(rule: Rule): string {
  const others = Object.entries(rule.dialectActions ?? {}).map(([name, action]) => `${nameOf(name)}: ${action}`);
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
