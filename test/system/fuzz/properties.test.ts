/**
 * The properties, a few runs each; `npm run test:faults` runs them more often. And every input that is kept, once: an
 * input that once failed, or that reached code which no other did, is in `test/system/fuzz/corpus`.
 */
import { describe, expect, test } from '@jest/globals';
import { properties } from './properties.ts';
import { keptInputs } from './target.ts';
import { configuration } from './targets/configuration.ts';
import { kubectlTarget } from './targets/kubectl.ts';
import { reviewTarget } from './targets/review.ts';
import { yaml } from './targets/yaml.ts';

test.each(properties.map(({ name, check }) => [name, check] as const))('%s', (_, check) => check(60));

describe('kept inputs', () => {
  const targets = [reviewTarget('claim'), reviewTarget('inventory'), reviewTarget('feature'), configuration, yaml];
  test.each(targets.map((target) => [target.name, target] as const))('%s', async (name, target) => {
    const inputs = keptInputs(name);
    expect(inputs.length).toBeGreaterThan(0);
    for (const input of inputs) await target.run(input);
  });
});

/** Built once, with Go; on a machine without it, CI compares. */
const kubectl = kubectlTarget();

(kubectl ? test : test.skip)("manifests of every form are read as kubectl's own libraries read them", async () => {
  for (const input of kubectl?.seeds() ?? []) await kubectl?.run(input);
  kubectl?.close?.();
});
