/**
 * The line of log of a decision. Written by hand: an object made only to be read once more costs as much as all the rest of the telling.
 * Its bytes are those of `JSON.stringify`.
 */

import { type Dialect, dialects } from '../../api/dialects.ts';
import { plain, shorten } from '../../engine/text.ts';
import { standsAsIs } from '../admission/json-text.ts';
import type { Decision } from '../admission/observer.ts';
import type { RefusalStatus } from '../admission/respond.ts';

/** Code points of a text that a user or an error wrote. */
export const LONGEST_TEXT = 256;
/** Rules a line names; the catalogue has fewer than fifty. */
const MOST_RULES = 64;

/** A line with its end. All words but those of `quote` are muster's own, or were looked at when the review was read. */
export function decisionLine(level: string, time: string, decision: Decision, milliseconds: number): string {
  const { response, request, subject, outcome } = decision;
  let line = `{"level":"${level}","time":"${time}","uid":${quote(response.uid)},"path":"${decision.path}"`;
  if (subject !== undefined) line += `,"dialect":"${subject.dialect.name}"`;
  if (request !== undefined) line += membersOf(request, subject?.dialect);
  line += `,"outcome":"${outcome}"`;
  if (response.status !== undefined) line += refusalOf(outcome, response.status);
  if (decision.verdict !== undefined) line += `,"rules":${rulesOf(response.auditAnnotations?.rules)}`;
  return `${line},"durationMs":${toMicroseconds(milliseconds)},"msg":"decision"}\n`;
}

/** What stands behind the point for so many thousandths: to turn a fraction into text takes as long as the rest of a line. */
const DECIMALS: readonly string[] = Array.from({ length: 1000 }, (_, thousandths) =>
  String(thousandths / 1000).slice(1),
);

/** A time in milliseconds, rounded to microseconds. */
function toMicroseconds(milliseconds: number): string {
  const micros = Math.round(milliseconds * 1000);
  const thousandths = micros % 1000;
  return `${Math.floor(micros / 1000)}${DECIMALS[thousandths]}`;
}

function membersOf(request: NonNullable<Decision['request']>, dialect: Dialect | undefined): string {
  const { namespace, name, operation, subresource, username, dryRun } = request;
  const what = `,"kind":${kindOf(request, dialect)}${member('namespace', namespace)},"name":${quote(name)}`;
  const how = `,"operation":"${operation}","subresource":${quote(subresource)}`;
  return `${what}${how}${member('user', username)},"dryRun":${dryRun}`;
}

/** The kinds that are judged, as a line has them, by version: to put one together takes as long as two members. */
const KINDS: ReadonlyMap<Dialect, ReadonlyMap<string, string>> = new Map(
  dialects.map((dialect) => [
    dialect,
    new Map(dialect.versions.map((version) => [version, kindText(dialect, version)])),
  ]),
);

function kindOf({ group, version, kind }: NonNullable<Decision['request']>, dialect: Dialect | undefined): string {
  const known = dialect && KINDS.get(dialect)?.get(version);
  return known ?? kindText({ group, kind }, version);
}

function kindText({ group, kind }: Pick<Dialect, 'group' | 'kind'>, version: string): string {
  return quote(`${group}/${version} ${kind}`);
}

/** A reason is told where it is nothing the user wrote: what could not be read, and what can't be told now. */
function refusalOf(outcome: string, { code, message }: RefusalStatus): string {
  const isUndecided = outcome === 'unreadable' || outcome === 'indeterminate';
  return `,"code":${code}${isUndecided ? member('problem', message) : ''}`;
}

function member(name: string, value: string | undefined): string {
  return value === undefined ? '' : `,"${name}":${quote(value)}`;
}

function quote(text: string): string {
  if (text.length <= LONGEST_TEXT && standsAsIs(text)) return `"${text}"`;
  return JSON.stringify(plain(shorten(text, LONGEST_TEXT)));
}

/** As the answer tells them to the audit log: `rule/id:action`, and commas between. */
function rulesOf(annotation = ''): string {
  if (annotation === '') return '[]';
  if (!annotation.includes(',')) return `["${annotation}"]`;
  return `["${annotation.split(',', MOST_RULES).join('","')}"]`;
}
