/** Rules as they read for what is stored: three whose sentence speaks of a write, and holds for its outcome in part. */
import { rule as requiresId } from '../../rules/claim/clusterset-requires-id.ts';
import { rule as idImmutable } from '../../rules/claim/id-immutable-in-clusterset.ts';
import { facts } from '../../rules/claim/reading.ts';
import { listAt } from '../../rules/json.ts';
import { after, type Context, type Rule, type Said } from '../../rules/rule.ts';

/** The webhook warns of it, since the id may be the next thing that is applied. Nothing comes next here. */
export const memberWithoutId: Rule = {
  ...requiresId,
  meta: {
    ...requiresId.meta,
    level: 'MUST',
    messages: {
      ...requiresId.meta.messages,
      missing: 'the cluster is in a ClusterSet without an id; create the {{kind}} {{id}}',
      going: 'the cluster is in a ClusterSet while its id {{id}} is being deleted; create the {{kind}} {{id}} again',
    },
  },
  // Two ids that differ are reported once, by claim/id-immutable-in-clusterset.
  check: (context) =>
    after(requiresId.check(context), (all) => all.filter((one) => !('messageId' in one) || one.messageId !== 'differ')),
};

/** Of two names of one id that differ, the older is told of: the newer is the one to keep. */
export const contradictingIds: Rule = {
  ...idImmutable,
  on: ['CREATE'],
  meta: {
    ...idImmutable.meta,
    messages: {
      ...idImmutable.meta.messages,
      contradicts:
        'the cluster has another id in {{other}}, and both exist while it is in a ClusterSet, got "{{value}}"; delete this one, or leave the ClusterSet (delete {{membership}}) and correct {{other}}',
    },
  },
  check(context: Context): Said {
    return context.name === facts(context).idNames[0] ? [] : idImmutable.check(context);
  },
};

/** What is left of a list ends as the list did. */
export function unfinishedTasks(entry: Rule): Rule {
  return {
    ...entry,
    meta: {
      ...entry.meta,
      messages: {
        list: 'the tasks of a feature that is {{state}} end with WaitForUses, which stands nowhere else; end the list with WaitForUses',
      },
    },
    check(context: Context): Said {
      const left = listAt(context.object, ['status', 'transitionTasks']);
      return left.length === 0 ? [] : (entry.check?.(context) ?? []);
    },
  };
}
