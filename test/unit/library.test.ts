/** What the library adds to the engine: subjects and views of plain objects. */
import { describe, expect, test } from '@jest/globals';
import { clusterClaim, clusterProfile } from '../../src/api/dialects.ts';
import {
  createEngine,
  type Identity,
  type Policy,
  policyOf,
  ruleIds,
  subjectOf,
  unknownView,
  viewOf,
} from '../../src/index.ts';
import { claim } from '../support/objects.ts';

const id = (value = 'one') => claim('id.k8s.io', value);
const profile = (metadata: object) => ({
  apiVersion: 'multicluster.x-k8s.io/v1alpha2',
  kind: 'ClusterProfile',
  metadata: { name: 'a', ...metadata },
});

describe('subjectOf', () => {
  test('a CREATE of what is given; with another object an UPDATE', () => {
    const subject = { dialect: clusterClaim, version: 'v1alpha1', subresource: '', name: 'id.k8s.io', dryRun: false };
    expect(subjectOf(id())).toEqual({ ...subject, operation: 'CREATE', object: id(), oldObject: undefined });
    const oldObject = id('two');
    expect(subjectOf(id(), { oldObject })).toEqual({ ...subject, operation: 'UPDATE', object: id(), oldObject });
    expect(subjectOf(id(), { operation: 'CREATE', oldObject })).toMatchObject({
      operation: 'CREATE',
      oldObject: undefined,
    });
  });

  test('a DELETE takes the object away, of which there is no newer one', () => {
    expect(subjectOf(profile({}), { subresource: 'status' })).toMatchObject({
      operation: 'UPDATE',
      oldObject: undefined,
    });
    expect(subjectOf(id(), { operation: 'DELETE' })).toMatchObject({ object: id(), oldObject: id() });
  });

  test('a namespaced object stands in a namespace, one that is not in none', () => {
    expect(subjectOf(profile({}))).toMatchObject({
      dialect: clusterProfile,
      version: 'v1alpha2',
      namespace: 'default',
    });
    const placed = subjectOf(profile({ namespace: 'fleet' }), { oldObject: profile({}) });
    expect(placed).toMatchObject({ namespace: 'fleet', oldObject: { metadata: { namespace: 'fleet' } } });
    const odd = { ...id(), metadata: { name: 'id.k8s.io', namespace: 'fleet' } };
    expect(subjectOf(odd)).toMatchObject({ namespace: undefined, object: id() });
  });

  test('who asks, whether it is a dry run, and of which part', () => {
    const more = { identity: { username: 'jane', groups: [] }, dryRun: true, subresource: 'status' } as const;
    expect(subjectOf(profile({}), more)).toMatchObject(more);
  });

  test('frozen, while the caller’s objects stay as they are', () => {
    const object = id();
    const oldObject = id();
    const identity = { username: 'jane', groups: ['fleet'] };
    const subject = subjectOf(object, { oldObject, identity });
    const inSubject = [subject?.object, subject?.object['spec'], subject?.oldObject, subject?.identity?.groups];
    expect(inSubject.map(Object.isFrozen)).toEqual([true, true, true, true]);
    const ofCaller = [object, object.spec, oldObject, identity, identity.groups];
    expect(ofCaller.map(Object.isFrozen)).toEqual([false, false, false, false, false]);
  });

  test.each([
    [{ apiVersion: 'v1', kind: 'Secret' }],
    [{ apiVersion: 'multicluster.x-k8s.io', kind: 'ClusterClaim' }],
    [{ kind: 'ClusterClaim' }],
    [{ apiVersion: 1, kind: [] }],
    [{}],
  ])('nothing of a kind that is not judged: %j', (object) => {
    expect(subjectOf(object)).toBeUndefined();
  });

  test('what is no object, no operation, no point and no policy is refused', () => {
    for (const value of [[], undefined, () => 1] as object[])
      expect(() => subjectOf(value)).toThrow(new TypeError('a Kubernetes object is a JSON object'));
    expect(() => subjectOf(id(), { operation: 'REPLACE' as 'UPDATE' })).toThrow(/^operation: give one of CREATE, /);
    expect(() => subjectOf(id(), { subresource: 'scale' as 'status' })).toThrow(/^subresource: give '' or 'status'/);
    const ofAnotherKind = { oldObject: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'id.k8s.io' } } };
    const ofAnotherName = { oldObject: { ...id(), metadata: { name: 'clusterset.k8s.io' } } };
    const ofAnotherNamespace = { oldObject: profile({ namespace: 'fleet' }) };
    for (const [object, options] of [
      [id(), ofAnotherKind],
      [id(), ofAnotherName],
      [profile({}), ofAnotherNamespace],
      [profile({ namespace: 'other' }), ofAnotherNamespace],
    ] as const)
      expect(() => subjectOf(object, options)).toThrow(/^oldObject: give one of the same kind, namespace and name$/);
    expect(() => subjectOf(id(), { operation: 'UPDATE' })).toThrow(/^oldObject: an UPDATE needs the stored object$/);
    for (const identity of [{ username: 'jane' }, { groups: [] }, 'jane', null] as unknown as Identity[])
      expect(() => subjectOf(id(), { identity })).toThrow(/^identity: give a username and a list of groups/);
    expect(() => createEngine({ point: 'hook' as 'webhook' })).toThrow(/^point: give one of webhook, check, scan$/);
    expect(() => createEngine({ point: 'check', policy: policyOf({}, ruleIds, 0) as unknown as Policy })).toThrow(
      /^policy: give /,
    );
  });
});

describe('a cluster state', () => {
  const reference = { dialect: clusterClaim, name: 'id.k8s.io' };

  test('of these objects has these and no others, of any kind', async () => {
    const view = viewOf([id()]);
    expect(await view.get(reference)).toEqual({ known: true, value: id() });
    expect(await view.get({ ...reference, name: 'none' })).toEqual({ known: true, value: undefined });
    expect(await view.list(clusterProfile)).toEqual({ known: true, value: [] });
    expect(await viewOf([]).list(clusterClaim)).toEqual({ known: true, value: [] });
    expect(Object.keys(view)).toEqual(['get', 'list']);
  });

  test('that is unknown says so', async () => {
    const reason = 'nothing is known of other ClusterClaim objects (multicluster.x-k8s.io)';
    expect(await unknownView.get(reference)).toEqual({ known: false, reason });
    expect(await unknownView.list(clusterClaim)).toEqual({ known: false, reason });
  });
});
