import type { Json } from '../../../../src/base/json.ts';
import { rule } from '../../../../src/rules/import/ports.ts';
import { serviceImport } from '../../../support/bases.ts';
import { type RuleCase, testRule } from '../../../support/rule-tester.ts';

type Found = readonly [field: string, message: string];

const ports = (...list: readonly Json[]) => ({ set: { '/spec/ports': list } });
const found = (...all: readonly Found[]) => ({
  findings: all.map(
    ([field, message]) => ['warn', field === '' ? 'spec.ports' : `spec.ports${field}`, message] as const,
  ),
});
const HTTP = { name: 'http', protocol: 'TCP', port: 80 };
const label = (value: string) =>
  `must be a DNS label (a-z, 0-9, "-", at most 63, with a letter or digit at both ends), got ${value}`;
const number = (value: string) => `must be a whole number from 1 to 65535, got ${value}`;
const protocol = (value: string) => `must be TCP, UDP or SCTP, got ${value}; leave it out for TCP`;
const UNNAMED = 'is missing; only a single port may have no name: name each port';
const name = (value: string) => `is "${value}" like the name of an earlier port; give each port a name of its own`;
const twice = (value: number, of = 'TCP') => `is ${value} for ${of} like an earlier port; list each port once`;
const update = (old: readonly Json[], now: readonly Json[]): Omit<RuleCase, 'name'> => ({
  old: { '/spec/ports': old },
  set: { '/spec/ports': now },
});

testRule(rule, serviceImport, {
  allow: [
    { name: 'a port with all it may have', ...ports({ ...HTTP, appProtocol: 'kubernetes.io/h2c' }) },
    { name: 'no ports', ...ports() },
    { name: 'an absent list, which the CRD refuses', set: { '/spec/ports': undefined } },
    { name: 'a single port without a name', ...ports({ port: 80 }) },
    { name: 'a single port with an empty name', ...ports({ name: '', protocol: '', port: 80 }) },
    { name: 'a single port with names that are null', ...ports({ name: null, protocol: null, port: 80 }) },
    { name: 'the lowest and the highest number', ...ports({ ...HTTP, port: 1 }, { name: 'last', port: 65535 }) },
    {
      name: 'one number of two protocols',
      ...ports({ name: 'a', port: 53 }, { name: 'b', protocol: 'UDP', port: 53 }),
    },
    {
      name: 'every protocol',
      ...ports(HTTP, { ...HTTP, name: 'b', protocol: 'SCTP' }, { name: 'c', protocol: 'UDP', port: 80 }),
    },
    { name: 'a name of 63 characters', ...ports({ ...HTTP, name: 'a'.repeat(63) }) },
    { name: 'a deletion of what is wrong', operation: 'DELETE', old: { '/spec/ports': [{ port: 0 }] } },
    {
      name: 'a write of the status',
      subresource: 'status',
      old: { '/spec/ports': [{ port: 0 }] },
      set: { '/status': { clusters: [] } },
    },
  ],
  deny: [
    {
      name: 'ports that are no list',
      ...ports(),
      set: { '/spec/ports': { port: 80 } },
      ...found(['', 'must be a list of ports, got an object']),
    },
    {
      name: 'ports that are a text',
      set: { '/spec/ports': '80' },
      ...found(['', 'must be a list of ports, got "80"']),
    },
    { name: 'a port that is a number', ...ports(80), ...found(['[0]', 'must be a port with its number, got 80']) },
    { name: 'a name in upper case', ...ports({ ...HTTP, name: 'HTTP' }), ...found(['[0].name', label('"HTTP"')]) },
    {
      name: 'a name of 64 characters',
      ...ports({ ...HTTP, name: 'a'.repeat(64) }),
      ...found(['[0].name', label(`"${'a'.repeat(64)}"`)]),
    },
    { name: 'a name that is an object', ...ports({ ...HTTP, name: {} }), ...found(['[0].name', label('an object')]) },
    {
      name: 'a name without quotes',
      ...ports({ ...HTTP, name: 8080 }),
      ...found(['[0].name', 'must be a DNS label as a string, got 8080; put it in quotes']),
    },
    { name: 'a port of two without a name', ...ports(HTTP, { port: 81 }), ...found(['[1].name', UNNAMED]) },
    { name: 'an empty name beside others', ...ports({ name: '', port: 81 }, HTTP), ...found(['[0].name', UNNAMED]) },
    { name: 'a name twice', ...ports(HTTP, { ...HTTP, port: 81 }), ...found(['[1].name', name('http')]) },
    {
      name: 'a name three times',
      ...ports(HTTP, { ...HTTP, port: 81 }, { ...HTTP, port: 82 }),
      ...found(['[1].name', name('http')], ['[2].name', name('http')]),
    },
    {
      name: 'a wrong name twice, which is wrong by itself',
      ...ports({ ...HTTP, name: 'A' }, { ...HTTP, name: 'A', port: 81 }),
      ...found(['[0].name', label('"A"')], ['[1].name', label('"A"')]),
    },
    { name: 'port 0', ...ports({ ...HTTP, port: 0 }), ...found(['[0].port', number('0')]) },
    { name: 'port 65536', ...ports({ ...HTTP, port: 65536 }), ...found(['[0].port', number('65536')]) },
    { name: 'a fraction', ...ports({ ...HTTP, port: 80.5 }), ...found(['[0].port', number('80.5')]) },
    { name: 'a text', ...ports({ ...HTTP, port: '80' }), ...found(['[0].port', number('"80"')]) },
    { name: 'no number', ...ports({ name: 'http' }), ...found(['[0].port', number('nothing')]) },
    {
      name: 'two without a number',
      ...ports({ name: 'a' }, { name: 'b' }),
      ...found(['[0].port', number('nothing')], ['[1].port', number('nothing')]),
    },
    {
      name: 'a protocol in lower case',
      ...ports({ ...HTTP, protocol: 'tcp' }),
      ...found(['[0].protocol', protocol('"tcp"')]),
    },
    {
      name: 'a protocol that is a number',
      ...ports({ ...HTTP, protocol: 6 }),
      ...found(['[0].protocol', protocol('6')]),
    },
    { name: 'a number twice', ...ports(HTTP, { ...HTTP, name: 'b' }), ...found(['[1].port', twice(80)]) },
    {
      name: 'a number twice, once by default',
      ...ports({ name: 'a', port: 80 }, HTTP, { ...HTTP, name: 'c', protocol: '' }),
      ...found(['[1].port', twice(80)], ['[2].port', twice(80)]),
    },
    {
      name: 'a number of UDP twice',
      ...ports({ ...HTTP, protocol: 'UDP' }, { name: 'b', protocol: 'UDP', port: 80 }),
      ...found(['[1].port', twice(80, 'UDP')]),
    },
    {
      name: 'a wrong number twice, which is wrong by itself',
      ...ports({ ...HTTP, port: 0 }, { name: 'b', port: 0 }),
      ...found(['[0].port', number('0')], ['[1].port', number('0')]),
    },
    {
      name: 'all of one port',
      ...ports({ name: '-', protocol: 'X', port: -1 }),
      ...found(['[0].name', label('"-"')], ['[0].protocol', protocol('"X"')], ['[0].port', number('-1')]),
    },
    {
      name: 'an update that adds a port to one without a name',
      ...update([{ port: 80 }], [{ port: 80 }, { name: 'b', port: 81 }]),
      ...found(['[0].name', UNNAMED]),
    },
    {
      name: 'in check',
      point: 'check',
      ...ports({ port: 0 }),
      findings: [['deny', 'spec.ports[0].port', number('0')]],
    },
    { name: 'in scan', point: 'scan', ...ports({ port: 0 }), findings: [['deny', 'spec.ports[0].port', number('0')]] },
  ],
});
