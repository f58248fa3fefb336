/** What else exists, and which configuration holds, when an update is evaluated. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { dialects } from '../../../../src/api/dialects.ts';
import type { JsonObject } from '../../../../src/base/json.ts';
import { configurationOf } from '../../../support/configuration.ts';
import { nameOf, type Setting, type Update } from './update.ts';

export const SETTINGS: readonly Setting[] = ['alone', 'member', 'leaving', 'configured'];

const CONFIGURATION = {
  rules: {
    'claim/qualified-name': 'warn',
    'claim/clusterset-value': 'warn',
    'inventory/member-id-stable': 'deny',
    'inventory/version': 'ignore',
    'inventory/properties': 'deny',
    'feature/class-and-name': 'deny',
    'feature/completion': 'warn',
  },
  claims: {
    allowedReservedNames: ['*.topology.kubernetes.io'],
    membershipManagers: [{ serviceAccount: 'fleet/manager' }],
  },
  inventory: { managers: { harbour: [{ serviceAccount: 'fleet/manager' }], north: [{ user: 'jane' }] } },
  placements: { schedulers: { harbormaster: [{ serviceAccount: 'fleet/manager' }] } },
  services: { closedNamespaces: ['kube-system'], importManagers: [{ serviceAccount: 'fleet/manager' }] },
  features: {
    dynamic: [{ namespace: 'fleet-a', name: '*' }],
    serverFlow: [{ namespace: 'fleet-a', principals: [{ serviceAccount: 'fleet/manager' }] }],
  },
  exemptions: { groups: ['break-glass'], namespaces: ['estuary'] },
};

/** The configuration's file, for the settings that have one. */
export function configurationFile(setting: Setting, folder: string): string | undefined {
  if (setting !== 'configured') return undefined;
  const file = join(folder, 'configuration.yaml');
  // Written once: others may be reading it.
  if (!existsSync(file)) writeFileSync(file, JSON.stringify(configurationOf(CONFIGURATION)));
  return file;
}

/** The other objects of a setting. */
export function objectsOf(setting: Setting): readonly JsonObject[] {
  if (setting === 'alone') return [];
  return [...membershipsOf(setting), ...(setting === 'configured' ? INVENTORY : [])];
}

/** Others that carry the same id and the same member id as some that are updated. */
const INVENTORY: readonly JsonObject[] = dialects
  .filter(({ concept }) => concept === 'inventory')
  .map(({ group, versions, kind, scope }) => ({
    apiVersion: `${group}/${versions.at(-1)}`,
    kind,
    metadata: {
      name: 'taken',
      ...(scope === 'Namespaced' ? { namespace: 'fleet-a' } : {}),
      labels: { 'x-k8s.io/cluster-manager': 'harbour', 'multicluster.x-k8s.io/inventory-member-id': 'm1' },
    },
    spec: { clusterManager: { name: 'harbour' } },
    status: {
      properties: [
        { name: 'id.k8s.io', value: 'north-1' },
        { name: 'clusterset.k8s.io', value: 'blue' },
      ],
    },
  }));

/** The membership claims, in one version of each API. */
function membershipsOf(setting: Setting): readonly JsonObject[] {
  const leaving = { deletionTimestamp: '2026-05-31T23:59:00Z', finalizers: ['example.org/hold'] };
  return dialects.flatMap(({ claim, group, versions, kind }) => {
    if (claim === undefined) return [];
    const metadata = { name: claim.membershipName, ...(setting === 'leaving' ? leaving : {}) };
    return [{ apiVersion: `${group}/${versions.at(-1)}`, kind, metadata, spec: { value: 'harbor' } }];
  });
}

/** Those of them that the update is not about. */
export function othersOf(update: Update): readonly JsonObject[] {
  return objectsOf(update.setting).filter(
    ({ apiVersion, kind, metadata }) =>
      String(apiVersion).split('/')[0] !== update.dialect.group ||
      kind !== update.dialect.kind ||
      (metadata as JsonObject)['name'] !== nameOf(update),
  );
}

/** Writes the objects as files into a folder that is there already; returns the folder. */
export function writeState(folder: string, objects: readonly JsonObject[]): string {
  mkdirSync(folder, { recursive: true });
  if (objects.length > 0) writeFileSync(join(folder, 'state.yaml'), documents(objects));
  return folder;
}

/** YAML documents; JSON is YAML, and is written a hundred times faster. */
export function documents(objects: readonly JsonObject[]): string {
  return objects.map((object) => JSON.stringify(object)).join('\n---\n');
}
