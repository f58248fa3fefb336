/** KEP-3920, Client Flow: "The main thing we want to add to the client flow is reporting of the feature's uses". */
import { absent } from '../cel/cel.ts';
import { STEP, type Steps } from '../comparing.ts';
import { listOf, textAt } from '../json.ts';
import { statusOf } from '../object.ts';
import { caller, whoAsks } from '../principal.ts';
import {
  type Context,
  defineRule,
  INTERRUPTIBLE,
  type Interruptible,
  type Json,
  NOTHING,
  type Path,
  type Yielded,
} from '../rule.ts';
import { isStranger } from './reading.ts';

const USES: Path = ['status', 'uses'];
const VERSION: Path = ['version'];
const ENABLED: Path = ['enabled'];

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
    return begins(after, before) ? NOTHING : removed(context, before, after);
  },
});

/** Whether each stored entry is still in its place, as where a client adds one or refreshes its own: all that most writes need. */
function begins(after: readonly Json[], before: readonly Json[]): boolean {
  if (before.length > Math.min(after.length, STEP)) return false;
  return before.every((use, index) => isSameUse(use, after[index]));
}

function* removed(
  context: Context,
  before: readonly Json[],
  after: readonly Json[],
): Iterable<Yielded | Interruptible> {
  const gone = yield* takenAway(before, after);
  if (gone === undefined) return;
  const data = { user: caller(context), version: textAt(gone, VERSION) };
  yield whoAsks(context) ?? { path: USES, messageId: 'removed', data };
}

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
  return JSON.stringify([textAt(use, VERSION), textAt(use, ENABLED)]);
}

function isSameUse(one: Json, other: Json | undefined): boolean {
  return textAt(one, VERSION) === textAt(other, VERSION) && textAt(one, ENABLED) === textAt(other, ENABLED);
}
