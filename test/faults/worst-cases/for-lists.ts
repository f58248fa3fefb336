import type { JsonObject } from '../../../src/rules/rule.ts';
import {
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
    name: '100,000 labels',
    review: inventory(
      { clusterManager: { name: 'harbour' } },
      map(MANY, (index) => [`l${index}`, 'v']),
    ),
  },
  {
    name: '100,000 unknown members of a spec',
    review: review({ kind: 'Feature', object: { spec: map(MANY, (index) => [`m${index}`, 1]) } }),
  },
  {
    name: '25,000 sound conditions',
    review: status(
      'InventoryCluster',
      conditions(25_000, () => ({})),
      {},
    ),
  },
  {
    name: '25,000 bad conditions, half of them stored so',
    review: status('InventoryCluster', bad(25_000), bad(12_000)),
  },
  {
    name: '12,000 bad conditions, stored so in another order',
    review: status('InventoryCluster', moved(12_000), bad(12_000)),
  },
  {
    name: '100,000 conditions that are no objects',
    review: status('InventoryCluster', { conditions: list(MANY, (index) => index) }, {}),
  },
  {
    name: '100,000 conditions that are no objects, stored otherwise',
    review: status(
      'InventoryCluster',
      { conditions: list(MANY, (index) => index) },
      { conditions: list(MANY, (index) => -index) },
    ),
  },
  {
    name: '50,000 properties without a name',
    review: status('InventoryCluster', { properties: list(50_000, () => ({ value: 'b' })) }),
  },
  {
    name: '30,000 properties that are bad ids, stored so',
    review: status('InventoryCluster', {
      properties: list(30_000, (index) => ({ name: 'id.k8s.io', value: `${index}-` })),
    }),
  },
  {
    name: '12 bad conditions of 120 kB each, stored so',
    review: status('InventoryCluster', {
      conditions: list(12, (index) => condition(index, { status: 'x', message: 'm'.repeat(120_000) })),
    }),
  },
  {
    name: 'one bad condition with 100,000 members, stored so',
    review: status('InventoryCluster', { conditions: [map(MANY, (index) => [`m${index}`, 1])] }),
  },
  {
    name: '100,000 uses that are null, stored so',
    review: status(
      'Feature',
      uses(MANY, () => null),
    ),
  },
  {
    name: '100,000 tasks in another order',
    review: status(
      'Feature',
      { state: 'TurningOn', transitionTasks: list(MANY, (index) => `t${index}`) },
      { state: 'TurningOn', transitionTasks: list(MANY, (index) => `t${index + 1}`) },
    ),
  },
  {
    name: '100,000 members of a status, each changed',
    review: status(
      'Feature',
      map(MANY, (index) => [`m${index}`, index]),
      map(MANY, (index) => [`m${index}`, -index]),
    ),
  },
  { name: 'a manager with 100,000 members, the same twice', review: managed() },
  { name: 'a manager with 100,000 members and a name, the last changed', review: managed('harbour') },
  {
    name: 'a status of 100,000 members, the same but for its uses',
    review: status('Feature', { ...members(), ...uses(1, use) }, { ...members(), ...uses(0, use) }),
  },
  // As many as a review may hold that is decoded at all: see src/server/admission/weight.ts.
  {
    name: '370,000 empty lists',
    review: claim(
      'a.b',
      list(370_000, () => []),
    ),
  },
  {
    name: '700,000 numbers',
    review: claim(
      'a.b',
      list(700_000, () => 1),
    ),
  },
];

function bad(count: number): Part {
  return conditions(count, () => ({ status: true }));
}

function members(): Part {
  return map(MANY, (index) => [`m${index}`, index]);
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
