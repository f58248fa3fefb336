/** The mixture that the benchmark sends: muster's answer to each is as expected, with every rule on. */
import { expect, test } from '@jest/globals';
import { dialects } from '../../../../src/api/dialects.ts';
import { createFilesView } from '../../../../src/cluster/files/index.ts';
import { loadConfiguration } from '../../../../src/config/load.ts';
import { createEngine } from '../../../../src/engine/index.ts';
import { OPERATIONS, planOf } from '../../../../src/engine/plan.ts';
import { readAdmissionReview } from '../../../../src/engine/review.ts';
import { ruleIds } from '../../../../src/rules/index.ts';
import { REVIEW_BYTES, reviewText, UID_MARK } from './review.ts';
import { scenarios } from './scenarios.ts';

const CONFIG = new URL('./every-rule.yaml', import.meta.url).pathname;
const { policy } = await loadConfiguration(CONFIG, ruleIds, Date.now());
const engine = createEngine({ policy, point: 'webhook' });
const cluster = createFilesView({ state: [], known: dialects });

test.each(scenarios.map((scenario) => [scenario.name, scenario] as const))('%s', async (_, scenario) => {
  const reading = readAdmissionReview(JSON.parse(reviewText(scenario)));
  if (reading.kind !== 'evaluate') throw new Error(`not evaluated: ${JSON.stringify(reading)}`);
  const { outcome, findings, indeterminate } = await engine.evaluate(reading.subject, cluster);
  const warned = findings.some(({ action }) => action === 'warn');
  const messages = findings.map(({ ruleId, message }) => `${ruleId}: ${message}`);
  expect({ messages, outcome, warned, indeterminate }).toEqual({
    messages: expect.any(Array),
    outcome: scenario.allowed ? 'allowed' : 'denied',
    warned: scenario.warned ?? false,
    indeterminate: [],
  });
});

test('each is as large as a real one, and has one uid', () => {
  const texts = scenarios.map(reviewText);
  const sizes = texts.map((text) => Buffer.byteLength(text));
  const mean = sizes.reduce((sum, size) => sum + size, 0) / sizes.length;
  expect(Math.min(...sizes)).toBeGreaterThan(REVIEW_BYTES - 50);
  expect(mean).toBeLessThan(REVIEW_BYTES * 1.15);
  for (const text of texts) expect(text.split(UID_MARK)).toHaveLength(2);
});

test('every kind of write is among them, and each verdict', () => {
  const some = (holds: (each: (typeof scenarios)[number]) => boolean) => scenarios.filter(holds).length;
  expect(some(({ allowed }) => !allowed) / scenarios.length).toBeGreaterThan(0.2);
  expect(some(({ warned }) => warned === true)).toBeGreaterThanOrEqual(3);
  for (const operation of OPERATIONS) expect(some((each) => each.operation === operation)).toBeGreaterThanOrEqual(3);
});

test('every rule of the catalogue is evaluated somewhere', () => {
  const plan = planOf(policy, 'webhook');
  const evaluated = dialects.flatMap(({ name }) =>
    OPERATIONS.flatMap((operation) => Object.values(plan[name][operation]).flat()),
  );
  expect(new Set(evaluated.map(({ rule }) => rule.id))).toEqual(new Set(ruleIds));
});
