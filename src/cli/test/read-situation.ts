/** What `defaults` and a test may both say of a write: by whom, when, upon what. */
import { POINTS } from '../../config/configuration.ts';
import { list, type Members, members, missing, type Place, refuseFound, text, word } from '../../config/place.ts';
import type { EnforcementPoint, Identity, JsonObject, Operation } from '../../rules/rule.ts';
import { parseTime } from '../../rules/time.ts';
import { identityOf } from '../shared.ts';
import { readObject, readState, type Scope } from './read-objects.ts';
import { type defaultsSchema, OPERATIONS, SUBRESOURCES, userSchema, VIEWS } from './schema.ts';

/** Undefined: not said. */
export interface Situation {
  readonly point?: EnforcementPoint | undefined;
  readonly view?: 'live' | 'files' | undefined;
  readonly now?: number | undefined;
  readonly user?: Identity | undefined;
  readonly state?: readonly JsonObject[] | 'unknown' | undefined;
  readonly operation?: Operation | undefined;
  readonly subresource?: 'status' | undefined;
  readonly dryRun?: boolean | undefined;
  readonly mutate?: boolean | undefined;
  readonly object?: JsonObject | undefined;
  readonly oldObject?: JsonObject | undefined;
}

/** What stands there, as far as nothing was refused. */
export function readSituation(keys: Members<typeof defaultsSchema>, scope: Scope): Situation {
  return {
    point: word(keys.point, POINTS),
    view: word(keys.view, VIEWS),
    now: readTime(keys.now),
    user: readUser(keys.user),
    state: readState(keys.state, scope),
    operation: word(keys.operation, OPERATIONS),
    subresource: word(keys.subresource, SUBRESOURCES),
    dryRun: readSwitch(keys.dryRun),
    mutate: readSwitch(keys.mutate),
    object: readObject(keys.object, scope),
    oldObject: readObject(keys.oldObject, scope),
  };
}

function readTime(place: Place): number | undefined {
  const { value } = place;
  if (value === undefined) return undefined;
  const time = typeof value === 'string' ? parseTime(value) : undefined;
  if (time === undefined) refuseFound(place, 'an RFC 3339 date-time with its zone such as 2026-06-01T12:00:00Z');
  return time;
}

function readUser(place: Place): Identity | undefined {
  const keys = members(place, userSchema, 'a user (a map with name and groups)');
  if (!keys) return undefined;
  if (keys.name.value === undefined) missing(keys.name, "a user's name");
  const name = text(keys.name, "a user's name");
  const groups = list(keys.groups, 'a list of group names', (entry) => text(entry, "a group's name"));
  return name === undefined ? undefined : identityOf(name, groups);
}

function readSwitch(place: Place): boolean | undefined {
  const { value } = place;
  if (typeof value === 'boolean') return value;
  if (value !== undefined) refuseFound(place, 'true or false');
  return undefined;
}
