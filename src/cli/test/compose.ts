/** Writes as a suite that somebody can read: objects once and by name, each test with what makes it. */
import { freeze } from '../../engine/index.ts';
import { same, textAt } from '../../rules/json.ts';
import type { Identity, Json, JsonObject } from '../../rules/rule.ts';
import { identityOf } from '../shared.ts';
import type { Decided } from './decide.ts';
import { patchBetween, patched } from './merge-patch.ts';
import { LONGEST_PATTERN } from './read-expect.ts';
import type { Recorded } from './recording.ts';
import { API_VERSION, KIND } from './suite.ts';

export interface Composition {
  /** As the suite names it. */
  readonly config: string | undefined;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly recorded: readonly Recorded[];
}

/** The suite as data. `expected` has what each test expects; without it, a word to begin with. */
export function compose({ config, now, recorded }: Composition, expected?: readonly Decided[]): JsonObject {
  const names = createNames();
  const user = userOf(recorded[0]?.subject.identity);
  const shared = recorded.every(({ subject }) => same(userOf(subject.identity), user)) ? user : undefined;
  const titles = new Map<string, number>();
  // Twice, so that an object has its name where it comes up first, too.
  for (const one of recorded) writeOf(one, names);
  const tests = recorded.map((one, index) => {
    const decided = expected?.[index];
    const own = shared === undefined ? userOf(one.subject.identity) : undefined;
    return {
      name: titleOf(one, titles),
      ...(own !== undefined && { user: own }),
      ...writeOf(one, names),
      expect: decided ? expectationOf(decided) : 'allowed',
    };
  });
  return freeze({
    apiVersion: API_VERSION,
    kind: KIND,
    ...(config !== undefined && { config }),
    defaults: { now: new Date(now).toISOString(), ...(shared !== undefined && { user: shared }) },
    ...(names.objects.size > 0 && { objects: Object.fromEntries(names.objects) }),
    tests,
  });
}

interface Names {
  readonly objects: ReadonlyMap<string, JsonObject>;
  /** The name of an object, which is kept under it. */
  of(object: JsonObject): string;
  /** The object itself, unless it has a name already. */
  orNamed(object: JsonObject): Json;
}

function createNames(): Names {
  const objects = new Map<string, JsonObject>();
  return {
    objects,
    orNamed: (object) => [...objects].find(([, known]) => same(known, object))?.[0] ?? object,
    of(object) {
      const base = nameOf(object);
      for (let count = 1; ; count++) {
        const name = count === 1 ? base : `${base} (${count})`;
        const known = objects.get(name);
        if (known !== undefined && !same(known, object)) continue;
        objects.set(name, object);
        return name;
      }
    },
  };
}

function nameOf(object: JsonObject): string {
  const namespace = textAt(object, ['metadata', 'namespace']);
  const name = textAt(object, ['metadata', 'name']) ?? '';
  return `${textAt(object, ['kind'])} ${namespace === undefined ? '' : `${namespace}/`}${name}`;
}

function titleOf({ subject }: Recorded, titles: Map<string, number>): string {
  const { operation, subresource, dialect, namespace, name } = subject;
  const object = `${dialect.kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`;
  const title = `${operation} ${subresource === '' ? '' : `${subresource} of `}${object}`;
  const count = (titles.get(title) ?? 0) + 1;
  titles.set(title, count);
  return count === 1 ? title : `${title} #${count}`;
}

function userOf(identity: Identity | undefined): JsonObject | undefined {
  if (identity === undefined) return undefined;
  const { username: name, groups } = identity;
  const own = groups.filter((group) => !identityOf(name).groups.includes(group));
  return { name, ...(own.length > 0 && { groups: own }) };
}

function writeOf({ subject, world, unlabelled }: Recorded, names: Names): JsonObject {
  const { operation, subresource, object, oldObject, dryRun } = subject;
  return {
    ...(world.length > 0 && { state: world.map((one) => names.of(one)) }),
    operation,
    ...(subresource !== '' && { subresource }),
    ...(dryRun && { dryRun }),
    ...(unlabelled && { mutate: false }),
    ...objectsOf(object, operation === 'DELETE' ? undefined : oldObject, names),
  };
}

function objectsOf(object: JsonObject, oldObject: JsonObject | undefined, names: Names): JsonObject {
  if (oldObject === undefined) return { object: names.orNamed(object) };
  const change = patchBetween(oldObject, object);
  const old = names.of(oldObject);
  const isPatch = sameExactly(patched(oldObject, change), object);
  return isPatch ? { oldObject: old, change } : { oldObject: old, object };
}

/** Members that are null count, unlike in a comparison of objects. */
function sameExactly(a: JsonObject, b: JsonObject): boolean {
  return Object.keys(patchBetween(a, b)).length === 0;
}

/** To the letter: a test that was recorded notices a warning more, or another word. */
function expectationOf({ verdict, rules, warnings, audits, code, message }: Decided): Json {
  const pattern = `^${message.split('\n').map(escaped).join('\\n')}$`;
  return {
    verdict,
    ...(rules.length > 0 && { rules }),
    ...(code !== undefined && { code }),
    warnings,
    ...(audits.length > 0 && { audits }),
    ...(message !== '' && pattern.length <= LONGEST_PATTERN && { message: pattern }),
  };
}

/** Whatever a regular expression would not take for itself. */
function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
