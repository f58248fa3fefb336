/** Reviews sent to muster directly while there is no API server, each with its right answer. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Write } from '../../../support/writes.ts';
import type { Asker, Json } from '../../e2e/harness/index.ts';
import { claim, feature, here, inventory, labelled, managed, property, value } from '../../e2e/verbs/objects.ts';

type Review = readonly [what: string, code: number, write: Write];

const isStored = { uid: 'u', resourceVersion: '7' };
const id = claim('id.k8s.io', 'one', isStored);
const fleet = claim('clusterset.k8s.io', 'fleet', isStored);
const wish = feature('one', { spec: { desired: 'Enabled' } }, here);
/** A placement decision that refers to profiles of these names. */
const decision = (names: readonly string[]): Json => ({
  apiVersion: 'multicluster.x-k8s.io/v1alpha1',
  kind: 'PlacementDecision',
  metadata: { name: 'cranes', namespace: 'fleet' },
  decisions: names.map((name) => ({ clusterProfileRef: { name }, reason: 'free' })),
});
const members = Array.from({ length: 100 }, (_, nth) => `member-${nth}`);
const created = (object: Json): Write => ({ operation: 'CREATE', object });
const deleted = (old: Json): Write => ({ operation: 'DELETE', old });
const updated = (old: Json, change: Json): Write => ({ operation: 'UPDATE', old, object: { ...old, ...change } });

/**
 * `object`: certain from the object alone. `looking`: certain too, although rules try to read others. `identity`: needs
 * others.
 */
const REVIEWS = {
  object: [
    ['a claim', 200, created(claim('zone.example.com', 'apac'))],
    ['a claim with a reserved name', 403, created(claim('mine.k8s.io', 'x'))],
    ['an inventory', 200, created(inventory('one', managed('m'), labelled('m')))],
    ['an inventory with the label of another manager', 422, created(inventory('one', managed('m'), labelled('n')))],
    ['a feature', 200, created(wish)],
    ['a value that does not exist', 403, updated(wish, { spec: { desired: 'Maybe' } })],
  ],
  looking: [
    ['an id that is no label', 403, updated(id, value('Not_A_Label'))],
    ['leaving', 200, deleted(fleet)],
    ['a decision that names a profile twice', 403, created(decision(['one', 'one']))],
    ['a decision with 100 references', 200, created(decision(members))],
  ],
  identity: [
    ['a change of the id', 503, updated(id, value('two'))],
    ['a join', 503, created(claim('clusterset.k8s.io', 'fleet'))],
    ['a deletion of the id', 503, deleted(property('cluster.clusterset.k8s.io', 'one', isStored))],
  ],
} as const satisfies Readonly<Record<string, readonly Review[]>>;

export interface Tally {
  count: number;
  readonly wrong: string[];
  /** Milliseconds of the slowest. */
  slowest: number;
}

export type Tallies = Readonly<Record<keyof typeof REVIEWS, Tally>>;

/** Sends all of them again and again, each kind in a loop of its own so that none waits for another. */
export async function reviewFor(milliseconds: number, askers: readonly Asker[]): Promise<Tallies> {
  const end = performance.now() + milliseconds;
  const newTally = (): Tally => ({ count: 0, wrong: [], slowest: 0 });
  const tallies = { object: newTally(), looking: newTally(), identity: newTally() };
  const loop = async (asker: Asker, reviews: readonly Review[], tally: Tally) => {
    for (let nth = 0; performance.now() < end; nth++, await sleep(50)) {
      const [what, code, write] = reviews[nth % reviews.length] as Review;
      const began = performance.now();
      const answer = await asker.ask(write).catch((error: Error) => ({ status: { message: error.message } }));
      tally.count += 1;
      tally.slowest = Math.max(tally.slowest, performance.now() - began);
      const found = answer.allowed ? 200 : answer.status?.code;
      if (found !== code) tally.wrong.push(`${what}: ${found} ${answer.status?.message ?? ''}`);
    }
  };
  await Promise.all(
    askers.flatMap((asker) => [
      loop(asker, REVIEWS.object, tallies.object),
      ...REVIEWS.looking.map((one) => loop(asker, [one], tallies.looking)),
      ...REVIEWS.identity.map((one) => loop(asker, [one], tallies.identity)),
    ]),
  );
  return tallies;
}
