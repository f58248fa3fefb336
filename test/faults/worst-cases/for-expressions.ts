import { almost, type Crafted, claim, condition, conditions, inventory, LONG, property, status } from './reviews.ts';

/** For the regular expressions that a review reaches: long texts that almost match, and short ones in great number. */
export const forExpressions: readonly Crafted[] = [
  { name: 'a long id that is almost a label', review: claim('id.k8s.io', almost('a-', '-')) },
  { name: 'an id of 63 dashes', review: claim('id.k8s.io', `a${'-'.repeat(62)}`) },
  { name: 'an id of a million dots', review: property('cluster.clusterset.k8s.io', almost('a.', '-')) },
  { name: 'a class of a million dots', review: status('Feature', { class: almost('A.', '-') }) },
  {
    name: 'a long manager that is almost a label value',
    review: inventory({ clusterManager: { name: almost('a_.', '.') } }),
  },
  { name: 'a manager of 63 dots', review: inventory({ clusterManager: { name: `a${'.'.repeat(62)}` } }) },
  {
    name: 'a time with 3.1 MB of digits',
    review: status('Feature', { useEvaluationTime: `2026-01-01T00:00:00.${'1'.repeat(LONG)}` }),
  },
  {
    name: 'a time of 64 characters without its zone',
    review: status('Feature', { useEvaluationTime: `2026-01-01T00:00:00.${'1'.repeat(44)}` }),
  },
  { name: 'a version of 3.1 MB', review: status('InventoryCluster', { version: { kubernetes: almost('1.', '!') } }) },
  {
    name: 'a version of 256 digits and dots',
    review: status('InventoryCluster', { version: { kubernetes: almost('1.', '!', 255) } }),
  },
  {
    name: 'a version of 256 separators',
    review: status('InventoryCluster', { version: { kubernetes: `1.1${'-'.repeat(253)}` } }),
  },
  {
    name: 'a condition type of 3.1 MB',
    review: status('InventoryCluster', { conditions: [condition(0, { type: almost('a-', '/') })] }, {}),
  },
  {
    name: 'a condition type of 316 characters that could end anywhere',
    review: status('InventoryCluster', { conditions: [condition(0, { type: almost('a.', '!', 315) })] }, {}),
  },
  {
    name: '9,000 of 256 characters',
    review: status(
      'InventoryCluster',
      conditions(9000, (index) => ({ type: `${index}${almost('a-', '!', 250)}` })),
      {},
    ),
  },
  {
    name: 'a reason of 3.1 MB',
    review: status('InventoryCluster', { conditions: [condition(0, { reason: almost('a:', ':') })] }, {}),
  },
  {
    name: '2,500 reasons of 1,024 characters',
    review: status(
      'InventoryCluster',
      conditions(2500, () => ({ reason: almost('a:', '!', 1023) })),
      {},
    ),
  },
  { name: 'a field of 3.1 MB', review: status('InventoryCluster', { [almost('a-', ' ')]: 1, conditions: 7 }, {}) },
  {
    name: 'a member of a status of 3.1 MB, which strangers may not write',
    review: status('Feature', { [almost('a-', ' ')]: 1 }, {}),
  },
  { name: 'a name of 3.1 MB of control characters', review: claim(almost('\u0001', '', 1_000_000), 7) },
  { name: 'a name of 3.1 MB of lone surrogates', review: claim(`${almost('\ud800', '', 1_000_000)}.k8s.io`, 7) },
  { name: 'a value of 3.1 MB of format characters', review: claim('id.k8s.io', almost('\u202e', '', 1_000_000)) },
  { name: 'a value of placeholders', review: claim('id.k8s.io', almost('"{{value}}"', '')) },
  { name: 'a name of opened placeholders', review: claim(`${almost('{{', '')}.k8s.io`, 'x') },
  { name: 'a value of another type', review: claim('a.b', { a: almost('a', '') }) },
];
