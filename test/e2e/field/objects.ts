/** Objects of the scenarios, as tools write them. */
import type { Json } from '../harness/index.ts';
import {
  claim,
  condition,
  feature,
  id,
  inventory,
  labelled,
  managed,
  membership,
  ocmClaim,
  profile,
  property,
  value,
} from '../verbs/objects.ts';

export { claim, condition, feature, id, inventory, labelled, managed, membership, ocmClaim, profile, property, value };

/** The id that a member may not take. */
export const otherId = claim('id.k8s.io', value('b'));

export const status = {
  conditions: [{ ...condition, message: 'reported by the agent' }],
  version: { kubernetes: '1.36.3' },
  properties: [{ name: 'id.k8s.io', value: 'a' }],
};

/** A ClusterProfile of manager `fleet` with its label, as it is stored; `status` as its agent reports it. */
export function storedProfile({ namespace, name }: { namespace: string; name: string }): Json {
  return profile(name, { ...managed('fleet'), status }, { namespace, ...labelled('fleet') });
}

/** The same as a manifest that leaves the label to muster. */
export function profileManifest({ namespace, name }: { namespace: string; name: string }, displayName = name): Json {
  return profile(name, { spec: { ...managed('fleet').spec, displayName } }, { namespace });
}

export function storedInventory({ name }: { name: string }): Json {
  return inventory(name, { ...managed('fleet'), status }, labelled('fleet'));
}

export function inventoryManifest({ name }: { name: string }, displayName = name): Json {
  return inventory(name, { spec: { ...managed('fleet').spec, displayName } });
}

/** Turning on: its tasks are lost with its status. */
export function turningOn({ namespace, name }: { namespace: string; name: string }): Json {
  return feature(
    name,
    {
      spec: { desired: 'Enabled' },
      status: {
        state: 'TurningOn',
        source: 'Dynamic',
        default: 'Disabled',
        transitionTasks: ['Migrate', 'WaitForUses'],
      },
    },
    { namespace },
  );
}

export const MANAGER_LABEL = 'x-k8s.io/cluster-manager';

export function withMetadata(object: Json, metadata: Json): Json {
  return { ...object, metadata: { ...object.metadata, ...metadata } };
}

/** The manifest alone: no status. */
export function manifestOf({ status: _, ...manifest }: Json): Json {
  return manifest;
}
