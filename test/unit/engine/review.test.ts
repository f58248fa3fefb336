import { describe, expect, test } from '@jest/globals';
import type { Json } from '../../../src/base/json.ts';
import { readAdmissionReview } from '../../../src/engine/review.ts';
import { claim, type Fields, inventory, reviewWith, UID } from '../../support/reviews.ts';

const read = (over: Fields = {}, outer: Fields = {}) =>
  readAdmissionReview(JSON.parse(JSON.stringify(reviewWith(over, outer))) as Json);
const profileKind = { group: 'multicluster.x-k8s.io', version: 'v1alpha1', kind: 'ClusterProfile' };

describe('a review to evaluate', () => {
  test('becomes a subject', () => {
    expect(read()).toEqual({
      kind: 'evaluate',
      request: {
        uid: UID,
        group: 'multicluster.x-k8s.io',
        version: 'v1alpha1',
        kind: 'ClusterClaim',
        operation: 'CREATE',
        subresource: '',
        name: 'zone.example.com',
        namespace: undefined,
        username: 'jane',
        dryRun: false,
      },
      subject: {
        dialect: expect.objectContaining({ name: 'cluster-claim' }),
        version: 'v1alpha1',
        operation: 'CREATE',
        subresource: '',
        object: claim,
        oldObject: undefined,
        name: 'zone.example.com',
        namespace: undefined,
        identity: { username: 'jane', groups: ['system:authenticated'] },
        dryRun: false,
      },
    });
  });

  const deletion = { operation: 'DELETE', object: null, oldObject: claim };
  const byJane = (groups: unknown) => ({ userInfo: { username: 'jane', groups } });
  test.each<[string, Fields, Fields]>([
    ['DELETE is evaluated on the old object', deletion, { object: claim, oldObject: claim }],
    ['deletecollection has no request.name', { ...deletion, name: '' }, { name: 'zone.example.com' }],
    ['an object without a name', { object: { ...claim, metadata: {} }, name: 'asked' }, { name: 'asked' }],
    ['generateName alone', { object: { ...claim, metadata: { generateName: 'a-' } }, name: '' }, { name: '' }],
    ['an old object on CREATE is nothing', { oldObject: claim }, { oldObject: undefined }],
    ['status', { operation: 'UPDATE', oldObject: claim, subResource: 'status' }, { subresource: 'status' }],
    ['subResource null is the main resource', { subResource: null }, { subresource: '' }],
    ['an unknown version', { kind: { ...profileKind, version: 'v9', kind: 'ClusterClaim' } }, { version: 'v9' }],
    ['request.kind governs, not the object', { object: { ...claim, kind: 'Secret' } }, { version: 'v1alpha1' }],
    ['a namespaced kind', { kind: profileKind, object: inventory, namespace: 'fleet' }, { namespace: 'fleet' }],
    ['its own namespace', { kind: profileKind, object: { metadata: { namespace: 'ns' } } }, { namespace: 'ns' }],
    ['no namespace for cluster-scoped kinds', { namespace: 'stray' }, { namespace: undefined }],
    ['dry run', { dryRun: true }, { dryRun: true }],
    ['no user', { userInfo: undefined }, { identity: undefined }],
    ['a user with an empty name', { userInfo: { username: '', groups: ['a'] } }, { identity: undefined }],
    ['groups that are no texts', byJane(['a', 1, null]), { identity: { username: 'jane', groups: ['a'] } }],
    ['groups that are no list', byJane('a'), { identity: { username: 'jane', groups: [] } }],
  ])('%s', (_, over, subject) => {
    expect(read(over)).toMatchObject({ kind: 'evaluate', subject });
  });

  test('is frozen to the last member', () => {
    const reading = read({ operation: 'UPDATE', oldObject: claim });
    const subject = reading.kind === 'evaluate' ? reading.subject : undefined;
    expect(Object.isFrozen(subject?.object['spec'])).toBe(true);
    expect(Object.isFrozen(subject?.oldObject?.['metadata'])).toBe(true);
    expect(Object.isFrozen(subject?.identity?.groups)).toBe(true);
  });
});

test.each<[string, Fields]>([
  ['a Secret', { kind: { group: '', version: 'v1', kind: 'Secret' }, object: null }],
  ['a stranger', { kind: { group: 'other.io', version: 'v1', kind: 'ClusterClaim' } }],
  ['CONNECT', { operation: 'CONNECT', object: { kind: 'PodExecOptions' } }],
  ['scale', { operation: 'UPDATE', subResource: 'scale', object: { kind: 'Scale' } }],
  ['approval', { operation: 'CREATE', subResource: 'approval', object: null }],
])('%s is skipped', (_, over) => {
  expect(read(over)).toMatchObject({ kind: 'skip', request: { uid: UID } });
});

describe('a review that can not be read', () => {
  test.each<[string, Fields, Fields, string]>([
    ['kind', {}, { kind: 'Pod' }, 'kind must be "AdmissionReview"'],
    ['no kind', {}, { kind: undefined }, 'kind must be "AdmissionReview"'],
    ['v1beta1', {}, { apiVersion: 'admission.k8s.io/v1beta1' }, 'apiVersion must be "admission.k8s.io/v1"'],
    ['request.kind as a text', { kind: 'X' }, {}, 'request.kind must be an object of group, version and kind'],
    ['request.kind null', { kind: null }, {}, 'request.kind must be an object of group, version and kind'],
    ['no group', { kind: { version: 'v1', kind: 'X' } }, {}, 'request.kind.group must be a string'],
    [
      'a number as version',
      { kind: { group: 'g', version: 1, kind: 'X' } },
      {},
      'request.kind.version must be a string',
    ],
    ['kind.kind null', { kind: { group: 'g', version: 'v1', kind: null } }, {}, 'request.kind.kind must be a string'],
    ['no operation', { operation: undefined }, {}, 'request.operation must be CREATE, UPDATE, DELETE or CONNECT'],
    ['lower case', { operation: 'create' }, {}, 'request.operation must be CREATE, UPDATE, DELETE or CONNECT'],
    ['a subresource that is no text', { subResource: 5 }, {}, 'request.subResource must be a string'],
    ['a namespace that is no text', { namespace: {} }, {}, 'request.namespace must be a string'],
    ['CREATE without an object', { object: null }, {}, 'request.object must be an object on CREATE'],
    ['CREATE with a list', { object: [] }, {}, 'request.object must be an object on CREATE'],
    ['UPDATE without an old object', { operation: 'UPDATE' }, {}, 'request.oldObject must be an object on UPDATE'],
    ['DELETE without an old object', { operation: 'DELETE' }, {}, 'request.oldObject must be an object on DELETE'],
  ])('%s', (_, over, outer, problem) => {
    expect(read(over, outer)).toMatchObject({ kind: 'refuse', uid: UID, problem });
  });

  test.each<[string, Json, string]>([
    ['a text', 'x', 'the body must be a JSON object, an AdmissionReview'],
    ['null', null, 'the body must be a JSON object, an AdmissionReview'],
    ['a list', [], 'the body must be a JSON object, an AdmissionReview'],
    ['no request', { kind: 'AdmissionReview', apiVersion: 'admission.k8s.io/v1' }, 'request must be an object'],
  ])('%s has no uid', (_, review, problem) => {
    expect(readAdmissionReview(review)).toEqual({ kind: 'refuse', uid: undefined, problem, request: undefined });
  });

  test.each([undefined, null, '', 5, {}, ['a'], 'u'.repeat(1025)])('uid %j', (uid) => {
    expect(read({ uid })).toMatchObject({
      kind: 'refuse',
      uid: undefined,
      problem: 'request.uid must be a non-empty string of at most 1024 characters',
    });
  });
});
