/**
 * The simulation behind docs/scale.md, and that its tables are those of the parameters (if not: `npm run bench:scale --
 * --simulate`).
 */
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { type Fleet, type Parameters, simulate } from './scale/model.ts';
import { PAGE, PARAMETERS, pageOf } from './scale/page.ts';

const at: Parameters = {
  measured: 'never',
  startMs: 100,
  baseMiB: 80,
  cpuMsPerCluster: 10,
  cpuMsPerObject: 0,
  waitMsPerCluster: 90,
  waitMsPerObject: 0,
  kibPerObject: 1,
  kibPerCluster: 0,
  identityWrites: {},
};
const fleet: Fleet = { clusters: 20, objectsPerCluster: 100, parallel: 1, oneDeadIn: 0, timeoutMs: 1000 };

test.each<[title: string, fleet: Partial<Fleet>, wallSeconds: number]>([
  ['one after the other', {}, 2.1],
  ['side by side, while the processor is free', { parallel: 4 }, 0.6],
  ['never faster than the processor', { parallel: 20 }, 0.3],
  ['a dead cluster takes its time limit', { oneDeadIn: 20 }, 3],
  ['which holds up one reader of several', { oneDeadIn: 20, parallel: 20 }, 1.1],
])('%s', (_, differing, wallSeconds) => {
  expect(simulate({ ...fleet, ...differing }, at).wallSeconds).toBeCloseTo(wallSeconds, 1);
});

test('memory grows with the objects that are read', () => {
  const cost = (clusters: number) => simulate({ ...fleet, clusters }, at).memoryMiB;
  expect(cost(1024) - cost(0)).toBeCloseTo(100, 5);
});

test('the page has the tables of the parameters', () => {
  const page = readFileSync(PAGE, 'utf8');
  expect(page).toBe(pageOf(page, JSON.parse(readFileSync(PARAMETERS, 'utf8'))));
  expect(page.match(/<!-- table \w+ -->\n\n\|/g)).toHaveLength(5);
});
