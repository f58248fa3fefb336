/** KEP-2149, id.k8s.io, Lifespan: the id "must exist … as long as a `clusterset.k8s.io` claim … exists". */
import { absent } from '../cel/cel.ts';

import { isTerminating } from '../object.ts';
import { type Context, defineRule, NOTHING, type Yielded } from '../rule.ts';
import { facts, isMembership, NAME } from './reading.ts';

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

async function* withoutId(context: Context): AsyncIterable<Yielded> {
  const { dialect } = context;
  const { idNames } = facts(context);
  const answers = await Promise.all(idNames.map((name) => context.view.get({ dialect, name })));
  if (answers.some((answer) => answer.known && answer.value !== undefined && !isTerminating(answer.value))) return;
  const unknown = answers.find((answer) => !answer.known);
  if (unknown !== undefined) {
    yield { path: NAME, unknown: unknown.reason };
    return;
  }
  const messageId = answers.some((answer) => answer.known && answer.value !== undefined) ? 'going' : 'missing';
  yield { path: NAME, messageId, data: { kind: dialect.kind, id: idNames[0] } };
}
