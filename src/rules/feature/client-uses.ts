import { listAt, type Path } from '../../base/json.ts';
import { notInCel } from '../cel/expressions.ts';
import { reportCaller } from '../principal.ts';
import { defineRule, NO_CALLER_STORED, STATUS_WRITES } from '../rule.ts';
import { isStranger } from './feature-context.ts';
import { removedUse, versionOf } from './uses.ts';

const USES: Path = ['status', 'uses'];

export const rule = defineRule({
  id: 'feature/client-uses',
  ...STATUS_WRITES,
  ratchets: false,
  scan: NO_CALLER_STORED,
  meta: {
    summary: 'A client adds or refreshes its reports in status.uses and removes none.',
    fix: 'Write the removed entries back. Only the server flow removes entries of status.uses.',
    level: 'MUST',
    source: 'KEP-3920 #api-type (commit cc13a7dde)',
    quote: '`uses` is for clients to report their use of the feature.',
    needs: ['object', 'oldObject', 'identity'],
    why: 'CEL in a CRD does not see the user.',
    inertUntil: 'features.serverFlow',
    messages: {
      removed:
        'a client may add or refresh entries of uses but not remove one, and "{{user}}" removes that of version ' +
        '"{{version}}"; write it back: only the server flow clears uses',
    },
  },
  cel: notInCel.identity,
  enabled: (settings) => settings.features.serverFlow !== undefined,
  check(context) {
    if (!isStranger(context)) return [];
    const gone = removedUse(listAt(context.oldObject, USES), listAt(context.object, USES));
    if (gone === undefined) return [];
    return reportCaller(context, { path: USES, messageId: 'removed', data: { version: versionOf(gone) } });
  },
});
