import type { Json } from '../../../../src/base/json.ts';
import { rule } from '../../../../src/rules/import/session-affinity.ts';
import { serviceImport } from '../../../support/bases.ts';
import { finds, testRule } from '../../../support/rule-tester.ts';

const of = (value: Json | undefined) => ({ set: { '/spec/sessionAffinity': value } });
const wrong = (value: string, action: 'warn' | 'deny' = 'warn') =>
  finds('spec.sessionAffinity', `must be ClientIP or None, got ${value}; leave it out for None`, action);
const HEADLESS = { '/spec/type': 'Headless' };

testRule(rule, serviceImport, {
  allow: [
    { name: 'None', ...of('None') },
    { name: 'ClientIP', ...of('ClientIP') },
    { name: 'absent', ...of(undefined) },
    { name: 'null', ...of(null) },
    { name: 'an empty text, which is absent', ...of('') },
    {
      name: 'anything on a Headless import, which ignores it',
      set: { ...HEADLESS, '/spec/sessionAffinity': 'Cookie' },
    },
  ],
  deny: [
    { name: 'another word', ...of('Cookie'), ...wrong('"Cookie"') },
    { name: 'another spelling', ...of('clientIP'), ...wrong('"clientIP"') },
    { name: 'a boolean', ...of(false), ...wrong('false') },
    { name: 'a list', ...of(['None']), ...wrong('a list of 1') },
    {
      name: 'what was ignored while the import was Headless',
      old: { ...HEADLESS, '/spec/sessionAffinity': 'Cookie' },
      set: { '/spec/type': 'ClusterSetIP' },
      ...wrong('"Cookie"'),
    },
    { name: 'in check', point: 'check', ...of('Cookie'), ...wrong('"Cookie"', 'deny') },
  ],
});
