import type { Json } from '../../../../src/base/json.ts';
import { rule } from '../../../../src/rules/claim/clusterset-value.ts';
import type { Action } from '../../../../src/rules/rule.ts';
import { custom, id, membership, ocm, property } from '../../../support/bases.ts';
import { finds, testRule } from '../../../support/rule-tester.ts';

const is = (value: Json | undefined) => ({ set: { '/spec/value': value } });
const empty = (action: Action = 'deny', value = '', shown = value) => ({
  ...is(value),
  ...finds(
    'spec.value',
    `must name a ClusterSet, got "${shown}"; set it to the name of the ClusterSet that the cluster joins`,
    action,
  ),
});
/**
 * Every character of the Unicode property White_Space, and the byte order mark, which JavaScript's `trim` takes for
 * one.
 */
const SPACES =
  '0009 000a 000b 000c 000d 0020 0085 00a0 1680 2000 2001 2002 2003 2004 2005 2006 2007 2008 2009 200a 2028 2029 202f 205f 3000 feff'.split(
    ' ',
  );
/** Characters that only look as if nothing were there: letters to Unicode, and another name. */
const NO_SPACES = '0000 001c 180e 200b 200c 200d 2060 00ad 3164 2800 0301'.split(' ');
const character = (code: string): string => String.fromCodePoint(Number.parseInt(code, 16));
const ESCAPED = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

testRule(rule, membership, {
  allow: [
    ...NO_SPACES.map((code) => ({ name: `U+${code}, which is no white space`, ...is(character(code)) })),
    { name: 'a long name after much white space', ...is(`${' '.repeat(100_000)}x`) },
    { name: 'white space in a custom claim', base: custom, ...is(' ') },
    { name: 'an empty list, likewise', ...is([]) },
    { name: 'no spec, likewise', set: { '/spec': undefined } },
    { name: 'an empty id, which has a syntax of its own', base: id, ...is('') },
    { name: 'an empty property id', base: property.id, ...is('') },
  ],
  deny: [
    ...SPACES.map((code) => ({
      name: `U+${code} alone`,
      ...empty('deny', character(code), ESCAPED.test(character(code)) ? `\\u${code}` : character(code)),
    })),
    {
      name: 'all white space there is',
      ...empty(
        'deny',
        SPACES.map(character).join(''),
        SPACES.map((code) => (ESCAPED.test(character(code)) ? `\\u${code}` : character(code))).join(''),
      ),
    },
    { name: 'much white space', ...empty('deny', ' '.repeat(100_000), `${' '.repeat(63)}…`) },
    { name: 'white space in OCM', base: ocm.membership, ...empty('deny', '  ') },
    { name: 'white space in a property', base: property.membership, ...empty('deny', '\u3000') },
    { name: 'empty instead of older white space', old: { '/spec/value': ' ' }, ...empty() },
  ],
});
