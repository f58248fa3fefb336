/** Exceptions: single objects that some rules leave alone, until a day that somebody had to name. */

import { type Dialect, dialectOf, dialects } from '../api/dialects.ts';
import type { Exception } from '../engine/policy.ts';
import { plain } from '../engine/text.ts';
import { isDnsSubdomain } from '../rules/syntax.ts';
import { parseTime } from '../rules/time.ts';
import { noRule } from './actions.ts';
import { list, type Members, members, missing, oneOf, type Place, refuse, refuseFound, text, warn } from './place.ts';
import { namespace } from './principals.ts';
import { exceptionSchema } from './schema.ts';
import { didYouMean } from './suggest.ts';

type Keys = Members<typeof exceptionSchema>;

const DAY = 24 * 60 * 60 * 1000;
const DATE = /^\d{4}-\d{2}-\d{2}$/;
const GROUPS = [...new Set(dialects.map(({ group }) => group))];
const EXPECTED = {
  rules: 'a list of rule ids',
  apiGroup: 'an API group',
  kind: 'a kind',
  name: 'the name of one object (lower case, no wildcard)',
  expires: 'a date such as 2027-01-31, or an RFC 3339 date-time with its zone such as 2027-01-31T18:00:00Z',
  reason: 'a text that says why',
};

/** The exceptions, the expired ones too: those are inert by `expires`, and warned about here. */
export function readExceptions(place: Place, ruleIds: ReadonlySet<string>, now: number): readonly Exception[] {
  return list(place, 'a list of exceptions', (entry) => readException(entry, ruleIds, now)) ?? [];
}

function readException(place: Place, ruleIds: ReadonlySet<string>, now: number): Exception | undefined {
  const keys = members(place, exceptionSchema, 'an exception (a map)');
  if (!keys) return undefined;
  for (const key of exceptionSchema.required) if (keys[key].value === undefined) missing(keys[key], EXPECTED[key]);
  const rules = readRules(keys.rules, ruleIds);
  const dialect = readKind(keys);
  const where = readNamespace(keys.namespace, dialect);
  const name = text(keys.name, EXPECTED.name, isDnsSubdomain);
  const expires = readExpires(keys.expires);
  const reason = text(keys.reason, EXPECTED.reason);
  if (!rules || !dialect || name === undefined || expires === undefined || reason === undefined) return undefined;
  warnOfStrangers(keys.rules, rules, dialect);
  if (expires <= now) warnOfEnd(place, `${dialect.kind} ${name}`, rules, expires);
  const of = { apiGroup: dialect.group, kind: dialect.kind, ...(where !== undefined && { namespace: where }), name };
  return { rules, ...of, expires, reason };
}

function readRules(place: Place, ruleIds: ReadonlySet<string>): ReadonlySet<string> | undefined {
  const ids = list(place, EXPECTED.rules, (entry) => readRule(entry, ruleIds));
  if (Array.isArray(place.value) && place.value.length === 0) refuse(place, 'an empty list; name at least one rule');
  return ids && new Set(ids);
}

function readRule(place: Place, ruleIds: ReadonlySet<string>): string | undefined {
  const id = text(place, 'a rule id');
  if (id === undefined || ruleIds.has(id)) return id;
  return void refuse(place, noRule(id, ruleIds));
}

/** The dialect the exception speaks of: a kind that no rule judges needs no exception, so it is a slip. */
function readKind({ apiGroup, kind }: Keys): Dialect | undefined {
  const group = text(apiGroup, EXPECTED.apiGroup);
  const named = text(kind, EXPECTED.kind);
  if (group === undefined || named === undefined) return undefined;
  const dialect = dialectOf(group, named);
  if (dialect) return dialect;
  const kinds = dialects.filter((each) => each.group === group).map((each) => each.kind);
  if (kinds.length > 0)
    refuseFound(kind, `a kind of ${group} that rules judge (${oneOf(kinds)})`, didYouMean(named, kinds));
  else
    refuseFound(
      apiGroup,
      `an API group that rules judge, without version (${oneOf(GROUPS)})`,
      didYouMean(group.replace(/\/.*/s, ''), GROUPS),
    );
  return undefined;
}

function readNamespace(place: Place, dialect: Dialect | undefined): string | undefined {
  if (place.value !== undefined && dialect?.scope === 'Cluster') {
    return void refuse(place, `a ${dialect.kind} has no namespace; leave the key out`);
  }
  return namespace(place);
}

/** Milliseconds since the epoch. A date holds through its end in UTC, so its end is the start of the next day. */
function readExpires(place: Place): number | undefined {
  const { value } = place;
  if (value === undefined) return undefined;
  if (typeof value !== 'string') return void refuseFound(place, EXPECTED.expires);
  const end = DATE.test(value) ? dayAfter(value) : parseTime(value);
  if (end === undefined) refuseFound(place, EXPECTED.expires);
  return end;
}

function dayAfter(date: string): number | undefined {
  const start = parseTime(`${date}T00:00:00Z`);
  return start === undefined ? undefined : start + DAY;
}

/** A rule's id begins with its concept, and it judges kinds of that concept only. */
function warnOfStrangers(place: Place, rules: ReadonlySet<string>, dialect: Dialect): void {
  for (const id of rules) {
    if (!id.startsWith(`${dialect.concept}/`))
      warn(place, `${id} never judges a ${dialect.kind}; the exception does nothing for it`);
  }
}

function warnOfEnd(place: Place, object: string, rules: ReadonlySet<string>, expires: number): void {
  const ended = new Date(expires).toISOString();
  warn(
    place,
    `the exception for ${plain(object)} (${[...rules].join(', ')}) ended at ${ended} and holds no more; remove it`,
  );
}
