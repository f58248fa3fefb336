/** The servers that are compared, and how each is started. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { NODE_OPTIONS } from '../../../support/chart.ts';
import type { Expecting } from './load/job.ts';
import type { ServerId } from './results.ts';

/** What a server is given to start with. */
export interface Place {
  readonly port: number;
  readonly opsPort: number;
  /** `tls.crt`, `tls.key` and `ca.crt`. */
  readonly certs: string;
  /** An empty folder: a cluster state of no objects. */
  readonly state: string;
}

export interface Contender {
  readonly id: ServerId;
  readonly label: string;
  readonly expecting: Expecting;
  command(place: Place): readonly string[];
  readonly env?: NodeJS.ProcessEnv;
}

/** All that can be had here: the Go webhook only where Go is. `musterMain` is muster as it is built. */
export function contenders(musterMain: string, goWebhook: string | undefined): Contender[] {
  return [
    { id: 'bare', label: 'bare `node:https`, constant answer', expecting: 'status', command: peer('bare.js') },
    { id: 'echo', label: 'fastify echo (parse, answer)', expecting: 'uid', command: peer('echo.js') },
    ...(goWebhook === undefined ? [] : [goContender(goWebhook)]),
    {
      id: 'muster',
      label: '**muster**, every rule, logs and metrics',
      expecting: 'verdict',
      command: (place) => [process.execPath, musterMain, 'serve', ...musterFlags(place)],
      env: { NODE_OPTIONS },
    },
  ];
}

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** `bare` answers under the request's uid where `--uid` is given, without which an API server takes no answer. */
function peer(file: string): Contender['command'] {
  return ({ port, certs }) => [
    process.execPath,
    at(`peers/${file}`),
    String(port),
    join(certs, 'tls.crt'),
    join(certs, 'tls.key'),
  ];
}

function goContender(program: string): Contender {
  return {
    id: 'go',
    label: 'controller-runtime webhook in Go, equal checks',
    expecting: 'verdict',
    command: ({ port, certs }) => [program, String(port), certs],
  };
}

function musterFlags({ port, opsPort, certs, state }: Place): string[] {
  return [
    ...['--host', '127.0.0.1', '--port', String(port), '--ops-port', String(opsPort), '--drain-seconds', '0'],
    ...['--tls-cert-file', join(certs, 'tls.crt'), '--tls-private-key-file', join(certs, 'tls.key')],
    ...['--config', at('reviews/every-rule.yaml'), '--state', state],
  ];
}
