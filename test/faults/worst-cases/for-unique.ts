import { type Crafted, conditions, list, status, use, uses } from './reviews.ts';

/** "uniqueItems": entries of which no two may share their keys. */
export const forUnique: readonly Crafted[] = [
  {
    name: '14,000 conditions of one type',
    review: status(
      'InventoryCluster',
      conditions(14_000, () => ({ type: 'Same' })),
      {},
    ),
  },
  {
    name: '7,000 conditions of one type, stored so',
    review: status(
      'InventoryCluster',
      conditions(7000, () => ({ type: 'Same' })),
    ),
  },
  {
    name: '21,000 properties of one name, half of them stored so',
    review: status(
      'InventoryCluster',
      { properties: list(21_000, () => ({ name: 'a', value: 'b' })) },
      { properties: list(10_500, () => ({ name: 'a', value: 'b' })) },
    ),
  },
  {
    name: '15,000 uses of one key, half of them stored so',
    review: status('Feature', uses(15_000, use), uses(7500, use)),
  },
  {
    name: '22,000 uses, each of its own key',
    review: status(
      'Feature',
      uses(22_000, (index) => ({ ...use(), version: `v${index}` })),
      {},
    ),
  },
];
