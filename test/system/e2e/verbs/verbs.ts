/** Every way in which kubectl writes, as data. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createPatch } from 'rfc6902';
import { configurationOf } from '../../../support/configuration.ts';
import { type ControlPlane, type Json, kubernetesMinor, type Outcome, runMuster } from '../harness/index.ts';
import { USERS } from '../harness/users.ts';
import { configuration, type Scenario, type Side } from './scenarios.ts';
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

type On = Verb['on'];
type More = Partial<Verb>;

/** kubectl with the whole object as a file on its standard input. */
function fromFile(on: On, args: string, more: More = {}): Verb {
  const run = ({ controlPlane, user, after }: Attempt) =>
    controlPlane.kubectl(user, [...args.split(' '), '-f', '-'], after);
  return { title: args, on, run, ...more };
}

function patch(on: On, type: 'merge' | 'json' | 'strategic', flags: readonly string[] = [], more: More = {}): Verb {
  const run = ({ controlPlane, user, target, before, change }: Attempt) => {
    const content = JSON.stringify(type === 'json' ? createPatch(before, merged(before, change)) : change);
    return controlPlane.kubectl(user, ['patch', ...target, `--type=${type}`, ...flags, '-p', content]);
  };
  return { title: ['patch', `--type=${type}`, ...flags].join(' '), on, run, ...more };
}

function remove(flags: readonly string[], more: More = {}): Verb {
  const run = ({ controlPlane, user, target }: Attempt) => controlPlane.kubectl(user, ['delete', ...target, ...flags]);
  return { title: ['delete', ...flags].join(' '), on: ['DELETE'], run, ...more };
}

const STATUS = '--subresource=status';
const DRY = '--dry-run=server';
const unsupported = /strategic-merge-patch\+json is not supported/;
const both: On = ['CREATE', 'UPDATE'];

export const verbs: readonly Verb[] = [
  fromFile(['CREATE'], 'create'),
  fromFile(['CREATE'], `create ${DRY}`, { dry: true }),
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
  fromFile(both, 'apply'),
  fromFile(both, `apply ${DRY}`, { dry: true }),
  fromFile(both, 'diff', { dry: true, code: 1 }),
  fromFile(both, 'apply --server-side --field-manager=e2e'),
  fromFile(both, 'apply --server-side --force-conflicts'),
  patch(['UPDATE'], 'merge'),
  patch(['UPDATE'], 'merge', [DRY], { dry: true }),
  patch(['UPDATE'], 'json'),
  patch(['UPDATE'], 'strategic', [], { unsupported }),
  fromFile(['UPDATE'], 'replace'),
  fromFile(['UPDATE'], 'replace --force', { recreates: true }),
  { title: 'edit', on: ['UPDATE'], run: edit() },
  patch(['STATUS'], 'merge', [STATUS]),
  patch(['STATUS'], 'json', [STATUS]),
  patch(['STATUS'], 'strategic', [STATUS], { unsupported }),
  ...(kubernetesMinor() < 32 ? [] : [fromFile(['STATUS'], `apply --server-side --force-conflicts ${STATUS}`)]),
  fromFile(['STATUS'], `replace ${STATUS}`),
  { title: `edit ${STATUS}`, on: ['STATUS'], run: edit(STATUS) },
  remove([]),
  remove([DRY], { dry: true }),
  remove(['--force', '--grace-period=0']),
  remove(['--cascade=orphan', '--wait=false']),
  fromFile(['DELETE'], 'delete'),
  {
    title: 'delete --all',
    on: ['DELETE'],
    run: ({ controlPlane, user, target: [kind = ''] }) =>
      controlPlane.kubectl(user, ['delete', kind, '--all', '--wait=false']),
  },
  {
    title: 'deletecollection',
    on: ['DELETE'],
    async run({ controlPlane, user, before }) {
      const path = (await controlPlane.pathOf(before)).replace(/\/[^/]+$/, '');
      return controlPlane.kubectl(user, ['delete', '--raw', path]);
    },
  },
];

/** `muster check --live` of the same files: it has to give the verdict of the API server. */
export const checks: readonly Verb[] = [
  check(both, '- --subresource none'),
  check(['STATUS'], '- --subresource status'),
  check(['DELETE'], '--deleted -'),
];

function check(on: On, args: string): Verb {
  return {
    title: `muster check --live ${args}`,
    on,
    dry: true,
    async run({ controlPlane, user, after }) {
      const { name, groups } = USERS[user as 'jane' | 'bob'];
      const as = ['--as', name, ...groups.flatMap((group) => ['--as-group', group])];
      const file = join(controlPlane.folder, 'configuration.json');
      writeFileSync(file, JSON.stringify(configurationOf(configuration)));
      const live = ['--live', '--kubeconfig', controlPlane.kubeconfig(user), '--config', file];
      const { code, stdout, stderr } = await runMuster(['check', ...args.split(' '), ...live, ...as], after);
      return { code, stdout, stderr: `${stdout}${stderr}` };
    },
  };
}

/**
 * The editor replaces the object with the changed one. Opened again after a refusal it changes nothing, and kubectl
 * gives up; the comments it was shown then are added to the outcome, since for 422 they hold the only reasons.
 */
function edit(...flags: string[]): Verb['run'] {
  return async ({ controlPlane, user, target, before, change }) => {
    const inFolder = (name: string) => join(controlPlane.folder, name);
    const wanted = inFolder('wanted.json');
    const shown = inFolder('shown.txt');
    const editor = inFolder('editor');
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
