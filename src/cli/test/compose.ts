/** Composes the text of a suite from writes: each object once, by a name. */

import { type Json, type JsonObject, same, textAt } from '../../base/json.ts';
import { API_VERSION } from '../../config/schema.ts';
import { readDocuments } from '../../documents/index.ts';
import { print } from '../../manifests/manifest.ts';
import type { Identity, Subject } from '../../rules/rule.ts';
import { escapedJson } from '../output/json.ts';
import { identityOf } from '../shared.ts';
import type { Result } from './evaluate.ts';
import { KIND, LONGEST_PATTERN } from './schema.ts';

/** A write as the validating webhook would see it. */
export interface RecordedWrite {
  readonly subject: Subject;
  /** The objects of its dialect that exist; no rule reads others. */
  readonly state: readonly JsonObject[];
}

export interface Composition {
  /** The configuration, as the suite names it. */
  readonly config: string | undefined;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly writes: readonly RecordedWrite[];
}

/** Returns the text of the suite. `results`: what each test expects; without them, a placeholder. */
export function composeSuite({ config, now, writes }: Composition, results?: readonly Result[]): string {
  const objects = new Map<string, JsonObject>();
  const titles = new Map<string, string>();
  const tests = writes.map(({ subject, state }, index) => {
    const { operation, subresource, object, oldObject, dryRun, identity } = subject;
    const result = results?.[index];
    return {
      name: unique(titleOf(subject), titles, String(index)),
      ...(identity && { user: userOf(identity) }),
      ...(state.length > 0 && { state: state.map((one) => nameFor(one, objects)) }),
      operation,
      ...(subresource !== '' && { subresource }),
      ...(dryRun && { dryRun }),
      ...(oldObject && operation !== 'DELETE' && { oldObject: nameFor(oldObject, objects) }),
      object: nameFor(object, objects),
      expect: result ? expectationOf(result) : 'allowed',
    };
  });
  return printed({
    ...{ apiVersion: API_VERSION, kind: KIND },
    ...(config !== undefined && { config }),
    // A recorded write is what the mutating webhook left.
    defaults: { now: new Date(now).toISOString(), mutate: false },
    objects: Object.fromEntries(objects),
    tests,
  });
}

/** Returns the name of an object in the suite; a new one if it has none yet. */
function nameFor(object: JsonObject, objects: Map<string, JsonObject>): string {
  const namespace = textAt(object, ['metadata', 'namespace']);
  return unique(titled(textAt(object, ['kind']), namespace, textAt(object, ['metadata', 'name'])), objects, object);
}

function titleOf({ operation, subresource, dialect, namespace, name }: Subject): string {
  return `${operation} ${subresource === '' ? '' : `${subresource} of `}${titled(dialect.kind, namespace, name)}`;
}

function titled(kind: string | undefined, namespace: string | undefined, name = ''): string {
  return `${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`;
}

/** Stores a value by its title, or by the title with a number if that is taken; returns the key. */
function unique<T extends Json>(title: string, known: Map<string, T>, value: T): string {
  for (let count = 1; ; count++) {
    const key = count === 1 ? title : `${title} (${count})`;
    if (known.has(key) && !same(known.get(key), value)) continue;
    known.set(key, value);
    return key;
  }
}

function userOf({ username: name, groups }: Identity): JsonObject {
  const own = groups.filter((group) => !identityOf(name).groups.includes(group));
  return { name, ...(own.length > 0 && { groups: own }) };
}

/** Expects exactly this result: the test notices one more warning, or another word. */
function expectationOf({ verdict, rules, warnings, audits, code, message }: Result): JsonObject {
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
function printed(suite: object): string {
  const yaml = HEAD + print(suite);
  const { documents, errors } = readDocuments(yaml, '');
  if (errors.length === 0 && JSON.stringify(documents[0]?.value) === JSON.stringify(suite)) return yaml;
  return `${escapedJson(JSON.stringify(suite, null, 2))}\n`;
}
