import type { MaybePromise } from '../../base/promise.ts';
import { quoted, shellQuoted } from '../../base/text.ts';
import { notInCel } from '../cel/expressions.ts';
import {
  type Answer,
  type ClusterIdentity,
  type ClusterView,
  type Context,
  defineRule,
  type ReservationAnswer,
  type RuleResult,
} from '../rule.ts';
import { isMembership, VALUE } from './claim-fields.ts';
import { identitiesJoined, identitiesOf, mayJoin } from './identities.ts';

const WAYS_OUT =
  'choose another id, wait until the muster of that cluster gives it back, or, once that cluster is gone, run ' +
  'muster registrar release {{quotedId}} --cluster-set {{quotedClusterSet}} --api-group {{apiGroup}} ' +
  '--holder {{quotedHolder}} --config FILE';

export const rule = defineRule({
  id: 'claim/id-reserved',
  on: ['CREATE', 'UPDATE'],
  ratchets: false,
  locks: true,
  meta: {
    summary: 'A cluster joins a ClusterSet only with an id that no other member has reserved.',
    fix:
      'Choose another id, or wait until the other cluster leaves and its muster gives the id back. If that ' +
      'cluster is gone for good, release its reservation with muster registrar release.',
    level: 'MUST',
    source: 'KEP-2149 #uniqueness',
    quote:
      'The identifier **must** be unique within the ClusterSet to which its cluster belongs for the duration of ' +
      'the cluster’s membership.',
    needs: ['object', 'oldObject', 'cluster'],
    why: 'The reservations of all members are in a hub, which no other admission of the cluster can ask.',
    inertUntil: 'registrar',
    messages: {
      held:
        'the id "{{id}}" of the ClusterSet "{{clusterSet}}" is reserved since {{since}} by another cluster, whose ' +
        `kube-system namespace has the uid {{holder}}, and is {{confirmed}}; ${WAYS_OUT}`,
      'held:nameless':
        'the id "{{id}}" of the ClusterSet "{{clusterSet}}" is reserved since {{since}} by a Lease that names no ' +
        "holder; choose another id, or, if no cluster has it, delete the Lease {{lease}} in the hub's namespace",
      unreserved:
        'the id "{{id}}" of the ClusterSet "{{clusterSet}}" is not reserved, so another cluster may have it: ' +
        '{{reason}}; once the hub answers, see muster registrar list --config FILE',
    },
  },
  cel: notInCel.clusters,
  enabled: (settings) => settings.registrar !== undefined,
  // The configuration lets joins pass while the hub is away.
  capAction: (_, messageId) => (messageId === 'unreserved' ? 'warn' : 'deny'),
  scan: {
    how: 'a member whose id another cluster has reserved in the hub',
    messages: {
      held:
        'the id "{{id}}" of the ClusterSet "{{clusterSet}}" is reserved since {{since}} by another cluster, whose ' +
        'kube-system namespace has the uid {{holder}}, and is {{confirmed}}; give one of the two another id: delete ' +
        'its membership, change the id, then join again',
      'held:nameless':
        'the id "{{id}}" of the ClusterSet "{{clusterSet}}" is reserved since {{since}} by a Lease that names no ' +
        "holder; if no other cluster has the id, delete the Lease {{lease}} in the hub's namespace",
    },
    check: (context) =>
      isMembership(context) ? reserved(context, () => identitiesOf(context.dialect, context.view)) : [],
  },
  check: (context) => (mayJoin(context) ? reserved(context, () => identitiesJoined(context)) : []),
});

/**
 * Reports reservations of other clusters. Without `reserve` it reports nothing: either there is no hub, or the server
 * evaluates all other rules first, and asks the hub only if they allow the write.
 */
function reserved(context: Context, read: () => Promise<Identities>): MaybePromise<readonly RuleResult[]> {
  const { reserve } = context.view;
  return reserve === undefined ? [] : answersOf(read, reserve);
}

type Identities = Answer<readonly ClusterIdentity[]>;
type Reserve = NonNullable<ClusterView['reserve']>;

async function answersOf(read: () => Promise<Identities>, reserve: Reserve): Promise<readonly RuleResult[]> {
  const identities = await read();
  if (!identities.known) return [{ path: VALUE, unknown: identities.reason }];
  const results: RuleResult[] = [];
  for (const identity of identities.value) results.push(...resultOf(identity, await reserve(identity)));
  return results;
}

function resultOf(identity: ClusterIdentity, answer: ReservationAnswer): readonly RuleResult[] {
  if (answer.kind === 'ours') return [];
  if (answer.kind === 'unreserved')
    return [{ path: VALUE, messageId: 'unreserved', data: { ...identity, reason: answer.reason } }];
  if (answer.kind === 'unreachable') {
    const id = `the id "${quoted(identity.id)}" can't be reserved in the ClusterSet "${quoted(identity.clusterSet)}"`;
    return [{ path: VALUE, unknown: `${id}: ${answer.reason}; try again` }];
  }
  const { holder, since = 'an unknown time', lease } = answer;
  const confirmed = answer.confirmed ? 'confirmed as a member' : 'not confirmed as a member yet';
  const messageId = holder === undefined ? 'held:nameless' : 'held';
  // A Lease of the hub may hold any text, and people paste the command.
  const [quotedId, quotedClusterSet, quotedHolder] = [identity.id, identity.clusterSet, holder].map((text = '') =>
    shellQuoted(quoted(text)),
  );
  const data = { ...identity, quotedId, quotedClusterSet, quotedHolder, holder, since, confirmed, lease };
  return [{ path: VALUE, messageId, data }];
}
