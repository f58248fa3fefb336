/** Rows of tables about writes of a Feature's status, given by the members of the status. */
import { describe, expect, test } from '@jest/globals';
import type { Json } from '../../../../src/base/json.ts';
import type { Action, Rule } from '../../../../src/rules/rule.ts';
import { feature } from '../../../support/bases.ts';
import { type DenyCase, evaluate, finds, type RuleCase, type Tweak } from '../../../support/rule-tester.ts';

/** Members of the status; undefined takes one away. */
export type Members = Readonly<Record<string, Json | undefined>>;

export const ENABLED = use('1.40.0', 'Enabled');
export const DISABLED = use('1.40.0', 'Disabled');

/** What clients of a version report. */
export function use(version: string, enabled: string, reportTime = '2026-05-01T00:00:00Z') {
  return { version, enabled, reportTime };
}

/** A write of `/status`: what is stored beside the base, and what the write makes of it. */
export function write(name: string, stored: Members, written: Members, more: Partial<RuleCase> = {}): RuleCase {
  return {
    name,
    subresource: 'status',
    ...more,
    old: { ...inStatus(stored), ...more.old },
    set: { ...inStatus(written), ...more.set },
  };
}

/** Makes rows of such a write on which the rule finds one message at one field. */
export function finding(field: string, action: Action = 'deny') {
  return (name: string, stored: Members, written: Members, message: string, more?: Partial<RuleCase>): DenyCase => ({
    ...write(name, stored, written, more),
    ...finds(field, message, action),
  });
}

/** A state with its list of tasks. */
export const at = (state: string | null | undefined, ...transitionTasks: string[]): Members => ({
  state,
  transitionTasks,
});

/** Rows that were generated: whole findings, as in `testRule`, but without junk in every place of every row. */
export function testWide(rule: Rule, allow: readonly RuleCase[], deny: readonly DenyCase[]): void {
  const expectFindings = async (row: DenyCase) => {
    const { findings, indeterminate, crashes, silentUnknowns } = await evaluate([rule], feature, row);
    expect(findings.map(({ action, field, message }) => [action, field, message])).toEqual(row.findings ?? []);
    expect([...indeterminate, ...crashes, ...silentUnknowns]).toEqual([]);
  };
  describe(rule.id, () => {
    if (allow.length > 0) test.each(allow)('allows: $name', expectFindings);
    if (deny.length > 0) test.each(deny)('finds: $name', expectFindings);
  });
}

function inStatus(members: Members): Tweak {
  return Object.fromEntries(Object.entries(members).map(([member, value]) => [`/status/${member}`, value]));
}
