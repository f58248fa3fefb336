import { type Crafted, conditions, list, status, use, uses } from './reviews.ts';

/** "uniqueItems": entries of which no two may share their keys. */
export const forUnique: readonly Crafted[] = [
  {
    name: '25,000 conditions of one type',
    review: status(
      'InventoryCluster',
      conditions(25_000, () => ({ type: 'Same' })),
      {},
    ),
  },
  {
    name: '12,000 conditions of one type, stored so',
    review: status(
      'InventoryCluster',
      conditions(12_000, () => ({ type: 'Same' })),
    ),
  },
  {
    name: '45,000 properties of one name, half of them stored so',
    review: status(
      'InventoryCluster',
      { properties: list(45_000, () => ({ name: 'a', value: 'b' })) },
      { properties: list(22_000, () => ({ name: 'a', value: 'b' })) },
    ),
  },
  {
    name: '30,000 uses of one key, half of them stored so',
    review: status('Feature', uses(30_000, use), uses(15_000, use)),
  },
  {
    name: '30,000 uses, each of its own key',
    review: status(
      'Feature',
      uses(30_000, (index) => ({ ...use(), version: `v${index}` })),
      {},
    ),
  },
];
