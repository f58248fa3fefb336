/** A coverage-guided fuzzer: inputs that reach new code are kept and mutated further. */

import { type Random, randomOf } from '../../support/random.ts';
import type { Coverage } from './instrument.ts';
import { type Material, mutateBytes } from './mutate-bytes.ts';
import { mutateJson, parseInput } from './mutate-json.ts';
import type { Target } from './target.ts';

interface FuzzOptions {
  readonly target: Target;
  readonly runs: number;
  readonly seed: number;
  readonly coverage: Coverage;
  /** Initial inputs besides the target's own. */
  readonly corpus: readonly Buffer[];
}

interface Broken {
  readonly input: Buffer;
  readonly error: unknown;
}

/** Beyond this an execution counts as broken. Generous: a thousand times what one takes. */
const MOST_MS = 1000;
const MOST_CHANGES = 5;
const MOST_BROKEN = 20;

/**
 * Runs a target so many times. Returns the counters that it reached, one broken input of each kind, and the slowest
 * execution in processor time.
 */
export async function fuzz(options: FuzzOptions) {
  const run = new Run(options);
  for (const input of [...options.target.seeds(), ...options.corpus]) await run.execute(input, true);
  while (run.executions < options.runs && run.broken.size < MOST_BROKEN) await run.execute(run.next(), false);
  const { executions, slowestMs } = run;
  return { executions, reached: run.reached(), broken: [...run.broken.values()], slowestMs };
}

class Run {
  executions = 0;
  slowestMs = 0;
  readonly corpus: Buffer[] = [];
  readonly broken = new Map<string, Broken>();
  readonly #options: FuzzOptions;
  readonly #random: Random;
  readonly #material: Material;
  /** By counter: which magnitudes of count were seen, a bit each. */
  readonly #seen: Uint8Array;

  constructor(options: FuzzOptions) {
    this.#options = options;
    this.#random = randomOf(options.seed);
    this.#material = {
      words: [...options.coverage.literals, ...'{,},[,],",*a,---,<<:,\n,\t,: ,- ,&a ,<<: *a,---\n'.split(',')],
      other: () => this.#random.of(this.corpus),
    };
    this.#seen = new Uint8Array(options.coverage.counters.length);
  }

  /** A new input: one that was kept, changed a little. */
  next(): Buffer {
    const random = this.#random;
    // Recent inputs more often.
    const from = random.oneIn(2)
      ? random.below(this.corpus.length)
      : this.corpus.length - 1 - random.below(Math.ceil(this.corpus.length / 2));
    const { prefix, longest } = this.#options.target;
    const parent = this.corpus[from] ?? Buffer.alloc(1);
    const value = random.oneIn(4) ? undefined : parseInput(parent.subarray(prefix));
    const changes = 1 + random.below(MOST_CHANGES);
    if (value !== undefined) {
      let changed: unknown = value;
      for (let turn = 0; turn < changes; turn++) changed = mutateJson(changed, random, this.#material) ?? changed;
      const head = Buffer.from(parent.subarray(0, prefix));
      if (prefix > 0 && random.oneIn(6)) head[0] = random.below(256);
      return Buffer.concat([head, Buffer.from(JSON.stringify(changed))]).subarray(0, longest);
    }
    let bytes = parent;
    for (let turn = 0; turn < changes; turn++) bytes = mutateBytes(bytes, random, this.#material, longest);
    return bytes.length > prefix ? bytes : parent;
  }

  async execute(input: Buffer, keep: boolean): Promise<void> {
    const { coverage, target } = this.#options;
    this.executions += 1;
    coverage.clear();
    const before = process.threadCpuUsage();
    try {
      await target.run(input);
    } catch (error) {
      this.#keepBroken(input, error);
    }
    const { user, system } = process.threadCpuUsage(before);
    const took = (user + system) / 1000;
    if (took > MOST_MS) this.#keepBroken(input, new Error(`took ${Math.round(took)} ms of processor time`));
    this.slowestMs = Math.max(this.slowestMs, took);
    if (this.#isNews() || keep) this.corpus.push(Buffer.from(input));
  }

  /** The counters of the pieces that some input ran. */
  reached(): number[] {
    return this.#options.coverage.left().filter((index) => this.#seen[index] !== 0);
  }

  #isNews(): boolean {
    const { counters } = this.#options.coverage;
    let news = false;
    for (let index = 0; index < counters.length; index++) {
      const count = counters[index] ?? 0;
      if (count === 0) continue;
      const seen = this.#seen[index] ?? 0;
      // A bit for the magnitude of the count: 1, 2 and 3, 4 to 7, and so on.
      this.#seen[index] = seen | (1 << (31 - Math.clz32(count)));
      news ||= seen !== this.#seen[index];
    }
    return news;
  }

  #keepBroken(input: Buffer, error: unknown): void {
    const kind = kindOf(error);
    const known = this.broken.get(kind);
    if (known === undefined || input.length < known.input.length)
      this.broken.set(kind, { input: Buffer.from(input), error });
  }
}

/** Returns where it broke, so that each location is reported once. */
function kindOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error).slice(0, 80);
  return error.stack?.split('\n').find((frame) => frame.includes('/src/')) ?? error.message.slice(0, 80);
}
