/** Composes the text of a suite from writes: each object once and by name, of each update what it changes. */
import { API_VERSION } from '../../config/schema.ts';
import { readDocuments } from '../../documents/index.ts';
import { freeze } from '../../engine/index.ts';
import { print } from '../../manifests/manifest.ts';
import { isObject, same, textAt } from '../../rules/json.ts';
import type { Identity, Json, JsonObject } from '../../rules/rule.ts';
import { identityOf } from '../shared.ts';
import type { Result } from './evaluate.ts';
import { patched } from './request.ts';
import { KIND, LONGEST_PATTERN } from './schema.ts';
import type { RecordedWrite } from './writes.ts';

export interface Composition {
  /** The configuration, as the suite names it. */
  readonly config: string | undefined;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly writes: readonly RecordedWrite[];
}

/** Returns the text of the suite. `results`: what each test expects; without them, a placeholder. */
export function composeSuite({ config, now, writes }: Composition, results?: readonly Result[]): string {
  const objects = createNamedObjects();
  const user = userOf(writes[0]?.subject.identity);
  const shared = writes.every(({ subject }) => same(userOf(subject.identity), user)) ? user : undefined;
  const titles = new Map<string, number>();
  // Twice, so that an object has its name where it is first used, too.
  for (const write of writes) requestOf(write, objects);
  const tests = writes.map((write, index) => {
    const own = shared === undefined ? userOf(write.subject.identity) : undefined;
    const result = results?.[index];
    return {
      name: titleOf(write, titles),
      ...(own !== undefined && { user: own }),
      ...requestOf(write, objects),
      expect: result ? expectationOf(result) : 'allowed',
    };
  });
  return printed(
    freeze({
      ...{ apiVersion: API_VERSION, kind: KIND },
      ...(config !== undefined && { config }),
      defaults: { now: new Date(now).toISOString(), ...(shared !== undefined && { user: shared }) },
      ...(objects.all.size > 0 && { objects: Object.fromEntries(objects.all) }),
      tests,
    }),
  );
}

interface NamedObjects {
  readonly all: ReadonlyMap<string, JsonObject>;
  /** Names an object and returns the name. */
  nameOf(object: JsonObject): string;
  /** Returns the object itself, unless it has a name already. */
  orName(object: JsonObject): Json;
}

function createNamedObjects(): NamedObjects {
  const all = new Map<string, JsonObject>();
  return {
    all,
    orName: (object) => [...all].find(([, known]) => same(known, object))?.[0] ?? object,
    nameOf(object) {
      const base = fullNameOf(textAt(object, ['kind']), object);
      for (let count = 1; ; count++) {
        const name = count === 1 ? base : `${base} (${count})`;
        const known = all.get(name);
        if (known !== undefined && !same(known, object)) continue;
        all.set(name, object);
        return name;
      }
    },
  };
}

function fullNameOf(kind: string | undefined, object: JsonObject): string {
  const namespace = textAt(object, ['metadata', 'namespace']);
  const name = textAt(object, ['metadata', 'name']) ?? '';
  return `${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`;
}

function titleOf({ subject }: RecordedWrite, titles: Map<string, number>): string {
  const { operation, subresource, dialect, namespace, name } = subject;
  const object = fullNameOf(dialect.kind, { metadata: { name, ...(namespace !== undefined && { namespace }) } });
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

function requestOf({ subject, state, unlabelled }: RecordedWrite, objects: NamedObjects): JsonObject {
  const { operation, subresource, object, oldObject, dryRun } = subject;
  return {
    ...(state.length > 0 && { state: state.map((one) => objects.nameOf(one)) }),
    operation,
    ...(subresource !== '' && { subresource }),
    ...(dryRun && { dryRun }),
    ...(unlabelled && { mutate: false }),
    ...writtenOf(object, operation === 'DELETE' ? undefined : oldObject, objects),
  };
}

function writtenOf(object: JsonObject, oldObject: JsonObject | undefined, objects: NamedObjects): JsonObject {
  if (oldObject === undefined) return { object: objects.orName(object) };
  const change = patchBetween(oldObject, object);
  const old = objects.nameOf(oldObject);
  // A merge patch can't set a member to null.
  const isPatch = Object.keys(patchBetween(patched(oldObject, change), object)).length === 0;
  return isPatch ? { oldObject: old, change } : { oldObject: old, object };
}

/** Returns the smallest merge patch from one object to another. */
function patchBetween(before: JsonObject, after: JsonObject): JsonObject {
  const changes: [string, Json][] = [];
  for (const key of Object.keys(before)) if (!Object.hasOwn(after, key)) changes.push([key, null]);
  for (const [key, value] of Object.entries(after)) {
    const old = Object.hasOwn(before, key) ? before[key] : undefined;
    if (!isObject(value) || !isObject(old)) {
      if (JSON.stringify(value) !== JSON.stringify(old)) changes.push([key, value]);
      continue;
    }
    const inner = patchBetween(old, value);
    if (Object.keys(inner).length > 0) changes.push([key, inner]);
  }
  return Object.fromEntries(changes);
}

/** Expects exactly this result: the test notices one more warning, or another word. */
function expectationOf({ verdict, rules, warnings, audits, code, message }: Result): Json {
  const escaped = message.split('\n').map((line) => line.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  const pattern = `^${escaped.join('\\n')}$`;
  return {
    verdict,
    ...(rules.length > 0 && { rules }),
    ...(code !== undefined && { code }),
    warnings,
    ...(audits.length > 0 && { audits }),
    ...(message !== '' && pattern.length <= LONGEST_PATTERN && { message: pattern }),
  };
}

const HEAD =
  '# Written by muster test --record: the results at that time. Change it as you like; muster test runs it.\n';

/** Prints YAML, or JSON where YAML would not be read back the same: line breaks that only YAML 1.1 has, for example. */
function printed(suite: JsonObject): string {
  const yaml = HEAD + print(suite);
  const { documents, errors } = readDocuments(yaml, '');
  if (errors.length === 0 && JSON.stringify(documents[0]?.value) === JSON.stringify(suite)) return yaml;
  const json = JSON.stringify(suite, null, 2).replace(/(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (char) =>
    Array.from({ length: char.length }, (_, at) => `\\u${char.charCodeAt(at).toString(16).padStart(4, '0')}`).join(''),
  );
  return `${json}\n`;
}
