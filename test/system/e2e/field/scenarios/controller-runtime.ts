/** controller-runtime: what any controller of one's own does. */

import { MANAGER_LABEL } from '../../../../../src/api/labels.ts';
import type { Json } from '../../harness/index.ts';
import {
  feature,
  here,
  inventoryManifest,
  profileManifest,
  status,
  storedInventory,
  storedProfile,
  turningOn,
  withMetadata,
} from '../objects.ts';
import { away, restarting, type Scenario, up } from '../scenario.ts';
import { before, during, fails, has, hasLabel, isGone, passes, refuses, store, writes } from '../steps.ts';

const off = feature(
  '{field}',
  { spec: { desired: 'Enabled' }, status: { state: 'Off', source: 'Dynamic', default: 'Disabled' } },
  here,
);
const setStatus = (object: Json, change: Json) =>
  writes('controller', 'update-status', object, { change: { status: change } });
const ofSystem = withMetadata(turningOn, { namespace: 'kube-system' });
const nextTask = { transitionTasks: ['WaitForUses'] };
const held = { finalizers: ['example.com/hold'] };

export const controllerRuntime: readonly Scenario[] = [
  up(
    '`CreateOrPatch`, a ClusterProfile without the manager label',
    'passes; the label is added and stays',
    ...[
      ['one', 'created'],
      ['two', 'updated'],
      ['two', 'unchanged'],
    ].flatMap(([displayName, outcome]) => [
      passes(writes('controller', 'create-or-patch', profileManifest(), { change: profileManifest(displayName) }), {
        steps: [`create-or-patch: ${outcome}`],
      }),
      hasLabel(storedProfile),
    ]),
  ),
  up(
    '`Update` of an object built from scratch, without the manager label',
    'passes, every time; the label is put back with a warning',
    store(storedInventory),
    ...['one', 'two'].flatMap((text) => [
      passes(writes('controller', 'replace', inventoryManifest(text)), {
        updates: [storedInventory],
        warns: 'inventory/cluster-manager-label',
      }),
      hasLabel(storedInventory),
    ]),
  ),
  up(
    '`Update` of an object with a wrong manager label',
    'refused (403); muster adds a label that is missing and never corrects a wrong one',
    store(storedInventory),
    refuses(
      writes('controller', 'replace', withMetadata(inventoryManifest(), { labels: { [MANAGER_LABEL]: 'another' } })),
      'inventory/cluster-manager-label',
      { keeps: [storedInventory] },
    ),
  ),
  up(
    '`Status().Update` from Off to On, step by step',
    'passes',
    store(off),
    passes(setStatus(off, { state: 'TurningOn', transitionTasks: ['Migrate', 'WaitForUses'] })),
    passes(setStatus(off, nextTask)),
    passes(setStatus(off, { state: 'On', transitionTasks: null })),
    has(off, { status: { state: 'On' } }),
  ),
  up(
    '`Status().Update` from Off to On at once',
    'refused (422, by the CRD itself); the status stays',
    store(off),
    refuses(setStatus(off, { state: 'On' }), 'a feature goes Off, TurningOn, On', { keeps: [off], code: 422 }),
  ),
  up(
    '`Update` that removes a finalizer from a deleted object that breaks a rule',
    'passes; the object is deleted',
    store({
      ...withMetadata(storedInventory, { labels: { [MANAGER_LABEL]: 'wrong' }, ...held }),
      terminating: true,
    }),
    passes(writes('controller', 'finish', storedInventory)),
    isGone(storedInventory),
  ),
  restarting(
    '`Update` of spec and `Status().Update`, repeatedly',
    'passes',
    store(storedInventory),
    during(writes('controller', 'update', inventoryManifest(), { change: { spec: { displayName: 'round {round}' } } })),
    during(setStatus(inventoryManifest(), { version: { kubernetes: '1.36.{round}' } })),
  ),
  away(
    '`Status().Update` of an InventoryCluster and a ClusterProfile',
    'passes',
    before(store(storedInventory, storedProfile)),
    ...[storedInventory, storedProfile].map((object) =>
      passes(setStatus(object, { ...status, version: { kubernetes: '1.36.4' } })),
    ),
  ),
  away(
    '`Status().Update` of a Feature, in `kube-system` and elsewhere',
    'passes in `kube-system`; refused (500) elsewhere until muster is back',
    before(store(turningOn, ofSystem)),
    passes(setStatus(ofSystem, nextTask)),
    fails(setStatus(turningOn, nextTask), { keeps: [turningOn] }),
  ),
  away(
    '`Update` that adds a finalizer to an InventoryCluster, a ClusterProfile and a Feature, and removes it',
    'passes',
    before(store(storedInventory, storedProfile, turningOn)),
    ...[storedInventory, storedProfile, turningOn].flatMap((object) => [
      passes(writes('controller', 'update', object, { change: { metadata: held } }), { keeps: [object] }),
      passes(writes('controller', 'finish', object), { keeps: [object] }),
    ]),
  ),
];
