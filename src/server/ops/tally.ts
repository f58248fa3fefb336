/**
 * What each request counts, in plain numbers. The client library looks labels up by a text it makes each time, so it is given the numbers
 * when someone looks, or many at once.
 */
import {
  Counter,
  Histogram,
  type LabelValues,
  type OpenMetricsContentType,
  type Registry,
} from '@prometheus-io/client';

type OpenRegistry = Registry<OpenMetricsContentType>;

/** A counter's numbers, by the values of its labels: `tally.at('claim/value').at('deny').count += 1`. */
export class Tally {
  count = 0;
  readonly labels: readonly string[];
  readonly #under = new Map<string, Tally>();
  readonly #all: Tally[];

  constructor(labels: readonly string[], all: Tally[]) {
    this.labels = labels;
    this.#all = all;
    all.push(this);
  }

  /** Where the next label has this value. The values are few: each is kept for good. */
  at(value: string): Tally {
    const known = this.#under.get(value);
    if (known !== undefined) return known;
    const made = new Tally([...this.labels, value], this.#all);
    this.#under.set(value, made);
    return made;
  }
}

/** A counter that is told of its numbers when someone looks. */
export function createTally<const L extends string>(
  registry: OpenRegistry,
  name: string,
  help: string,
  labelNames: readonly L[],
): Tally {
  const all: Tally[] = [];
  new Counter<L>({
    name,
    help,
    labelNames,
    registers: [registry],
    collect() {
      this.reset();
      for (const { labels, count } of all) if (count > 0) this.inc(labelled(labelNames, labels), count);
    },
  });
  return new Tally([], all);
}

export interface DurationsOptions<L extends string> {
  readonly name: string;
  readonly help: string;
  /** The label, of few values. */
  readonly label: L;
  readonly buckets: number[];
}

/** Durations that wait until they are handed on; all at once takes a quarter of a millisecond. */
const MOST_WAITING = 1024;

/** Durations under one value of the label. */
export class Durations {
  readonly #waiting: number[] = [];
  readonly #tell: (seconds: number) => void;
  #seen = false;

  constructor(tell: (seconds: number) => void) {
    this.#tell = tell;
  }

  observe(seconds: number): void {
    const waiting = this.#waiting.push(seconds);
    // The first at once: the text tells the values of the label in the order in which they were seen first.
    if (waiting >= MOST_WAITING || !this.#seen) this.handOn();
  }

  handOn(): void {
    for (const seconds of this.#waiting) this.#tell(seconds);
    this.#seen ||= this.#waiting.length > 0;
    this.#waiting.length = 0;
  }
}

/** A histogram of seconds, which is told of them when someone looks, and before too many wait. Call what it returns once for each value. */
export function createDurations<const L extends string>(
  registry: OpenRegistry,
  { name, help, label, buckets }: DurationsOptions<L>,
): (value: string) => Durations {
  const all: Durations[] = [];
  const histogram = new Histogram<L>({
    name,
    help,
    labelNames: [label],
    buckets,
    registers: [registry],
    collect() {
      for (const one of all) one.handOn();
    },
  });
  return (value) => {
    const child = histogram.labels(value);
    const one = new Durations((seconds) => child.observe(seconds));
    all.push(one);
    return one;
  };
}

function labelled<L extends string>(names: readonly L[], values: readonly string[]): LabelValues<L> {
  return Object.fromEntries(names.map((name, index) => [name, values[index]])) as LabelValues<L>;
}
