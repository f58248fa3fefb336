/** A write whose verdict tells which of two configurations is in use. */
import { reviewOf } from './probe.ts';

/** Refused under one configuration, and passed with a warning under the other. */
export const RESERVED = reviewOf({
  operation: 'CREATE',
  object: {
    apiVersion: 'multicluster.x-k8s.io/v1alpha1',
    kind: 'ClusterClaim',
    metadata: { name: 'zone.k8s.io' },
    spec: { value: 'a' },
  },
});

/** A MusterConfiguration that takes this action for a reserved name. */
export function configuration(action: 'deny' | 'warn'): string {
  return JSON.stringify({
    apiVersion: 'muster/v1alpha1',
    kind: 'MusterConfiguration',
    rules: { 'claim/reserved-name': action },
  });
}
