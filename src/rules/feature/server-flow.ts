/** KEP-3920, API: "It is the responsibility of the server flow to initiate and complete state transitions." */
import { absent } from '../cel/cel.ts';
import { differing, type Steps } from '../comparing.ts';
import { at, isObject } from '../json.ts';
import { caller, whoAsks } from '../principal.ts';
import { type Context, defineRule, type Interruptible, type JsonObject, type Path, type Yielded } from '../rule.ts';
import { isServer, serverFlowOf } from './reading.ts';

export const rule = defineRule({
  id: 'feature/server-flow',
  concept: 'feature',
  on: ['CREATE', 'UPDATE', 'DELETE'],
  subresources: ['', 'status'],
  meta: {
    level: 'MUST',
    basis: 'kep',
    source: 'KEP-3920 #api',
    quote: 'It is the responsibility of the server flow to initiate and complete state transitions.',
    needs: ['object', 'oldObject', 'identity'],
    why: 'CEL in a CRD does not see who asks; RBAC cannot tell uses from the rest of a status.',
    code: 403,
    inertUntil: 'features.serverFlow',
    messages: {
      lifecycle:
        'only the server flow creates and deletes features here, not "{{user}}"; leave it to the server flow, or add the user to features.serverFlow',
      status: 'only the server flow writes {{field}} here, not "{{user}}"; a client writes status.uses alone',
    },
  },
  cel: absent.identity,
  awake: (settings) => settings.features.serverFlow !== undefined,
  *check(context): Iterable<Yielded | Interruptible> {
    const servers = serverFlowOf(context);
    if (servers === undefined || isServer(context, servers)) return;
    const user = caller(context);
    if (context.operation !== 'UPDATE') {
      yield whoAsks(context) ?? { path: ['metadata', 'name'], messageId: 'lifecycle', data: { user } };
      return;
    }
    const path = context.subresource === 'status' ? yield* writtenBesideUses(context) : undefined;
    if (path) yield whoAsks(context) ?? { path, messageId: 'status', data: { user, field: path.join('.') } };
  },
});

/** The first member of the status, other than `uses`, that the write changes. */
function* writtenBesideUses({ object, oldObject }: Context): Steps<Path | undefined> {
  const key = yield* differing(members(object), members(oldObject), 'uses');
  return key === undefined ? undefined : ['status', key];
}

function members(object: JsonObject | undefined): JsonObject {
  const status = at(object, ['status']);
  return isObject(status) ? status : {};
}
