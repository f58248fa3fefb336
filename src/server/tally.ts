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

export interface Durations<V extends string> {
  observe(value: V, seconds: number): void;
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

/** A histogram of seconds, which is told of them when someone looks, and before too many wait. */
export function createDurations<V extends string, const L extends string>(
  registry: OpenRegistry,
  { name, help, label, buckets }: DurationsOptions<L>,
): Durations<V> {
  const waiting = new Map<V, number[]>();
  const handOn = (value: V, seconds: number[]) => {
    const child = histogram.labels(value);
    for (const each of seconds) child.observe(each);
    seconds.length = 0;
  };
  const histogram = new Histogram<L>({
    name,
    help,
    labelNames: [label],
    buckets,
    registers: [registry],
    collect() {
      for (const [value, seconds] of waiting) handOn(value, seconds);
    },
  });
  return {
    observe(value, seconds) {
      const others = waiting.get(value);
      if (others !== undefined) {
        if (others.push(seconds) >= MOST_WAITING) handOn(value, others);
        return;
      }
      // At once: the text tells the values in the order in which they were seen first.
      waiting.set(value, []);
      handOn(value, [seconds]);
    },
  };
}

function labelled<L extends string>(names: readonly L[], values: readonly string[]): LabelValues<L> {
  return Object.fromEntries(names.map((name, index) => [name, values[index]])) as LabelValues<L>;
}
