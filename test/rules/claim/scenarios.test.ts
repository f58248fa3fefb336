/** What must keep working with every rule on claims, told as the writes of a small cluster, read from reviews. */
import { describe, expect, test } from '@jest/globals';
import { createEngine } from '../../../src/engine/index.ts';
import { readAdmissionReview } from '../../../src/engine/review.ts';
import type { JsonObject, Operation } from '../../../src/rules/rule.ts';
import { custom, id, membership, ocm, property } from '../bases.ts';
import { type Tweak, tweaked, viewOf } from '../rule-tester.ts';

interface Write {
  readonly operation: Operation;
  readonly object: JsonObject;
  /** What the review says the name is; deletecollection leaves it empty. */
  readonly named?: string;
}

const create = (object: JsonObject): Write => ({ operation: 'CREATE', object });
const update = (object: JsonObject, tweak: Tweak): Write => ({ operation: 'UPDATE', object: tweaked(object, tweak) });
const remove = (object: JsonObject): Write => ({ operation: 'DELETE', object });
const removeByCollection = (object: JsonObject): Write => ({ operation: 'DELETE', object, named: '' });

const keyOf = ({ kind, metadata }: JsonObject): string => `${kind} ${(metadata as { name: string }).name}`;

function reviewOf({ operation, object, named }: Write, stored: JsonObject | undefined): JsonObject {
  const [group = '', version = ''] = String(object['apiVersion']).split('/');
  return {
    apiVersion: 'admission.k8s.io/v1',
    kind: 'AdmissionReview',
    request: {
      uid: 'u-1',
      kind: { group, version, kind: object['kind'] ?? null },
      operation,
      name: named ?? (object['metadata'] as { name: string }).name,
      userInfo: { username: 'jane', groups: [] },
      object: operation === 'DELETE' ? null : object,
      oldObject: stored ?? null,
    },
  };
}

/** The outcome of each write and the ids of what it found; a write that passes is stored. */
async function play(world: readonly JsonObject[], writes: readonly Write[]): Promise<string[]> {
  const engine = createEngine({ point: 'webhook', clock: () => 0 });
  const stored = new Map(world.map((object) => [keyOf(object), object]));
  const told: string[] = [];
  for (const write of writes) {
    const reading = readAdmissionReview(reviewOf(write, stored.get(keyOf(write.object))));
    if (reading.kind !== 'evaluate') throw new Error(`${keyOf(write.object)} is not judged`);
    const { outcome, findings } = await engine.evaluate(reading.subject, viewOf([...stored.values()]));
    told.push([outcome, ...findings.map(({ ruleId }) => ruleId)].join(' '));
    if (outcome !== 'allowed') continue;
    if (write.operation === 'DELETE') stored.delete(keyOf(write.object));
    else stored.set(keyOf(write.object), write.object);
  }
  return told;
}

const TO_SECOND: Tweak = { '/spec/value': 'north-2' };

describe.each([
  ['ClusterClaim', id, membership, custom],
  ['OCM ClusterClaim', ocm.id, ocm.membership, ocm.custom],
  ['ClusterProperty', property.id, property.membership, property.custom],
  ['ClusterProperty by its older name', property.olderId, property.membership, property.custom],
])('%s', (_, cluster, set, other) => {
  const joined = [cluster, set];

  test('leave, change the id, rejoin, with no wait between', async () => {
    const told = await play(joined, [
      update(cluster, TO_SECOND),
      remove(set),
      update(cluster, TO_SECOND),
      create(set),
      update(cluster, { '/spec/value': 'north-3' }),
    ]);
    const refused = 'denied claim/id-immutable-in-clusterset';
    expect(told).toEqual([refused, 'allowed', 'allowed claim/id-stable', 'allowed', refused]);
  });

  test('leave, delete the id, create another, rejoin', async () => {
    const told = await play(joined, [remove(set), remove(cluster), create(tweaked(cluster, TO_SECOND)), create(set)]);
    expect(told).toEqual(['allowed', 'allowed claim/id-present', 'allowed', 'allowed']);
  });

  test('rejoin with the old id, in the same ClusterSet and in another', async () => {
    const moved = tweaked(set, { '/spec/value': 'red-fleet' });
    expect(await play(joined, [remove(set), create(set), remove(set), create(moved)])).toEqual([
      'allowed',
      'allowed',
      'allowed',
      'allowed',
    ]);
  });

  test('another cluster takes a freed id', async () => {
    expect(await play([], [create(cluster), create(set)])).toEqual(['allowed', 'allowed']);
  });

  test('id and membership in one file, in either order', async () => {
    expect(await play([], [create(set), create(cluster)])).toEqual(['allowed claim/clusterset-requires-id', 'allowed']);
  });

  test.each(['', ' ', 'NOT A LABEL', '{"json": true}', '\u2028', 'x'.repeat(1024)])(
    'a custom claim holds %j',
    async (value) => {
      const held = tweaked(other, { '/spec/value': value });
      expect(await play(joined, [create(held), update(other, { '/spec/value': 'again' }), remove(other)])).toEqual([
        'allowed',
        'allowed',
        'allowed',
      ]);
    },
  );

  test.each(['labels', 'annotations'])('an edit of %s alone', async (part) => {
    const writes = [cluster, set, other].map((object) => update(object, { [`/metadata/${part}`]: { a: 'b' } }));
    expect(await play([...joined, other], writes)).toEqual(['allowed', 'allowed', 'allowed']);
  });

  test('deletecollection, whose reviews name nothing, stops at the id of a member', async () => {
    const told = await play([...joined, other], [other, cluster, set].map(removeByCollection));
    expect(told).toEqual(['allowed', 'denied claim/id-present-in-clusterset', 'allowed']);
  });

  test('deletecollection outside of a ClusterSet warns of the id', async () => {
    expect(await play([cluster], [removeByCollection(cluster)])).toEqual(['allowed claim/id-present']);
  });
});

test('a cluster with both names of an id gives up the older one, within a ClusterSet too', async () => {
  const told = await play(
    [property.olderId, property.membership],
    [
      create(tweaked(property.id, TO_SECOND)),
      create(property.id),
      remove(property.id),
      remove(property.olderId),
      create(tweaked(property.olderId, TO_SECOND)),
      remove(property.id),
    ],
  );
  expect(told).toEqual([
    'denied claim/id-immutable-in-clusterset',
    'allowed',
    'denied claim/id-present-in-clusterset',
    'allowed',
    'denied claim/id-immutable-in-clusterset',
    'denied claim/id-present-in-clusterset',
  ]);
});

test('a ClusterSet is left and joined, never re-valued; all that is wrong comes at once', async () => {
  expect(await play([id, membership], [update(membership, { '/spec/value': '' })])).toEqual([
    'denied claim/clusterset-value claim/clusterset-immutable',
  ]);
});
