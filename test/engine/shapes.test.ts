import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { rule as value } from '../../src/rules/claim/value.ts';
import { rule as shape } from '../../src/rules/feature/shape.ts';
import { rule as conditions } from '../../src/rules/inventory/conditions.ts';
import type { Json, JsonObject, Rule } from '../../src/rules/rule.ts';
import { custom, feature, inventory } from '../rules/bases.ts';
import { judge, type RuleCase } from '../rules/rule-tester.ts';

async function shown(rule: Rule, base: JsonObject, row: Omit<RuleCase, 'name'>): Promise<string[]> {
  const verdict = await judge([rule], base, { name: '', ...row });
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

describe('places', () => {
  test('one finding a place: what is allowed says more than the type', async () => {
    expect(await status(shape, feature, '/status/stability', 7)).toEqual([
      'status.stability: must be one of Unavailable, Alpha, Beta, GA, Deprecated, Universal, got 7',
    ]);
  });
  test('a boolean is told to be quoted', async () => {
    expect(await status(shape, feature, '/status/state', true)).toEqual([
      'status.state: must be one of Off, TurningOn, On, TurningOff, got a boolean: YAML reads a bare On, Off, yes or no as one; quote it',
    ]);
  });
  test('a text without its quotes is told to have them; what was no text is not', async () => {
    expect(await status(shape, feature, '/status/version', 1.3)).toEqual([
      'status.version: must be a string, got a number; put it in quotes',
    ]);
    expect(await status(shape, feature, '/status/version', [1.3])).toEqual([
      'status.version: must be a string, got a list',
    ]);
    expect(await status(shape, feature, '/status', true)).toEqual(['status: must be an object, got a boolean']);
  });
  test('an enum lists what is allowed', async () => {
    expect(await status(shape, feature, '/status/default', 'On')).toEqual([
      'status.default: must be one of Enabled, Disabled, got "On"',
    ]);
  });
  test('the whole place of another kind', async () => {
    expect(await status(shape, feature, '/status', 'x')).toEqual(['status: must be an object, got a string']);
    expect(await status(shape, feature, '/status', [])).toEqual(['status: must be an object, got a list']);
  });
  test('a missing required value, and null for it', async () => {
    const missing = 'spec.value: is missing; set it to a string (a claim without a value says nothing)';
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
  test('only the shape of the dialect speaks', async () => {
    const ocm = { ...custom, apiVersion: 'cluster.open-cluster-management.io/v1alpha1' };
    expect(await shown(value, custom, { set: { '/spec/value': 'v'.repeat(1025) } })).toEqual([]);
    expect(await shown(value, ocm, { set: { '/spec/value': 'v'.repeat(1024) } })).toEqual([]);
    expect(await shown(value, ocm, { set: { '/spec/value': 'v'.repeat(1025) } })).toEqual([
      'spec.value: must be at most 1024 characters, got more; shorten it',
    ]);
  });
});

describe('lists', () => {
  const path = '/status/conditions';
  test('absent and null are nothing to judge', async () => {
    expect(await status(conditions, inventory, path, null)).toEqual([]);
    expect(await status(conditions, inventory, path, [])).toEqual([]);
    expect(await status(conditions, inventory, path, [good])).toEqual([]);
  });
  test('no list at all', async () => {
    expect(await status(conditions, inventory, path, { Joined: 'True' })).toEqual([
      'status.conditions: must be a list, got an object',
    ]);
  });
  test('each entry is judged at its place, a missing member at its own', async () => {
    const { reason: _, ...unreasoned } = good;
    expect(await status(conditions, inventory, path, [good, { ...unreasoned, type: 'Ready' }, null])).toEqual([
      'status.conditions[1].reason: is missing; a metav1.Condition has type, status, reason, message and lastTransitionTime',
      'status.conditions[2]: must be an object, got null',
    ]);
  });
  test('a doubled key', async () => {
    expect(await status(conditions, inventory, path, [good, { ...good, type: 'Ready' }, good])).toEqual([
      'status.conditions[2].type: the condition type "Joined" stands in the list twice; keep one',
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
    expect(
      await status(
        conditions,
        inventory,
        path,
        Array.from({ length: 100_000 }, () => null),
      ),
    ).toHaveLength(32);
  });

  test.each([2, 15, 16, 17, 18, 300])('of %i entries, the last repeats one', async (length) => {
    const message = 'the condition type "Joined" stands in the list twice; keep one';
    const others = Array.from({ length: length - 2 }, (_, n) => ({ ...good, type: `Other${n}` }));
    expect(await status(conditions, inventory, path, [good, ...others])).toEqual([]);
    const at = length - 1;
    expect(await status(conditions, inventory, path, [good, ...others, good])).toEqual([
      `status.conditions[${at}].type: ${message}`,
    ]);
    expect(await status(conditions, inventory, path, [...others, good, good])).toEqual([
      `status.conditions[${at}].type: ${message}`,
    ]);
  });
  test('a short list is judged as it is within a long one', async () => {
    const text = fc.constantFrom('1', '2', '', 'Enabled', 'Disabled', 1, true, {}, [], null);
    const use = fc.record({ version: text, enabled: text, reportTime: fc.constant('2026-01-01T00:00:00Z') });
    const odd = fc.constantFrom<Json>(null, 7, 'x', [], {});
    const filling = Array.from({ length: 17 }, (_, n) => ({
      version: `filling ${n}`,
      enabled: 'Enabled',
      reportTime: '2026-01-01T00:00:00Z',
    }));
    const places = (found: string[], shift: number) =>
      found.map((line) => line.replace(/uses\[(\d+)\]/, (_, index) => `uses[${Number(index) - shift}]`));
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof({ weight: 9, arbitrary: use }, odd), { maxLength: 8 }), async (list) => {
        const long = await status(shape, feature, '/status/uses', [...filling, ...list] as Json);
        expect(await status(shape, feature, '/status/uses', list as Json)).toEqual(places(long, filling.length));
      }),
    );
  });
});
