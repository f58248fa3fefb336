/** How long `inventory/member-id-agrees` takes for many profiles with one member id whose lists all share a member. */
import { expect, test } from '@jest/globals';
import { clusterProfile } from '../../../../src/api/dialects.ts';
import { rule } from '../../../../src/rules/inventory/member-id-agrees.ts';

/** Returns the CPU time of a comparison, in microseconds. */
function costOf(count: number): number {
  const kept = Array.from({ length: count }, (_, index) => {
    const object = { cluster: 'hub', dialect: clusterProfile, namespace: 'fleet', name: `p-${index}` };
    return { object, fact: JSON.stringify(['m-1', ['x', `y-${index}`]]) };
  });
  const before = process.cpuUsage();
  const run = { now: 0, clusters: ['hub'], unread: () => undefined, hasNamespace: () => true, isComplete: false };
  expect(rule.comparison?.conflicts(kept, run)).toEqual([]);
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

test('many thousand profiles do not take quadratic time, which would be half a minute', () => {
  expect(costOf(24_000)).toBeLessThan(8_000_000);
});
