/**
 * The steps that scenarios are made of: writes of the tools with what is expected of them, and looks at what is stored.
 */
import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MANAGER_LABEL } from '../../../../src/api/labels.ts';
import { type Json, until } from '../harness/index.ts';
import type { FieldUser } from './cluster.ts';
import type { Field, Job, Result } from './field.ts';
import { id, membership, otherId } from './objects.ts';

export interface Step {
  /** It prepares what is stored, while muster is up. */
  readonly before?: true;
  run(field: Field): Promise<void>;
}

/** One run of a tool; `file` ends a write that repeats. */
export type Write = (field: Field, file?: string) => Promise<Result>;

/** `{field}` in arguments and objects is the name of the scenario, and of its namespace. */
export const kubectl =
  (user: FieldUser, args: string, ...objects: readonly Json[]): Write =>
  (field) =>
    field.kubectl(user, args, objects);
export const helm =
  (version: 3 | 4, args: string, ...objects: readonly Json[]): Write =>
  (field) =>
    field.helm(version, args, objects);
export const writes =
  (user: FieldUser, write: string, objects: Json | readonly Json[], more: Partial<Job> = {}): Write =>
  (field, file) =>
    field.write(user, { ...more, write, objects: [objects].flat() }, file);

export interface Expected {
  /** Their uid, spec and status stay. */
  readonly keeps?: readonly Json[];
  /** Their uid and status stay. */
  readonly updates?: readonly Json[];
  /** They are deleted and created anew. */
  readonly recreates?: readonly Json[];
  /** A warning of this rule; null: there is no warning. */
  readonly warns?: string | null;
  /** The writes, each by its name or the first word of it. */
  readonly steps?: readonly string[];
}

export function passes(write: Write, expected: Expected = {}): Step {
  return step(async (field) => {
    const result = await performed(field, write, expected);
    assert.ok(result.ok, result.text);
  });
}

/** The error contains the text. Its code is 403, which no tool takes for a reason to delete and create. */
export function refuses(
  write: Write,
  text: string,
  { code = 403, ...expected }: Expected & { code?: number } = {},
): Step {
  return step(async (field) => {
    const result = await performed(field, write, expected);
    assert.ok(!result.ok && result.text.includes(text), `not refused with ${text}: ${result.text}`);
    if (result.code !== undefined) assert.equal(result.code, code);
  });
}

/** Another id of a member is refused, and the id stays. */
export const refusesOtherId = (write: Write, expected: Expected = {}) =>
  refuses(write, 'claim/id-immutable-in-clusterset', { keeps: [id], ...expected });

/** The webhook has `failurePolicy: Fail`, and there is no replica. */
export const fails = (write: Write, expected: Expected = {}) =>
  refuses(write, 'failed calling webhook', { ...expected, code: 500 });

export const before = (...steps: readonly Step[]): Step => ({ ...step(inOrder(steps)), before: true });

/** Stores objects as the administrator, with their status. */
export const store = (...objects: readonly Json[]): Step =>
  step(async (field) => {
    for (const object of objects) await field.store(object);
  });
export const joined = store(id, membership);

export const has = (object: Json, part: Json): Step =>
  step(async (field) => assert.partialDeepStrictEqual(await field.stored(object), field.fill(part)));
export const hasOtherId = has(id, { spec: otherId.spec });
export const hasLabel = (object: Json, part: Json = {}, manager = 'fleet') =>
  has(object, { ...part, metadata: { labels: { [MANAGER_LABEL]: manager } } });
export const lacks = (object: Json, ...path: readonly string[]): Step =>
  step(async (field) => {
    const found = path.reduce((value, key) => value?.[key], await field.stored(object));
    assert.equal(found, undefined);
  });
export const isGone = (...objects: readonly Json[]): Step =>
  step(async (field) => {
    for (const object of objects) assert.equal(await field.read(object), undefined);
  });

/** Waits until objects are gone. */
export const goes = (...objects: readonly Json[]): Step =>
  step(async (field) => {
    for (const object of objects)
      await until(`${object.kind} to be gone`, async () => (await field.read(object)) === undefined);
  });

/** Repeats a write before, while and after one replica replaces another; each passes. */
export function during(write: Write): Step {
  return passes(async (field) => {
    const end = join(field.home, 'until');
    const writing = write(field, end);
    writing.catch(() => {}); // reported below
    try {
      await until('the first round of writes', async () => existsSync(`${end}.begun`));
      await field.cluster.replace();
    } finally {
      writeFileSync(end, '');
    }
    return writing;
  });
}

/** Repeats steps before, while and after one replica replaces another. */
export function throughout(steps: (round: number) => readonly Step[]): Step {
  return step(async (field) => {
    await inOrder(steps(1))(field);
    let isReplaced = false;
    const replacing = field.cluster.replace().finally(() => {
      isReplaced = true;
    });
    for (let round = 2, isLast = false; !isLast; round++) {
      isLast = isReplaced;
      await inOrder(steps(round))(field);
    }
    await replacing;
  });
}

/** Runs steps while one replica replaces another. */
export const whileReplaced = (...steps: readonly Step[]): Step =>
  step(async (field) => {
    await Promise.all([field.cluster.replace(), inOrder(steps)(field)]);
  });

export function step(run: Step['run']): Step {
  return { run };
}

function inOrder(steps: readonly Step[]): Step['run'] {
  return async (field) => {
    for (const { run } of steps) await run(field);
  };
}

async function performed(field: Field, write: Write, expected: Expected): Promise<Result> {
  const { keeps = [], updates = [], recreates = [], warns, steps } = expected;
  const watched = [...keeps, ...updates, ...recreates];
  const stored = () => Promise.all(watched.map((object) => field.stored(object)));
  const earlier = await stored();
  const result = await write(field);
  const later = await stored();
  for (const [index, object] of watched.entries()) {
    const old = earlier[index];
    const now = later[index];
    const isSame = old.metadata.uid === now.metadata.uid;
    assert.equal(isSame, !recreates.includes(object), `${result.text}: deleted and created anew: ${!isSame}`);
    if (isSame) assert.deepEqual(now.status, old.status, 'its status was lost');
    if (keeps.includes(object)) assert.deepEqual(now.spec, old.spec, 'its spec changed');
  }
  if (warns !== undefined) assert.ok(warns === null ? result.warnings === '' : result.warnings.includes(warns));
  if (steps !== undefined) {
    const found = result.steps.map((name, index) => (name.startsWith(`${steps[index]} `) ? steps[index] : name));
    assert.deepEqual(found, steps, result.text);
  }
  return result;
}
