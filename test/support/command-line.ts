/** Objects and processes for tests of the command line. */
import { spawn } from 'node:child_process';
import type { JsonObject } from '../../src/base/json.ts';
import type { CheckRun } from '../../src/cli/check/run.ts';
import type { CheckResult } from '../../src/report/report.ts';
import { MAIN } from './main.ts';

/** Noon, the first of June 2026. */
export const NOW = Date.UTC(2026, 5, 1, 12);

export function claim(name: string, value: string): JsonObject {
  return { apiVersion: 'multicluster.x-k8s.io/v1alpha1', kind: 'ClusterClaim', metadata: { name }, spec: { value } };
}

export function property(name: string, value: string, version = 'v1beta1'): JsonObject {
  return { apiVersion: `about.k8s.io/${version}`, kind: 'ClusterProperty', metadata: { name }, spec: { value } };
}

/** An InventoryCluster with its label, changed by `more`. */
export function cluster(name: string, more: JsonObject = {}): JsonObject {
  return {
    apiVersion: 'multicluster.x-k8s.io/v1alpha1',
    kind: 'InventoryCluster',
    metadata: { name, labels: { 'x-k8s.io/cluster-manager': 'depot' } },
    spec: { clusterManager: { name: 'depot' } },
    ...more,
  };
}

export function feature(name: string, status: JsonObject): JsonObject {
  return {
    apiVersion: 'features.x-k8s.io/v1alpha1',
    kind: 'Feature',
    metadata: { name, namespace: 'kube-system' },
    spec: {},
    status: { class: 'kube-system', name, default: 'Disabled', source: 'CommandLine', version: '1.0.0', ...status },
  };
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

interface Ended {
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

/** Runs muster as a process, without variables of the machine that would change it. */
export function muster(args: readonly string[], options: ProcessOptions): Promise<Ended> {
  const { cwd, env = {}, stdin = '', nodeArgs = [], feed = (stream) => stream.end(stdin) } = options;
  const inherited = Object.entries(process.env).filter(([name]) => !/^(MUSTER_|KUBE|NO_COLOR|FORCE_COLOR)/.test(name));
  const child = spawn(process.execPath, [...nodeArgs, MAIN, ...args], {
    cwd,
    // Notes on a missing previous state have tests of their own (notes.test.ts).
    env: { ...Object.fromEntries(inherited), MUSTER_QUIET: 'true', ...env },
  });
  let [out, err] = ['', ''];
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
