/** Strangers flood muster with everything but writes: the API server's own calls go on, and muster stays small. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { NODE_OPTIONS } from '../../support/chart.ts';
import { type Guarded, startGuarded } from '../e2e/harness/index.ts';
import { byForm, limitMs, record } from './figures.ts';
import { ATTACKS, type AttackName } from './flood/floods.ts';
import { during, type Outcome, textOf } from './flood/phase.ts';

/** Of the printed Deployment. */
const MEMORY_LIMIT_MIB = 512;
/** Far fewer than the connections that the flood asks for: whoever holds more holds what it is sent. */
const DESCRIPTOR_LIMIT = 2000;
/** Of the webhooks. The short form runs on whatever machine, which can be slow enough without a flood. */
const timeoutSeconds = byForm<number | 'printed'>(15, 'printed');
/** Of 99 % of the API server's calls, by a bound of its histogram. */
const SECONDS_OF_A_CALL = byForm(10, 1);
const RECOVERED_WITHIN_MS = limitMs(10_000);

const ELSEWHERE = Array.from({ length: 8 }, (_, n) => `127.0.0.${n + 2}`);
const HERE = ['127.0.0.1'];
const NAMES = Object.keys(ATTACKS) as AttackName[];
/** The short form has the others in "several at once" only. */
const ALONE = byForm(
  NAMES.filter((name) => !['half-open', 'storm', 'slow-head', 'garbage'].includes(name)),
  NAMES,
);
/** But for those that are a flood of work: of two cores they leave none to the API server. */
const TOGETHER: readonly AttackName[] = ['idle', 'half-open', 'slow-head', 'slow-body', 'garbage'];
const SECONDS = byForm(2.5, 20);

let setup: Guarded;

beforeAll(async () => {
  setup = await startGuarded({ registration: { timeoutSeconds }, muster: { env: { NODE_OPTIONS } } });
});
afterAll(() => setup?.stop());

test('without a flood', async () => {
  const outcome = await during(setup, { floods: [], from: [], seconds: SECONDS });
  record('flood', 'no flood', textOf(outcome));
  holds(outcome);
});

describe('from other addresses', () => {
  test.each(ALONE)('%s', (name) => one(name, ELSEWHERE, 'from other addresses'));

  test('several at once', async () => {
    holds(await several(ELSEWHERE, 'from other addresses'));
  });
});

describe("from the API server's own address", () => {
  for (const name of byForm([], NAMES)) test(name, () => one(name, HERE, "from the API server's own address"));

  // Whoever shares its address shares its turns: how late its calls are then is measured, not bounded
  // (docs/security.md, "What is open").
  test('several at once: late, and nothing worse', async () => {
    bounded(await several(HERE, "from the API server's own address (measured, without a bound on time)"));
  });
});

async function several(from: readonly string[], where: string): Promise<Outcome> {
  const seconds = byForm(5, 30);
  const outcome = await during(setup, { floods: TOGETHER, from, seconds });
  record('flood', `${TOGETHER.join(', ')}: all at once, ${where}`, textOf(outcome));
  return outcome;
}

async function one(name: AttackName, from: readonly string[], where: string): Promise<void> {
  const { title, count } = ATTACKS[name];
  const outcome = await during(setup, { floods: [name], from, seconds: SECONDS });
  record('flood', `${title}, ${where}`, textOf(outcome));
  expect(outcome.counts[0]?.tried).toBeGreaterThanOrEqual(count);
  holds(outcome);
}

function holds(outcome: Outcome): void {
  expect(outcome.writes).toMatchObject({ failed: 0, leaked: 0, causes: '' });
  expect(outcome.p99).toBeLessThanOrEqual(SECONDS_OF_A_CALL);
  bounded(outcome);
}

/** Nothing forbidden was admitted, muster stayed small, and it was well again soon. */
function bounded({ writes, after, memory, descriptors, recoveredMs }: Outcome): void {
  expect(writes).toMatchObject({ leaked: 0 });
  expect(after).toMatchObject({ failed: 0, leaked: 0, causes: '' });
  expect(memory).toBeLessThan(MEMORY_LIMIT_MIB);
  expect(descriptors).toBeLessThan(DESCRIPTOR_LIMIT);
  expect(recoveredMs).toBeLessThan(RECOVERED_WITHIN_MS);
}
