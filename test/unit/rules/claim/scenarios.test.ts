/** What must keep working with every rule on claims, as the writes of a small cluster, read from reviews. */
import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../../../src/base/json.ts';
import { createEngine } from '../../../../src/engine/index.ts';
import { custom, id, membership, ocm, property } from '../../../support/bases.ts';
import { subjectOf } from '../../../support/examples.ts';
import { type Tweak, tweaked, viewOf } from '../../../support/rule-tester.ts';
import type { Write } from '../../../support/writes.ts';

type Step = Write & { readonly object: JsonObject };

const create = (object: JsonObject): Step => ({ operation: 'CREATE', object });
const update = (object: JsonObject, tweak: Tweak): Step => ({ operation: 'UPDATE', object: tweaked(object, tweak) });
const remove = (object: JsonObject): Step => ({ operation: 'DELETE', object });
const removeByCollection = (object: JsonObject): Step => ({ operation: 'DELETE', object, name: '' });

const keyOf = ({ kind, metadata }: JsonObject): string => `${kind} ${(metadata as { name: string }).name}`;

/** The outcome of each write and the ids of what it found; a write that passes is stored. */
async function play(state: readonly JsonObject[], writes: readonly Step[]): Promise<string[]> {
  const engine = createEngine({ point: 'webhook', clock: () => 0 });
  const stored = new Map(state.map((object) => [keyOf(object), object]));
  const outcomes: string[] = [];
  for (const write of writes) {
    const old = stored.get(keyOf(write.object));
    const subject = subjectOf({ ...write, ...(old && { old }) });
    const { outcome, findings } = await engine.evaluate(subject, viewOf([...stored.values()]));
    outcomes.push([outcome, ...findings.map(({ ruleId }) => ruleId)].join(' '));
    if (outcome !== 'allowed') continue;
    if (write.operation === 'DELETE') stored.delete(keyOf(write.object));
    else stored.set(keyOf(write.object), write.object);
  }
  return outcomes;
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
    const outcomes = await play(joined, [
      update(cluster, TO_SECOND),
      remove(set),
      update(cluster, TO_SECOND),
      create(set),
      update(cluster, { '/spec/value': 'north-3' }),
    ]);
    const refused = 'denied claim/id-immutable-in-clusterset';
    expect(outcomes).toEqual([refused, 'allowed', 'allowed claim/id-stable', 'allowed', refused]);
  });

  test('leave, delete the id, create another, rejoin', async () => {
    const outcomes = await play(joined, [
      remove(set),
      remove(cluster),
      create(tweaked(cluster, TO_SECOND)),
      create(set),
    ]);
    expect(outcomes).toEqual(['allowed', 'allowed claim/id-present', 'allowed', 'allowed']);
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
    const outcomes = await play([...joined, other], [other, cluster, set].map(removeByCollection));
    expect(outcomes).toEqual(['allowed', 'denied claim/id-present-in-clusterset', 'allowed']);
  });
});

test('a cluster with both names of an id gives up the older one, within a ClusterSet too', async () => {
  const outcomes = await play(
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
  expect(outcomes).toEqual([
    'denied claim/id-immutable-in-clusterset',
    'allowed',
    'denied claim/id-present-in-clusterset',
    'allowed',
    'denied claim/id-immutable-in-clusterset',
    'denied claim/id-present-in-clusterset',
  ]);
});
