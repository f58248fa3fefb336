/** What a policy makes of deletions and of new owners, for the registration: how firmly the API server has to ask. */

import { type Concept, clusterProfile, dialects } from '../api/dialects.ts';
import { rules } from '../rules/index.ts';
import { mayDeny, planOf } from './plan.ts';
import type { Policy } from './policy.ts';

/**
 * For each concept whether a rule may deny a DELETE, and what rules that guard ownerReferences lead to (absent: none does); and
 * whether a ClusterProfile without its manager's label is denied.
 */
export function enforcementOf(policy: Policy): {
  readonly deletions: Readonly<Partial<Record<Concept, boolean>>>;
  readonly owners: Readonly<Partial<Record<Concept, 'warn' | 'deny'>>>;
  readonly profileLabel: boolean;
} {
  const plan = planOf(policy, 'webhook', rules, true);
  const deletions: Partial<Record<Concept, boolean>> = {};
  const owners: Partial<Record<Concept, 'warn' | 'deny'>> = {};
  for (const dialect of dialects) {
    const { concept } = dialect;
    if (concept !== 'claim' && plan(dialect, 'DELETE', '').some(mayDeny)) deletions[concept] = true;
    const guards = plan(dialect, 'UPDATE', '').filter(({ rule }) => rule.guardsOwners);
    if (guards.some(mayDeny)) owners[concept] = 'deny';
    else if (guards.length > 0) owners[concept] ??= 'warn';
  }
  // What a stranger does to the label is the sole manager's matter too.
  const absentDenies = plan(clusterProfile, 'UPDATE', '').some(
    ({ rule, messageActions }) =>
      rule.id === 'inventory/cluster-manager-label' && messageActions.get('absent') === 'deny',
  );
  return { deletions, owners, profileLabel: absentDenies || owners.inventory === 'deny' };
}
