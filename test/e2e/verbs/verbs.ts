/** Every way in which kubectl writes, as data. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ControlPlane, Json, Outcome } from '../harness/index.ts';
import type { Scenario, Side } from './scenarios.ts';
import type { State } from './state.ts';

export interface Attempt {
  readonly controlPlane: ControlPlane;
  readonly user: string;
  /** `kind.group`, as kubectl takes it, the name, and `-n` if there is a namespace. */
  readonly target: readonly string[];
  /** As stored before; undefined for a create. */
  readonly before: Json;
  /** The whole object as a person would have it in a file. */
  readonly after: Json;
  /** What changes, as a merge patch. */
  readonly change: Json;
}

export interface Verb {
  readonly title: string;
  readonly on: readonly Scenario['on'][];
  /** Stores nothing, allowed or not. */
  readonly dry?: true;
  /** Deletes and creates. */
  readonly recreates?: true;
  /** The error of the API server, which does not support the verb for these kinds. */
  readonly unsupported?: RegExp;
  /** The API server chooses the name. */
  readonly generates?: true;
  /** The exit code of an allowed write, where it is not 0. */
  readonly code?: number;
  run(attempt: Attempt): Promise<Outcome>;
}

type Arguments = (attempt: Attempt) => readonly string[];

function fromFile(title: string, on: Verb['on'], args: readonly string[], more: Partial<Verb> = {}): Verb {
  const run = ({ controlPlane, user, after }: Attempt) => controlPlane.kubectl(user, [...args, '-f', '-'], after);
  return { title, on, run, ...more };
}

function command(title: string, on: Verb['on'], args: Arguments, more: Partial<Verb> = {}): Verb {
  return { title, on, run: (attempt) => attempt.controlPlane.kubectl(attempt.user, args(attempt)), ...more };
}

function patch(
  type: 'merge' | 'json' | 'strategic',
  content: (attempt: Attempt) => unknown,
  ...flags: string[]
): Arguments {
  return (attempt) => ['patch', ...attempt.target, `--type=${type}`, ...flags, '-p', JSON.stringify(content(attempt))];
}

const STATUS = '--subresource=status';
const noStrategic = /strategic-merge-patch\+json is not supported/;
const merge = ({ change }: Attempt) => change;
const operations = ({ before, change }: Attempt) => operationsOf(before, change);

export const verbs: readonly Verb[] = [
  fromFile('create', ['CREATE'], ['create']),
  fromFile('create --dry-run=server', ['CREATE'], ['create', '--dry-run=server'], { dry: true }),
  {
    title: 'create, generateName',
    on: ['CREATE'],
    generates: true,
    run: ({ controlPlane, user, after }) => {
      const { name, ...metadata } = after.metadata;
      const generated = { ...after, metadata: { ...metadata, generateName: `${name}-` } };
      return controlPlane.kubectl(user, ['create', '-f', '-'], generated);
    },
  },
  fromFile('apply', ['CREATE', 'UPDATE'], ['apply']),
  fromFile('apply --dry-run=server', ['CREATE', 'UPDATE'], ['apply', '--dry-run=server'], { dry: true }),
  fromFile('diff', ['CREATE', 'UPDATE'], ['diff'], { dry: true, code: 1 }),
  fromFile('apply --server-side', ['CREATE', 'UPDATE'], ['apply', '--server-side', '--field-manager=e2e']),
  fromFile(
    'apply --server-side --force-conflicts',
    ['CREATE', 'UPDATE'],
    ['apply', '--server-side', '--force-conflicts'],
  ),
  command('patch --type=merge', ['UPDATE'], patch('merge', merge)),
  command('patch --type=merge --dry-run=server', ['UPDATE'], patch('merge', merge, '--dry-run=server'), { dry: true }),
  command('patch --type=json', ['UPDATE'], patch('json', operations)),
  command('patch --type=strategic', ['UPDATE'], patch('strategic', merge), { unsupported: noStrategic }),
  fromFile('replace', ['UPDATE'], ['replace']),
  fromFile('replace --force', ['UPDATE'], ['replace', '--force'], { recreates: true }),
  { title: 'edit', on: ['UPDATE'], run: edit() },
  command(`patch --type=merge ${STATUS}`, ['STATUS'], patch('merge', merge, STATUS)),
  command(`patch --type=json ${STATUS}`, ['STATUS'], patch('json', operations, STATUS)),
  command(`patch --type=strategic ${STATUS}`, ['STATUS'], patch('strategic', merge, STATUS), {
    unsupported: noStrategic,
  }),
  fromFile(`apply --server-side ${STATUS}`, ['STATUS'], ['apply', '--server-side', '--force-conflicts', STATUS]),
  fromFile(`replace ${STATUS}`, ['STATUS'], ['replace', STATUS]),
  { title: `edit ${STATUS}`, on: ['STATUS'], run: edit(STATUS) },
  command('delete', ['DELETE'], ({ target }) => ['delete', ...target]),
  command('delete --dry-run=server', ['DELETE'], ({ target }) => ['delete', ...target, '--dry-run=server'], {
    dry: true,
  }),
  command('delete --force --grace-period=0', ['DELETE'], ({ target }) => [
    'delete',
    ...target,
    '--force',
    '--grace-period=0',
  ]),
  command('delete --cascade=orphan', ['DELETE'], ({ target }) => [
    'delete',
    ...target,
    '--cascade=orphan',
    '--wait=false',
  ]),
  fromFile('delete -f', ['DELETE'], ['delete']),
  command('delete --all', ['DELETE'], ({ target: [kind = ''] }) => ['delete', kind, '--all', '--wait=false']),
  {
    title: 'deletecollection',
    on: ['DELETE'],
    async run({ controlPlane, user, before }) {
      const path = (await controlPlane.pathOf(before)).replace(/\/[^/]+$/, '');
      return controlPlane.kubectl(user, ['delete', '--raw', path]);
    },
  },
];

/**
 * The editor replaces the object with the changed one. Opened again after a refusal it changes nothing, and kubectl gives up; the
 * comments it was shown then are added to the outcome, since for 422 they hold the only reasons.
 */
function edit(...flags: string[]): Verb['run'] {
  return async ({ controlPlane, user, target, before, change }) => {
    const inFolder = (name: string) => join(controlPlane.folder, name);
    const [wanted, shown, editor] = [inFolder('wanted.json'), inFolder('shown.txt'), inFolder('editor')];
    writeFileSync(wanted, JSON.stringify(merged(before, change)));
    writeFileSync(shown, '');
    writeFileSync(editor, `#!/bin/sh\ngrep '^#' "$1" >> '${shown}'\ncp '${wanted}' "$1"\n`, { mode: 0o755 });
    const outcome = await controlPlane.kubectl(user, ['edit', ...target, ...flags], undefined, { KUBE_EDITOR: editor });
    return { ...outcome, stderr: `${outcome.stderr}${readFileSync(shown, 'utf8')}` };
  };
}

/** Returns whether a verb applies to a scenario. A generated name is never one that a rule is about. */
export function fits({ on, generates }: Verb, scenario: Scenario): boolean {
  return on.includes(scenario.on) && !(generates && scenario.byName);
}

/** Stores the objects of one side of a scenario, and returns what a verb needs. */
export async function prepare(controlPlane: ControlPlane, state: State, side: Side): Promise<Attempt> {
  const { user = 'jane', stored = [], write } = side;
  await state.reset(stored);
  const last = stored.at(-1);
  const before = last === undefined ? undefined : await state.read(last);
  const after = before === undefined ? write : merged(fileOf(before), write ?? {});
  const { kind, apiVersion, metadata } = after;
  const namespace = metadata.namespace === undefined ? [] : ['-n', metadata.namespace];
  const target = [`${kind}.${apiVersion.split('/').reverse().join('.')}`, metadata.name, ...namespace];
  return { controlPlane, user, target, before, after, change: write };
}

/** An object without what the API server adds. */
function fileOf({ metadata, ...rest }: Json): Json {
  const { name, namespace, labels, finalizers } = metadata;
  return JSON.parse(JSON.stringify({ ...rest, metadata: { name, namespace, labels, finalizers } }));
}

/** An object after a merge patch (RFC 7396) that deletes nothing. */
function merged(object: Json, change: Json): Json {
  if (typeof change !== 'object' || change === null || Array.isArray(change)) return change;
  const entries = Object.entries(change).map(([key, wanted]) => [key, merged(object?.[key] ?? {}, wanted)]);
  return { ...object, ...Object.fromEntries(entries) };
}

/** A merge patch as JSON Patch. */
function operationsOf(before: Json, change: Json, path = ''): Json[] {
  return Object.entries(change as Record<string, Json>).flatMap(([key, wanted]) => {
    const at = `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    const isBranch = typeof wanted === 'object' && wanted !== null && !Array.isArray(wanted);
    if (isBranch && before?.[key] !== undefined) return operationsOf(before[key], wanted, at);
    return [{ op: 'add', path: at, value: wanted }];
  });
}
