import { rule } from '../../../src/rules/feature/transition.ts';
import { feature } from '../bases.ts';
import { type DenyCase, type RuleCase, testRule } from '../rule-tester.ts';
import { DISABLED, type Members, write } from './writes.ts';

const WAIT = ['WaitForUses'];
/** Each state with the list it may hold when it is entered. */
const LISTS: Readonly<Record<string, readonly string[]>> = { Off: [], TurningOn: WAIT, On: [], TurningOff: WAIT };
const NEXT: Readonly<Record<string, readonly string[]>> = {
  Off: ['TurningOn'],
  TurningOn: ['On', 'TurningOff'],
  On: ['TurningOff'],
  TurningOff: ['Off', 'TurningOn'],
};
const states = Object.keys(LISTS);

const at = (state: string): Members => ({ state, transitionTasks: LISTS[state] ?? [] });
const leap = (from: string, to: string) =>
  `cannot go from ${from} to ${to}; from ${from} it goes to ${NEXT[from]?.join(' or ')}, task by task`;
const vanished = (from: string) => `a feature that has a state (${from}) keeps one; write the state back`;

const legal: RuleCase[] = states.flatMap((from) =>
  [from, ...(NEXT[from] ?? [])].map((to) => write(`${from} to ${to}`, at(from), at(to))),
);
const illegal: DenyCase[] = states.flatMap((from) =>
  states
    .filter((to) => to !== from && !NEXT[from]?.includes(to))
    .map((to) => ({
      ...write(`${from} to ${to}`, at(from), { ...at(to), version: '1.41.0' }),
      findings: [['deny', 'status.state', leap(from, to)] as const],
    })),
);
const vanishing: DenyCase[] = states.flatMap((from) =>
  [undefined, null].map((gone) => ({
    ...write(`${from} to ${gone}`, at(from), { state: gone }),
    findings: [['deny', 'status.state', vanished(from)] as const],
  })),
);

testRule(rule, feature, {
  allow: [
    ...legal,
    ...states.map((to) => write(`the first state is ${to}`, { state: undefined }, at(to))),
    ...states.map((to) => write(`the first state after null is ${to}`, { state: null }, at(to))),
    write('still without a state', { state: undefined }, { stability: 'GA' }),
    write('a status with no state goes', { state: undefined }, {}, { set: { '/status': undefined } }),
    write('completion that breaks another rule is not this one', { ...at('TurningOn'), uses: [DISABLED] }, at('On')),
    write('unknown members may come', {}, { phase: 'Later', state: 'TurningOn', transitionTasks: WAIT }),
    { name: 'a deletion is not asked', operation: 'DELETE', old: { '/status/state': 'On' } },
    write('switched off', {}, at('On'), { actions: { 'feature/transition': 'ignore' } }),
  ],
  deny: [
    ...illegal,
    ...vanishing,
    {
      ...write('the whole status goes', at('On'), {}, { set: { '/status': undefined } }),
      findings: [['deny', 'status.state', vanished('On')]],
    },
    {
      ...write('where nobody knows who asks', at('Off'), at('On'), { user: null }),
      findings: [['deny', 'status.state', leap('Off', 'On')]],
    },
    {
      ...write('with tasks and uses that are wrong too, only this is said', at('Off'), {
        state: 'On',
        transitionTasks: ['A'],
        uses: [DISABLED],
        useEvaluationTime: '2020-01-01T00:00:00Z',
      }),
      findings: [['deny', 'status.state', leap('Off', 'On')]],
    },
  ],
});
