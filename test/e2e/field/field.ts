/** What a scenario works with: the tools, a name and a namespace of its own, and what is stored. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Input, type Json, type Outcome, runProgram, until } from '../harness/index.ts';
import { store } from '../verbs/state.ts';
import type { FieldCluster } from './cluster.ts';
import type { Tools } from './tools.ts';
import type { FieldUser } from './users.ts';
import { type Written, writerOf } from './writers.ts';

export interface Chart {
  readonly version: string;
  readonly objects: readonly Json[];
}

type HelmVersion = 3 | 4;

/** Creates the namespace, and returns what the scenario of that number works with. */
export async function fieldOf(cluster: FieldCluster, tools: Tools, number: number) {
  const { controlPlane } = cluster;
  const name = `field-${number}`;
  const home = join(controlPlane.folder, name);
  mkdirSync(home);
  await controlPlane.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  const api = controlPlane.api('admin');
  /** Returns an object as stored; undefined if there is none. */
  const read = async (object: Json): Promise<Json | undefined> => {
    const { status, body } = await api.call('GET', await controlPlane.pathOf(object));
    if (status !== 200 && status !== 404) throw new Error(`${object.kind}: ${status} ${body.message}`);
    return status === 404 ? undefined : body;
  };
  const stored = async (object: Json): Promise<Json> => {
    const found = await read(object);
    assert.ok(found, `no ${object.kind} "${object.metadata.name}" is stored`);
    return found;
  };
  const updates = async <T>(object: Json, write: () => Promise<T>): Promise<T> => {
    const before = await stored(object);
    const outcome = await write();
    const after = await stored(object);
    assert.equal(after.metadata.uid, before.metadata.uid, 'it was deleted and created anew');
    assert.deepEqual(after.status, before.status, 'its status was lost');
    return outcome;
  };
  const helmCommand = (version: HelmVersion, args: readonly string[]): Promise<Outcome> =>
    runProgram(tools[`helm${version}`], args, undefined, {
      PATH: process.env['PATH'],
      HOME: home,
      KUBECONFIG: controlPlane.kubeconfig('deployer', { namespace: name }),
    });
  return {
    cluster,
    controlPlane,
    /** Used by this scenario alone, for objects of any kind. */
    name,
    namespace: name,
    kubectl: (user: FieldUser, args: readonly string[], input?: Input): Promise<Outcome> =>
      controlPlane.kubectl(user, args, input),
    /** Installs or upgrades the release of this scenario. */
    helm: (version: HelmVersion, verb: 'install' | 'upgrade', chart: Chart, flags: readonly string[] = []) =>
      helmCommand(version, [verb, name, writeChart(join(home, 'chart'), chart), ...flags]),
    /** Runs any other command of Helm in this scenario's namespace. */
    helmCommand,
    /** Writes as controller-runtime, Flux, kapp, KubeFleet, Velero and migrators do. */
    write: writerOf(tools.writers, (user) => controlPlane.kubeconfig(user)),
    /** Stores objects as the administrator, with their status. */
    async store(...objects: readonly Json[]): Promise<void> {
      for (const object of objects) await store(controlPlane, object);
    },
    read,
    /** Returns an object as stored. @throws Error if there is none */
    stored,
    /** Runs a write, which must keep uid and status of the object. */
    updates,
    /** Runs a write, which must keep uid, spec and status of the object. */
    async keeps<T>(object: Json, write: () => Promise<T>): Promise<T> {
      const before = await stored(object);
      const outcome = await updates(object, write);
      assert.deepEqual((await stored(object)).spec, before.spec, 'its spec changed');
      return outcome;
    },
    /** Writes before, while and after one replica replaces another. The write ends when the file exists. */
    async during(write: (end: string) => Promise<Written>): Promise<Written> {
      const end = join(home, 'until');
      const writing = write(end);
      writing.catch(() => {}); // reported below
      try {
        await until('the first round of writes', async () => existsSync(`${end}.begun`));
        await cluster.replace();
      } finally {
        writeFileSync(end, '');
      }
      return writing;
    },
    /** Repeats a command before, while and after one replica replaces another. */
    async throughout(command: (round: number) => Promise<void>): Promise<void> {
      await command(1);
      let replaced = false;
      const replacing = cluster.replace().finally(() => {
        replaced = true;
      });
      for (let round = 2, last = false; !last; round++) {
        last = replaced;
        await command(round);
      }
      await replacing;
    },
    /** Waits until an object is gone. */
    async goes(object: Json): Promise<void> {
      const isGone = async () => (await read(object)) === undefined;
      await until(`${object.kind} "${object.metadata.name}" to be gone`, isGone);
    },
  };
}

export type Field = Awaited<ReturnType<typeof fieldOf>>;

function writeChart(folder: string, { version, objects }: Chart): string {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, 'templates'), { recursive: true });
  writeFileSync(join(folder, 'Chart.yaml'), `apiVersion: v2\nname: fleet\nversion: ${version}\n`);
  const documents = objects.map((object) => JSON.stringify(object));
  writeFileSync(join(folder, 'templates', 'objects.yaml'), documents.join('\n---\n'));
  return folder;
}
