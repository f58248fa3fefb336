/**
 * Traces of the model of the locks, step by step before a real API server: the faults that it finds, and the longest
 * runs of the real code.
 */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { loadCode } from '../model/lock/code.ts';
import type { Figures } from '../model/lock/figures.ts';
import { type ControlPlane, grantAccess, printedBy, register, startControlPlane } from './harness/index.ts';
import { type Replayer, startReplayer } from './races/replay.ts';
import { REPLAYED, RUNS, type Traces } from './races/traces.ts';

let controlPlane: ControlPlane;
let replayer: Replayer;
let traces: Traces;

beforeAll(async () => {
  const users = { eve: { name: 'eve', groups: ['e2e:editors'] } };
  [controlPlane, traces] = await Promise.all([
    startControlPlane({ users }),
    printedBy<Traces>('test/system/e2e/races/traces.ts'),
  ]);
  await grantAccess(controlPlane);
  replayer = await startReplayer(controlPlane);
  await register(controlPlane, replayer, { only: ['claims', 'membership-deletions'], timeoutSeconds: 30 });
});
afterAll(async () => {
  replayer?.close();
  await controlPlane?.stop();
});

const figures: Figures = JSON.parse(readFileSync('test/system/model/lock/figures.json', 'utf8'));

test.each(REPLAYED.map((fault) => [fault.name, fault] as const))('fault: %s', async (name, { form, edits, breaks }) => {
  const { violation, traces: [trace = []] = [] } = traces[name] ?? {};
  expect(violation?.invariant).toBe(breaks);
  expect(trace.length - 1).toBe(figures.faults.find((fault) => fault.name === name)?.steps);
  const code = await loadCode(edits);
  const { setting, bounds } = form;
  const { probe } = violation ?? {};
  expect(await replayer.run({ code, setting, clock: bounds.clock, trace, ...(probe && { probe }) })).toEqual([]);
});

test.each(RUNS.map((form) => [form.name, form] as const))('longest run: %s', async (name, { setting, bounds }) => {
  const { violation, traces: longest = [] } = traces[name] ?? {};
  expect([violation, longest.length > 0]).toEqual([undefined, true]);
  const code = await loadCode();
  for (const trace of longest) expect(await replayer.run({ code, setting, clock: bounds.clock, trace })).toEqual([]);
});
