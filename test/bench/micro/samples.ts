/** What the parts of a verdict are given: the mixture of the serve benchmark, taken to the step before each part. */

import { dialects } from '../../../src/api/dialects.ts';
import { createFilesView } from '../../../src/cluster/files/index.ts';
import { loadConfiguration } from '../../../src/config/load.ts';
import { clusterStateOf } from '../../../src/engine/cluster-state.ts';
import { createEngine, type Subject } from '../../../src/engine/index.ts';
import { planOf } from '../../../src/engine/plan.ts';
import { ruleIds } from '../../../src/rules/index.ts';
import type { Rule } from '../../../src/rules/rule.ts';
import { decodeReview } from '../../../src/server/admission/decode.ts';
import type { Decision } from '../../../src/server/admission/observer.ts';
import { decideBytes } from '../../server/decide.ts';
import { reviewText } from '../serve/reviews/review.ts';
import { scenarios } from '../serve/reviews/scenarios.ts';

const CONFIG = new URL('../serve/reviews/every-rule.yaml', import.meta.url).pathname;

export const { policy } = await loadConfiguration(CONFIG, ruleIds, Date.now());
export const engine = createEngine({ policy, point: 'webhook' });
export const view = createFilesView({ state: [], known: dialects });

/** Bodies as they come off the wire. */
export const bodies: readonly Buffer[] = scenarios.map((scenario) => Buffer.from(reviewText(scenario)));
export const subjects: readonly Subject[] = bodies.map((bytes) => {
  const { reading } = decodeReview({ bytes, tooLarge: false });
  if (reading.kind !== 'evaluate') throw new Error(`a scenario is not judged: ${reading.kind}`);
  return reading.subject;
});

const options = { engine: () => engine, clusterState: clusterStateOf(view) };
export const decisions: readonly Decision[] = await Promise.all(bodies.map((bytes) => decideBytes(options, bytes)));

/** Decides one body from its bytes, as the server does between HTTP and HTTP. */
export function decide(bytes: Buffer): Promise<Decision> {
  return decideBytes(options, bytes);
}

/** Each rule with what asks it about the writes of the mixture that it speaks on. */
export function rulesWithQuestions(): [Rule, readonly (() => unknown)[]][] {
  const plan = planOf(policy, 'webhook');
  const byRule = new Map<Rule, (() => unknown)[]>();
  for (const subject of subjects)
    for (const { rule } of plan(subject.dialect, subject.operation, subject.subresource)) {
      const alone = createEngine({ policy, point: 'webhook', catalogue: [rule] });
      byRule.set(rule, [...(byRule.get(rule) ?? []), () => alone.evaluate(subject, view)]);
    }
  return [...byRule];
}

/** The next of a list at each call, round and round. */
export function inTurn<T>(list: readonly T[]): () => T {
  let turn = 0;
  return () => {
    turn = turn + 1 < list.length ? turn + 1 : 0;
    return list[turn] as T;
  };
}
