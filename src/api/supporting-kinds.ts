/**
 * Kinds that `check` and `scan` read to understand others, and never evaluate: no rule applies to a write of them, no
 * webhook is registered for them, and they are not dialects.
 */
import type { Resource } from './dialects.ts';

/** A kind of Kubernetes itself, in its only version. */
export interface SupportingKind extends Resource {
  readonly name: 'service' | 'namespace';
  /** Always undefined: distinguishes a supporting kind from a dialect. */
  readonly concept?: undefined;
  readonly claim?: undefined;
}

/** What a ServiceExport of the same name exports. */
export const service = {
  name: 'service',
  group: '',
  versions: ['v1'],
  kind: 'Service',
  plural: 'services',
  groupResource: 'services',
  scope: 'Namespaced',
} as const satisfies SupportingKind;

/** Evidence that a cluster has a namespace. */
export const namespace = {
  name: 'namespace',
  group: '',
  versions: ['v1'],
  kind: 'Namespace',
  plural: 'namespaces',
  groupResource: 'namespaces',
  scope: 'Cluster',
} as const satisfies SupportingKind;

export const supportingKinds: readonly SupportingKind[] = [service, namespace];

/** Returns the supporting kind of an object's type; undefined for all others. */
export function supportingKindOf(apiVersion: string, kind: string): SupportingKind | undefined {
  return apiVersion === 'v1' ? supportingKinds.find((one) => one.kind === kind) : undefined;
}
