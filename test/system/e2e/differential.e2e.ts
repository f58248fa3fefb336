/**
 * The webhook (`muster serve` over HTTPS), the fallback policies (Kubernetes' own evaluator) and `muster check` get the
 * same random updates of every API. They agree, or the difference is listed with its reason in
 * `differential/differences.ts`. `SEED=7` uses others.
 */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { dialects } from '../../../src/api/dialects.ts';
import { newFolder } from '../../support/folder.ts';
import { check } from './differential/check.ts';
import { type Counts, compare, describe as inWords, type Verdicts } from './differential/compare.ts';
import { differences } from './differential/differences.ts';
import { updateOf } from './differential/generate.ts';
import { type Policies, startPolicies } from './differential/policies.ts';
import { rare } from './differential/rare.ts';
import { groupedBy, type Update, versionOf } from './differential/update.ts';
import { startWebhooks, type Webhooks } from './differential/webhook.ts';
import { whyNoPolicyEvaluator } from './harness/assets.ts';
import { say } from './harness/index.ts';

const SEED = Number(process.env['SEED'] ?? 20_261_121);
const COUNT = 8_000;
/** Disagreements that are printed, one of each kind. */
const PRINTED = 5;

const reason = process.env['E2E'] === 'required' ? undefined : whyNoPolicyEvaluator();
const compared = reason === undefined ? test : test.skip;
if (reason !== undefined) say(`the differential test did not run: ${reason}`);

const folder = newFolder().path;
let policies: Policies;
let webhooks: Webhooks;
let updates: readonly Update[];
const counts: Counts = new Map();

beforeAll(async () => {
  if (reason !== undefined) return;
  policies = await startPolicies(folder);
  webhooks = await startWebhooks(folder);
  const now = Date.now();
  updates = [...Array.from({ length: COUNT }, (_, index) => updateOf(SEED, index, now)), ...rare];
});
afterAll(async () => {
  await policies?.stop();
  await webhooks?.stop();
});

async function evaluate(all: readonly Update[]): Promise<Verdicts[]> {
  const [webhook, policy] = await Promise.all([webhooks.evaluate(all), policies.evaluate(all)]);
  const checked = await check(all, folder);
  return all.map((_, index) => ({
    webhook: webhook[index] as Verdicts['webhook'],
    policies: policy[index] as Verdicts['policies'],
    check: checked[index],
  }));
}

compared(`webhook, policies and check agree on ${COUNT} random updates, or the difference is listed`, async () => {
  const verdicts = await evaluate(updates);
  const found = updates.flatMap((update, index) => compare(update, verdicts[index] as Verdicts, counts));
  const kinds = [...groupedBy(found, ({ side, about, by }) => `${side} ${about} ${by}`).values()];
  const texts = kinds
    .slice(0, PRINTED)
    .map((all) => `${all.length} times with SEED=${SEED}: ${all[0] && inWords(all[0].one)}`);
  expect(texts.join('\n\n')).toBe('');
});

compared('every listed difference occurs', () => {
  expect(differences.filter((one) => !counts.has(one)).map(({ side, ruleId, by }) => [side, ruleId, by])).toEqual([]);
});

test('docs/fallback-policies.md has every listed difference', () => {
  const document = readFileSync('docs/fallback-policies.md', 'utf8');
  expect(differences.filter((one) => !document.includes(one.ruleId) || !document.includes(one.reason))).toEqual([]);
});

compared('the updates are of every API, version and resource', () => {
  const kinds = groupedBy(updates, (update) => `${update.dialect.name} ${versionOf(update)} ${update.subresource}`);
  const expected = dialects.flatMap(({ name, versions, claim }) =>
    versions.flatMap((version) => (claim ? [''] : ['', 'status']).map((resource) => `${name} ${version} ${resource}`)),
  );
  expect([...kinds.keys()].sort()).toEqual(expected.sort());
  expect(Math.min(...[...kinds.values()].map(({ length }) => length))).toBeGreaterThan(COUNT / 50);
});
