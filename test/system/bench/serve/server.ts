/** One of the servers as a process, on its core, from its start to its first right answer and on. */
import { readFileSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Daemon, freePort, startDaemon } from '../../e2e/harness/daemon.ts';
import type { Contender } from './contenders.ts';
import { type Answer, open } from './load/connection.ts';
import { faultOf, templates, writeUid } from './load/requests.ts';
import { pinned, SERVER_CORE } from './pin.ts';

export interface Site {
  readonly certs: string;
  readonly state: string;
  /** Where logs go. */
  readonly folder: string;
}

export interface Server {
  readonly contender: Contender;
  readonly pid: number;
  readonly port: number;
  readonly opsPort: number;
  /** Milliseconds from the start of its process to the first right answer. */
  readonly coldStartMs: number;
  /** Empties its log, which would fill the disk. */
  forget(): void;
  stop(): Promise<void>;
}

interface StartOptions {
  /** Added to its command. */
  readonly flags?: readonly string[];
  /** Whether it is kept to the server's core; on unless said otherwise. */
  readonly ownCore?: boolean;
}

/** Started, and its first answer verified. */
export async function startServer(contender: Contender, site: Site, options: StartOptions = {}): Promise<Server> {
  const { flags = [], ownCore = true } = options;
  const place = { port: await freePort(), opsPort: await freePort(), certs: site.certs, state: site.state };
  const command = [...contender.command(place), ...flags];
  const [program = '', ...args] = ownCore ? pinned(command, SERVER_CORE) : command;
  const logFile = join(site.folder, `${contender.id}-${place.port}.log`);
  const began = performance.now();
  const daemon = startDaemon(program, args, { logFile, env: { ...process.env, ...contender.env } });
  await firstVerdict(contender, place.port, site, daemon);
  return {
    contender,
    pid: daemon.pid,
    port: place.port,
    opsPort: place.opsPort,
    coldStartMs: performance.now() - began,
    forget: () => truncateSync(logFile),
    stop: async () => void (await daemon.stop('SIGKILL')),
  };
}

const PATIENCE_MS = 30_000;

async function firstVerdict(contender: Contender, port: number, { certs }: Site, daemon: Daemon): Promise<void> {
  const ca = readFileSync(join(certs, 'ca.crt'), 'utf8');
  const end = performance.now() + PATIENCE_MS;
  let last = 'it never listened';
  while (performance.now() < end && daemon.running()) {
    const fault = await askOnce(contender, port, ca).catch((error: Error) => error.message);
    if (fault === undefined) return;
    last = fault;
    await sleep(2);
  }
  await daemon.stop('SIGKILL');
  throw new Error(`${contender.id} gave no right answer: ${last}\n${daemon.log().slice(-2000)}`);
}

/** Sends one review over a connection of its own; what is wrong with the answer, or undefined. */
async function askOnce({ expecting }: Contender, port: number, ca: string): Promise<string | undefined> {
  const [template] = templates();
  if (template === undefined) throw new Error('there is no scenario');
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  const onAnswer = (answer: Answer) => resolve(faultOf(expecting, template, 1, answer));
  const connection = await open({ port, ca, onAnswer, onEnd: resolve });
  writeUid(template, 1);
  connection.send(template.bytes);
  const fault = await promise;
  connection.close();
  return fault;
}
