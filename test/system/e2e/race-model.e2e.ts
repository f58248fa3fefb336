/**
 * Traces of the model of the locks, step by step before a real API server: the faults that it finds, and the longest
 * runs of the real code.
 */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { loadCode } from '../model/lock/code.ts';
import { FAULTS } from '../model/lock/faults.ts';
import type { Figures } from '../model/lock/figures.ts';
import { EXPIRY, formOf } from '../model/lock/forms.ts';
import { createReviewer } from '../model/lock/reviewer.ts';
import { search } from '../model/lock/search.ts';
import { traceTo } from '../model/lock/trace.ts';
import { type ControlPlane, grantAccess, register, startControlPlane } from './harness/index.ts';
import { type Replayer, startReplayer } from './races/replay.ts';

let controlPlane: ControlPlane;
let replayer: Replayer;

beforeAll(async () => {
  controlPlane = await startControlPlane({ users: { eve: { name: 'eve', groups: ['e2e:editors'] } } });
  await grantAccess(controlPlane);
  replayer = await startReplayer(controlPlane);
  await register(controlPlane, replayer, { only: ['claims', 'membership-deletions'], timeoutSeconds: 30 });
});
afterAll(async () => {
  replayer?.close();
  await controlPlane?.stop();
});

const figures: Figures = JSON.parse(readFileSync('test/system/model/lock/figures.json', 'utf8'));

/** Without those whose search takes minutes. */
const replayed = FAULTS.filter(({ isLong, notReplayed }) => !isLong && notReplayed === undefined);

test.each(replayed.map((fault) => [fault.name, fault] as const))('fault: %s', async (name, { form, edits, breaks }) => {
  const code = await loadCode(edits);
  const { setting, bounds, initial } = form;
  const reviewer = createReviewer(code, setting);
  const { violation, table } = await search({ initial, reviewer, bounds });
  expect(violation?.invariant).toBe(breaks);
  if (violation === undefined) return;
  const { index, probe } = violation;
  const trace = await traceTo(table, index, { initial, reviewer, bounds });
  expect(trace.length - 1).toBe(figures.faults.find((fault) => fault.name === name)?.steps);
  expect(await replayer.run({ code, setting, clock: bounds.clock, trace, ...(probe && { probe }) })).toEqual([]);
});

/** Each begins with what its longest runs begin with. */
const RUNS = [
  formOf({ name: 'races', start: 2 }),
  formOf({ name: 'races for an id with two names', start: 2, twoNames: true, begin: [{ newer: 'a' }] }),
  formOf({ name: 'a lost answer', start: 2, lost: 1, begin: [{ newer: 'a' }] }),
  formOf({ name: 'time', start: 2, clock: EXPIRY, begin: [{ newer: 'a', finalizer: 'id' }] }),
  // A test can't bring about a crash of the API server in the middle of some requests.
  formOf({
    name: 'a crash of muster',
    start: 2,
    crash: 1,
    servers: 'lasting',
    begin: [{ newer: 'a', finalizer: 'id' }],
  }),
  formOf({ name: 'a repeated request', start: 1, writers: 2, retry: 1 }),
];

test.each(RUNS.map((form) => [form.name, form] as const))(
  'longest run: %s',
  async (_, { setting, bounds, initial }) => {
    const code = await loadCode();
    const reviewer = createReviewer(code, setting);
    const { violation, table, farthest } = await search({ initial, reviewer, bounds });
    expect(violation).toBeUndefined();
    const options = { initial, reviewer, bounds };
    for (const index of farthest) {
      const trace = await traceTo(table, index, options);
      expect(await replayer.run({ code, setting, clock: bounds.clock, trace })).toEqual([]);
    }
  },
);
