/**
 * What the steps of a scenario work with: the cluster, the tools, a name and a namespace of its own, and what is
 * stored.
 */
import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newNamespace } from '../../../support/objects.ts';
import { type Json, type Outcome, runProgram, type Tools } from '../harness/index.ts';
import { store } from '../verbs/state.ts';
import type { FieldCluster, FieldUser } from './cluster.ts';

/** What came of one run of a tool. */
export interface Result {
  readonly ok: boolean;
  /** The status code of the write that was refused, where the tool reports it. */
  readonly code?: number;
  /** What the tool printed, or the message of the write that was refused. */
  readonly text: string;
  readonly warnings: string;
  /** The names of the writes, each with the code of its refusal. */
  readonly steps: readonly string[];
}

export interface Field {
  readonly cluster: FieldCluster;
  /** A folder of its own. */
  readonly home: string;
  /** Objects that a backup holds. */
  backup: readonly Json[];
  /** Returns the value with the name of this scenario, which its namespace has too, in place of `{field}`. */
  fill<T>(value: T): T;
  /** Returns an object as stored; undefined if there is none. */
  read(object: Json): Promise<Json | undefined>;
  /** Returns an object as stored. @throws Error if there is none */
  stored(object: Json): Promise<Json>;
  /** Stores an object as the administrator, with its status. */
  store(object: Json): Promise<void>;
  kubectl(user: FieldUser, args: string, objects: readonly Json[]): Promise<Result>;
  /** Runs Helm; `{chart}` in the arguments is the folder of a chart with these objects. */
  helm(version: 3 | 4, args: string, objects: readonly Json[]): Promise<Result>;
  /**
   * Runs a job of the program in test/system/e2e/tools/writers, which repeats it until the file exists if one is named.
   */
  write(user: FieldUser, job: Job, until?: string): Promise<Result>;
}

/** A job of the program in test/system/e2e/tools/writers; its main.go explains the members. */
export interface Job {
  readonly write: string;
  readonly objects: readonly Json[];
  readonly change?: Json;
  readonly force?: boolean;
  readonly strategy?: 'fallback-on-replace' | 'always-replace' | 'update' | undefined;
  readonly restoreStatus?: boolean;
}

/** Creates the namespace, and returns what the scenario of that number works with. */
export async function fieldOf(cluster: FieldCluster, tools: Tools, number: number): Promise<Field> {
  const { controlPlane } = cluster;
  const name = `field-${number}`;
  const home = join(controlPlane.folder, name);
  mkdirSync(home);
  await controlPlane.apply(newNamespace(name));
  const fill: Field['fill'] = (value) => JSON.parse(JSON.stringify(value).replaceAll('{field}', name));
  const read: Field['read'] = async (object) => {
    const path = await controlPlane.pathOf(fill(object));
    const { status, body } = await controlPlane.api('admin').call('GET', path);
    if (status !== 200 && status !== 404) throw new Error(`${path}: ${status} ${body.message}`);
    return status === 404 ? undefined : body;
  };
  const helmEnvironment = {
    PATH: process.env['PATH'],
    HOME: home,
    KUBECONFIG: controlPlane.kubeconfig('deployer', { namespace: name }),
  };
  return {
    cluster,
    home,
    backup: [],
    fill,
    read,
    async stored(object) {
      const found = await read(object);
      assert.ok(found, `no ${object.kind} "${object.metadata.name}" is stored`);
      return found;
    },
    store: (object) => store(controlPlane, fill(object)),
    async kubectl(user, args, objects) {
      const input = objects.length === 0 ? undefined : fill(objects);
      return resultOf(await controlPlane.kubectl(user, fill(args).split(' '), input));
    },
    async helm(version, args, objects) {
      const chart = writeChart(join(home, 'chart'), fill(objects));
      const words = fill(args).replace('{chart}', chart).split(' ');
      return resultOf(await runProgram(tools[`helm-${version}`], words, undefined, helmEnvironment));
    },
    async write(user, job, until) {
      const input = { ...fill(job), until, kubeconfig: controlPlane.kubeconfig(user) };
      const { code, stdout, stderr } = await runProgram(tools.writers, [], input, {});
      assert.equal(code, 0, stderr);
      return resultOfWrites(JSON.parse(stdout));
    },
  };
}

function resultOf({ code, stdout, stderr }: Outcome): Result {
  return { ok: code === 0, text: `${stdout}\n${stderr}`, warnings: stderr, steps: [] };
}

function resultOfWrites({ steps, warnings }: Json): Result {
  const refused = steps.find(({ ok }: Json) => !ok);
  return {
    ok: steps.length > 0 && refused === undefined,
    code: refused?.code,
    text: refused?.message ?? '',
    warnings: warnings.join('\n'),
    steps: steps.map(({ step, code }: Json) => (code === undefined ? step : `${step} ${code}`)),
  };
}

function writeChart(folder: string, objects: readonly Json[]): string {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, 'templates'), { recursive: true });
  writeFileSync(join(folder, 'Chart.yaml'), 'apiVersion: v2\nname: fleet\nversion: 1.0.0\n');
  const documents = objects.map((object) => JSON.stringify(object));
  writeFileSync(join(folder, 'templates', 'objects.yaml'), documents.join('\n---\n'));
  return folder;
}
