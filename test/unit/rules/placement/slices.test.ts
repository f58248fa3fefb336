import { expect, test } from '@jest/globals';
import { placementDecision } from '../../../../src/api/dialects.ts';
import { defaultPolicy } from '../../../../src/engine/index.ts';
import { numbering } from '../../../../src/rules/placement/numbering.ts';
import { placement } from '../../../support/bases.ts';
import { comparisonOf, conflictsIn, messagesOf } from '../../../support/compared.ts';
import { tweaked } from '../../../support/rule-tester.ts';

interface Labels {
  readonly key?: string;
  readonly index?: string;
  readonly revision?: string;
  readonly placementKey?: string;
}

function slice(name: string, { key, index, revision, placementKey }: Labels, tweak = {}) {
  const labels = Object.entries({
    'decision-key': key,
    'decision-index': index,
    'decision-revision': revision,
    'placement-key': placementKey,
  }).flatMap(([label, value]) => (value === undefined ? [] : [[`multicluster.x-k8s.io/${label}`, value] as const]));
  return tweaked(placement, {
    '/metadata/name': name,
    '/metadata/labels': Object.fromEntries(labels),
    '/decisions': [],
    ...tweak,
  });
}

const numbered = (...indices: readonly (string | undefined)[]) =>
  indices.map((index, at) => slice(`s-${at}`, { key: 'k', ...(index !== undefined && { index }) }));
const keyed = (...keys: readonly (string | undefined)[]) =>
  keys.map((key, at) => slice(`s-${at}`, { placementKey: 'p', ...(key !== undefined && { key }) }));
const revised = (...revisions: readonly (string | undefined)[]) =>
  revisions.map((revision, at) => slice(`s-${at}`, { key: 'k', ...(revision !== undefined && { revision }) }));

/** `NAME RULE LABEL: MESSAGE` of each finding, in the shortest form. */
async function found(objects: readonly ReturnType<typeof slice>[], options = {}) {
  const lines = (await conflictsIn({ hub: objects }, options)).filter((line) => !line.startsWith(' '));
  return lines.map((line) =>
    line.replace(/^hub PlacementDecision fleet-a\/(\S+): warn placement\/(\S+) .*\/(.*)\]$/, '$1 $2 $3'),
  );
}

test.each<[string, ReturnType<typeof slice>[], string[]]>([
  ['numbered from 0', numbered('1', '0', '2'), []],
  ['not numbered', numbered(undefined, undefined), []],
  ['one of them', numbered('0'), []],
  ['one index twice', numbered('0', '1', '1'), ['s-1 slices decision-index', 's-2 slices decision-index']],
  ['one without an index', numbered('0', undefined), ['s-1 slices decision-index']],
  ['a gap', numbered('0', '2'), ['s-1 slices decision-index']],
  ['two gaps', numbered('1', '3'), ['s-0 slices decision-index', 's-1 slices decision-index']],
  ['not from 0', numbered('1', '2'), ['s-0 slices decision-index']],
  ['beyond all numbers', numbered('0', '90071992547409930'), ['s-1 slices decision-index']],
  ['what is no number is reported by another rule', numbered('0', 'x', '3'), []],
  ['of two keys', [...numbered('0'), slice('t', { key: 'other', index: '0' })], []],
  ['without a key', [slice('a', { index: '5' }), slice('b', { index: '5' })], []],
  [
    'of two requests, without a key',
    [slice('a', { placementKey: 'p', index: '5' }), slice('b', { placementKey: 'q', index: '5' })],
    [],
  ],
  [
    'of two namespaces',
    [...numbered('0'), slice('t', { key: 'k', index: '0' }, { '/metadata/namespace': 'fleet-b' })],
    [],
  ],
  ['one key for one request', keyed('k', 'k'), []],
  ['one object of a request', keyed(undefined), []],
  ['two keys for one request', keyed('k', 'l'), ['s-0 slices decision-key', 's-1 slices decision-key']],
  ['no key for one request', keyed(undefined, undefined), ['s-0 slices decision-key', 's-1 slices decision-key']],
  ['a key for one of two', keyed('k', undefined), ['s-1 slices decision-key']],
  ['an empty key is none', keyed('k', ''), ['s-1 slices decision-key']],
  [
    'of two schedulers',
    [slice('a', { placementKey: 'p', key: 'k' }), slice('b', { placementKey: 'p' }, { '/schedulerName': 'other' })],
    [],
  ],
  [
    'of no scheduler',
    ['a', 'b'].map((name) => slice(name, { placementKey: 'p' }, { '/schedulerName': undefined })),
    [],
  ],
  ['of no request', [slice('a', {}), slice('b', {})], []],
])('slices: %s', async (_, objects, expected) => {
  expect((await found(objects)).toSorted()).toEqual(expected);
  expect((await found(objects.toReversed())).toSorted()).toEqual(expected);
  expect((await found(objects, { point: 'check', isAcross: false })).toSorted()).toEqual(expected);
});

test('where not all slices could be read, a gap is no finding', async () => {
  const unread = { hub: [placementDecision] };
  expect(await found(numbered('0', '2'), { unread })).toEqual([]);
  const same = ['s-0 slices decision-index', 's-1 slices decision-index'];
  expect(await found(numbered('1', '1'), { unread })).toEqual(same);
  const actions = new Map([['placement/slices', { scan: 'deny' }]] as const);
  const [compared] = comparisonOf(
    { hub: numbered('0', '2') },
    { unread, policy: { ...defaultPolicy, actions } },
  ).finish();
  expect(compared?.verdict).toMatchObject({ outcome: 'indeterminate', findings: [] });
});

test('slices of one key in two clusters are two decisions', async () => {
  const [first = placement, second = placement] = numbered('0', '0');
  expect(await conflictsIn({ east: [first], west: [second] })).toEqual([]);
});

test.each<[string, ReturnType<typeof slice>[], string[]]>([
  ['one revision', revised('3', '3'), []],
  ['none', revised(undefined, undefined), []],
  ['two revisions', revised('3', '2', '3'), ['s-1 revision decision-revision']],
  ['one without', revised('3', undefined), ['s-1 revision decision-revision']],
  ['the first without', revised(undefined, '3'), ['s-1 revision decision-revision']],
  ['of two keys', [...revised('3'), slice('t', { key: 'other', revision: '2' })], []],
  ['of no key', [slice('a', { revision: '1' }), slice('b', { revision: '2' })], []],
])('revision, by scan alone: %s', async (_, objects, expected) => {
  expect(await found(objects)).toEqual(expected);
  expect(await found(objects, { point: 'check' })).toEqual([]);
});

test('messages name the other slice, and none of its values', async () => {
  const messages = (objects: readonly ReturnType<typeof slice>[]) => messagesOf({ hub: objects });
  const other = '  the other slice';
  expect(await messages(numbered('0', '0'))).toEqual([
    'is 0, as the index of the slice "s-1" of the same decision key is; number each slice once',
    other,
    'is 0, as the index of the slice "s-0" of the same decision key is; number each slice once',
    other,
  ]);
  expect(await messages(numbered(undefined, '0'))).toEqual([
    'is missing, and the slice "s-1" of the same decision key has an index; number all slices from 0, or none',
    other,
  ]);
  expect(await messages(numbered('0', '7'))).toEqual([
    'is 7, and no slice of the same decision key has 6; number the slices 0, 1, 2 without a gap',
  ]);
  expect(await messages(keyed('k', undefined))).toEqual([
    'is missing, and "s-0" has the same scheduler and placement key; give all slices of a decision the same decision key',
    other,
  ]);
  expect(await messages(keyed('k', 'secret-key'))).toEqual([
    'is "k", and "s-1" has another one with the same scheduler and placement key; give all slices of a decision the same decision key',
    other,
    'is "secret-key", and "s-0" has another one with the same scheduler and placement key; give all slices of a decision the same decision key',
    other,
  ]);
  expect(await messages(revised('3', '2', undefined))).toEqual([
    'is "2", and the slice "s-0" of the same decision key has another one or none; write all slices with the same revision',
    other,
    'is missing, and the slice "s-0" of the same decision key has one; write all slices with the same revision',
    other,
  ]);
});

test('the slices of a large decision are not compared each with each', () => {
  let reads = 0;
  const kept = Array.from({ length: 1000 }, (_, at) => ({
    object: { cluster: '', dialect: placementDecision, namespace: 'fleet-a', name: `s-${at}` },
    fact: {
      index: String(at),
      request: ['scheduler', 'p'],
      get decisionKey() {
        reads += 1;
        return 'k';
      },
    },
  }));
  const run = { clusters: [''], unread: () => undefined, hasNamespace: () => true, now: 0, isComplete: true } as const;
  expect(numbering.conflicts(kept, run)).toEqual([]);
  expect(reads).toBeLessThan(10_000);
});
