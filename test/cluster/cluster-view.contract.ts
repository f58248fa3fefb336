/** What every ClusterView must keep, whatever is behind it: one suite, run by each implementation's own test. */
import { describe, expect, test } from '@jest/globals';
import {
  clusterClaim,
  clusterProfile,
  clusterProperty,
  type Dialect,
  ocmClusterClaim,
} from '../../src/api/dialects.ts';
import type { ClusterView, JsonObject } from '../../src/rules/rule.ts';

/** Builds a view of a cluster that holds these objects and, of the kinds among them, nothing else. */
export type ViewOf = (objects: readonly JsonObject[]) => ClusterView | Promise<ClusterView>;

export function claim(name: string, value: string, apiVersion = 'multicluster.x-k8s.io/v1alpha1'): JsonObject {
  const kind = apiVersion.startsWith('about') ? 'ClusterProperty' : 'ClusterClaim';
  return { apiVersion, kind, metadata: { name }, spec: { value } };
}

export function profile(namespace: string | undefined, name: string): JsonObject {
  const metadata = namespace === undefined ? { name } : { name, namespace };
  return { apiVersion: 'multicluster.x-k8s.io/v1alpha1', kind: 'ClusterProfile', metadata, spec: {} };
}

/** What any view keeps: gets, of the claims that hold an id or a membership. */
export function describeGets(viewOf: ViewOf): void {
  describe('a ClusterView that gets', () => {
    const membership = { dialect: clusterClaim, name: 'clusterset.k8s.io' };

    test('gets an object by its name', async () => {
      const view = await viewOf([claim('id.k8s.io', 'one'), claim('clusterset.k8s.io', 'two')]);
      expect(await view.get(membership)).toMatchObject({ known: true, value: { spec: { value: 'two' } } });
    });

    test('knows that an object is absent from a kind that is known', async () => {
      const view = await viewOf([claim('id.k8s.io', 'one')]);
      expect(await view.get(membership)).toEqual({ known: true, value: undefined });
    });

    test('keeps groups apart and versions together', async () => {
      const view = await viewOf([
        claim('id.k8s.io', 'ours'),
        claim('id.k8s.io', 'theirs', 'cluster.open-cluster-management.io/v1alpha1'),
        claim('id.k8s.io', 'older', 'about.k8s.io/v1alpha1'),
        claim('clusterset.k8s.io', 'newer', 'about.k8s.io/v1beta1'),
      ]);
      const claimed = async (dialect: Dialect, name: string) => {
        const answer = await view.get({ dialect, name });
        return answer.known && (answer.value?.['spec'] as JsonObject | undefined)?.['value'];
      };
      expect(await claimed(clusterClaim, 'id.k8s.io')).toBe('ours');
      expect(await claimed(ocmClusterClaim, 'id.k8s.io')).toBe('theirs');
      expect(await claimed(clusterProperty, 'id.k8s.io')).toBe('older');
      expect(await claimed(clusterProperty, 'clusterset.k8s.io')).toBe('newer');
    });
  });
}

/** What a view keeps that knows whole kinds. */
export function describeView(viewOf: ViewOf): void {
  describeGets(viewOf);
  describe('a ClusterView', () => {
    test('lists a kind of one group, and knows what is absent from it', async () => {
      const theirs = claim('a.example.com', 'two', 'cluster.open-cluster-management.io/v1alpha1');
      const view = await viewOf([claim('a.example.com', 'one'), theirs]);
      expect(await view.get({ dialect: clusterClaim, name: 'b' })).toEqual({ known: true, value: undefined });
      expect(await view.list(clusterClaim)).toMatchObject({ known: true, value: [{ spec: { value: 'one' } }] });
    });

    test('keeps namespaces apart, and lists one or all', async () => {
      const view = await viewOf([profile('fleet', 'a'), profile('other', 'a'), profile('other', 'b')]);
      const names = async (namespace?: string) => {
        const answer = await view.list(clusterProfile, namespace);
        return answer.known && answer.value.map((object) => object['metadata']);
      };
      expect(await names('fleet')).toEqual([{ namespace: 'fleet', name: 'a' }]);
      expect(await names('other')).toHaveLength(2);
      expect(await names()).toHaveLength(3);
      expect(await names('nowhere')).toEqual([]);
      expect(await view.get({ dialect: clusterProfile, namespace: 'fleet', name: 'b' })).toMatchObject({
        value: undefined,
      });
    });

    test('has no object by the name of a prototype member', async () => {
      const view = await viewOf([claim('a.example.com', 'one')]);
      for (const name of ['constructor', '__proto__', 'toString']) {
        expect(await view.get({ dialect: clusterClaim, name })).toEqual({ known: true, value: undefined });
      }
    });
  });
}
