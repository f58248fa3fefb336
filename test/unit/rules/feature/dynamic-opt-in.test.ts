import { rule } from '../../../../src/rules/feature/dynamic-opt-in.ts';
import type { RuleSettings } from '../../../../src/rules/rule.ts';
import { feature } from '../../../support/bases.ts';
import { type DenyCase, finds, type RuleCase, testRule } from '../../../support/rule-tester.ts';
import { write } from './writes.ts';

const desired = (shown: string) =>
  finds(
    'spec.desired',
    `is set to ${shown}, but the feature is not opted in; remove spec.desired, or add the feature to features.dynamic`,
  );
const SOURCE = finds(
  'status.source',
  'becomes Dynamic, but the feature is not opted in; keep the stored source, or add the feature to features.dynamic',
);

type Features = RuleSettings['features'];
const optedIn = (dynamic: NonNullable<Features['dynamic']>) => ({ settings: { features: { dynamic } } });
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

const FLOW = [
  { namespace: 'kube-system', principals: [{ user: 'system:apiserver' }, { group: 'leaders' }] },
  { namespace: 'vendor-system', principals: [{ serviceAccount: 'vendor-system/operator' }] },
  { namespace: 'kube-system', principals: [{ serviceAccount: 'fleet/features' }] },
];
const VENDOR = FLOW.slice(1, 2);
const OPERATOR = 'system:serviceaccount:vendor-system:operator';
/** Nothing is opted in, and these principals run the server flow. */
const flowing = (
  serverFlow: NonNullable<Features['serverFlow']>,
  user: string | null,
  more: Partial<RuleCase> = {},
): Partial<RuleCase> => ({ settings: { features: { dynamic: [], serverFlow } }, user, ...more });
const unknown = (row: RuleCase): DenyCase => ({ ...row, unknown: 'indeterminate' });
const WAS_SET = { ...NONE, old: { '/spec/desired': 'Enabled' } };
const HALVES = optedIn([
  { namespace: 'kube-system', name: 'a' },
  { namespace: 'b', name: 'fastlane' },
]);

testRule(rule, feature, {
  allow: [
    sets('without the setting', {}),
    sourced('by the server flow, by name', 'Default', flowing(FLOW, 'system:apiserver')),
    sourced('by the server flow, by group', 'Default', flowing(FLOW, 'anyone', { groups: ['leaders'] })),
    sourced('by its account in a second entry', 'Default', flowing(FLOW, 'system:serviceaccount:fleet:features')),
    sets('opted in, whoever asks, where a server flow is named', {
      settings: { features: { dynamic: '*', serverFlow: FLOW } },
      user: null,
    }),
    sets('unknown who, in a scan: who wrote an object is not stored with it', flowing(FLOW, null, { point: 'scan' })),
    sets('everything is opted in', optedIn('*')),
    sets('this one is, on an update', { ...THIS, old: {} }),
    sets('any of any', one('*', '*')),
    { name: 'the field goes', ...WAS_SET, set: { '/spec/desired': undefined } },
    { name: 'set before, and stays', ...WAS_SET, set: { '/metadata/labels': { a: 'b' } } },
    ...['Default', 'CommandLine', 'dynamic', null, undefined].map((source) =>
      write(`the source becomes ${source}`, { source: 'Dynamic' }, { source }, NONE),
    ),
    write('the source was Dynamic, and stays', { source: 'Dynamic' }, { stability: 'GA' }, NONE),
    write('a source in a list', {}, { source: ['Dynamic'] }, NONE),
  ],
  deny: [
    { name: 'the default spelled out', ...NONE, set: { '/spec/desired': 'Disabled' }, ...desired('"Disabled"') },
    { name: 'a boolean', ...NONE, set: { '/spec/desired': true }, ...desired('true') },
    ...[
      sets('none is opted in', NONE),
      sets('none is, on an update', { ...NONE, old: {} }),
      sets('none is, after null', { ...NONE, old: { '/spec/desired': null } }),
      sets('none is, after no spec', { ...NONE, old: { '/spec': undefined } }),
      sets('changed', { ...NONE, old: { '/spec/desired': 'Disabled' } }),
      sets('another feature is', one('kube-system', 'slowlane')),
      sets('its namesake elsewhere is', one('vendor-system', 'fastlane')),
      sets('any of another namespace', one('vendor-system', '*')),
      sets('another name in any namespace', one('*', 'slowlane')),
      sets('its status name is no name', one('kube-system', 'FastLane')),
      sets('halves of two entries', HALVES),
      sets('by a stranger to the server flow', flowing(FLOW, 'jane')),
      sets('by the server flow of another namespace', flowing(FLOW, OPERATOR)),
      sets('by a user called like the group', flowing(FLOW, 'leaders')),
      sets('where nobody runs the server flow', flowing([], 'system:apiserver')),
      sets('unknown who, where the server flow is that of another namespace', flowing(VENDOR, null)),
      sets('in a scan, where the server flow is that of another namespace', flowing(VENDOR, null, { point: 'scan' })),
    ].map((row) => ({ ...row, ...desired('"Enabled"') })),
    unknown(sets('unknown who', flowing(FLOW, null))),
    unknown(sets('unknown who, in check', flowing(FLOW, null, { point: 'check' }))),
    unknown(sourced('unknown who: the source', 'Default', flowing(FLOW, null))),
    ...[
      sourced('by a stranger to the server flow: the source', 'Default', flowing(FLOW, 'jane')),
      ...['Default', 'CommandLine', undefined, null].map((before) => sourced(`the source, from ${before}`, before)),
      sourced('the source, another feature is opted in', 'Default', one('kube-system', 'slowlane')),
      sourced('the source, in the first status', undefined, { ...NONE, old: { '/status': undefined } }),
      sourced('the source, with a desired value that was there', 'Default', WAS_SET),
    ].map((row) => ({ ...row, ...SOURCE })),
  ],
});
