import { describe, expect, test } from '@jest/globals';
import type { Json } from '../../../../src/base/json.ts';
import { rule } from '../../../../src/rules/feature/shape.ts';
import { rules } from '../../../../src/rules/index.ts';
import { feature } from '../../../support/bases.ts';
import { type DenyCase, evaluate, finds, type RuleCase, testRule } from '../../../support/rule-tester.ts';
import { DISABLED, ENABLED, type Members, testWide, use, write } from './writes.ts';

/** The closed lists, and where they stand. */
const enums = {
  stability: ['Unavailable', 'Alpha', 'Beta', 'GA', 'Deprecated', 'Universal'],
  default: ['Enabled', 'Disabled'],
  source: ['Default', 'CommandLine', 'Dynamic'],
  state: ['Off', 'TurningOn', 'On', 'TurningOff'],
} as const;

const oneOf = (allowed: readonly string[], value: string) => `must be one of ${allowed.join(', ')}, got "${value}"`;
const text = (found: string) => `must be a string, got ${found}`;
const unquoted = (found: string) => `${text(found)}; put it in quotes`;
const quote = (allowed: readonly string[]) =>
  `must be one of ${allowed.join(', ')}, got a boolean: YAML reads an unquoted On, Off, yes or no as a boolean; put it in quotes`;
const LATER = '2026-05-02T00:00:00Z';
const MISSING = 'is missing; every entry of uses has version, enabled and reportTime';
const UNKNOWN = 'is not a field of a feature; remove it, or correct its name (the only field is desired)';
const twice = (value: string) => `the list has two entries for ${value} (version and enabled); keep one`;
const noTime = (value: string) => `must be an RFC 3339 time such as 2026-01-31T12:00:00Z, got "${value}"`;

const WRONG: readonly (readonly [Json, string])[] = [
  [true, 'a boolean'],
  [7, 'a number'],
  [['On'], 'a list'],
  [{ a: 'On' }, 'an object'],
];
/** The message on one of these where a text belongs. */
const wrong = (member: string, value: Json): string => {
  const found = WRONG.find(([one]) => one === value)?.[1] ?? '';
  const allowed = enums[member as keyof typeof enums];
  if (allowed === undefined) return ['a boolean', 'a number'].includes(found) ? unquoted(found) : text(found);
  const shown = found === 'a list' ? 'a list of 1' : found === 'a number' ? '7' : found;
  return value === true ? quote(allowed) : `must be one of ${allowed.join(', ')}, got ${shown}`;
};
const refused = (name: string, member: string, value: Json, field: string, message: string) => ({
  ...write(name, { [member]: undefined }, { [member]: value }),
  ...finds(field, message),
});

const scalars = ['class', 'name', 'stability', 'version', 'default', 'source', 'state', 'useEvaluationTime'];
const allowedScalars: RuleCase[] = [
  ...Object.entries(enums).flatMap(([member, values]) =>
    values.map((value) => write(`${member} ${value}`, { [member]: undefined }, { [member]: value })),
  ),
  ...scalars.flatMap((member) => [write(`${member} null`, { [member]: undefined }, { [member]: null })]),
];
const deniedScalars: DenyCase[] = [
  ...Object.entries(enums).flatMap(([member, values]) =>
    ['', 'enabled', 'ON', 'Turning On', ' On'].map((value) =>
      refused(`${member} ${JSON.stringify(value)}`, member, value, `status.${member}`, oneOf(values, value)),
    ),
  ),
  ...scalars.flatMap((member) => [
    ...WRONG.map(([value, found]) =>
      refused(`${member} as ${found}`, member, value, `status.${member}`, wrong(member, value)),
    ),
  ]),
  ...['', 'soon', '2026-06-01', '2026-06-01T12:00:00', '2026-02-30T12:00:00Z', '2026-06-01 12:00:00Z'].map((value) =>
    refused(`the time ${value}`, 'useEvaluationTime', value, 'status.useEvaluationTime', noTime(value)),
  ),
  ...(
    [
      ['version', unquoted('a boolean')],
      ['enabled', quote(enums.default)],
      ['reportTime', unquoted('a boolean')],
    ] as const
  ).flatMap(([key, ofBoolean]) => {
    const without = { ...ENABLED, [key]: undefined } as unknown as Json;
    return [
      { ...write(`a use without ${key}`, {}, { uses: [without] }), ...finds(`status.uses[0].${key}`, MISSING) },
      {
        ...write(`a use with ${key} null`, {}, { uses: [{ ...ENABLED, [key]: null }] }),
        ...finds(`status.uses[0].${key}`, MISSING),
      },
      {
        ...write(`a use with ${key} a boolean`, {}, { uses: [DISABLED, { ...ENABLED, [key]: false }] }),
        ...finds(`status.uses[1].${key}`, ofBoolean),
      },
    ];
  }),
];

testWide(rule, allowedScalars, deniedScalars);

/** An object with this spec, in `check`. */
const spec = (name: string, value: Json | undefined): RuleCase => ({ name, set: { '/spec': value }, point: 'check' });
const desired = (name: string, value: Json) => ({ name, set: { '/spec/desired': value } });

testRule(rule, feature, {
  allow: [
    { ...spec('an unknown field while scanning', { desire: 'Enabled' }), point: 'scan' },
    spec('a null unknown field in check', { desire: null }),
    spec('a known field in check', { desired: 'Enabled' }),
    spec('no spec in check', undefined),
    write(
      'an unknown field of the spec that comes with a write of the status is dropped',
      {},
      {},
      { point: 'check', set: { '/spec/desire': 'Enabled' } },
    ),
    write('unknown fields of the status and of a use', {}, { phase: 'Later', uses: [{ ...ENABLED, node: 'a' }] }),
    write('no lists', {}, { transitionTasks: undefined, uses: undefined }),
    write('a task twice', {}, { transitionTasks: ['A', 'A'] }),
    write('both values of a version', {}, { uses: [ENABLED, DISABLED] }),
    write('one value of two versions', {}, { uses: [use('1.39.0', 'Enabled'), ENABLED] }),
  ],
  deny: [
    ...['enabled', '', 'On', 'TurningOn', 'Enabled '].map((value) => ({
      ...desired(`desired ${JSON.stringify(value)}`, value),
      ...finds('spec.desired', oneOf(enums.default, value)),
    })),
    ...WRONG.map(([value, found]) => ({
      ...desired(`desired as ${found}`, value),
      ...finds('spec.desired', wrong('default', value)),
    })),
    ...WRONG.slice(0, 2).map(([value, found]) => ({
      name: `the spec as ${found}`,
      set: { '/spec': value },
      ...finds('spec', `must be an object, got ${found}`),
    })),
    {
      ...spec('unknown fields in check, each', { desire: 'Enabled', desired: 'Enabled', Desired: 1 }),
      findings: ['desire', 'Desired'].map((name) => ['deny', `spec.${name}`, UNKNOWN] as const),
    },
    {
      ...spec('an unknown field with a name every object inherits', { constructor: 'x' }),
      ...finds('spec.constructor', UNKNOWN),
    },
    {
      ...spec('an unknown field beside a bad value', { desired: 'x', other: {} }),
      findings: [
        ['deny', 'spec.desired', oneOf(enums.default, 'x')],
        ['deny', 'spec.other', UNKNOWN],
      ],
    },
    {
      ...spec(
        '33 unknown fields: the first 32',
        Object.fromEntries(Array.from({ length: 33 }, (_, n) => [`f${n}`, n])),
      ),
      findings: Array.from({ length: 32 }, (_, n) => ['deny', `spec.f${n}`, UNKNOWN] as const),
    },
    {
      ...write('a list for the status', {}, {}, { set: { '/status': [] } }),
      ...finds('status', 'must be an object, got a list'),
    },
    ...['transitionTasks', 'uses'].map((list) =>
      refused(`${list} as a boolean`, list, false, `status.${list}`, 'must be a list, got a boolean'),
    ),
    {
      ...write('tasks that are no text', {}, { transitionTasks: ['A', 7, null, true, ['B']] }),
      findings: [
        ['deny', 'status.transitionTasks[1]', unquoted('a number')],
        ['deny', 'status.transitionTasks[2]', text('null')],
        ['deny', 'status.transitionTasks[3]', unquoted('a boolean')],
        ['deny', 'status.transitionTasks[4]', text('a list')],
      ],
    },
    {
      ...write('a use with a bare date', {}, { uses: [use('1', 'Enabled', '2026-05-01')] }),
      ...finds('status.uses[0].reportTime', noTime('2026-05-01')),
    },
    {
      ...write('a use bad in all', {}, { uses: [{ version: 1, enabled: 'on' }] }),
      findings: [
        ['deny', 'status.uses[0].reportTime', MISSING],
        ['deny', 'status.uses[0].version', unquoted('a number')],
        ['deny', 'status.uses[0].enabled', oneOf(enums.default, 'on')],
      ],
    },
    {
      ...write(
        'two entries alike but for the time',
        {},
        { uses: [ENABLED, DISABLED, { ...ENABLED, reportTime: LATER }] },
      ),
      ...finds('status.uses[2].version', twice('1.40.0, Enabled')),
    },
    {
      ...write('the first status', {}, { state: true, source: 'Cli' }, { old: { '/status': undefined } }),
      findings: [
        ['deny', 'status.source', oneOf(enums.source, 'Cli')],
        ['deny', 'status.state', quote(enums.state)],
      ],
    },
  ],
});

/**
 * What cannot be read breaks no other rule: one cause gives one finding. Through all rules, in a transition whose wait
 * is over.
 */
describe('of a write that cannot be read only this rule reports a denial', () => {
  const waiting: Members = {
    state: 'TurningOn',
    transitionTasks: ['WaitForUses'],
    uses: [ENABLED],
    useEvaluationTime: '2026-06-01T11:00:00Z',
  };
  const steps: readonly (readonly [string, Members, Members])[] = [
    ['stays', waiting, {}],
    ['completes', waiting, { state: 'On', transitionTasks: [] }],
    ['is entered', { ...waiting, state: 'Off', transitionTasks: [] }, { ...waiting, useEvaluationTime: null }],
    ['is reversed', waiting, { state: 'TurningOff', useEvaluationTime: null }],
  ];
  const odd: Readonly<Record<string, readonly unknown[]>> = {
    state: ['on', true, '', ['On'], { state: 'On' }, 1],
    transitionTasks: ['WaitForUses', true, 7, {}, [7], [null], [['WaitForUses']], ['A', {}, 'WaitForUses']],
    uses: ['none', true, 7, {}, [null], ['x'], [[]], [{ ...ENABLED, version: 1.4 }], [{ ...ENABLED, enabled: 'On' }]],
    useEvaluationTime: ['soon', '', true, 1780318800, [], {}, '2026-06-31T12:00:00Z', '2026-06-01 13:00:00Z'],
  };
  const rows = steps.flatMap(([step, stored, written]) =>
    Object.entries(odd).flatMap(([member, values]) =>
      values.map((value) =>
        write(`${step}, ${member}: ${JSON.stringify(value)}`, stored, { ...written, [member]: value as Json }),
      ),
    ),
  );

  test.each(rows)('$name', async (row) => {
    const { findings, indeterminate, crashes } = await evaluate(rules, feature, row);
    const ids = new Set(findings.filter(({ action }) => action === 'deny').map(({ ruleId }) => ruleId));
    expect([...ids]).toEqual([rule.id]);
    expect([...indeterminate, ...crashes]).toEqual([]);
  });
});
