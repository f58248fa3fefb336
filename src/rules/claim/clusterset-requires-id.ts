/** KEP-2149, id.k8s.io, Lifespan: the id "must exist … as long as a `clusterset.k8s.io` claim … exists". */
import { absent } from '../cel/cel.ts';

import { isTerminating } from '../object.ts';
import { type Answer, type Context, defineRule, type JsonObject, type Later, NOTHING, type Yielded } from '../rule.ts';
import { afterAll, claimNamed, facts, isMembership, NAME } from './reading.ts';

export const rule = defineRule({
  id: 'claim/clusterset-requires-id',
  concept: 'claim',
  on: ['CREATE'],
  meta: {
    // Denying would deadlock tools that apply in alphabetical order, and the KEP leaves late ids unresolved.
    level: 'MUST†',
    basis: 'kep',
    source: 'KEP-2149 #lifespan',
    quote:
      'The identifier **must** exist and be immutable for the duration of a cluster’s membership in a ClusterSet, and as long as a `clusterset.k8s.io` claim referring to that cluster in that ClusterSet exists.',
    needs: ['object', 'cluster'],
    why: 'Whether the id exists stands in another object, which CEL in a CRD cannot see.',
    code: 403,
    messages: {
      missing: 'the cluster joins a ClusterSet without an id; create the {{kind}} {{id}} first, or right after',
      going: 'the cluster joins a ClusterSet while its id {{id}} is being deleted; create the {{kind}} {{id}} again',
    },
  },
  cel: absent.absence,
  // A dry run of a whole folder can't see the id that the real run would have created just before.
  atMost: (context) => (context.dryRun ? 'warn' : 'deny'),
  check: (context) => (isMembership(context) ? withoutId(context) : NOTHING),
});

function withoutId(context: Context): Later<readonly Yielded[]> {
  const reads = facts(context).idNames.map((name) => claimNamed(context, name));
  return afterAll(reads, (answers) => judged(context, answers));
}

function judged(context: Context, answers: readonly Answer<JsonObject | undefined>[]): readonly Yielded[] {
  if (answers.some((answer) => answer.known && answer.value !== undefined && !isTerminating(answer.value)))
    return NOTHING;
  const unknown = answers.find((answer) => !answer.known);
  if (unknown !== undefined) return [{ path: NAME, unknown: unknown.reason }];
  const messageId = answers.some((answer) => answer.known && answer.value !== undefined) ? 'going' : 'missing';
  return [{ path: NAME, messageId, data: { kind: context.dialect.kind, id: facts(context).idNames[0] } }];
}
