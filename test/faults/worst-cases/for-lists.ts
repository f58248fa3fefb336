import type { JsonObject } from '../../../src/rules/rule.ts';
import {
  BOTH,
  type Crafted,
  claim,
  condition,
  conditions,
  inventory,
  list,
  MANY,
  map,
  type Part,
  review,
  status,
  use,
  uses,
} from './reviews.ts';

/** What sees each entry of a list, each member of a map, or compares two objects. */
export const forLists: readonly Crafted[] = [
  {
    name: '79,000 labels',
    review: inventory(
      { clusterManager: { name: 'harbour' } },
      map(MANY, (index) => [`l${index}`, 'v']),
    ),
  },
  {
    name: '79,000 unknown members of a spec',
    review: review({ kind: 'Feature', object: { spec: map(MANY, (index) => [`m${index}`, 1]) } }),
  },
  {
    name: '14,000 sound conditions',
    review: status(
      'InventoryCluster',
      conditions(14_000, () => ({})),
      {},
    ),
  },
  {
    name: '9,500 bad conditions, half of them stored so',
    review: status('InventoryCluster', bad(9500), bad(4700)),
  },
  {
    name: '7,000 bad conditions, stored so in another order',
    review: status('InventoryCluster', moved(7000), bad(7000)),
  },
  {
    name: '79,000 conditions that are no objects',
    review: status('InventoryCluster', { conditions: list(MANY, (index) => index) }, {}),
  },
  {
    name: '79,000 conditions that are no objects, stored otherwise',
    review: status(
      'InventoryCluster',
      { conditions: list(MANY, (index) => index) },
      { conditions: list(MANY, (index) => -index) },
    ),
  },
  {
    name: '26,000 properties without a name',
    review: status('InventoryCluster', { properties: list(26_000, () => ({ value: 'b' })) }),
  },
  {
    name: '15,500 properties that are bad ids, stored so',
    review: status('InventoryCluster', {
      properties: list(15_500, (index) => ({ name: 'id.k8s.io', value: `${index}-` })),
    }),
  },
  {
    name: '12 bad conditions of 120 kB each, stored so',
    review: status('InventoryCluster', {
      conditions: list(12, (index) => condition(index, { status: 'x', message: 'm'.repeat(120_000) })),
    }),
  },
  {
    name: 'one bad condition with 39,500 members, stored so',
    review: status('InventoryCluster', { conditions: [map(BOTH, (index) => [`m${index}`, 1])] }),
  },
  {
    name: '79,000 uses that are null, stored so',
    review: status(
      'Feature',
      uses(MANY, () => null),
    ),
  },
  {
    name: '79,000 tasks in another order',
    review: status(
      'Feature',
      { state: 'TurningOn', transitionTasks: list(MANY, (index) => `t${index}`) },
      { state: 'TurningOn', transitionTasks: list(MANY, (index) => `t${index + 1}`) },
    ),
  },
  {
    name: '39,500 members of a status, each changed',
    review: status(
      'Feature',
      map(BOTH, (index) => [`m${index}`, index]),
      map(BOTH, (index) => [`m${index}`, -index]),
    ),
  },
  { name: 'a manager with 39,500 members, the same twice', review: managed() },
  { name: 'a manager with 39,500 members and a name, the last changed', review: managed('harbour') },
  {
    name: 'a status of 39,500 members, the same but for its uses',
    review: status('Feature', { ...members(), ...uses(1, use) }, { ...members(), ...uses(0, use) }),
  },
  {
    name: '79,000 empty lists',
    review: claim(
      'a.b',
      list(MANY, () => []),
    ),
  },
  {
    name: '158,000 numbers',
    review: claim(
      'a.b',
      list(2 * MANY, () => 1),
    ),
  },
];

function bad(count: number): Part {
  return conditions(count, () => ({ status: true }));
}

function members(): Part {
  return map(BOTH, (index) => [`m${index}`, index]);
}

/** With a name its last member is another than before. */
function managed(name?: string): JsonObject {
  const manager = { ...(name === undefined ? {} : { name }), ...members() };
  const write = (last: Part) => ({ spec: { clusterManager: { ...manager, ...last } } });
  const object = write(name === undefined ? {} : { last: 1 });
  return review({ kind: 'InventoryCluster', operation: 'UPDATE', object, old: write({}) });
}

function moved(count: number): Part {
  const { conditions: all } = bad(count) as { conditions: Part[] };
  return { conditions: [...all.slice(-1), ...all.slice(0, -1)] };
}
