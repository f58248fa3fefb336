/** What reviews that are made to take long are built of. None is larger than 8 MiB. */
import type { JsonObject } from '../../../src/rules/rule.ts';

export interface Crafted {
  readonly name: string;
  readonly review: JsonObject;
}

/** As much as the API server takes in a request; in a review an UPDATE has the stored object beside it, of up to 1.5 MiB. */
export const LONG = 3_100_000;
/** Members of one map, or entries of `[],`, that a review may have: two marks each (`MARKS_LIMIT`). `BOTH`: where the stored object has as many. */
export const MANY = 79_000;
export const BOTH = 39_500;
/** Entries of a list, or members of a map: as many as 8 MiB hold, at most so many. */
export const list = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));
export const map = <T>(count: number, make: (index: number) => [string, T]): Record<string, T> =>
  Object.fromEntries(list(count, make));

export type Part = Record<string, unknown>;
interface Write {
  readonly kind: string;
  readonly operation?: 'CREATE' | 'UPDATE' | 'DELETE';
  readonly subresource?: string;
  readonly object: Part;
  readonly old?: Part;
}

const GROUPS: Readonly<Record<string, [string, string]>> = {
  ClusterClaim: ['multicluster.x-k8s.io', 'v1alpha1'],
  ClusterProperty: ['about.k8s.io', 'v1beta1'],
  InventoryCluster: ['multicluster.x-k8s.io', 'v1alpha1'],
  ClusterProfile: ['multicluster.x-k8s.io', 'v1alpha2'],
  Feature: ['features.x-k8s.io', 'v1alpha1'],
};

export function review({ kind, operation = 'CREATE', subresource = '', object, old }: Write): JsonObject {
  const [group = '', version = ''] = GROUPS[kind] ?? [];
  const whole = (part: Part) => {
    const { metadata, ...rest } = part;
    return { apiVersion: `${group}/${version}`, kind, metadata: { name: 'harbour-7', ...(metadata as Part) }, ...rest };
  };
  const request = {
    uid: '6d9f1c3e-1d7c-4c8e-9f57-1f3c2c1f0a11',
    kind: { group, version, kind },
    subResource: subresource,
    operation,
    userInfo: { username: 'jane', groups: ['a'] },
    object: operation === 'DELETE' ? null : whole(object),
    oldObject: old ? whole(old) : null,
  };
  return { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', request } as unknown as JsonObject;
}

/** The same twice: an update of a status in which the stored object is as bad. */
export function status(kind: string, now: Part, before: Part = now): JsonObject {
  const rest =
    kind === 'Feature'
      ? {}
      : {
          metadata: { labels: { 'x-k8s.io/cluster-manager': 'harbour' } },
          spec: { clusterManager: { name: 'harbour' } },
        };
  return review({
    kind,
    operation: 'UPDATE',
    subresource: 'status',
    object: { ...rest, status: now },
    old: { ...rest, status: before },
  });
}

export const claim = (name: string, value: unknown): JsonObject =>
  review({ kind: 'ClusterClaim', object: { metadata: { name }, spec: { value } } });
export const property = (name: string, value: unknown): JsonObject =>
  review({ kind: 'ClusterProperty', object: { metadata: { name }, spec: { value } } });
export const inventory = (spec: Part, labels: Part = {}): JsonObject =>
  review({ kind: 'InventoryCluster', object: { metadata: { labels }, spec } });
export const condition = (index: number, over: Part = {}): Part => ({
  type: `T${index}`,
  status: 'True',
  reason: 'R',
  message: '',
  lastTransitionTime: '2026-01-01T00:00:00Z',
  ...over,
});
/** Five at a time, so that 8 MiB hold as many as can be. */
export const conditions = (count: number, over: (index: number) => Part): Part => ({
  conditions: list(count, (index) => condition(index, over(index))),
});
export const uses = (count: number, make: (index: number) => unknown): Part => ({
  state: 'On',
  uses: list(count, make),
});
export const almost = (body: string, end: string, length = LONG) =>
  body.repeat(Math.ceil(length / body.length)).slice(0, length) + end;
/** A use without fault. */
export const use = (): Part => ({ version: 'v', enabled: 'Enabled', reportTime: '2026-01-01T00:00:00Z' });
