/** What a scenario works with: the tools, a name and a namespace of its own, and a view of what is stored. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ControlPlane, type Input, type Json, type Outcome, runProgram, until } from '../harness/index.ts';
import { store } from '../verbs/worlds.ts';
import { type Chart, helmOf } from './helm.ts';
import type { Scenario } from './scenario.ts';
import type { Tools } from './tools.ts';
import type { FieldUser } from './users.ts';
import type { World } from './world.ts';
import { type Job, type Written, writerOf } from './writers.ts';

export interface Field {
  readonly world: World;
  readonly controlPlane: ControlPlane;
  /** Of this scenario alone, for objects of any kind. */
  readonly name: string;
  /** Exists, and is empty before. */
  readonly namespace: string;
  kubectl(user: FieldUser, args: readonly string[], input?: Input): Promise<Outcome>;
  /** Installs or upgrades the release of this scenario. */
  helm(version: 3 | 4, verb: 'install' | 'upgrade', chart: Chart, flags?: readonly string[]): Promise<Outcome>;
  /** Any other command of Helm, in this scenario's namespace. */
  helmCommand(version: 3 | 4, args: readonly string[]): Promise<Outcome>;
  /** The writes of controller-runtime, Flux, kapp, KubeFleet, Velero and migrators. */
  write(user: FieldUser, job: Job): Promise<Written>;
  /** Puts them there as an administrator, with their status. */
  store(...objects: readonly Json[]): Promise<void>;
  /** As stored; undefined where there is none. */
  read(object: Json): Promise<Json | undefined>;
  /** As stored. @throws where there is none */
  stored(object: Json): Promise<Json>;
  /** The write leaves uid, spec and status of the object as they were. */
  keeps<T>(object: Json, write: () => Promise<T>): Promise<T>;
  /** The write changes the object and keeps its uid and status. */
  updates<T>(object: Json, write: () => Promise<T>): Promise<T>;
  /** Writes before, while and after one replica takes the place of another; `until` is the file whose existence ends it. */
  during(write: (until: string) => Promise<Written>): Promise<Written>;
  /** Runs a command again and again before, while and after one replica takes the place of another. */
  throughout(command: (round: number) => Promise<void>): Promise<void>;
  /** Waits until it is gone. */
  goes(object: Json): Promise<void>;
}

/** A field for one scenario. */
export async function fieldOf(world: World, tools: Tools, scenario: Scenario, number: number): Promise<Field> {
  const { controlPlane } = world;
  const name = `field-${number}`;
  const home = join(controlPlane.folder, name);
  mkdirSync(home);
  await controlPlane.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  const api = controlPlane.api('admin');
  const read = async (object: Json) => {
    const { status, body } = await api.call('GET', await controlPlane.pathOf(object));
    if (status !== 200 && status !== 404) throw new Error(`${object.kind}: ${status} ${body.message}`);
    return status === 404 ? undefined : body;
  };
  const stored = async (object: Json) => {
    const found = await read(object);
    assert.ok(found, `${scenario.title}: no ${object.kind} "${object.metadata.name}" is stored`);
    return found;
  };
  const updates = async <T>(object: Json, write: () => Promise<T>) => {
    const before = await stored(object);
    const outcome = await write();
    const after = await stored(object);
    assert.equal(after.metadata.uid, before.metadata.uid, 'it was deleted and created anew');
    assert.deepEqual(after.status, before.status, 'its status was lost');
    return outcome;
  };
  const run = (program: string, user: FieldUser, args: readonly string[], input?: Input) =>
    runProgram(program, args, input, {
      PATH: process.env['PATH'],
      HOME: home,
      KUBECONFIG: controlPlane.kubeconfig(user, { namespace: name }),
    });
  const helm = helmOf({ home, release: name, run: (version, args) => run(tools[`helm${version}`], 'deployer', args) });
  return {
    world,
    controlPlane,
    name,
    namespace: name,
    kubectl: (user, args, input) => controlPlane.kubectl(user, args, input),
    helm: helm.deploy,
    helmCommand: helm.command,
    write: writerOf(tools.writers, (user) => controlPlane.kubeconfig(user)),
    store: async (...objects) => {
      for (const object of objects) await store(controlPlane, api, object);
    },
    read,
    stored,
    updates,
    keeps: async (object, write) => {
      const before = await stored(object);
      const outcome = await updates(object, write);
      assert.deepEqual((await stored(object)).spec, before.spec, 'its spec changed');
      return outcome;
    },
    during: async (write) => {
      const end = join(home, 'until');
      const writing = write(end);
      writing.catch(() => {}); // reported below
      try {
        await until('the first round of writes', async () => existsSync(`${end}.begun`));
        await world.replace();
      } finally {
        writeFileSync(end, '');
      }
      return writing;
    },
    throughout: async (command) => {
      await command(1);
      let replaced = false;
      const replacing = world.replace().finally(() => {
        replaced = true;
      });
      for (let round = 2, last = false; !last; round++) {
        last = replaced;
        await command(round);
      }
      await replacing;
    },
    goes: async (object) => {
      await until(
        `${object.kind} "${object.metadata.name}" to be gone`,
        async () => (await read(object)) === undefined,
      );
    },
  };
}
