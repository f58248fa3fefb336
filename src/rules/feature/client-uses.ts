/** KEP-3920, Client Flow: "The main thing we want to add to the client flow is reporting of the feature's uses". */
import { absent } from '../cel/cel.ts';
import { STEP, type Steps } from '../comparing.ts';
import { listAt, textAt } from '../json.ts';
import { caller, whoAsks } from '../principal.ts';
import { defineRule, INTERRUPTIBLE, type Interruptible, type Json, type Path, type Yielded } from '../rule.ts';
import { isServer, serverFlowOf } from './reading.ts';

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
  *check(context): Iterable<Yielded | Interruptible> {
    const servers = serverFlowOf(context);
    if (servers === undefined || isServer(context, servers)) return;
    const gone = yield* takenAway(listAt(context.oldObject, USES), listAt(context.object, USES));
    if (gone === undefined) return;
    const data = { user: caller(context), version: textAt(gone, ['version']) };
    yield whoAsks(context) ?? { path: USES, messageId: 'removed', data };
  },
});

function* takenAway(before: readonly Json[], after: readonly Json[]): Steps<Json | undefined> {
  const kept = new Set<string>();
  for (const [index, use] of after.entries()) {
    if (index % STEP === STEP - 1) yield INTERRUPTIBLE;
    kept.add(keyOf(use));
  }
  for (const [index, use] of before.entries()) {
    if (index % STEP === STEP - 1) yield INTERRUPTIBLE;
    if (!kept.has(keyOf(use))) return use;
  }
  return undefined;
}

/** Entries are one per (version, enabled). */
function keyOf(use: Json): string {
  return JSON.stringify([textAt(use, ['version']), textAt(use, ['enabled'])]);
}
