import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isAmong, reportCaller, serviceAccountUser } from '../../../src/rules/principal.ts';
import type { Context, Identity, Principal } from '../../../src/rules/rule.ts';

const jane: Identity = { username: 'jane', groups: ['fleet-admins', 'system:authenticated'] };
const account: Identity = { username: 'system:serviceaccount:fleet:agent', groups: ['system:serviceaccounts'] };
const many = Array.from({ length: 100 }, (_, index) => `team-${index}`);
const of = (identity: Identity | undefined) => ({ identity }) as Context;

test('a service account calls by a name of its own', () => {
  expect(serviceAccountUser('fleet/agent')).toBe('system:serviceaccount:fleet:agent');
});

describe('isAmong', () => {
  test.each<[string, Identity | undefined, readonly Principal[] | undefined, boolean]>([
    ['the user', jane, [{ user: 'jane' }], true],
    ['another user', jane, [{ user: 'janet' }], false],
    ['one of many groups', { username: 'joe', groups: many }, [{ group: 'team-99' }], true],
    ['none of many groups', { username: 'joe', groups: many }, [{ group: 'team-100' }], false],
    ['the account', account, [{ serviceAccount: 'fleet/agent' }], true],
    ['none of several', jane, [{ user: 'a' }, { serviceAccount: 'fleet/agent' }, { group: 'b' }], false],
    ['nobody, as in a file', undefined, [{ user: 'jane' }], false],
    ['no principals', jane, undefined, false],
    ['an empty user for nobody', { username: '', groups: [] }, [{ group: '' }], false],
  ])('%s', (_, identity, principals, expected) => expect(isAmong(identity, principals)).toBe(expected));

  test('is true exactly if one alone is', () => {
    const name = fc.constantFrom('a', 'b', 'c');
    const principal: fc.Arbitrary<Principal> = fc.oneof(
      fc.record({ user: name }),
      fc.record({ group: name }),
      fc.record({ serviceAccount: fc.constantFrom('a/b', 'b/c') }),
    );
    const identity = fc.record({
      username: fc.oneof(name, fc.constant('system:serviceaccount:a:b')),
      groups: fc.array(name, { maxLength: 2 }),
    });
    fc.assert(
      fc.property(identity, fc.array(principal), (who, principals) => {
        expect(isAmong(who, principals)).toBe(principals.some((one) => isAmong(who, [one])));
      }),
    );
  });
});

test('a problem names the caller; where nobody is known, nothing is decided', () => {
  const problem = { path: ['spec'], messageId: 'stranger', data: { manager: 'fleet' } };
  const found = (user: string) => [{ ...problem, data: { user, manager: 'fleet' } }];
  expect(reportCaller(of(jane), problem)).toEqual(found('jane'));
  expect(reportCaller(of({ username: '', groups: [] }), problem)).toEqual(found(''));
  const unknown =
    'the user who makes this request is unknown; name one: muster check --as USER, or as: USER in a suite';
  expect(reportCaller(of(undefined), problem)).toEqual([{ path: ['metadata', 'name'], unknown }]);
});
