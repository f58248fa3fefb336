/** Writes of claims. */
import { clusterClaim, clusterProperty, JANE, MEMBERSHIP } from './objects.ts';
import type { Scenario } from './review.ts';

export const claims: readonly Scenario[] = [
  {
    name: 'a custom claim is made',
    operation: 'CREATE',
    object: clusterClaim('region.harbour.example', 'north-sea'),
    user: JANE,
    allowed: true,
  },
  {
    name: 'a reserved name',
    operation: 'CREATE',
    object: clusterClaim('region.k8s.io', 'north-sea'),
    user: JANE,
    allowed: false,
  },
  {
    name: 'a claim gets another value',
    operation: 'UPDATE',
    oldObject: clusterClaim('region.harbour.example', 'north-sea'),
    object: clusterClaim('region.harbour.example', 'baltic'),
    user: JANE,
    allowed: true,
  },
  {
    name: 'an id that is none',
    operation: 'CREATE',
    object: clusterProperty('cluster.clusterset.k8s.io', 'Berth_7'),
    user: JANE,
    allowed: false,
  },
  {
    name: 'the membership moves to another set',
    operation: 'UPDATE',
    oldObject: clusterProperty('clusterset.k8s.io', 'harbour'),
    object: clusterProperty('clusterset.k8s.io', 'canal'),
    user: MEMBERSHIP,
    allowed: false,
  },
  {
    name: 'the id goes, outside of a set',
    operation: 'DELETE',
    oldObject: clusterClaim('id.k8s.io', 'berth-7'),
    user: JANE,
    allowed: true,
    warned: true,
  },
  {
    name: 'a property gets another value',
    operation: 'UPDATE',
    oldObject: clusterProperty('zone.harbour.example', 'a'),
    object: clusterProperty('zone.harbour.example', 'b'),
    user: JANE,
    allowed: true,
  },
];
