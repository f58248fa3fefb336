/** What is fuzzed: initial inputs, what runs with each, and what always holds. */
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
}

/** What has to hold does not. */
export function ensure(holds: boolean, what: string): asserts holds {
  if (!holds) throw new Error(what);
}
