import { at, type Json, same } from '../../base/json.ts';
import { statusOf } from '../../base/object.ts';
import { parseTime } from '../../base/syntax.ts';
import { notInCel } from '../cel/expressions.ts';
import { guardedChange, OWNERS } from '../ownership.ts';
import { reportCaller } from '../principal.ts';
import { type Context, defineRule, NAME, NO_CALLER_STORED, type RuleResult } from '../rule.ts';
import { isStranger } from './feature-context.ts';

export const rule = defineRule({
  id: 'feature/server-flow',
  on: ['CREATE', 'UPDATE', 'DELETE'],
  checksOwnerReferences: true,
  subresources: ['', 'status'],
  ratchets: false,
  scan: NO_CALLER_STORED,
  meta: {
    summary: 'Only the configured server flow creates and deletes features and writes their status.',
    fix: 'Have the server flow make the change, or add the user to features.serverFlow. Clients may write status.uses.',
    level: 'MUST',
    source: 'KEP-3920 #api',
    quote: 'It is the responsibility of the server flow to initiate and complete state transitions.',
    needs: ['object', 'oldObject', 'identity'],
    why: 'CEL in a CRD does not see the user; RBAC cannot tell uses from the rest of a status.',
    inertUntil: 'features.serverFlow',
    messages: {
      lifecycle:
        'only the server flow creates and deletes features here, not "{{user}}"; leave it to the server flow, or ' +
        'add the user to features.serverFlow',
      owner:
        'deleting an owner deletes the feature, which only the server flow may do here, not "{{user}}"; leave ' +
        'the ownerReferences unchanged or remove all of them, or add the user to features.serverFlow',
      status: 'only the server flow writes {{field}} here, not "{{user}}"; a client may write status.uses only',
    },
  },
  cel: notInCel.identity,
  enabled: (settings) => settings.features.serverFlow !== undefined,
  check(context) {
    if (!isStranger(context)) return [];
    if (context.subresource === 'status') return besideUses(context);
    const path = guardedChange(context, NAME, []);
    if (path === undefined) return [];
    return reportCaller(context, { path, messageId: path === OWNERS ? 'owner' : 'lifecycle' });
  },
});

/** Reports the first member of the status, other than `uses`, that the write changes. */
function besideUses(context: Context): readonly RuleResult[] {
  const after = statusOf(context.object) ?? {};
  const before = statusOf(context.oldObject) ?? {};
  const key = [...Object.keys(after), ...Object.keys(before)].find(
    (member) => member !== 'uses' && !same(meaning(at(after, [member])), meaning(at(before, [member]))),
  );
  if (key === undefined) return [];
  return reportCaller(context, { path: ['status', key], messageId: 'status', data: { field: `status.${key}` } });
}

/** What a client that decodes a status and writes it back keeps: no list is an empty one, and a time an instant. */
function meaning(value: Json | undefined): Json | undefined {
  if (Array.isArray(value) && value.length === 0) return undefined;
  return typeof value === 'string' ? (parseTime(value) ?? value) : value;
}
