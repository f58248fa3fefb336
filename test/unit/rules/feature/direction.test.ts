import type { Json } from '../../../../src/base/json.ts';
import { rule } from '../../../../src/rules/feature/direction.ts';
import { feature } from '../../../support/bases.ts';
import { type DenyCase, finds, type RuleCase, testRule } from '../../../support/rule-tester.ts';
import { at, type Members, testWide, write } from './writes.ts';

const against = (wanted: string, from: string, state: string) =>
  `the configured value is ${wanted} (${from}), and ${state} leads to the opposite; change the configured value first, or leave status.state as it is`;

/** Every way into a transition. */
const entries: readonly (readonly [Json | undefined, string])[] = [
  ['paused', 'TurningOn'],
  ['Off', 'TurningOn'],
  ['On', 'TurningOff'],
  ['TurningOn', 'TurningOff'],
  ['TurningOff', 'TurningOn'],
];
const headOf = (state: string) => (state === 'TurningOn' ? 'Enabled' : 'Disabled');
const otherOf = (state: string) => (state === 'TurningOn' ? 'Disabled' : 'Enabled');

/** The stored configuration: source, default and desired. */
const configured = (source: Json | undefined, byDefault: Json | undefined, desired?: Json) => ({
  status: { source, default: byDefault } satisfies Members,
  more: { old: { '/spec/desired': desired } },
});
const enters = (name: string, from: Json | undefined, to: string, { status, more }: ReturnType<typeof configured>) =>
  write(`${from} to ${to}, ${name}`, { state: from, ...status }, { state: to, transitionTasks: ['WaitForUses'] }, more);

const allowed: RuleCase[] = entries.flatMap(([from, to]) => {
  const value = headOf(to);
  const other = otherOf(to);
  return [
    enters('as the default', from, to, configured('Default', value)),
    enters('the default, whatever is desired', from, to, configured('Default', value, other)),
    enters('as desired', from, to, configured('Dynamic', other, value)),
    enters('dynamic and nothing desired: the default', from, to, configured('Dynamic', value)),
    enters('dynamic and null desired: the default', from, to, configured('Dynamic', value, null)),
    enters("the command line can't be seen", from, to, configured('CommandLine', other, other)),
    enters('no source', from, to, configured(undefined, other, other)),
    enters('a source of null', from, to, configured(null, other, other)),
    enters('a source that is none', from, to, configured('default', other, other)),
    enters('a source of another type', from, to, configured(['Default'], other, other)),
    enters('no default', from, to, configured('Default', undefined)),
    enters('a default of null', from, to, configured('Default', null)),
    enters('a default that cannot be read', from, to, configured('Default', other === 'Enabled')),
    enters('a default that is none', from, to, configured('Default', other.toLowerCase())),
    enters('dynamic, and what is desired cannot be read', from, to, configured('Dynamic', other, true)),
    enters('dynamic, and what is desired is none', from, to, configured('Dynamic', other, 'On')),
    enters('dynamic, nothing desired, no default', from, to, configured('Dynamic', undefined)),
  ];
});
const onState = (row: RuleCase, message: string) => ({ ...row, ...finds('status.state', message) });
const denied: DenyCase[] = entries.flatMap(([from, to]): DenyCase[] => {
  const value = headOf(to);
  const other = otherOf(to);
  return [
    ...(
      [
        ['against the default', configured('Default', other)],
        ['against the default, whatever is desired', configured('Default', other, value)],
        ['dynamic and nothing desired: against the default', configured('Dynamic', other)],
        ['dynamic and null desired: against the default', configured('Dynamic', other, null)],
      ] as const
    ).map(([name, stored]) => onState(enters(name, from, to, stored), against(other, 'status.default', to))),
    ...(
      [
        ['against what is desired', configured('Dynamic', value, other)],
        ['against what is desired, no default', configured('Dynamic', undefined, other)],
      ] as const
    ).map(([name, stored]) => onState(enters(name, from, to, stored), against(other, 'spec.desired', to))),
  ];
});

const off: Members = { source: 'Default', default: 'Disabled' };
const entry = at('TurningOn', 'WaitForUses');
const AGAINST = against('Disabled', 'status.default', 'TurningOn');

testWide(rule, allowed, denied);

testRule(rule, feature, {
  allow: [
    write('staying in a transition is not evaluated', { ...entry, ...off }, { stability: 'GA' }),
    write('completion is not evaluated', { ...entry, ...off }, at('On')),
    write('the first state is On, against the default', { state: undefined, ...off }, { state: 'On' }),
    write('the first state is a transition, as in a backup', { state: undefined, ...off }, { ...entry, ...off }),
    write('the first state after null is one, too', { state: null, ...off }, { ...entry, ...off }),
    write('a leap is reported by feature/transition', { state: 'On', ...off }, entry),
  ],
  deny: [
    onState(
      write('the source changes in the same write', { ...off, source: 'CommandLine' }, { ...entry, ...off }),
      AGAINST,
    ),
    onState(write('beside a list that is wrong too', off, { state: 'TurningOn' }), AGAINST),
  ],
});
