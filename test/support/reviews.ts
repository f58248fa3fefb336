/** Reviews as the API server writes them. Each test shows only its difference. */
import { EventEmitter } from 'node:events';
import { decodeReview } from '../../src/server/admission/decode.ts';
import { type AdmissionOptions, decide, RequestDeadline } from '../../src/server/admission/handler.ts';
import type { AdmissionPath, Decision } from '../../src/server/observer.ts';
import { labelled, managed, claim as newClaim, inventory as newInventory } from './objects.ts';
export const UID = '6d9f1c3e-1d7c-4c8e-9f57-1f3c2c1f0a11';

export type Fields = Record<string, unknown>;

/** A custom claim that nothing is wrong with. */
export const claim: Fields = newClaim('zone.example.com', 'apac', { uid: 'not-the-request' });

export const inventory: Fields = newInventory('fleet-1', managed('some-manager'), labelled('some-manager'));

/** The request of a CREATE of `claim`; fields given replace its own, undefined ones vanish. */
export function requestOf(over: Fields = {}): Fields {
  const kind = { group: 'multicluster.x-k8s.io', version: 'v1alpha1', kind: 'ClusterClaim' };
  return {
    uid: UID,
    kind,
    resource: { group: kind.group, version: kind.version, resource: 'clusterclaims' },
    requestKind: kind,
    name: 'zone.example.com',
    operation: 'CREATE',
    userInfo: { username: 'jane', uid: 'u-1', groups: ['system:authenticated'] },
    object: claim,
    oldObject: null,
    dryRun: false,
    options: { kind: 'CreateOptions', apiVersion: 'meta.k8s.io/v1' },
    ...over,
  };
}

/** A review of that request; `outer` replaces what is beside it. */
export function reviewWith(over: Fields = {}, outer: Fields = {}): Fields {
  return { kind: 'AdmissionReview', apiVersion: 'admission.k8s.io/v1', request: requestOf(over), ...outer };
}

/** The request of a CREATE of `inventory`, changed by `change`. */
export function inventoryRequest(object: unknown = inventory, over: Fields = {}): Fields {
  const kind = { group: 'multicluster.x-k8s.io', version: 'v1alpha1', kind: 'InventoryCluster' };
  return requestOf({ kind, requestKind: kind, name: 'fleet-1', object, ...over });
}

export function bytesOf(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value));
}

/** Lists within lists. */
export function nested(levels: number): string {
  return '['.repeat(levels) + ']'.repeat(levels);
}

/**
 * Makes a decision from the bytes of a body, without HTTP.
 * @param budget milliseconds that the caller waits
 */
export async function decideBytes(
  options: Pick<AdmissionOptions, 'current' | 'clusterState'>,
  bytes: Buffer,
  path: AdmissionPath = 'validate',
  budget = 60_000,
): Promise<Decision> {
  const response = Object.assign(new EventEmitter(), { destroyed: false });
  const { review } = decodeReview({ bytes, tooLarge: false });
  return decide(options, path, review, new RequestDeadline(budget, response));
}
