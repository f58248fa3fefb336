/** KEP-3920, Client Flow: "The main thing we want to add to the client flow is reporting of the feature's uses". */
import { absent } from '../cel/cel.ts';
import { listAt, textAt } from '../json.ts';
import { caller, whoAsks } from '../principal.ts';
import { defineRule, type Json, type Path, type Yielded } from '../rule.ts';
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
  *check(context): Iterable<Yielded> {
    const servers = serverFlowOf(context);
    if (servers === undefined || isServer(context, servers)) return;
    const kept = new Set(listAt(context.object, USES).map(keyOf));
    const gone = listAt(context.oldObject, USES).find((use) => !kept.has(keyOf(use)));
    if (gone === undefined) return;
    const data = { user: caller(context), version: textAt(gone, ['version']) };
    yield whoAsks(context) ?? { path: USES, messageId: 'removed', data };
  },
});

/** Entries are one per (version, enabled). */
function keyOf(use: Json): string {
  return JSON.stringify([textAt(use, ['version']), textAt(use, ['enabled'])]);
}
