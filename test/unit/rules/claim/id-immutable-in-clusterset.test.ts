import type { Json } from '../../../../src/base/json.ts';
import { rule } from '../../../../src/rules/claim/id-immutable-in-clusterset.ts';
import { alpha, custom, DYING, id, membership, ocm, property, v1 } from '../../../support/bases.ts';
import { finds, testRule, tweaked } from '../../../support/rule-tester.ts';

const leaving = tweaked(membership, DYING);
const other = (value: Json | undefined) => tweaked(property.id, { '/spec/value': value });

const to = (value: Json | undefined) => ({ old: {}, set: { '/spec/value': value } });
const changed = (shown: string) =>
  finds(
    'spec.value',
    `the id of a cluster cannot change while clusterset.k8s.io exists, got ${shown}; leave the ClusterSet first (delete clusterset.k8s.io), then change the id and join again`,
  );
/** The older name is free to go once the newer exists. */
const older = (shown: string) =>
  finds(
    'spec.value',
    `the id of a cluster cannot change while clusterset.k8s.io exists, got ${shown}; keep the value, or delete id.k8s.io, since cluster.clusterset.k8s.io holds the id too`,
  );
const contradicts = (name: string, shown: string) =>
  finds(
    'spec.value',
    `the cluster already has another id in ${name}, and an id cannot change while clusterset.k8s.io exists, got ${shown}; use the same value, or leave the ClusterSet first`,
  );
/** A stored object of a member whose newer id is this. */
const storedBeside = (value: Json) =>
  ({ state: [property.membership, property.olderId, other(value)], stored: true }) as const;
const twoStored = storedBeside('south');
const NEWER = 'cluster.clusterset.k8s.io';
const OLDER = 'id.k8s.io';

testRule(rule, id, {
  allow: [
    { name: 'metadata alone', state: [membership], old: {}, set: { '/metadata/labels': { a: 'b' } } },
    { name: 'another claim', base: custom, state: [membership], ...to('south') },
    { name: 'a member of another dialect', state: [ocm.membership, property.membership], ...to('north-2') },
    { name: 'OCM, where ours is a member', base: ocm.id, state: [membership], ...to('north-2') },
    { name: 'the only name of a property id', base: property.id, state: [property.membership] },
    { name: 'two ids outside of a ClusterSet', base: property.olderId, state: [other('south')] },
    { name: 'the newer of two stored ids, of which the older is reported', ...twoStored, base: other('south') },
    { name: 'two stored ids that are the same', base: property.olderId, ...storedBeside('north-1') },
    { name: 'the stored id of a dialect that has one name', state: [membership], stored: true },
    { name: 'another stored claim', ...twoStored, base: property.custom },
  ],
  deny: [
    { name: 'a change while leaving', state: [leaving], ...to('north-2'), ...changed('"north-2"') },
    { name: 'no spec any more', state: [membership], old: {}, set: { '/spec': undefined }, ...changed('nothing') },
    { name: 'OCM', base: ocm.id, state: [ocm.membership], ...to('north-2'), ...changed('"north-2"') },
    { name: 'a property', base: property.id, state: [property.membership], ...to('south'), ...changed('"south"') },
    {
      name: 'its older name, where the newer stays',
      base: property.olderId,
      state: [property.membership, property.id],
      ...to('south'),
      ...older('"south"'),
    },
    {
      name: 'its older name, where the newer holds the value that it is to have',
      base: property.olderId,
      state: [property.membership, other('south')],
      ...to('south'),
      ...older('"south"'),
    },
    {
      name: 'a property in v1',
      base: v1(property.id),
      state: [v1(property.membership)],
      ...to('south'),
      ...changed('"south"'),
    },
    { name: 'it is unknown who asks', state: [membership], user: null, ...to('x'), ...changed('"x"') },
    {
      name: 'another id by its newer name',
      base: alpha.id,
      state: [property.membership, property.olderId],
      set: { '/spec/value': 'south' },
      ...contradicts(OLDER, '"south"'),
    },
    {
      name: 'another id beside one that is being deleted',
      base: property.olderId,
      state: [alpha.membership, tweaked(other('south'), DYING)],
      ...contradicts(NEWER, '"north-1"'),
    },
    {
      name: 'the older of two stored ids',
      ...twoStored,
      base: property.olderId,
      ...finds(
        'spec.value',
        'the cluster has another id in cluster.clusterset.k8s.io, and both exist while it is in a ClusterSet, got ' +
          '"north-1"; delete this one, or leave the ClusterSet (delete clusterset.k8s.io) and correct ' +
          'cluster.clusterset.k8s.io',
      ),
    },
    { name: 'nothing is known on a change', state: 'unknown', ...to('x'), unknown: 'indeterminate' },
  ],
});
