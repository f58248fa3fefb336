import { runInNewContext } from 'node:vm';
import { expect, test } from '@jest/globals';
import { type MaybePromise, whenDone } from '../../../src/base/promise.ts';

test('a value goes on at once, a promise when it resolves, also one of another realm', async () => {
  const next = (value: { readonly known: boolean }) => [value.known];
  const value = { known: true };
  expect(whenDone(value, next)).toEqual([true]);
  const foreign: MaybePromise<typeof value> = runInNewContext('Promise.resolve({ known: true })');
  expect(foreign).not.toBeInstanceOf(Promise);
  for (const promise of [Promise.resolve(value), foreign]) {
    const done = whenDone(promise, next);
    expect(done).not.toEqual([true]);
    expect(await done).toEqual([true]);
  }
});
