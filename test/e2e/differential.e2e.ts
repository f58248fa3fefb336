/**
 * The webhook (`muster serve` over HTTPS), the fallback policies (Kubernetes' own evaluator) and `muster check` on the same random
 * updates of every API. They agree, or the difference is listed with its reason in `differential/differences.ts`. A run takes
 * another walk with `SEED=7`.
 */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { dialects } from '../../src/api/dialects.ts';
import { askApiServer, differs } from './differential/api-server.ts';
import { type Counts, compare, type Disagreement, describe as inWords } from './differential/compare.ts';
import { type Difference, differences } from './differential/differences.ts';
import { groupedBy } from './differential/each.ts';
import { type Evaluators, startEvaluators } from './differential/evaluate.ts';
import { updateOf } from './differential/generate.ts';
import { rare } from './differential/rare.ts';
import { ratcheting } from './differential/ratcheting.ts';
import { isReordered } from './differential/reordered.ts';
import { shrunk } from './differential/shrink.ts';
import { type Update, versionOf } from './differential/update.ts';
import { startFloor } from './floor/world.ts';
import { whyNoPolicyEvaluator } from './harness/assets.ts';
import { say } from './harness/index.ts';

const SEED = Number(process.env['SEED'] ?? 20_261_121);
const COUNT = 20_000;
/** Of each kind of disagreement one is made smaller and shown. */
const SHOWN = 5;

/** Without Go, and on a machine that need not run all tests, there is nothing to compare with. */
const reason = process.env['E2E'] === 'required' ? undefined : whyNoPolicyEvaluator();
const compared = reason === undefined ? test : test.skip;
if (reason !== undefined) say(`the differential test did not run: ${reason}`);

let evaluators: Evaluators;
let updates: readonly Update[];
const counts: Counts = new Map();

beforeAll(async () => {
  if (reason !== undefined) return;
  evaluators = await startEvaluators();
  const now = Date.now();
  updates = [...Array.from({ length: COUNT }, (_, index) => updateOf(SEED, index, now)), ...rare];
});
afterAll(() => evaluators?.stop());

compared(
  `${COUNT} random updates: webhook, policies and check agree, or the difference is listed`,
  async () => {
    const verdicts = await evaluators.judge(updates);
    const found = updates.flatMap((update, index) => compare(update, verdicts[index] as never, counts));
    expect(await shown(found)).toBe('');
  },
  600_000,
);

/** One of each kind, the smallest that was found. */
async function shown(found: readonly Disagreement[]): Promise<string> {
  const kinds = [...groupedBy(found, ({ side, about, by }) => `${side} ${about} ${by}`).values()];
  const texts: string[] = kinds.slice(SHOWN).map((all) => `${all[0]?.one.about}: ${all.length} more`);
  for (const all of kinds.slice(0, SHOWN)) {
    const smallest = all[0] && (await shrunk(all[0].one, evaluators));
    if (smallest) texts.push(`${all.length} times, with SEED=${SEED}. ${inWords(smallest)}`);
  }
  return texts.join('\n\n');
}

compared('every listed difference is met: none is out of date', () => {
  const lines = differences.map(
    (one) => `${String(counts.get(one) ?? 0).padStart(6)}  ${one.side}: ${one.ruleId}: ${one.reason}`,
  );
  say(['listed differences from the webhook, and how often they were met:', ...lines].join('\n'));
  expect(differences.filter((one) => !counts.has(one)).map(({ side, ruleId, by }) => [side, ruleId, by])).toEqual([]);
});

test('docs/floor.md has every listed difference', () => {
  const document = readFileSync('docs/floor.md', 'utf8');
  const isThere = ({ ruleId, reason }: Difference) => document.includes(ruleId) && document.includes(reason);
  expect(differences.filter((one) => !isThere(one))).toEqual([]);
});

compared('the updates are of every API, version and resource, and reorder lists', () => {
  const kinds = groupedBy(updates, (update) => `${update.dialect.name} ${versionOf(update)} ${update.subresource}`);
  const expected = dialects.flatMap(({ name, versions, claim }) =>
    versions.flatMap((version) => (claim ? [''] : ['', 'status']).map((resource) => `${name} ${version} ${resource}`)),
  );
  expect([...kinds.keys()].sort()).toEqual(expected.sort());
  expect(Math.min(...[...kinds.values()].map(({ length }) => length))).toBeGreaterThan(COUNT / 50);
  expect(updates.filter(isReordered).length).toBeGreaterThan(COUNT / 20);
});

compared.each(ratcheting)('what a stored object has already is let pass: $what', async ({ updates: writes }) => {
  const verdicts = await evaluators.judge(writes);
  const outcomes = verdicts.map(({ webhook, policies, check }) =>
    [webhook, policies, check].map((one) => [...(one?.found ?? [])]),
  );
  expect(outcomes).toEqual(writes.map(() => [[], [], []]));
});

compared(
  'the API server says of a sample what the evaluator says',
  async () => {
    const controlPlane = await startFloor('own');
    try {
      const sample = updates.filter(({ world }) => world !== 'configured').slice(0, 500);
      const asked = await askApiServer(controlPlane, sample);
      const answers = await evaluators.policies.ask(sample);
      const pairs = sample.flatMap((update, index) => {
        const [one, other] = [asked[index], answers[index]];
        return one === undefined || other === undefined ? [] : [{ update, text: differs(one, other), one }];
      });
      const wrong = pairs.flatMap(({ update, text }) =>
        text === undefined ? [] : [`${text}\n  ${JSON.stringify(update)}`],
      );
      expect(wrong.slice(0, 3)).toEqual([]);
      expect(pairs.length).toBeGreaterThan(300);
      expect(pairs.filter(({ one }) => one.code >= 400).length).toBeGreaterThan(50);
    } finally {
      await controlPlane.stop();
    }
  },
  300_000,
);
