import { describe, expect, test } from '@jest/globals';
import type { Json, JsonObject } from '../../../src/base/json.ts';
import { rule as value } from '../../../src/rules/claim/value.ts';
import { rule as shape } from '../../../src/rules/feature/shape.ts';
import { rule as conditions } from '../../../src/rules/inventory/conditions.ts';
import type { Rule } from '../../../src/rules/rule.ts';
import { custom, feature, inventory } from '../../support/bases.ts';
import { evaluate, type RuleCase } from '../../support/rule-tester.ts';

async function shown(rule: Rule, base: JsonObject, row: Omit<RuleCase, 'name'>): Promise<string[]> {
  const verdict = await evaluate([rule], base, { name: '', ...row });
  expect(verdict.crashes).toEqual([]);
  return verdict.findings.map(({ field, message }) => `${field}: ${message}`);
}
const status = (rule: Rule, base: JsonObject, pointer: string, value: Json | undefined) =>
  shown(rule, base, { old: {}, set: { [pointer]: value }, subresource: 'status' });

const good = {
  type: 'Joined',
  status: 'True',
  reason: 'Told',
  message: '',
  lastTransitionTime: '2026-01-31T12:00:00Z',
};

describe('values', () => {
  test('one finding a path: the allowed values say more than the type', async () => {
    expect(await status(shape, feature, '/status/stability', 7)).toEqual([
      'status.stability: must be one of Unavailable, Alpha, Beta, GA, Deprecated, Universal, got 7',
    ]);
  });
  test('a boolean needs quotes', async () => {
    expect(await status(shape, feature, '/status/state', true)).toEqual([
      'status.state: must be one of Off, TurningOn, On, TurningOff, got a boolean: YAML reads an unquoted On, Off, yes or no as a boolean; put it in quotes',
    ]);
  });
  test('a text without its quotes needs them; what was no text does not', async () => {
    expect(await status(shape, feature, '/status/version', 1.3)).toEqual([
      'status.version: must be a string, got a number; put it in quotes',
    ]);
    expect(await status(shape, feature, '/status/version', [1.3])).toEqual([
      'status.version: must be a string, got a list',
    ]);
    expect(await status(shape, feature, '/status', true)).toEqual(['status: must be an object, got a boolean']);
  });
  test('a missing required value, and null for it', async () => {
    const missing = 'spec.value: is missing; set it to a string';
    expect(await shown(value, custom, { set: { '/spec/value': undefined } })).toEqual([missing]);
    expect(await shown(value, custom, { set: { '/spec/value': null } })).toEqual([missing]);
    expect(await shown(value, custom, { set: { '/spec': 'x' } })).toEqual([missing]);
  });
  test('code points are counted, not UTF-16 units', async () => {
    expect(await shown(value, custom, { set: { '/spec/value': '🚀'.repeat(128_000) } })).toEqual([]);
    expect(await shown(value, custom, { set: { '/spec/value': '🚀'.repeat(128_001) } })).toEqual([
      'spec.value: must be at most 128000 characters, got more; shorten it',
    ]);
  });
});

describe('lists', () => {
  const path = '/status/conditions';
  test('absent and null are valid', async () => {
    expect(await status(conditions, inventory, path, null)).toEqual([]);
    expect(await status(conditions, inventory, path, [])).toEqual([]);
    expect(await status(conditions, inventory, path, [good])).toEqual([]);
  });
  test('no list at all', async () => {
    expect(await status(conditions, inventory, path, { Joined: 'True' })).toEqual([
      'status.conditions: must be a list, got an object',
    ]);
  });
  test('each entry is reported at its path, a missing member at its own', async () => {
    const { reason: _, ...unreasoned } = good;
    expect(await status(conditions, inventory, path, [good, { ...unreasoned, type: 'Ready' }, null])).toEqual([
      'status.conditions[1].reason: is missing; a metav1.Condition has type, status, reason, message and lastTransitionTime',
      'status.conditions[2]: must be an object, got null',
    ]);
  });
  test('a doubled key', async () => {
    expect(await status(conditions, inventory, path, [good, { ...good, type: 'Ready' }, good])).toEqual([
      'status.conditions[2].type: the condition type "Joined" is listed twice; keep one',
    ]);
  });
  test('keys of several members', async () => {
    const use = { version: '1', enabled: 'Enabled', reportTime: '2026-01-01T00:00:00Z' };
    expect(
      await status(shape, feature, '/status/uses', [use, { ...use, enabled: 'Disabled' }, { ...use, version: '2' }]),
    ).toEqual([]);
    expect(await status(shape, feature, '/status/uses', [use, { ...use, reportTime: '2026-02-01T00:00:00Z' }])).toEqual(
      ['status.uses[1].version: the list has two entries for 1, Enabled (version and enabled); keep one'],
    );
  });
  test('a list without keys may repeat', async () => {
    expect(await status(shape, feature, '/status/transitionTasks', ['A', 'A'])).toEqual([]);
  });
  test('a long bad list yields a bounded number', async () => {
    expect(await status(conditions, inventory, path, Array(100_000).fill(null))).toHaveLength(32);
  });
});
