/** `muster serve` as a process of its own. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { configurationOf } from '../../../support/configuration.ts';
import { newFolder } from '../../../support/folder.ts';
import { MAIN } from '../../../support/main.ts';
import type { ControlPlane } from './control-plane.ts';
import { type Daemon, type Input, type Outcome, runProgram, startDaemon, waitFor } from './daemon.ts';

export interface MusterOptions {
  /** Serves the live view of it, as user `muster` in namespace `muster-system`. */
  readonly controlPlane?: ControlPlane;
  /** More flags, after ours: the last of a name counts. */
  readonly args?: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  /** What is run; default: the bundle. */
  readonly main?: string;
  /** A configuration file's path, or its content. */
  readonly config?: string | object;
  /** A folder with `tls.crt`, `tls.key` and `ca.crt`; default: development certificates of its own. */
  readonly certs?: string;
}

export interface Muster {
  readonly port: number;
  readonly opsPort: number;
  /** `https://127.0.0.1:PORT` */
  readonly url: string;
  readonly opsUrl: string;
  readonly caFile: string;
  readonly pid: number;
  /** Its log, and what it announced. */
  log(): string;
  /** Waits until it is ready. */
  ready(): Promise<void>;
  metrics(): Promise<string>;
  /** SIGTERM by default, and after `timeoutMs` (15 s) SIGKILL; resolves to its exit code. */
  stop(signal?: NodeJS.Signals, timeoutMs?: number): Promise<number | null>;
  /** SIGKILL. */
  kill(): Promise<void>;
}

const ANNOUNCED = /muster listens on https:\/\/\S+:(\d+) \(ops: http:\/\/\S+:(\d+)\)/;

/** Started and ready. @throws Error with the end of its log */
export async function startMuster(options: MusterOptions = {}): Promise<Muster> {
  const folder = newFolder().path;
  const logFile = join(folder, 'log');
  const { main = MAIN } = options;
  const env = { ...process.env, ...options.env };
  const daemon = startDaemon(process.execPath, [main, 'serve', ...argumentsOf(options, folder)], { logFile, env });
  try {
    await waitFor('muster serve', daemon, async () => ANNOUNCED.test(daemon.log()));
    const muster = describe(daemon, join(options.certs ?? join(folder, 'certs'), 'ca.crt'));
    await muster.ready();
    return muster;
  } catch (error) {
    await daemon.stop('SIGKILL');
    throw error;
  }
}

function argumentsOf({ controlPlane, args = [], config, certs }: MusterOptions, folder: string): string[] {
  const kubeconfig = controlPlane?.kubeconfig('muster', { namespace: 'muster-system' });
  const own = certs === undefined ? ['--cert-dir', join(folder, 'certs')] : [];
  const files =
    certs === undefined
      ? []
      : ['--tls-cert-file', join(certs, 'tls.crt'), '--tls-private-key-file', join(certs, 'tls.key')];
  const defaults = { '--host': '127.0.0.1', '--port': '0', '--ops-port': '0', '--drain-seconds': '0' };
  return [
    ...Object.entries(defaults).flatMap((flag) => (args.includes(flag[0]) ? [] : flag)),
    ...own,
    ...files,
    ...(kubeconfig === undefined ? [] : ['--kubeconfig', kubeconfig]),
    ...(config === undefined ? [] : ['--config', configFile(config, folder)]),
    ...args,
  ];
}

function configFile(config: string | object, folder: string): string {
  if (typeof config === 'string') return config;
  const file = join(folder, 'config.yaml');
  writeFileSync(file, JSON.stringify(configurationOf(config)));
  return file;
}

function describe(daemon: Daemon, caFile: string): Muster {
  const [, port, opsPort] = ANNOUNCED.exec(daemon.log()) ?? [];
  const opsUrl = `http://127.0.0.1:${opsPort}`;
  return {
    port: Number(port),
    opsPort: Number(opsPort),
    url: `https://127.0.0.1:${port}`,
    opsUrl,
    caFile,
    pid: daemon.pid,
    log: daemon.log,
    ready: () => waitFor('muster', daemon, async () => (await fetch(`${opsUrl}/readyz`)).ok),
    metrics: async () => (await fetch(`${opsUrl}/metrics`)).text(),
    stop: (signal = 'SIGTERM', timeoutMs?) => daemon.stop(signal, timeoutMs),
    kill: async () => void (await daemon.stop('SIGKILL')),
  };
}

/** Runs one of muster's commands to its end. A failure is an outcome like any other. */
export function runMuster(args: readonly string[], stdin?: Input): Promise<Outcome> {
  return runProgram(process.execPath, [MAIN, ...args], stdin, process.env);
}

/** The CA of a server, as a webhook configuration wants it. */
export function caBundleOf({ caFile }: { readonly caFile: string }): string {
  return readFileSync(caFile).toString('base64');
}
