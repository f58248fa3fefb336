/** A control plane of its own for a test: etcd, kube-apiserver and, if asked for, the controller manager. */
import { mkdirSync, mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { partOf } from '../../../../src/manifests/installation.ts';
import { type Api, createApi } from './api.ts';
import { type ApiServer, prepareApiServer, startControllerManager } from './api-server.ts';
import { type Assets, ensureAssets } from './assets.ts';
import { type CrdChoice, definitionsOf } from './crds.ts';
import { type Input, type Outcome, runProgram } from './daemon.ts';
import { type Etcd, startEtcd } from './etcd.ts';
import { type Cluster, clusterOf } from './objects.ts';
import { EDITORS, tokenOf, USERS, type UserMap, writeKubeconfig } from './users.ts';

export interface ControlPlaneOptions {
  /** Also a kube-controller-manager: namespaces end, garbage is collected, Deployments get their ReplicaSets. */
  readonly controllerManager?: boolean;
  readonly apiServerFlags?: readonly string[];
  readonly controllerManagerFlags?: readonly string[];
  /** Content of `--admission-control-config-file`. */
  readonly admissionConfig?: object;
  /** What is installed of the kinds muster evaluates. Default: `published`; `none` leaves it to the test. */
  readonly crds?: CrdChoice | 'none';
  /** More users beside the usual ones. */
  readonly users?: UserMap;
}

export interface ControlPlane extends Cluster {
  /** Of the API server. */
  readonly url: string;
  readonly caFile: string;
  /** A temporary folder, removed on stop. */
  readonly folder: string;
  readonly etcd: Etcd;
  /** Writes a kubeconfig of a user; returns its path. */
  kubeconfig(user: string, options?: { namespace?: string; url?: string }): string;
  /** Runs kubectl as a user; a failure is an outcome like any other. */
  kubectl(user: string, args: readonly string[], stdin?: Input, env?: NodeJS.ProcessEnv): Promise<Outcome>;
  /** The user's JSON client; one for each user. */
  api(user: string): Api;
  /** Of its process, while there is one: to freeze it. */
  apiServerPid(): number | undefined;
  stopApiServer(signal?: NodeJS.Signals): Promise<void>;
  /** On the same port with the same data. */
  startApiServer(): Promise<void>;
  stop(): Promise<void>;
}

/** Ready, with the CRDs established and its users bound. */
export async function startControlPlane(options: ControlPlaneOptions = {}): Promise<ControlPlane> {
  const assets = await ensureAssets();
  const folder = mkdtempSync(join(tmpdir(), 'muster-e2e-'));
  const undo: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })];
  const stop = async () => {
    for (let last = undo.pop(); last !== undefined; last = undo.pop()) await last();
  };
  try {
    return await start(assets, folder, options, undo, stop);
  } catch (error) {
    await stop();
    throw error;
  }
}

/**
 * Installs what a live cluster state needs, as the manifests do: muster's namespace, its Leases, and the rights of user
 * `muster`.
 */
export async function grantAccess(controlPlane: ControlPlane): Promise<void> {
  await controlPlane.apply(...partOf('namespace', {}), ...partOf('leases', {}), ...partOf('rbac', {}));
}

async function start(
  assets: Assets,
  folder: string,
  options: ControlPlaneOptions,
  undo: (() => Promise<unknown>)[],
  stop: () => Promise<void>,
): Promise<ControlPlane> {
  const users: UserMap = { ...USERS, ...options.users };
  const etcd = await startEtcd(assets.etcd, folder);
  undo.push(() => etcd.stop('SIGKILL'));
  const server = await prepareApiServer(assets['kube-apiserver'], { ...options, folder, etcdUrl: etcd.url, users });
  // A graceful end waits for watches; here nothing is worth that wait.
  undo.push(() => server.stop('SIGKILL'));
  await server.start();
  const { close, ...clients } = clientsOf(assets, folder, server, users);
  undo.push(async () => close());
  const cluster = clusterOf(clients.api('admin'));
  await cluster.apply(...EDITORS);
  const { crds = 'published', controllerManager, controllerManagerFlags = [] } = options;
  if (crds !== 'none') await cluster.apply(...definitionsOf(crds));
  if (controllerManager) {
    const manager = await startControllerManager(
      assets['kube-controller-manager'],
      folder,
      server,
      controllerManagerFlags,
    );
    undo.push(() => manager.stop('SIGKILL'));
  }
  const { url, caFile, pid, stop: stopApiServer, start: startApiServer } = server;
  const ofServer = { url, caFile, apiServerPid: pid, stopApiServer, startApiServer };
  return { ...cluster, ...clients, ...ofServer, folder, etcd, stop };
}

/** Clients and commands of users by their keys; each is made once. */
function clientsOf(assets: Assets, folder: string, { url, ca, caFile }: ApiServer, users: UserMap) {
  const clients = new Map<string, Api>();
  const plain = new Map<string, string>();
  let count = 0;
  const known = (user: string) => {
    if (!Object.hasOwn(users, user)) throw new Error(`no user "${user}"; there are ${Object.keys(users).join(', ')}`);
    return user;
  };
  const kubeconfig: ControlPlane['kubeconfig'] = (user, options = {}) => {
    count += 1;
    return writeKubeconfig(join(folder, `${user}-${count}.kubeconfig`), known(user), { url, caFile, ...options });
  };
  const kubectl: ControlPlane['kubectl'] = (user, args, stdin, env) => {
    const file = plain.get(user) ?? kubeconfig(user);
    plain.set(user, file);
    const home = join(folder, 'home');
    mkdirSync(home, { recursive: true });
    const whole = { PATH: process.env['PATH'], HOME: home, KUBECONFIG: file, TERM: 'dumb', ...env };
    return runProgram(assets.kubectl, args, stdin, whole);
  };
  const api = (user: string): Api => {
    const client = clients.get(user) ?? createApi(url, ca, tokenOf(known(user)));
    clients.set(user, client);
    return client;
  };
  const close = () => {
    for (const client of clients.values()) client.close();
  };
  return { kubeconfig, kubectl, api, close };
}
