import { rule } from '../../../../src/rules/claim/value.ts';
import type { Action } from '../../../../src/rules/rule.ts';
import { custom, id, inventory, membership, ocm, property } from '../../../support/bases.ts';
import { finds, type RuleCase, testRule } from '../../../support/rule-tester.ts';

const value = (text: RuleCase['set']) => (text ? { set: text } : {});
const is = (content: NonNullable<RuleCase['set']>[string]) => value({ '/spec/value': content });
const found = (message: string, action: Action = 'deny') => finds('spec.value', message, action);

const missing = found('is missing; set it to a string');
const type = (kind: string) => found(`must be a string, got ${kind}; write it as one string`);
const unquoted = (kind: string) => found(`must be a string, got ${kind}; put it in quotes`);
const long = (limit: number, action?: Action) =>
  found(`must be at most ${limit} characters, got more; shorten it`, action);

testRule(rule, custom, {
  allow: [
    { name: 'the limit of ClusterProperty, in code points', base: property.custom, ...is('🚀'.repeat(128_000)) },
    { name: 'no spec in OCM', base: ocm.custom, ...value({ '/spec': undefined }) },
    { name: 'a value taken away in OCM', base: ocm.custom, old: {}, ...is(undefined) },
    { name: 'an empty id in OCM, which its syntax refuses', base: ocm.id, ...is('') },
    { name: 'a bad id, which its syntax rule reports', base: id, ...is('NOT A LABEL') },
    { name: 'an empty membership, likewise', base: membership, ...is('') },
    { name: 'fields of a later version', ...value({ '/spec/future': { deep: [1, { a: null }] }, '/extra': 1 }) },
    { name: 'an object of the inventory', base: inventory },
  ],
  deny: [
    { name: 'no spec', ...value({ '/spec': undefined }), ...missing },
    { name: 'a spec that is no object', ...value({ '/spec': 'x' }), ...missing },
    { name: 'null', ...is(null), ...missing },
    { name: 'an object', ...is({ a: 'b' }), ...type('an object') },
    { name: 'an object named as a prototype has it', ...is({ constructor: 'x' }), ...type('an object') },
    {
      name: 'one code point more than the limit of ClusterProperty',
      base: property.custom,
      ...is('🚀'.repeat(128_001)),
      ...long(128_000),
    },
    { name: 'one more than the limit of OCM', base: ocm.custom, ...is('v'.repeat(1025)), ...long(1024) },
    { name: 'a text for the spec in OCM', base: ocm.custom, ...value({ '/spec': 'text' }), ...missing },
    { name: 'no membership in OCM', base: ocm.membership, ...is(undefined), ...missing },
    { name: 'an id in OCM whose value is taken away', base: ocm.id, old: {}, ...is(undefined), ...missing },
    { name: 'no value under the name of an id of ClusterProperty', base: property.id, ...is(undefined), ...missing },
    { name: 'a boolean in ClusterProperty', base: property.custom, ...is(false), ...unquoted('a boolean') },
    { name: 'it is unknown who asks', ...is(7), user: null, ...unquoted('a number') },
  ],
});
