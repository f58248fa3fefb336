import { rule } from '../../../../src/rules/feature/transition.ts';
import { feature } from '../../../support/bases.ts';
import { type RuleCase, testRule } from '../../../support/rule-tester.ts';
import { DISABLED, finding, type Members, write } from './writes.ts';

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

const as = (state: string): Members => ({ state, transitionTasks: LISTS[state] ?? [] });
const leap = (from: string, to: string) =>
  `cannot change from ${from} to ${to}; from ${from} it can change to ${NEXT[from]?.join(' or ')}`;
const vanished = (from: string) => `a feature that has a state (${from}) must keep one; write the state back`;

const legal: RuleCase[] = states.flatMap((from) =>
  [from, ...(NEXT[from] ?? [])].map((to) => write(`${from} to ${to}`, as(from), as(to))),
);
const onState = finding('status.state');
const illegal = states.flatMap((from) =>
  states
    .filter((to) => to !== from && !NEXT[from]?.includes(to))
    .map((to) => onState(`${from} to ${to}`, as(from), { ...as(to), version: '1.41.0' }, leap(from, to))),
);
const vanishing = states.flatMap((from) =>
  [undefined, null].map((gone) => onState(`${from} to ${gone}`, as(from), { state: gone }, vanished(from))),
);
const WRONG = { transitionTasks: ['A'], uses: [DISABLED], useEvaluationTime: '2020-01-01T00:00:00Z' };

testRule(rule, feature, {
  allow: [
    ...legal,
    ...states.map((to) => write(`the first state is ${to}`, { state: undefined }, as(to))),
    ...states.map((to) => write(`the first state after null is ${to}`, { state: null }, as(to))),
    write('still without a state', { state: undefined }, { stability: 'GA' }),
    write('a status with no state goes', { state: undefined }, {}, { set: { '/status': undefined } }),
    write('completion that breaks another rule is not this one', { ...as('TurningOn'), uses: [DISABLED] }, as('On')),
    write('unknown members may come', {}, { phase: 'Later', ...as('TurningOn') }),
  ],
  deny: [
    ...illegal,
    ...vanishing,
    onState('the whole status goes', as('On'), {}, vanished('On'), { set: { '/status': undefined } }),
    onState('it is unknown who writes', as('Off'), as('On'), leap('Off', 'On'), { user: null }),
    onState(
      'with tasks and uses that are wrong too, only this',
      as('Off'),
      { ...as('On'), ...WRONG },
      leap('Off', 'On'),
    ),
  ],
});
