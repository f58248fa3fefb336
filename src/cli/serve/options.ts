/** The values of the flags of `muster serve`. */
import { InvalidArgumentError } from 'commander';

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;

/** The values of the command line or the environment. Ports are numbers, 0 for any free one. */
export interface ServeFlags {
  readonly config?: string;
  readonly host?: string;
  readonly port: number;
  readonly opsPort: number;
  readonly state?: readonly string[];
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly namespace?: string;
  readonly tlsCertFile?: string;
  readonly tlsPrivateKeyFile?: string;
  readonly certDir: string;
  readonly clientCaFile?: string;
  readonly clientName?: readonly string[];
  readonly drainSeconds: number;
  readonly logLevel: (typeof LOG_LEVELS)[number];
}

/** Parses a port. @throws InvalidArgumentError */
export function port(text: string): number {
  const value = Number(text);
  if (/^\d{1,5}$/.test(text) && value <= 65_535) return value;
  throw new InvalidArgumentError('A port is a number from 0 to 65535.');
}

/** Parses a time in seconds. @throws InvalidArgumentError */
export function seconds(text: string): number {
  const value = Number(text);
  if (/^\d{1,4}(\.\d{1,3})?$/.test(text) && value <= 3600) return value;
  throw new InvalidArgumentError('It takes seconds, from 0 to 3600.');
}
