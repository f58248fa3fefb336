import { expect, test } from '@jest/globals';
import { Counter, Histogram, type OpenMetricsContentType, Registry } from '@prometheus-io/client';
import fc from 'fast-check';
import { createDurations, createTally } from '../../../src/server/ops/tally.ts';

type OpenRegistry = Registry<OpenMetricsContentType>;

const newRegistry = (): OpenRegistry => new Registry(Registry.OPENMETRICS_CONTENT_TYPE);
const label = fc.constantFrom('', 'none', 'a', 'b', 'constructor', '__proto__', 'x "\\\n y');
const buckets = [0.5, 1, 2];

test('whatever is counted, and whenever someone looks: the text that the client library makes of the same counts', async () => {
  const seen = fc.array(fc.record({ rule: label, action: label, looks: fc.boolean() }));
  await fc.assert(
    fc.asyncProperty(seen, async (counts) => {
      const [ours, theirs] = [newRegistry(), newRegistry()];
      const tally = createTally(ours, 'findings', 'Help.', ['rule', 'action']);
      const counter = new Counter({
        name: 'findings',
        help: 'Help.',
        labelNames: ['rule', 'action'],
        registers: [theirs],
      });
      for (const { rule, action, looks } of counts) {
        tally.at(rule).at(action).count += 1;
        counter.inc({ rule, action });
        if (looks) expect(await ours.metrics()).toBe(await theirs.metrics());
      }
      expect(await ours.metrics()).toBe(await theirs.metrics());
    }),
  );
});

test.each([0, 1, 1023, 1024, 1025, 3000])(
  '%d durations: the text that the client library makes of them',
  async (many) => {
    const [ours, theirs] = [newRegistry(), newRegistry()];
    const at = createDurations(ours, { name: 'took', help: 'Help.', label: 'path', buckets });
    const durations = { validate: at('validate'), mutate: at('mutate') };
    const histogram = new Histogram({
      name: 'took',
      help: 'Help.',
      labelNames: ['path'],
      buckets,
      registers: [theirs],
    });
    for (let nth = 0; nth < many; nth += 1) {
      const [path, seconds] = [nth % 3 === 0 ? ('mutate' as const) : ('validate' as const), (nth % 7) * 0.37];
      durations[path].observe(seconds);
      histogram.observe({ path }, seconds);
      if (nth === 700) expect(await ours.metrics()).toBe(await theirs.metrics());
    }
    expect(await ours.metrics()).toBe(await theirs.metrics());
  },
);
