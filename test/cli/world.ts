/** Objects and folders for tests of the command line. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { CheckRun } from '../../src/cli/check/run.ts';
import type { JsonObject } from '../../src/rules/rule.ts';

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

export interface Folder {
  readonly path: string;
  /** Writes a file and tells its path. */
  put(name: string, text: string): string;
  remove(): void;
}

export function newFolder(): Folder {
  const path = mkdtempSync(join(tmpdir(), 'muster-cli-'));
  return {
    path,
    put(name, text) {
      const file = join(path, name);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
      return file;
    },
    remove: () => rmSync(path, { recursive: true }),
  };
}

/** A run in which nothing is given but what the test names. */
export function run(given: Partial<CheckRun>): CheckRun {
  return {
    paths: [],
    deleted: [],
    state: undefined,
    identity: undefined,
    subresource: undefined,
    failOnNoMatch: false,
    stdin: async () => new Uint8Array(),
    clock: () => NOW,
    ...given,
  };
}
