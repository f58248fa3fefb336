/** KEP-2149, id.k8s.io, Lifespan: "The identifier must exist for the lifespan of a cluster." */
import { absent } from '../cel/cel.ts';
import { type Context, defineRule, type MaybePromise, NOTHING, type Yielded } from '../rule.ts';
import { afterAll, inClusterSet, isId, NAME, newerIdStays } from './reading.ts';

export const rule = defineRule({
  id: 'claim/id-present',
  concept: 'claim',
  on: ['DELETE'],
  meta: {
    // Only the operator knows whether the cluster's life has ended.
    level: 'MUST†',
    basis: 'kep',
    source: 'KEP-2149 #lifespan',
    quote: 'The identifier **must** exist for the lifespan of a cluster.',
    needs: ['oldObject', 'cluster'],
    why: 'CEL in a CRD is not asked about deletions.',
    code: 403,
    messages: { deleted: '{{name}} must exist as long as its cluster does; delete it only at the end of the cluster' },
  },
  cel: absent.absence,
  check: (context) => (isId(context) ? deleted(context) : NOTHING),
});

function deleted(context: Context): MaybePromise<readonly Yielded[]> {
  return afterAll([inClusterSet(context), newerIdStays(context)], ([member, newer]) => {
    // Within a ClusterSet the stricter rule speaks.
    if ((member.known && member.value) || (newer.known && newer.value)) return NOTHING;
    if (!member.known) return [{ path: NAME, unknown: member.reason }];
    if (!newer.known) return [{ path: NAME, unknown: newer.reason }];
    return [{ path: NAME, messageId: 'deleted', data: { name: context.name } }];
  });
}
