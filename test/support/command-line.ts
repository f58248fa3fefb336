/** Objects and processes for tests of the command line. */
import { spawn } from 'node:child_process';
import type { JsonObject } from '../../src/base/json.ts';
import type { CheckRun } from '../../src/cli/check/run.ts';
import type { CheckResult } from '../../src/report/report.ts';
import { MAIN } from './main.ts';
import { claim, feature as featureOf, inventory, labelled, managed, property } from './objects.ts';

/** Noon, the first of June 2026. */
export const NOW = Date.UTC(2026, 5, 1, 12);

export { claim, property };

/** An InventoryCluster with its label, changed by `more`. */
export function cluster(name: string, more: JsonObject = {}): JsonObject {
  return inventory(name, { ...managed('depot'), ...more }, labelled('depot'));
}

/** A Feature of kube-system with this status. */
export function feature(name: string, status: JsonObject): JsonObject {
  const base = { class: 'kube-system', name, default: 'Disabled', source: 'CommandLine', version: '1.0.0' };
  return featureOf(name, { spec: {}, status: { ...base, ...status } }, { namespace: 'kube-system' });
}

/** JSON is YAML, so this serves as either; one object to a line. */
export function yaml(...objects: readonly JsonObject[]): string {
  return objects.map((object) => `---\n${JSON.stringify(object)}\n`).join('');
}

/** A run with these options. */
export function run(options: Partial<CheckRun>): CheckRun {
  return {
    paths: [],
    deleted: [],
    state: undefined,
    identity: undefined,
    subresource: undefined,
    failOnNoMatch: false,
    // Notes on a missing previous state have tests of their own.
    quiet: true,
    stdin: async () => new Uint8Array(),
    clock: () => NOW,
    ...options,
  };
}

/** `UPDATE/status kube-system/a: denied feature/transition(deny)` */
export function lineOf({ operation, subresource, namespace, name, outcome, findings }: CheckResult): string {
  const write = [operation, subresource].filter(Boolean).join('/');
  const object = [namespace, name].filter(Boolean).join('/');
  const found = findings.map(({ ruleId, action, outcome: undecided }) => `${ruleId}(${undecided ?? action})`);
  return [`${write} ${object}: ${outcome}`, ...found].join(' ');
}

export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export interface ProcessOptions {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string;
  readonly nodeArgs?: readonly string[];
  /** Writes standard input instead of `stdin`. */
  readonly feed?: (stdin: NodeJS.WritableStream) => void;
}

/** An argument of Node with which a call takes some 18,000 arguments, in place of 125,000. */
export const SMALL_STACK = '--stack-size=150';

/** Returns the variables of a run: `env`, and none of the machine that would change it. */
export function environmentOf(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !/^(MUSTER_|KUBE|NO_COLOR|FORCE_COLOR)/.test(name));
  // Notes on a missing previous state have tests of their own (notes.test.ts).
  return { ...Object.fromEntries(inherited), MUSTER_QUIET: 'true', ...env };
}

/** Runs muster as a process, without variables of the machine that would change it. */
export function muster(args: readonly string[], options: ProcessOptions): Promise<Ended> {
  const { cwd, env = {}, stdin = '', nodeArgs = [], feed = (stream) => stream.end(stdin) } = options;
  const child = spawn(process.execPath, [...nodeArgs, MAIN, ...args], { cwd, env: environmentOf(env) });
  let out = '';
  let err = '';
  child.stdout.on('data', (text) => {
    out += text;
  });
  child.stderr.on('data', (text) => {
    err += text;
  });
  // muster may close the pipe before it has read all.
  child.stdin.on('error', () => {});
  feed(child.stdin);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, out, err }));
  });
}
