import { listOf, textOf } from '../../base/json.ts';
import { statusOf } from '../../base/object.ts';
import { type Context, defineRule, type RuleResult } from '../rule.ts';
import { enabledOf, versionOf } from './uses.ts';

/** The most tasks or versions that a message names. */
const MOST_NAMED = 4;

/** The value of the feature in each state; in a transition, the value that it leads to. */
const VALUES: ReadonlyMap<string, 'Enabled' | 'Disabled'> = new Map([
  ['On', 'Enabled'],
  ['TurningOn', 'Enabled'],
  ['Off', 'Disabled'],
  ['TurningOff', 'Disabled'],
]);

export const rule = defineRule({
  id: 'feature/settled',
  // It reports stored objects only: no write violates it.
  on: [],
  meta: {
    summary: 'No feature is in a transition, or has tasks or uses of the old value left.',
    fix:
      'Wait until the transition is complete, then upgrade or downgrade. If a use remains after that, its client ' +
      'no longer exists: have the server flow remove it.',
    level: 'SHOULD',
    source: 'KEP-3920 #goals',
    quote: 'Make it easy to tell if it is not safe to upgrade / downgrade due to feature states',
    needs: ['object'],
    why: 'No write is wrong for it: a transition takes time.',
    messages: {
      unsettled:
        'the feature is {{state}} (tasks left: {{tasks}}; versions that use the old value, {{old}}: {{uses}}); wait ' +
        'until it is settled before an upgrade or a downgrade',
    },
  },
  cel: { reason: 'no write: it is about stored objects, which only a scan reads' },
  scan: { how: 'each object by itself', messages: {}, check },
});

function check({ object }: Context): readonly RuleResult[] {
  const status = statusOf(object);
  const state = textOf(status?.['state']) ?? '';
  const value = VALUES.get(state);
  if (value === undefined) return [];
  const old = value === 'Enabled' ? 'Disabled' : 'Enabled';
  const tasks = listOf(status?.['transitionTasks']).map((task) => textOf(task) ?? '…');
  const uses = listOf(status?.['uses']).filter((use) => enabledOf(use) === old);
  const isMoving = state === 'TurningOn' || state === 'TurningOff';
  if (!isMoving && tasks.length + uses.length === 0) return [];
  const path = ['status', isMoving ? 'state' : tasks.length > 0 ? 'transitionTasks' : 'uses'];
  const data = { state, old, tasks: named(tasks), uses: named(uses.map((use) => versionOf(use) ?? '…')) };
  return [{ path, messageId: 'unsettled', data }];
}

function named(names: readonly string[]): string {
  const more = names.length - MOST_NAMED;
  const listed = names.slice(0, MOST_NAMED).join(', ');
  return `${listed || 'none'}${more > 0 ? ` and ${more} more` : ''}`;
}
