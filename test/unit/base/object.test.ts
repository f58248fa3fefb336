import { expect, test } from '@jest/globals';
import type { Json, JsonObject } from '../../../src/base/json.ts';
import {
  changesMetadataOnly,
  isStatusWritten,
  isTerminating,
  metadataOf,
  specOf,
  statusOf,
} from '../../../src/base/object.ts';

test.each([
  ['metadata', metadataOf],
  ['spec', specOf],
  ['status', statusOf],
] as const)('%s is read where it is an object', (member, read) => {
  const part = { a: 1 };
  expect(read({ [member]: part })).toBe(part);
  for (const other of [null, 'x', [part]] as Json[]) expect(read({ [member]: other })).toBeUndefined();
  expect([read({}), read(undefined)]).toEqual([undefined, undefined]);
});

test.each<[Json, boolean]>([
  [{ conditions: [] }, true],
  [{}, false],
  [{ version: { kubernetes: '' } }, false],
  [{ version: { kubernetes: '1' } }, true],
  [{ conditions: null, version: {} }, false],
  [null, false],
  ['text', true],
])('of a status %j, something is written: %j', (status, expected) => {
  expect(isStatusWritten({ status })).toBe(expected);
});

test.each<[Json | undefined, boolean]>([
  ['2026-06-01T12:00:00Z', true],
  ['', true],
  [null, false],
])('with the deletionTimestamp %j: terminating is %j', (deletionTimestamp, expected) => {
  expect(isTerminating({ metadata: { deletionTimestamp: deletionTimestamp ?? null } })).toBe(expected);
});

test('an object without metadata, or none at all, is not terminating', () => {
  expect([isTerminating({ metadata: {} }), isTerminating({}), isTerminating(undefined)]).toEqual([false, false, false]);
});

test.each<[string, JsonObject, boolean]>([
  ['the metadata', { metadata: { labels: {} }, spec: { a: 1 }, status: { b: 1 } }, true],
  ['the spec', { spec: { a: 2 }, status: { b: 1 } }, false],
  ['the status', { spec: { a: 1 } }, false],
])('an update of %s: metadata only is %s', (_, object, expected) => {
  expect(changesMetadataOnly({ object, oldObject: { spec: { a: 1 }, status: { b: 1 } } })).toBe(expected);
});

test('without a stored object, an object without spec and status changes metadata only', () => {
  expect(changesMetadataOnly({ object: {}, oldObject: undefined })).toBe(true);
});
