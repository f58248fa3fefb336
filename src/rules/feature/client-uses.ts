/** KEP-3920, Client Flow: "The main thing we want to add to the client flow is reporting of the feature's uses". */
import { absent } from '../cel/cel.ts';
import { listOf } from '../json.ts';
import { statusOf } from '../object.ts';
import { caller, whoAsks } from '../principal.ts';
import { type Context, defineRule, type Interruptible, type Json, NOTHING, type Path, type Yielded } from '../rule.ts';
import { isStranger } from './reading.ts';
import { stillBeginsWith, takenAway, versionOf } from './uses.ts';

const USES: Path = ['status', 'uses'];

export const rule = defineRule({
  id: 'feature/client-uses',
  concept: 'feature',
  on: ['UPDATE'],
  subresources: ['status'],
  meta: {
    level: 'MUST',
    basis: 'kep',
    source: 'KEP-3920 #api-type',
    quote: '`uses` is for clients to report their use of the feature.',
    needs: ['object', 'oldObject', 'identity'],
    why: 'CEL in a CRD does not see who asks.',
    code: 403,
    inertUntil: 'features.serverFlow',
    messages: {
      removed:
        'a client adds or refreshes entries of uses and removes none, and "{{user}}" takes away version "{{version}}"; only the server flow clears uses',
    },
  },
  cel: absent.identity,
  awake: (settings) => settings.features.serverFlow !== undefined,
  check(context) {
    if (!isStranger(context)) return NOTHING;
    const before = listOf(statusOf(context.oldObject)?.['uses']);
    const after = listOf(statusOf(context.object)?.['uses']);
    return stillBeginsWith(after, before) ? NOTHING : removed(context, before, after);
  },
});

function* removed(
  context: Context,
  before: readonly Json[],
  after: readonly Json[],
): Iterable<Yielded | Interruptible> {
  const gone = yield* takenAway(before, after);
  if (gone === undefined) return;
  const data = { user: caller(context), version: versionOf(gone) };
  yield whoAsks(context) ?? { path: USES, messageId: 'removed', data };
}
