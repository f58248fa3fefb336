/** Objects of the scenarios, as tools write them. `{field}` is the name of the scenario, and of its namespace. */
import type { Json } from '../harness/index.ts';
import { claim, condition, feature, inventory, labelled, managed, profile } from '../verbs/objects.ts';

export * from '../verbs/objects.ts';

export const MANAGER_LABEL = 'x-k8s.io/cluster-manager';
export const here = { namespace: '{field}' };

/** The id that a member may not take. */
export const otherId = claim('id.k8s.io', 'b');
export const ownClaim = (text = 'a', metadata?: Json) => claim('{field}.example.com', text, metadata);
export const newClaim = claim('{field}-new.example.com', 'a');

export const status = {
  conditions: [{ ...condition, message: 'reported by the agent' }],
  version: { kubernetes: '1.36.3' },
  properties: [{ name: 'id.k8s.io', value: 'a' }],
};

/** Objects of manager `fleet` with its label, as they are stored; `status` as its agent reports it. */
export const storedProfile = profile('{field}', { ...managed('fleet'), status }, { ...here, ...labelled('fleet') });
export const storedInventory = inventory('{field}', { ...managed('fleet'), status }, labelled('fleet'));

/** The same as manifests that leave the label to muster. */
const spec = (displayName: string) => ({ spec: { ...managed('fleet').spec, displayName } });
export const profileManifest = (displayName = '{field}') => profile('{field}', spec(displayName), here);
export const inventoryManifest = (displayName = '{field}') => inventory('{field}', spec(displayName));
export const otherManager = { ...inventoryManifest(), ...managed('another') };
export const otherProfileManager = { ...profileManifest(), ...managed('another') };

/** Turning on: its tasks are lost with its status. */
export const turningOn = feature(
  '{field}',
  {
    spec: { desired: 'Enabled' },
    status: {
      state: 'TurningOn',
      source: 'Dynamic',
      default: 'Disabled',
      transitionTasks: ['Migrate', 'WaitForUses'],
    },
  },
  here,
);

export function withMetadata(object: Json, metadata: Json): Json {
  return { ...object, metadata: { ...object.metadata, ...metadata } };
}

/** The manifest alone: no status. */
export function manifestOf({ status: _, ...manifest }: Json): Json {
  return manifest;
}
