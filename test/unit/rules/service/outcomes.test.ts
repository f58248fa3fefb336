/** The texts of findings on services. */
import { expect, test } from '@jest/globals';
import { fill } from '../../../../src/base/text.ts';
import { listed, outcomePhrases, textPhrase } from '../../../../src/rules/service/outcomes.ts';

test('a list makes the phrases that it shows, and not those of thousands of others', () => {
  let made = 0;
  const clusters = Array.from({ length: 5000 }, (_, index) => `k${index}`);
  const phrases = listed(clusters, (cluster) => {
    made += 1;
    return textPhrase(cluster);
  });
  expect(made).toBe(4);
  expect(fill('{{phrases}}', { phrases }, outcomePhrases)).toBe('k0, k1, k2, k3 and 4996 more');
});

test.each([
  [4, 'k0, k1, k2, k3'],
  [5, 'k0, k1, k2, k3 and 1 more'],
])('of %d items, no more are counted than are left out', (count, expected) => {
  const clusters = Array.from({ length: count }, (_, index) => `k${index}`);
  expect(fill('{{phrases}}', { phrases: listed(clusters, textPhrase) }, outcomePhrases)).toBe(expected);
});
