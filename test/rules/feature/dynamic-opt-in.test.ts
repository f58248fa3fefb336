import { rule } from '../../../src/rules/feature/dynamic-opt-in.ts';
import type { RuleSettings } from '../../../src/rules/rule.ts';
import { feature } from '../bases.ts';
import { type DenyCase, type RuleCase, testRule } from '../rule-tester.ts';
import { write } from './writes.ts';

const desired = (shown: string) =>
  [
    'deny',
    'spec.desired',
    `${shown} is set for a feature that is not opted in; take spec.desired away, or add the feature to features.dynamic`,
  ] as const;
const SOURCE = [
  'deny',
  'status.source',
  'becomes Dynamic for a feature that is not opted in; keep another source, or add the feature to features.dynamic',
] as const;

const optedIn = (dynamic: NonNullable<RuleSettings['features']['dynamic']>) => ({
  settings: { features: { dynamic } },
});
const one = (namespace: string, name: string) => optedIn([{ namespace, name }]);
const THIS = one('kube-system', 'fastlane');
const NONE = optedIn([]);

const sets = (name: string, more: Partial<RuleCase>): RuleCase => ({
  name,
  set: { '/spec/desired': 'Enabled' },
  ...more,
});
const sourced = (name: string, before: string | null | undefined, more: Partial<RuleCase> = NONE) =>
  write(name, { source: before }, { source: 'Dynamic' }, more);
const by = (row: RuleCase, ...findings: NonNullable<DenyCase['findings']>[number][]): DenyCase => ({
  ...row,
  findings,
});

const FLOW = [
  { namespace: 'kube-system', principals: [{ user: 'system:apiserver' }, { group: 'leaders' }] },
  { namespace: 'vendor-system', principals: [{ serviceAccount: 'vendor-system/operator' }] },
  { namespace: 'kube-system', principals: [{ serviceAccount: 'fleet/features' }] },
];
/** Nothing is opted in, and these principals run the server flow. */
const flowing = (
  serverFlow: NonNullable<RuleSettings['features']['serverFlow']>,
  user: string | null,
  more: Partial<RuleCase> = {},
) => ({
  settings: { features: { dynamic: [], serverFlow } },
  user,
  ...more,
});
const unknown = (row: RuleCase): DenyCase => ({ ...row, unknown: 'indeterminate' });

testRule(rule, feature, {
  allow: [
    ...(
      [
        ['by name', 'system:apiserver', {}],
        ['by group', 'anyone', { groups: ['leaders'] }],
        ['by service account, in a second entry', 'system:serviceaccount:fleet:features', {}],
      ] as const
    ).flatMap(([name, user, more]) => [
      sourced(`by the server flow, ${name}: the source`, 'Default', flowing(FLOW, user, more)),
    ]),
    sets(
      'by the server flow of any namespace',
      flowing([{ namespace: '*', principals: [{ user: 'leader' }] }], 'leader'),
    ),
    sets('opted in, whoever asks, where a server flow is named', {
      settings: { features: { dynamic: '*', serverFlow: FLOW } },
      user: null,
    }),
    sets('unknown who, in a scan: who wrote an object is not stored with it', flowing(FLOW, null, { point: 'scan' })),
    sets('everything is opted in', optedIn('*')),
    sets('this one is, on an update', { ...THIS, old: {} }),
    sets('any of any', one('*', '*')),
    { name: 'the field goes', ...NONE, old: { '/spec/desired': 'Enabled' }, set: { '/spec/desired': undefined } },
    {
      name: 'set before, and stays',
      ...NONE,
      old: { '/spec/desired': 'Enabled' },
      set: { '/metadata/labels': { a: 'b' } },
    },
    ...['Default', 'CommandLine', 'dynamic', null, undefined].map((source) =>
      write(`the source becomes ${source}`, { source: 'Dynamic' }, { source }, NONE),
    ),
    write('the source was Dynamic, and stays', { source: 'Dynamic' }, { stability: 'GA' }, NONE),
    write('a source in a list', {}, { source: ['Dynamic'] }, NONE),
  ],
  deny: [
    by(sets('none is opted in', NONE), desired('"Enabled"')),
    by(sets('none is, on an update', { ...NONE, old: {} }), desired('"Enabled"')),
    by(sets('none is, after null', { ...NONE, old: { '/spec/desired': null } }), desired('"Enabled"')),
    by(sets('none is, after no spec', { ...NONE, old: { '/spec': undefined } }), desired('"Enabled"')),
    by(sets('changed', { ...NONE, old: { '/spec/desired': 'Disabled' } }), desired('"Enabled"')),
    by({ name: 'the default spelled out', ...NONE, set: { '/spec/desired': 'Disabled' } }, desired('"Disabled"')),
    by({ name: 'a boolean', ...NONE, set: { '/spec/desired': true } }, desired('true')),
    by(sets('another feature is', one('kube-system', 'slowlane')), desired('"Enabled"')),
    by(sets('its namesake elsewhere is', one('vendor-system', 'fastlane')), desired('"Enabled"')),
    by(sets('any of another namespace', one('vendor-system', '*')), desired('"Enabled"')),
    by(sets('another name in any namespace', one('*', 'slowlane')), desired('"Enabled"')),
    by(sets('its status name is no name', one('kube-system', 'FastLane')), desired('"Enabled"')),
    by(
      sets(
        'halves of two entries',
        optedIn([
          { namespace: 'kube-system', name: 'a' },
          { namespace: 'b', name: 'fastlane' },
        ]),
      ),
      desired('"Enabled"'),
    ),
    by(sets('by a stranger to the server flow', flowing(FLOW, 'jane')), desired('"Enabled"')),
    by(sourced('by a stranger to the server flow: the source', 'Default', flowing(FLOW, 'jane')), SOURCE),
    by(
      sets('by the server flow of another namespace', flowing(FLOW, 'system:serviceaccount:vendor-system:operator')),
      desired('"Enabled"'),
    ),
    by(sets('by a user called like the group', flowing(FLOW, 'leaders')), desired('"Enabled"')),
    by(sets('where nobody runs the server flow', flowing([], 'system:apiserver')), desired('"Enabled"')),
    by(
      sets('unknown who, where the server flow is named for another namespace', flowing(FLOW.slice(1, 2), null)),
      desired('"Enabled"'),
    ),
    by(
      sets('in a scan, where the server flow is named for another namespace', {
        ...flowing(FLOW.slice(1, 2), null),
        point: 'scan',
      }),
      desired('"Enabled"'),
    ),
    unknown(sets('unknown who', flowing(FLOW, null))),
    unknown(sets('unknown who, on an update', flowing(FLOW, null, { old: {} }))),
    unknown(sets('unknown who, in check', flowing(FLOW, null, { point: 'check' }))),
    unknown(sourced('unknown who: the source', 'Default', flowing(FLOW, null))),
    by(sourced('the source, from Default', 'Default'), SOURCE),
    by(sourced('the source, from CommandLine', 'CommandLine'), SOURCE),
    by(sourced('the source, from none', undefined), SOURCE),
    by(sourced('the source, from null', null), SOURCE),
    by(sourced('the source, another feature is opted in', 'Default', one('kube-system', 'slowlane')), SOURCE),
    by(
      write(
        'the source, in the first status',
        {},
        {},
        {
          ...NONE,
          old: { '/status': undefined },
          set: { '/status': { source: 'Dynamic' } },
        },
      ),
      SOURCE,
    ),
    by(
      sourced('the source, with a desired value that was there', 'Default', {
        ...NONE,
        old: { '/spec/desired': 'Enabled' },
      }),
      SOURCE,
    ),
  ],
});
