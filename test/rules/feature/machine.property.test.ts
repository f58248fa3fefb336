/** What holds of every write of a Feature's status, whatever stands in it. Through the engine, with every rule. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { feature as dialect } from '../../../src/api/dialects.ts';
import { createEngine, type Engine, freeze, type Verdict } from '../../../src/engine/index.ts';
import { rules } from '../../../src/rules/index.ts';
import type { Json, JsonObject } from '../../../src/rules/rule.ts';
import { feature } from '../bases.ts';
import { NOW, viewOf } from '../rule-tester.ts';

/** The rules that read the machine: at most one of them speaks. */
const MACHINE = ['transition', 'tasks-on-entry', 'tasks-in-order', 'completion', 'uses-agree', 'evaluation-time'].map(
  (name) => `feature/${name}`,
);
const noon = Date.parse(NOW);

interface Write {
  readonly stored: JsonObject;
  readonly written: JsonObject;
  readonly desired: Json;
}

/** Values that a status plausibly holds, and some that it should not. */
const states = ['Off', 'TurningOn', 'On', 'TurningOff'];
const times = [-3600, -5, 0, 5, 6, 3600, 7200].map((seconds) => new Date(noon + seconds * 1000).toISOString());
const task = fc.constantFrom('A', 'B', 'WaitForUses');
const use = fc.record({
  version: fc.constantFrom('1', '2'),
  enabled: fc.constantFrom('Enabled', 'Disabled'),
  reportTime: fc.constant('2026-05-01T00:00:00Z'),
});
const good = {
  state: fc.constantFrom(...states),
  transitionTasks: fc.oneof(
    fc.array(task, { maxLength: 3 }),
    fc.constantFrom<Json[]>(['WaitForUses'], ['A', 'WaitForUses'], [], ['A', 'B', 'WaitForUses']),
  ),
  uses: fc.array(use, { maxLength: 2 }),
  useEvaluationTime: fc.constantFrom(...times),
  version: fc.constantFrom('1', '2', ''),
  default: fc.constantFrom('Enabled', 'Disabled'),
  source: fc.constantFrom('Default', 'CommandLine', 'Dynamic'),
};
const odd = fc.constantFrom<Json>(null, true, 7, '', 'x', [], ['x'], [null], {}, { state: 'On' });
const sometimesOdd = <T extends Json>(value: fc.Arbitrary<T>): fc.Arbitrary<Json> =>
  fc.oneof({ weight: 12, arbitrary: value as fc.Arbitrary<Json> }, { weight: 1, arbitrary: odd });

const goodStatus = fc.record(good, { requiredKeys: [] }) as fc.Arbitrary<JsonObject>;
const oddStatus = fc.record(
  Object.fromEntries(Object.entries(good).map(([key, value]) => [key, sometimesOdd(value as fc.Arbitrary<Json>)])),
  { requiredKeys: [] },
) as fc.Arbitrary<JsonObject>;
const desired = fc.constantFrom<Json>(null, 'Enabled', 'Disabled');

/** Half of the writes change a few members of what is stored; the others have nothing to do with it. */
const writesOf = (status: fc.Arbitrary<JsonObject>): fc.Arbitrary<Write> =>
  fc.record({ stored: status, other: status, keep: fc.boolean(), desired }).map(({ stored, other, keep, desired }) => ({
    stored,
    written: keep ? { ...stored, ...other } : other,
    desired,
  }));
const goodWrites = writesOf(goodStatus);
const anyWrites = fc.oneof(writesOf(oddStatus), goodWrites);
const json = fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.parse(JSON.stringify(value)) as Json);

const engines = new Map<number, ReturnType<typeof createEngine>>();
function engineAt(now: number) {
  const engine = engines.get(now) ?? createEngine({ point: 'webhook', clock: () => now, catalogue: rules });
  engines.set(now, engine);
  return engine;
}

async function judge(stored: Json, written: Json, wanted: Json = null, now = noon): Promise<Verdict> {
  return askFor(engineAt(now), stored, written, wanted);
}

async function askFor(engine: Engine, stored: Json, written: Json, wanted: Json = null): Promise<Verdict> {
  const object = (status: Json) => freeze({ ...feature, spec: { desired: wanted }, status });
  const subject = {
    dialect,
    version: 'v1alpha1',
    operation: 'UPDATE',
    subresource: 'status',
    object: object(written),
    oldObject: object(stored),
    name: 'fastlane',
    namespace: 'kube-system',
    identity: undefined,
    dryRun: false,
  } as const;
  return engine.evaluate(subject, viewOf('unknown'));
}

/** Rules and places of the findings. */
const said = ({ findings }: Verdict) => findings.map(({ ruleId, field }) => `${ruleId} ${field}`);
const ofMachine = (verdict: Verdict) => said(verdict).filter((line) => MACHINE.some((id) => line.startsWith(`${id} `)));
const judged = (write: Write, now = noon) => judge(write.stored, write.written, write.desired, now);

/** The same write, with each status (and the configured value) seen in another way. */
const seen = (write: Write, view: (status: JsonObject) => JsonObject): Write => ({
  ...write,
  stored: view(write.stored),
  written: view(write.written),
});

async function saysTheSame(writes: fc.Arbitrary<Write>, other: (write: Write) => Write, now = noon): Promise<void> {
  await fc.assert(
    fc.asyncProperty(writes, async (write) => {
      expect(said(await judged(other(write), now))).toEqual(said(await judged(write)));
    }),
    { numRuns: 400 },
  );
}

describe('any write of a status', () => {
  test('is judged without a crash, with one finding of the machine at most', async () => {
    const pairs = fc.oneof(
      anyWrites,
      fc.record({ stored: json, written: json, desired: json }) as unknown as fc.Arbitrary<Write>,
      fc.record({ stored: oddStatus, written: json, desired: json }) as unknown as fc.Arbitrary<Write>,
    );
    await fc.assert(
      fc.asyncProperty(pairs, async (write) => {
        const verdict = await judged(write);
        expect(verdict.crashes).toEqual([]);
        expect(verdict.indeterminate).toEqual([]);
        expect(ofMachine(verdict).length).toBeLessThanOrEqual(1);
      }),
      { numRuns: 1000 },
    );
  });

  test('that changes nothing is allowed, whatever is stored', async () => {
    const later = fc.integer({ min: -1e10, max: 1e10 });
    await fc.assert(
      fc.asyncProperty(fc.oneof(oddStatus, json), desired, later, async (status, wanted, after) => {
        expect(said(await judge(status, structuredClone(status) as Json, wanted, noon + after))).toEqual([]);
      }),
      { numRuns: 1000 },
    );
  });

  test('that changes other members than those of the life changes nothing', async () => {
    const other = fc.record({ stability: fc.constantFrom('Alpha', 'GA'), phase: json });
    await fc.assert(
      fc.asyncProperty(oddStatus, other, async (status, more) => {
        expect(said(await judge(status, { ...status, ...more }))).toEqual([]);
      }),
    );
  });

  test('to a state that was there stays legal, and so do uses and later times', async () => {
    const waiting = fc.record({ state: good.state, transitionTasks: good.transitionTasks, uses: good.uses });
    const next = fc.record({
      uses: good.uses,
      useEvaluationTime: fc.constantFrom(...times.filter((time) => Date.parse(time) > noon)),
    });
    await fc.assert(
      fc.asyncProperty(waiting, next, async (stored, more) => {
        const double = new Set(more.uses.map(({ version, enabled }) => version + enabled)).size < more.uses.length;
        expect(ofMachine(await judge(stored, { ...stored, ...more }))).toEqual([]);
        if (!double) expect(said(await judge(stored, { ...stored, ...more }))).toEqual([]);
      }),
    );
  });
});

describe('the verdict does not depend on', () => {
  test('the order of members', () =>
    saysTheSame(anyWrites, (write) => seen(write, (status) => Object.fromEntries(Object.entries(status).reverse()))));

  test('null or absent', async () => {
    const empty = Object.fromEntries(Object.keys(good).map((key) => [key, null]));
    await saysTheSame(anyWrites, (write) => seen(write, (status) => ({ ...empty, ...status })));
    await saysTheSame(anyWrites, (write) => ({
      ...seen(write, (status) => Object.fromEntries(Object.entries(status).filter(([, value]) => value !== null))),
    }));
    await saysTheSame(anyWrites, (write) => ({ ...write, stored: { ...empty, ...write.stored } }));
  });

  test('the zone a time is written in', async () => {
    const zones = [
      ['+14:00', 14],
      ['-11:00', -11],
      ['+00:00', 0],
    ] as const;
    for (const [suffix, hours] of zones)
      await saysTheSame(goodWrites, (write) => ({
        ...write,
        written: inZone(write.written, suffix, hours),
      }));
  });

  test('when it is: clock and times may move together', async () => {
    const shift = 86_400_000 * 1000;
    const moved = (status: JsonObject) => withTime(status, (ms) => new Date(ms + shift).toISOString());
    await saysTheSame(goodWrites, (write) => seen(write, moved), noon + shift);
  });

  test('the names of tasks, WaitForUses apart', () => {
    const names: Readonly<Record<string, string>> = { A: 'B', B: '', WaitForUses: 'WaitForUses' };
    return saysTheSame(goodWrites, (write) => seen(write, (status) => renamed(status, names)));
  });

  test('the names of versions', () => {
    const names: Readonly<Record<string, string>> = { '1': 'one', '2': '1' };
    return saysTheSame(goodWrites, (write) =>
      seen(write, (status) => ({
        ...status,
        ...('version' in status ? { version: names[String(status['version'])] ?? '' } : {}),
      })),
    );
  });

  test('which way is on: all that is said of On is said of Off', () => {
    const mirror: Readonly<Record<string, string>> = {
      On: 'Off',
      Off: 'On',
      TurningOn: 'TurningOff',
      TurningOff: 'TurningOn',
      Enabled: 'Disabled',
      Disabled: 'Enabled',
    };
    const mirrored = (value: Json): Json =>
      JSON.parse(JSON.stringify(value), (_, member) =>
        typeof member === 'string' ? (mirror[member] ?? member) : member,
      );
    return saysTheSame(goodWrites, (write) => mirrored(write as unknown as Json) as unknown as Write);
  });
});

describe('the machine and the direction do not mix', () => {
  const configuration = fc.record({ source: good.source, default: good.default });

  test('the machine does not see the configuration', () =>
    fc.assert(
      fc.asyncProperty(goodWrites, configuration, configuration, desired, async (write, before, after, wanted) => {
        const other = {
          stored: { ...write.stored, ...before },
          written: { ...write.written, ...after },
          desired: wanted,
        };
        expect(ofMachine(await judged(other))).toEqual(ofMachine(await judged(write)));
      }),
      { numRuns: 400 },
    ));

  test('the direction does not see tasks, uses, times and versions', () =>
    fc.assert(
      fc.asyncProperty(goodWrites, goodStatus, goodStatus, async (write, before, after) => {
        const ofDirection = (verdict: Verdict) => said(verdict).filter((line) => line.startsWith('feature/direction '));
        const other = { ...write, stored: mixed(write.stored, before), written: mixed(write.written, after) };
        expect(ofDirection(await judged(other))).toEqual(ofDirection(await judged(write)));
      }),
      { numRuns: 400 },
    ));
});

/** One step of a walk: how the next write differs from what is stored, and how much later it comes. */
interface Move {
  readonly state: string | undefined;
  readonly tasks: 'stay' | 'first' | 'two' | 'none' | readonly string[];
  readonly uses: 'stay' | 'clear' | 'first' | JsonObject;
  /** Seconds from now; null takes the time away. */
  readonly time: 'stay' | number | null;
  readonly version: 'stay' | string | null;
  readonly seconds: number;
}

const move: fc.Arbitrary<Move> = fc.record({
  state: fc.option(fc.constantFrom(...states), { nil: undefined, freq: 2 }),
  tasks: fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom('stay' as const, 'first' as const, 'none' as const) },
    { weight: 1, arbitrary: fc.constant('two' as const) },
    {
      weight: 3,
      arbitrary: fc.constantFrom<readonly string[]>(['WaitForUses'], ['A', 'WaitForUses'], ['B', 'A', 'WaitForUses']),
    },
    { weight: 1, arbitrary: fc.array(task, { maxLength: 3 }) },
  ),
  uses: fc.oneof(
    { weight: 4, arbitrary: fc.constant('stay' as const) },
    { weight: 3, arbitrary: fc.constantFrom('clear' as const, 'first' as const) },
    { weight: 1, arbitrary: use as fc.Arbitrary<JsonObject> },
  ),
  time: fc.oneof(
    { weight: 4, arbitrary: fc.constant('stay' as const) },
    { weight: 1, arbitrary: fc.constant(null) },
    { weight: 2, arbitrary: fc.constantFrom(-3600, -6, -4, 4, 60, 7200) },
  ),
  version: fc.oneof(
    { weight: 6, arbitrary: fc.constant('stay' as const) },
    { weight: 1, arbitrary: fc.constantFrom<string | null>('1', '2', '', null) },
  ),
  seconds: fc.constantFrom(0, 1, 30, 3600, 86_400),
});

/** A status as the walks have it. */
interface Place {
  readonly state: string | undefined;
  readonly transitionTasks: readonly string[];
  readonly uses: readonly JsonObject[];
  readonly useEvaluationTime: string | null;
  readonly version: string | null;
}

/** What happened since a transition was entered, as far as it binds what may follow. */
interface Transition {
  readonly state: string | undefined;
  /** The list that the entry or an upgrade brought, and how many of it are done. */
  readonly plan: readonly string[];
  readonly done: number;
  /** The latest time that the clients were given. */
  readonly promised: number;
}

type Happened = Record<'completed' | 'reversed' | 'cleared' | 'upgraded' | 'done', number>;

const SKEW = 5000;
const isTurning = (state: string | undefined) => state === 'TurningOn' || state === 'TurningOff';
const timeOf = ({ useEvaluationTime }: Place) =>
  useEvaluationTime === null ? Number.NEGATIVE_INFINITY : Date.parse(useEvaluationTime);
const keysOf = ({ uses }: Place) => uses.map(({ version, enabled }) => `${version} ${enabled}`);
const isFrom = (plan: readonly string[], done: number, tasks: readonly string[]) =>
  JSON.stringify(plan.slice(done)) === JSON.stringify(tasks);

/** Follows the moves whose writes are allowed, and yields what no such walk may lead to. */
async function* walk(moves: readonly Move[], catalogue = rules, happened?: Happened): AsyncGenerator<string> {
  let now = noon;
  let place: Place = { state: undefined, transitionTasks: [], uses: [], useEvaluationTime: null, version: '1' };
  let transition: Transition | undefined;
  const engine = createEngine({ point: 'webhook', clock: () => now, catalogue });
  for (const one of moves) {
    now += one.seconds * 1000;
    const next = moved(place, one, now);
    if ((await askFor(engine, place as unknown as Json, next as unknown as Json)).outcome !== 'allowed') continue;
    if (happened) count(happened, place, next);
    yield* wrongWith(next);
    yield* wrongStep(place, next, transition, now);
    transition = isTurning(next.state) ? after(transition, place, next) : undefined;
    place = next;
  }
}

function moved(place: Place, { state, tasks, uses, time, version }: Move, now: number): Place {
  const list = { stay: 0, first: 1, two: 2, none: 99 };
  const left = { stay: 0, first: 1, clear: 99 };
  return {
    state: state ?? place.state,
    transitionTasks: typeof tasks === 'string' ? place.transitionTasks.slice(list[tasks]) : tasks,
    uses: typeof uses === 'string' ? place.uses.slice(left[uses]) : withUse(place.uses, uses),
    useEvaluationTime: timeAfter(place.useEvaluationTime, time, now),
    version: version === 'stay' ? place.version : version,
  };
}

function withUse(uses: readonly JsonObject[], one: JsonObject): readonly JsonObject[] {
  const others = uses.filter(({ version, enabled }) => version !== one['version'] || enabled !== one['enabled']);
  return [...others, one];
}

function timeAfter(stored: string | null, time: Move['time'], now: number): string | null {
  if (time === 'stay') return stored;
  return time === null ? null : new Date(now + time * 1000).toISOString();
}

function count(happened: Happened, before: Place, next: Place): void {
  const was = isTurning(before.state);
  const is = isTurning(next.state);
  if (was && !is) happened.completed++;
  if (was && is && before.state !== next.state) happened.reversed++;
  if (is && keysOf(before).some((key) => !keysOf(next).includes(key))) happened.cleared++;
  if (was && isUpgrade(before, next) && before.state === next.state) happened.upgraded++;
  if (was && before.state === next.state && next.transitionTasks.length < before.transitionTasks.length)
    happened.done++;
}

const isUpgrade = (before: Place, next: Place) =>
  Boolean(before.version) && Boolean(next.version) && before.version !== next.version;

/** What is wrong with a status that a walk comes to. */
function* wrongWith({ state, transitionTasks: tasks }: Place): Generator<string> {
  if (!isTurning(state)) {
    if (state !== undefined && tasks.length > 0) yield `${state} with the tasks ${tasks}`;
    return;
  }
  if (tasks.at(-1) !== 'WaitForUses') yield `${state} and the last task is no wait: ${tasks}`;
  if (tasks.slice(0, -1).includes('WaitForUses')) yield `${state} with a wait before the end: ${tasks}`;
}

/** What is wrong with a step of a walk, in the light of those before it. */
function* wrongStep(before: Place, next: Place, transition: Transition | undefined, now: number): Generator<string> {
  const round = ['Off', 'TurningOn', 'On', 'TurningOff'];
  const turns = isTurning(before.state) && isTurning(next.state);
  const steps = (round.indexOf(next.state ?? '') - round.indexOf(before.state ?? '') + 4) % 4;
  if (before.state !== undefined && !turns && steps > 1) yield `from ${before.state} to ${next.state}`;
  const removed = keysOf(before).filter((key) => !keysOf(next).includes(key));
  if (isTurning(next.state) && removed.length > 0 && timeOf(next) <= Math.max(timeOf(before), now - SKEW))
    yield `${removed} is removed without a later time`;
  if (transition === undefined || (turns && before.state !== next.state)) return;
  if (next.state === before.state) yield* skipped(transition, before, next);
  else yield* tooEarly(transition, before, next, now);
}

function* skipped({ plan, done }: Transition, before: Place, next: Place): Generator<string> {
  const tasks = next.transitionTasks;
  if (!isUpgrade(before, next) && !isFrom(plan, done, tasks) && !isFrom(plan, done + 1, tasks))
    yield `of ${plan} ${done} were done, and ${tasks} are left`;
}

function* tooEarly(
  { state, plan, done, promised }: Transition,
  before: Place,
  next: Place,
  now: number,
): Generator<string> {
  if (done !== plan.length - 1) yield `completed when of ${plan} ${done} were done`;
  if (now + SKEW < promised) yield 'completed before the clients had the time they were promised';
  const old = state === 'TurningOn' ? 'Disabled' : 'Enabled';
  if ([...before.uses, ...next.uses].some(({ enabled }) => enabled === old)) yield `completed while ${old} is reported`;
}

function after(transition: Transition | undefined, before: Place, next: Place): Transition {
  const tasks = next.transitionTasks;
  const promised = timeOf(next);
  if (transition === undefined || before.state !== next.state)
    return { state: next.state, plan: tasks, done: 0, promised };
  const latest = Math.max(promised, transition.promised);
  const goesOn = [0, 1].find((more) => isFrom(transition.plan, transition.done + more, tasks));
  if (goesOn === undefined) return { state: next.state, plan: tasks, done: 0, promised: latest };
  return { ...transition, done: transition.done + goesOn, promised: latest };
}

describe('along any walk of allowed writes', () => {
  const walks = fc.array(move, { minLength: 20, maxLength: 60 });

  test('no task is skipped, no wait cut short, and no old value overlooked', async () => {
    const happened: Happened = { completed: 0, reversed: 0, cleared: 0, upgraded: 0, done: 0 };
    await fc.assert(
      fc.asyncProperty(walks, async (moves) => {
        for await (const wrong of walk(moves, rules, happened)) throw new Error(wrong);
      }),
      { numRuns: 400 },
    );
    // The walks come by all that they are about.
    for (const times of Object.values(happened)) expect(times).toBeGreaterThan(20);
  });

  test.each<[string, RegExp]>([
    ['feature/transition', /^from /],
    ['feature/tasks-on-entry', /the last task is no wait|a wait before the end/],
    ['feature/tasks-in-order', /were done, and|the last task is no wait/],
    ['feature/completion', /^completed when|with the tasks/],
    ['feature/uses-agree', /is reported$/],
    ['feature/evaluation-time', /without a later time|promised/],
  ])('it is seen that %s is missing', async (missing, sentence) => {
    const others = rules.filter(({ id }) => id !== missing);
    const seen = new Set<string>();
    for (const moves of fc.sample(walks, 400))
      for await (const wrong of walk(moves, others)) {
        seen.add(wrong);
        break;
      }
    expect([...seen].filter((wrong) => sentence.test(wrong))).not.toEqual([]);
  });
});

/** The state and the configuration of the one, all else of the other. */
function mixed(status: JsonObject, rest: JsonObject): JsonObject {
  const own = Object.entries(status).filter(([key]) => ['state', 'source', 'default'].includes(key));
  const others = Object.entries(rest).filter(([key]) => !['state', 'source', 'default'].includes(key));
  return Object.fromEntries([...others, ...own]);
}

function withTime(status: JsonObject, spell: (ms: number) => string): JsonObject {
  const time = status['useEvaluationTime'];
  return typeof time === 'string' ? { ...status, useEvaluationTime: spell(Date.parse(time)) } : status;
}

function inZone(status: JsonObject, suffix: string, hours: number): JsonObject {
  return withTime(status, (ms) => new Date(ms + hours * 3_600_000).toISOString().replace('Z', suffix));
}

function renamed(status: JsonObject, names: Readonly<Record<string, string>>): JsonObject {
  const tasks = status['transitionTasks'];
  return Array.isArray(tasks) ? { ...status, transitionTasks: tasks.map((name) => names[name] ?? name) } : status;
}
