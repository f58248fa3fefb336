/**
 * The model check of a Feature's life: every state that allowed writes reach, every write from each. A write is allowed
 * exactly if it breaks no sentence of the norm (feature-norm.ts), and On and Off can always be reached again.
 */
import { describe, expect, test } from '@jest/globals';
import { rules } from '../../../src/rules/index.ts';
import { explore } from './explore.ts';
import type { Enablement, Status } from './feature-norm.ts';
import { type Bounds, byEngine, byMachine, type Judge, systemOf } from './feature-system.ts';

const use = (version: string, enabled: Enablement) => ({ version, enabled });
const USES = [
  [],
  [use('1', 'Enabled')],
  [use('1', 'Disabled')],
  [use('1', 'Enabled'), use('2', 'Disabled')],
] as const satisfies readonly Status['uses'][];
const COMMAND_LINE = { source: 'CommandLine', default: 'Disabled' } as const;

/**
 * Tasks, uses, times and upgrades. It is twelve, when thirteen is to come, and then fifteen, when it is past and
 * sixteen is to come: without a time to come no use could be cleared any more.
 */
const life: Bounds = {
  names: ['A', 'B', 'C'],
  mostTasks: 3,
  uses: [USES[0], USES[3]],
  times: [undefined, 13, 16],
  clock: [12, 15],
  versions: ['1', '2'],
  configurations: [COMMAND_LINE],
  desired: [undefined],
};
/** Versions that appear and vanish, and what an upgrade may bring. */
const versions: Bounds = { ...life, uses: [[]], times: [undefined], clock: [12], versions: ['1', '2', undefined] };
/** All of it, small enough to go through the whole engine. */
const smallLife: Bounds = { ...life, names: ['A'], mostTasks: 2, uses: USES.slice(0, 3) };
/** Times alone, but more of them. */
const times: Bounds = { ...smallLife, mostTasks: 1, uses: [[]], times: [undefined, 10, 11, 13, 14], versions: ['1'] };
/** As little as a life takes. */
const bare: Bounds = { ...times, times: [undefined] };

/** The configured value: all sources, defaults and wishes; and whether the feature is there at all. */
const configured: Bounds = {
  names: ['A'],
  mostTasks: 2,
  uses: [[]],
  times: [undefined],
  clock: [12],
  versions: ['1'],
  configurations: (['Default', 'Dynamic'] as const).flatMap((source) =>
    (['Enabled', 'Disabled'] as const).flatMap((byDefault) =>
      (['Alpha', 'Unavailable'] as const).map((stability) => ({ source, default: byDefault, stability })),
    ),
  ),
  desired: [undefined, 'Enabled', 'Disabled'],
};

async function expectTheNorm(name: string, bounds: Bounds, judge: Judge): Promise<void> {
  const explored = await explore(systemOf(bounds, judge));
  process.stdout.write(
    `${name}: ${explored.states.length} states, ${explored.tried} writes tried, ${explored.allowed} allowed\n`,
  );
  expect(explored.wrong).toEqual([]);
  expect(new Set(explored.states.map(({ status }) => status.state)).size).toBe(5);
  expect(explored.deadEnds(({ status }) => status.state === 'On')).toEqual([]);
  expect(explored.deadEnds(({ status }) => status.state === 'Off')).toEqual([]);
}

/** A judge that asks the fast one, and sees to it that the other says the same of every so many writes. */
function checked(fast: ReturnType<typeof byMachine>, slow: Judge, every: number): Judge {
  let count = 0;
  return (from, to) => {
    const answer = fast(from, to);
    if (count++ % every !== 0) return answer;
    return Promise.resolve(slow(from, to)).then((other) => {
      if (other.allowed !== answer.allowed)
        throw new Error(`two answers: ${JSON.stringify({ from, to, answer, other })}`);
      return other;
    });
  };
}

describe('every reachable state and every write', () => {
  test.each<[string, Bounds]>([
    ['of a small life', smallLife],
    ['of versions that appear and vanish', versions],
    ['of many times', times],
    ['of the configured value', configured],
  ])('%s, through the engine', (name, bounds) => expectTheNorm(name, bounds, byEngine()), 120_000);

  test('of a life with three tasks, through the machine, and a sample through the engine', async () => {
    await expectTheNorm('life', life, checked(byMachine(), byEngine(), 211));
  });
});

describe('the check sees', () => {
  test.each<[string, Bounds, RegExp]>([
    ['feature/transition', bare, /keeps one$|^a feature goes round/m],
    ['feature/tasks-on-entry', bare, /^the server assembles the list/m],
    ['feature/tasks-in-order', smallLife, /^the (first|last) task comes off|^an upgrade/m],
    ['feature/completion', smallLife, /^On and Off have no tasks|^the last task/m],
    ['feature/uses-agree', smallLife, /^WaitForUses is complete/m],
    ['feature/evaluation-time', times, /^a time|^clients have until/m],
    ['feature/evaluation-time', { ...smallLife, mostTasks: 1, versions: ['1'] }, /time/m],
    ['feature/direction', configured, /^a transition heads/m],
    ['feature/evaluation-wait', times, /^a transition is not completed|^a time that is left over/m],
    ['feature/available', configured, /^a feature that does not exist/m],
  ])('that %s is missing', async (missing, bounds, sentence) => {
    const { wrong } = await explore(systemOf(bounds, byEngine(rules.filter(({ id }) => id !== missing))));
    expect(wrong.length).toBeGreaterThan(0);
    for (const { allowed, broken, unheeded } of wrong) {
      expect(allowed).toBe(true);
      expect([...broken, ...unheeded].join('\n')).toMatch(sentence);
    }
  });

  test('that a legal write is refused', async () => {
    const machine = byMachine();
    const stubborn: Judge = (from, to) => ({
      allowed: machine(from, to).allowed && !(from.status.state === 'TurningOn' && to.status.state === 'TurningOff'),
    });
    const { wrong } = await explore(systemOf(bare, stubborn));
    expect(wrong[0]).toMatchObject({ allowed: false, broken: [], to: { status: { state: 'TurningOff' } } });
  });

  test('a dead end', async () => {
    const machine = byMachine();
    const oneWay: Judge = (from, to) => ({
      allowed: machine(from, to).allowed && !(from.status.state === 'On' && to.status.state !== 'On'),
    });
    const explored = await explore(systemOf(bare, oneWay), Number.POSITIVE_INFINITY);
    expect(explored.deadEnds(({ status }) => status.state === 'On')).toEqual([]);
    const stuck = explored.deadEnds(({ status }) => status.state === 'Off');
    expect(stuck.length).toBeGreaterThan(0);
    expect(stuck.every(({ status }) => status.state === 'On')).toBe(true);
  });
});
