/** What is fuzzed: initial inputs, what runs with each, and what always holds. */
import { existsSync, readFileSync } from 'node:fs';

export interface Target {
  readonly name: string;
  /** Inputs to begin with. */
  seeds(): Buffer[];
  /** Bytes at the beginning that choose, and that are no part of a JSON text. */
  readonly prefix: number;
  /** Bytes an input may have. */
  readonly longest: number;
  /** @throws whatever shows that something did not hold */
  run(input: Buffer): void | Promise<void>;
  /** Returns the rules that reported nothing so far. */
  silent?(): readonly string[];
  /** Ends what the target has started. */
  close?(): void;
}

/** What has to hold does not. */
export function ensure(holds: boolean, what: string): asserts holds {
  if (!holds) throw new Error(what);
}

/**
 * The inputs in `corpus/`, which reached what others had not, or broke something: one a line, a JSON string of which
 * each character is a byte.
 */
export function keptInputs(target: string): Buffer[] {
  const file = new URL(`corpus/${target}.jsonl`, import.meta.url);
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const lines = text.split('\n').filter((line) => line !== '');
  return lines.map((line) => Buffer.from(JSON.parse(line), 'latin1'));
}
