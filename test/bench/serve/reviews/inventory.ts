/** Writes of inventory objects. */
import { clusterProfile, condition, DEPOT, health, inventoryCluster } from './objects.ts';
import type { Scenario } from './review.ts';

const status = { operation: 'UPDATE', subresource: 'status' } as const;

export const inventory: readonly Scenario[] = [
  {
    name: 'a cluster is registered',
    operation: 'CREATE',
    object: inventoryCluster(undefined),
    user: DEPOT,
    allowed: true,
  },
  {
    name: 'a cluster without its label',
    operation: 'CREATE',
    object: inventoryCluster(undefined, { labels: { region: 'north-sea' } }),
    user: DEPOT,
    allowed: false,
  },
  {
    name: 'a health report',
    ...status,
    oldObject: inventoryCluster(health()),
    object: inventoryCluster(
      health({
        conditions: [
          condition('ControlPlaneHealthy', 'Unknown', { lastTransitionTime: '2026-06-01T11:59:00Z' }),
          condition('Joined', 'True'),
        ],
      }),
    ),
    user: DEPOT,
    allowed: true,
  },
  {
    name: 'a condition without a reason',
    ...status,
    oldObject: inventoryCluster(health()),
    object: inventoryCluster(health({ conditions: [condition('Joined', 'True', { reason: '' })] })),
    user: DEPOT,
    allowed: false,
  },
  {
    name: 'a health report of a profile',
    ...status,
    oldObject: clusterProfile(health({ properties: [] })),
    object: clusterProfile(health()),
    user: DEPOT,
    allowed: true,
  },
  {
    name: 'a version that reads as none',
    ...status,
    oldObject: clusterProfile(health()),
    object: clusterProfile(health({ version: { kubernetes: 'latest' } })),
    user: DEPOT,
    allowed: true,
    warned: true,
  },
  {
    name: 'a profile changes its manager',
    operation: 'UPDATE',
    oldObject: clusterProfile(health()),
    object: clusterProfile(health(), 'wharf'),
    user: DEPOT,
    allowed: false,
  },
  { name: 'a profile goes', operation: 'DELETE', oldObject: clusterProfile(health()), user: DEPOT, allowed: true },
];
