import { expect, test } from '@jest/globals';
import { Ajv } from 'ajv';
import fc from 'fast-check';
import type { Json } from '../../../src/base/json.ts';
import { policyOf } from '../../../src/config/policy.ts';
import { configurationSchema } from '../../../src/config/schema.ts';
import { publishedSchema } from '../../../src/schema/schema.ts';
import { damagedConfiguration, validConfiguration } from '../../support/arbitrary-config.ts';
import { configurationOf } from '../../support/configuration.ts';

const RULES = new Set(['claim/value', 'inventory/version', 'feature/shape']);
const NOW = Date.UTC(2026, 5, 1);
const matchesSchema = new Ajv({ strict: true, strictRequired: true }).compile(
  publishedSchema('MusterConfiguration', configurationSchema),
);

/** Without the members that are null: those count as absent, which a schema can't say. */
function withoutNull(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutNull);
  if (typeof value !== 'object' || value === null) return value;
  const given = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(given.map(([key, member]) => [key, withoutNull(member)]));
}

test('what is right is accepted, by the reader and by the schema', () => {
  fc.assert(
    fc.property(validConfiguration, (configuration) => {
      expect(policyOf(configuration, RULES, NOW).problems).toEqual([]);
      expect([matchesSchema(configuration), matchesSchema.errors]).toEqual([true, null]);
    }),
    { numRuns: 200 },
  );
});

test('what the schema refuses, the reader refuses', () => {
  let refused = 0;
  fc.assert(
    fc.property(damagedConfiguration, (configuration) => {
      if (matchesSchema(withoutNull(configuration))) return;
      refused++;
      expect(policyOf(configuration, RULES, NOW).policy).toBeUndefined();
    }),
    { numRuns: 1000 },
  );
  expect(refused).toBeGreaterThan(100);
});

test('a file of nothing but slips is evaluated soon (a plain distance between all words took 20 s)', () => {
  const slips = Object.fromEntries(
    Array.from({ length: 1000 }, (_, i) => [`claim/valu${'e'.repeat(i % 70)}${i}`, 'dney']),
  );
  const ids = new Set(Array.from({ length: 50 }, (_, i) => `claim/${'value'.repeat(8)}${i}`));
  const begin = process.cpuUsage();
  const { problems } = policyOf(configurationOf({ rules: slips }), ids, NOW);
  expect(problems.length).toBe(2000);
  expect(process.cpuUsage(begin).user / 1000).toBeLessThan(5000);
});
