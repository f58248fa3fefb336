/** What a Service and its export say, as the API server would default it, and what is unknown. */
import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../../../src/base/json.ts';
import {
  createdAt,
  exportPropertiesOf,
  isExternalName,
  isPartlyUnknown,
  portsOf,
  servicePropertiesOf,
  sessionAffinityOf,
} from '../../../../src/rules/service/service-properties.ts';

const of = (spec: JsonObject | string | null) => servicePropertiesOf({ apiVersion: 'v1', kind: 'Service', spec });
const http = { name: '', protocol: 'TCP', port: 80, appProtocol: '' };

test('a Service that says nothing has the defaults of the API server', () => {
  const defaults = {
    type: 'ClusterSetIP',
    ports: [],
    sessionAffinity: 'None',
    timeoutSeconds: undefined,
    internalTrafficPolicy: 'Cluster',
    trafficDistribution: '',
    ipFamilies: undefined,
  };
  expect(of({})).toEqual(defaults);
  expect(of(null)).toEqual(defaults);
  const empty = {
    sessionAffinity: '',
    internalTrafficPolicy: '',
    trafficDistribution: null,
    ports: null,
    clusterIP: '',
  };
  expect(of(empty)).toEqual(defaults);
  expect(of('text')).toEqual({});
});

describe('the type', () => {
  test.each<[string, JsonObject, string | undefined]>([
    ['an address', { clusterIP: '10.0.0.1', clusterIPs: ['10.0.0.1'] }, 'ClusterSetIP'],
    ['None', { clusterIP: 'None' }, 'Headless'],
    ['None as the first of several', { clusterIPs: ['None'] }, 'Headless'],
    ['None as another than the first', { clusterIPs: ['10.0.0.1', 'None'] }, 'ClusterSetIP'],
    ['a number', { clusterIP: 7 }, undefined],
    ['a number in a list', { clusterIPs: [7] }, undefined],
    ['a NodePort Service', { type: 'NodePort' }, 'ClusterSetIP'],
  ])('%s', (_, spec, expected) => expect(of(spec).type).toBe(expected));

  test('ExternalName is no other', () => {
    expect(isExternalName({ spec: { type: 'ExternalName' } })).toBe(true);
    expect(isExternalName({ spec: { type: 'ClusterIP' } })).toBe(false);
    expect(isExternalName({})).toBe(false);
  });
});

describe('ports', () => {
  test('are a set in one order, with the defaults', () => {
    const ports = [
      { port: 443, name: 'https', protocol: 'UDP', appProtocol: 'h3', targetPort: 1, nodePort: 30_000 },
      { port: 80 },
      { port: 80, protocol: '' },
      { port: 80, protocol: 'TCP', name: 'a' },
    ];
    const expected = [http, { ...http, name: 'a' }, { name: 'https', protocol: 'UDP', port: 443, appProtocol: 'h3' }];
    expect(portsOf({ ports })).toEqual(expected);
    expect(portsOf({ ports: ports.toReversed() })).toEqual(expected);
  });

  test.each<[string, JsonObject]>([
    ['no list', { ports: 'http' }],
    ['a map', { ports: {} }],
    ['null in the list', { ports: [null] }],
    ['no object', { ports: ['http'] }],
    ['no number', { ports: [{ port: '80' }] }],
    ['a name that is no text', { ports: [{ port: 80, name: 8 }] }],
    ['a protocol that is no text', { ports: [{ port: 80, protocol: 6 }] }],
    ['an application protocol that is no text', { ports: [{ port: 80, appProtocol: 2 }] }],
  ])('%s: unknown', (_, spec) => expect(portsOf(spec)).toBeUndefined());
});

describe('session affinity', () => {
  const config = (timeoutSeconds: number | string) => ({ sessionAffinityConfig: { clientIP: { timeoutSeconds } } });
  test.each<[string, JsonObject, ReturnType<typeof sessionAffinityOf>]>([
    ['three hours', { sessionAffinity: 'ClientIP' }, { sessionAffinity: 'ClientIP', timeoutSeconds: 10_800 }],
    [
      'its timeout',
      { sessionAffinity: 'ClientIP', ...config(60) },
      { sessionAffinity: 'ClientIP', timeoutSeconds: 60 },
    ],
    [
      'no number',
      { sessionAffinity: 'ClientIP', ...config('60') },
      { sessionAffinity: 'ClientIP', timeoutSeconds: undefined },
    ],
    ['none where there is no affinity', config(60), { sessionAffinity: 'None', timeoutSeconds: undefined }],
    ['unknown', { sessionAffinity: true }, { sessionAffinity: undefined, timeoutSeconds: undefined }],
  ])('%s', (_, spec, expected) => expect(sessionAffinityOf(spec)).toEqual(expected));
});

test('IP families are a set, and unknown where the Service leaves them to the cluster', () => {
  expect(of({ ipFamilies: ['IPv6', 'IPv4', 'IPv6'] }).ipFamilies).toEqual(['IPv4', 'IPv6']);
  for (const ipFamilies of [[], null, 'IPv4', [4], ['IPv4', 4]]) expect(of({ ipFamilies }).ipFamilies).toBeUndefined();
});

test.each<[string, JsonObject, readonly string[] | undefined]>([
  ['one family by default', { ipFamilies: ['IPv4'] }, ['IPv4']],
  ['both where both are required', { ipFamilyPolicy: 'RequireDualStack', ipFamilies: ['IPv6'] }, ['IPv4', 'IPv6']],
  ['both where none is named', { ipFamilyPolicy: 'RequireDualStack' }, ['IPv4', 'IPv6']],
  ['open where both are preferred', { ipFamilyPolicy: 'PreferDualStack', ipFamilies: ['IPv4'] }, undefined],
  [
    'what the cluster has where it stored the Service',
    { ipFamilyPolicy: 'PreferDualStack', ipFamilies: ['IPv4'], clusterIPs: ['10.0.0.1'] },
    ['IPv4'],
  ],
  [
    'open where the Service has no addresses yet, written as null',
    { ipFamilyPolicy: 'PreferDualStack', ipFamilies: ['IPv4'], clusterIPs: null },
    undefined,
  ],
  [
    'open where the Service has no addresses yet, written as an empty list',
    { ipFamilyPolicy: 'PreferDualStack', ipFamilies: ['IPv4'], clusterIPs: [] },
    undefined,
  ],
  ['both where both are named', { ipFamilyPolicy: 'PreferDualStack', ipFamilies: ['IPv4', 'IPv6'] }, ['IPv4', 'IPv6']],
  ['open where the policy can not be read', { ipFamilyPolicy: 4, ipFamilies: ['IPv4'] }, undefined],
])('IP families are %s', (_, spec, expected) => expect(of(spec).ipFamilies).toEqual(expected));

test('policies are the texts of the Service', () => {
  const { internalTrafficPolicy, trafficDistribution } = of({
    internalTrafficPolicy: 'Local',
    trafficDistribution: 'PreferSameZone',
  });
  expect([internalTrafficPolicy, trafficDistribution]).toEqual(['Local', 'PreferSameZone']);
});

test.each<[string, JsonObject, boolean]>([
  ['defaults', {}, false],
  ['families that the cluster chooses', { ipFamilyPolicy: 'PreferDualStack' }, false],
  ['a timeout', { sessionAffinity: 'ClientIP' }, false],
  [
    'a timeout that is no number',
    { sessionAffinity: 'ClientIP', sessionAffinityConfig: { clientIP: { timeoutSeconds: '1' } } },
    true,
  ],
  ['a type that is no text', { clusterIP: 7 }, true],
  ['a port that is none', { ports: ['http'] }, true],
  ['an affinity that is no text', { sessionAffinity: 1 }, true],
  ['a policy that is no text', { internalTrafficPolicy: 1 }, true],
  ['a distribution that is no text', { trafficDistribution: 1 }, true],
])('%s: partly unknown or not', (_, spec, expected) => expect(isPartlyUnknown({ spec })).toBe(expected));

describe('an export', () => {
  test('exports no labels and annotations where it names none', () => {
    expect(exportPropertiesOf({})).toEqual({ labels: '[]', annotations: '[]' });
    expect(exportPropertiesOf({ spec: { exportedLabels: {}, exportedAnnotations: null } })).toEqual(
      exportPropertiesOf({}),
    );
  });

  test('exports a map, whatever the order of its keys', () => {
    const [one, other] = [
      { b: '1', a: '2', c: null },
      { a: '2', b: '1' },
    ].map((map) => exportPropertiesOf({ spec: { exportedLabels: map, exportedAnnotations: { ...map, A: '3' } } }));
    expect(one).toEqual({
      labels: '[["a","2"],["b","1"]]',
      annotations: '[["A","3"],["a","2"],["b","1"]]',
    });
    expect(other).toEqual(one);
    expect(exportPropertiesOf({ spec: { exportedLabels: 'a' } }).labels).toBeUndefined();
  });

  test('was created when its metadata says', () => {
    expect(createdAt({ metadata: { creationTimestamp: '1970-01-01T00:00:01Z' } })).toBe(1000);
    expect(createdAt({})).toBeUndefined();
    for (const creationTimestamp of [null, 7, 'yesterday'])
      expect(createdAt({ metadata: { creationTimestamp } })).toBeUndefined();
  });
});
