import type { Json } from '../../../../src/base/json.ts';
import { rule } from '../../../../src/rules/import/addresses-stable.ts';
import { serviceImport } from '../../../support/bases.ts';
import { finds, testRule } from '../../../support/rule-tester.ts';

const ips = (before: Json | undefined, after: Json | undefined, more = {}) => ({
  old: { '/spec/ips': before },
  set: { '/spec/ips': after, ...more },
});
const HEADLESS = { '/spec/type': 'Headless' };
const gone = (value: string) =>
  finds(
    'spec.ips',
    `no longer has the address "${value}", which consumers may still use; restore it for the life of the import`,
    'warn',
  );
const order = (value: string) =>
  finds(
    'spec.ips',
    `has its addresses in another order, "${value}" before; restore the order for the life of the import`,
    'warn',
  );

testRule(rule, serviceImport, {
  allow: [
    { name: 'a new import' },
    { name: 'addresses that stay', ...ips(['a', 'b'], ['a', 'b']) },
    { name: 'a first address', ...ips(undefined, ['a']) },
    { name: 'two first addresses', ...ips([], ['b', 'a']) },
    { name: 'one more address', ...ips(['a'], ['a', 'b']) },
    { name: 'one more address before it', ...ips(['a'], ['b', 'a']) },
    { name: 'one more address between them', ...ips(['a', 'b'], ['a', 'c', 'b']) },
    { name: 'the last one goes with a change to Headless', ...ips(['a'], [], HEADLESS) },
    { name: 'both go with a change to Headless', ...ips(['a', 'b'], undefined, HEADLESS) },
    { name: 'a Headless import that had addresses is corrected', old: { ...HEADLESS }, set: { '/spec/ips': [] } },
    { name: 'no address, and none before', ...ips([], undefined) },
    { name: 'an address that was there twice', ...ips(['a', 'a'], ['a']) },
    { name: 'an address in another notation', ...ips(['FD00:0::1', '10.0.0.1'], ['fd00::1', '10.0.0.1']) },
    { name: 'what is no text', ...ips([7, 'a'], ['a']) },
    { name: 'a deletion', operation: 'DELETE' },
  ],
  deny: [
    { name: 'another address', ...ips(['a'], ['b']), ...gone('a') },
    { name: 'the last one goes', ...ips(['a'], []), ...gone('a') },
    { name: 'the list goes', ...ips(['a'], undefined), ...gone('a') },
    { name: 'one fewer', ...ips(['a', 'b'], ['a']), ...gone('b') },
    { name: 'the first of two goes', ...ips(['a', 'b'], ['b']), ...gone('a') },
    { name: 'one of two becomes another', ...ips(['a', 'b'], ['a', 'c']), ...gone('b') },
    { name: 'another one with a change to Headless', ...ips(['a'], ['b'], HEADLESS), ...gone('a') },
    { name: 'another address of IPv6', ...ips(['FD00::1'], ['fd00::2']), ...gone('FD00::1') },
    {
      name: 'another order in another notation',
      ...ips(['FD00::1', '10.0.0.1'], ['10.0.0.1', 'fd00:0::1']),
      ...order('FD00::1, 10.0.0.1'),
    },
    { name: 'another order', ...ips(['a', 'b'], ['b', 'a']), ...order('a, b') },
    { name: 'another order, with one more', ...ips(['a', 'b'], ['c', 'b', 'a']), ...order('a, b') },
  ],
});
