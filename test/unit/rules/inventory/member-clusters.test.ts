/** Which cluster of a run an inventory object stands for, and what that cluster's claims hold. */
import { describe, expect, test } from '@jest/globals';
import { clusterClaim, clusterProfile, clusterProperty, type Dialect } from '../../../../src/api/dialects.ts';
import type { Json } from '../../../../src/base/json.ts';
import {
  type ClaimValue,
  LONGEST,
  listedIdentities,
  memberFact,
  type Property,
  propertiesIn,
  readMembers,
  TOO_LONG,
} from '../../../../src/rules/inventory/member-clusters.ts';
import type { ComparedObject, ObjectFact } from '../../../../src/rules/rule.ts';

const SET = 'clusterset.k8s.io';
const ID = 'cluster.clusterset.k8s.io';
const OTHER_ID = 'id.k8s.io';
const LETTERS = 'x'.repeat(LONGEST);
/** Each takes two UTF-16 units. */
const WIDE = '𝒳'.repeat(LONGEST);

describe('the value of a claim', () => {
  test.each<[string, Json | undefined, ClaimValue | undefined]>([
    ['a text', 'a', 'a'],
    ['missing', undefined, ''],
    ['null', null, ''],
    ['no text', 7, undefined],
    ['as long as a property can be', LETTERS, LETTERS],
    ['longer', `${LETTERS}x`, TOO_LONG],
    ['as long, of characters of two units', WIDE, WIDE],
    ['longer, of characters of two units', `${WIDE}𝒳`, TOO_LONG],
    ['longer, and fewer than twice the units', `${'𝒳'.repeat(5)}${LETTERS}`, TOO_LONG],
  ])('%s', (_, value, expected) => {
    const { object } = claim('a', 'region', '');
    expect(memberFact({ spec: { ...(value !== undefined && { value }) } }, object)).toBe(expected);
  });
});

describe('the properties of an inventory object', () => {
  const read = (...properties: Json[]) => propertiesIn(String(memberFact({ status: { properties } }, object('a'))));

  test('those that have a name, with their values and places', () => {
    const properties = [{ name: 'a', value: 'x' }, { value: 'y' }, { name: '', value: 'y' }, { name: 'b', value: 7 }];
    expect(read(...properties, { name: 'c' }, { name: 'd', value: `${LETTERS}x` })).toEqual([
      { name: 'a', value: 'x', index: 0 },
      { name: 'c', value: '', index: 4 },
      { name: 'd', value: TOO_LONG, index: 5 },
    ]);
  });

  test('none, and nothing of an object without a status', () => {
    expect([read(), read({ value: 'x' })]).toEqual([[], []]);
    expect(memberFact({}, object('a'))).toBeUndefined();
  });
});

const listed = (...pairs: readonly (readonly [string, ClaimValue])[]): Property[] =>
  pairs.map(([name, value], index) => ({ name, value, index }));

describe('the identities that properties list', () => {
  test('each ClusterSet with each id, by either name of it', () => {
    const properties = listed([SET, 'blue'], [ID, 'x'], ['region', 'y'], [OTHER_ID, 'z']);
    expect(listedIdentities(properties)).toEqual([
      { clusterSet: 'blue', id: 'x', index: 1 },
      { clusterSet: 'blue', id: 'z', index: 3 },
    ]);
  });

  test.each<[string, ClaimValue, ClaimValue]>([
    ['an empty ClusterSet', '', 'x'],
    ['an empty id', 'blue', ''],
    ['a ClusterSet that is too long', TOO_LONG, 'x'],
    ['an id that is too long', 'blue', TOO_LONG],
  ])('%s is none', (_, set, id) => {
    expect(listedIdentities(listed([SET, set], [ID, id]))).toEqual([]);
  });

  test('of hundreds, eight of each', () => {
    const many = Array.from({ length: 100 }, (_, index) => index);
    const properties = listed(
      ...many.map((index) => [SET, `set-${index}`] as const),
      ...many.map((index) => [ID, `id-${index}`] as const),
    );
    const identities = listedIdentities(properties);
    expect([identities.length, identities.at(-1)]).toEqual([64, { clusterSet: 'set-7', id: 'id-7', index: 107 }]);
  });
});

type Claim = ObjectFact<ClaimValue>;
const claim = (cluster: string, name: string, fact: ClaimValue, dialect: Dialect = clusterProperty): Claim => ({
  object: { cluster, dialect, namespace: '', name },
  fact,
});
const member = (cluster: string, id: string, set = 'blue'): Claim[] => [
  claim(cluster, SET, set),
  claim(cluster, ID, id),
];
const object = (name: string, namespace = 'fleet'): ComparedObject => ({
  cluster: 'hub',
  dialect: clusterProfile,
  namespace,
  name,
});

describe('the cluster that an object stands for', () => {
  const X = listed([SET, 'blue'], [ID, 'x']);
  test.each<[string, Claim[], ComparedObject, Property[], string | undefined]>([
    ['the one with its ClusterSet and id', [...member('a', 'x'), ...member('b', 'y')], object('b'), X, 'a'],
    ['the one with its name, if no id is listed', member('a', 'x'), object('a'), [], 'a'],
    ['the one with its name, if nobody has the id', member('a', 'y'), object('a'), X, 'a'],
    ['the one that is called NAMESPACE/NAME', member('fleet/a', 'y'), object('a'), [], 'fleet/a'],
    ['none', member('a', 'y'), object('b'), X, undefined],
    ['none, if the id is one of another ClusterSet', member('a', 'x', 'red'), object('b'), X, undefined],
    ['of two with the id, the one with its name', [...member('a', 'x'), ...member('b', 'x')], object('b'), X, 'b'],
    ['of two with the id, neither', [...member('a', 'x'), ...member('b', 'x')], object('c'), X, undefined],
    [
      'of two with the id, not a third with its name',
      [...member('a', 'x'), ...member('b', 'x'), ...member('c', 'y')],
      object('c'),
      X,
      undefined,
    ],
    [
      'not one whose ClusterSet and id are of two APIs',
      [claim('a', SET, 'blue'), claim('a', OTHER_ID, 'x', clusterClaim)],
      object('b'),
      X,
      undefined,
    ],
  ])('%s', (_, claims, of, properties, expected) => {
    expect(readMembers(claims).memberOf(of, properties)).toBe(expected);
  });
});

describe('the claims that a property carries', () => {
  const region = claim('a', 'region', 'north');
  const id = claim('a', OTHER_ID, 'x');
  const clusters = readMembers([region, id, claim('b', 'region', 'south')]);
  test.each<[string, string, string, Claim[]]>([
    ['those of its name, in its cluster', 'a', 'region', [region]],
    ['none of its name', 'a', 'zone', []],
    ['none of a cluster that is not in the run', 'c', 'region', []],
    ['none of an id there', 'c', ID, []],
    ['an id by its name', 'a', OTHER_ID, [id]],
    ['an id by its other name', 'a', ID, [id]],
  ])('%s', (_, cluster, name, expected) => {
    expect(clusters.claimsOf(cluster, name)).toEqual(expected);
  });

  test('those of two APIs', () => {
    const other = claim('a', 'region', 'north', clusterClaim);
    expect(readMembers([region, other]).claimsOf('a', 'region')).toEqual([region, other]);
  });

  test('both names of an id are two claims', () => {
    const newer = claim('a', ID, 'x');
    const older = claim('a', OTHER_ID, 'y');
    expect(readMembers([newer, older]).claimsOf('a', ID)).toEqual([newer]);
  });
});
