/** One webhook against another: what differs, and how much that matters. */
import { describe, expect, test } from '@jest/globals';
import { compareWebhook } from '../../../src/cli/doctor/compare.ts';
import { mutatingWebhookConfiguration, validatingWebhookConfiguration } from '../../../src/manifests/registration.ts';
import type { JsonObject } from '../../../src/rules/rule.ts';

const target = { url: 'https://muster.example.com:8443' };
const all = [validatingWebhookConfiguration({ target }), mutatingWebhookConfiguration({ target })]
  .flatMap(({ webhooks }) => webhooks)
  .map((webhook) => JSON.parse(JSON.stringify(webhook)) as JsonObject);
const [base = {}] = all;

const brief = (found: JsonObject, expected: JsonObject = base) =>
  compareWebhook(expected, found).map(({ status, path }) => `${status} ${path}`);

/** As the API server gives it back. */
function stored(webhook: JsonObject): JsonObject {
  return {
    objectSelector: {},
    namespaceSelector: {},
    timeoutSeconds: 10,
    ...webhook,
    clientConfig: { ...(webhook['clientConfig'] as JsonObject), caBundle: 'AAAA' },
  };
}

const rule = {
  apiGroups: ['g.io'],
  apiVersions: ['v1'],
  operations: ['CREATE', 'DELETE'],
  resources: ['things'],
  scope: 'Cluster',
};
const withRules = (...rules: object[]) => ({ ...base, rules }) as unknown as JsonObject;
const rules = (...found: object[]) => brief(withRules(...found), withRules(rule));

test('what the API server fills in is no difference, nor is the caBundle', () => {
  for (const webhook of all) expect(compareWebhook(webhook, stored(webhook))).toEqual([]);
});

test('a Service without a port has 443', () => {
  const service = { namespace: 'n', name: 's', path: '/validate' };
  const one = { ...base, clientConfig: { service: { ...service, port: 443 } } };
  expect(brief({ ...base, clientConfig: { service } }, one)).toEqual([]);
  expect(brief({ ...base, clientConfig: { service: { ...service, port: 8443 } } }, one)).toEqual([
    'fail clientConfig.service.port',
  ]);
});

describe('rules', () => {
  test.each([
    [
      'the same, split in two',
      [
        { ...rule, operations: ['CREATE'] },
        { ...rule, operations: ['DELETE'] },
      ],
      [],
    ],
    ['an operation is missing', [{ ...rule, operations: ['CREATE'] }], ['fail rules']],
    ['a version is missing', [{ ...rule, apiVersions: ['v2'] }], ['fail rules', 'warn rules']],
    ['another scope', [{ ...rule, scope: 'Namespaced' }], ['fail rules', 'warn rules']],
    ['any scope', [{ ...rule, scope: '*' }], ['warn rules']],
    ['no scope is any', [{ ...rule, scope: undefined }], ['warn rules']],
    ['everything', [{ ...rule, operations: ['*'], apiGroups: ['*'] }], ['warn rules']],
    ['below it too', [{ ...rule, resources: ['things/*'] }], ['warn rules']],
    ['below it alone', [{ ...rule, resources: ['things/status'] }], ['fail rules', 'warn rules']],
    ['all that is not below', [{ ...rule, resources: ['*'] }], ['warn rules']],
    ['none', [], ['fail rules']],
  ])('%s', (_, found, differences) => expect(rules(...found)).toEqual(differences));

  test('a star is not what is below a resource', () => {
    const status = { ...rule, resources: ['things/status'] };
    expect(brief(withRules({ ...rule, resources: ['*'] }), withRules(status))).toContain('fail rules');
    expect(brief(withRules({ ...rule, resources: ['*/*'] }), withRules(status))).toEqual(['warn rules']);
  });

  test('what is missing is named', () => {
    const [found] = compareWebhook(withRules(rule), withRules({ ...rule, operations: ['CREATE'] }));
    expect(found?.message).toBe('rules: these writes pass unjudged: DELETE g.io/v1 things (Cluster)');
  });
});

describe('selectors', () => {
  const select = (namespaceSelector: object) => ({ ...base, namespaceSelector }) as JsonObject;
  const notIn = (...values: string[]) => ({ matchExpressions: [{ key: 'k', operator: 'NotIn', values }] });
  test.each([
    ['another order', notIn('b', 'a'), notIn('a', 'b'), []],
    [
      'labels are expressions',
      { matchLabels: { k: 'v' } },
      { matchExpressions: [{ key: 'k', operator: 'In', values: ['v'] }] },
      [],
    ],
    ['nothing is everything', {}, { matchLabels: {} }, []],
    ['narrower', notIn('a', 'b', 'c'), notIn('a', 'b'), ['fail namespaceSelector']],
    ['wider', {}, notIn('a'), ['fail namespaceSelector']],
  ])('%s', (_, found, expected, differences) => expect(brief(select(found), select(expected))).toEqual(differences));
});

test.each([
  ['failurePolicy', 'Ignore', 'warn'],
  ['matchPolicy', 'Exact', 'fail'],
  ['timeoutSeconds', 1, 'warn'],
  ['sideEffects', 'None', 'warn'],
  ['reinvocationPolicy', 'IfNeeded', 'warn'],
  ['admissionReviewVersions', ['v1beta1'], 'fail'],
  ['admissionReviewVersions', ['v1', 'v1beta1'], 'warn'],
  ['objectSelector', { matchLabels: { a: 'b' } }, 'fail'],
])('%s as %j', (member, value, status) => {
  expect(brief({ ...base, [member]: value } as JsonObject)).toEqual([`${status} ${member}`]);
});

describe('match conditions', () => {
  const one = { name: 'a', expression: 'true' };
  const conditions = (...matchConditions: object[]) => ({ ...base, matchConditions }) as unknown as JsonObject;
  test.each([
    ['one that is gone costs calls', [], 'warn matchConditions[a]'],
    ['one that differs may spare what matters', [{ ...one, expression: 'false' }], 'fail matchConditions[a]'],
    ['so may one that is new', [one, { ...one, name: 'b' }], 'fail matchConditions[b]'],
  ])('%s', (_, found, difference) => expect(brief(conditions(...found), conditions(one))).toEqual([difference]));
});

test('rubbish is a difference, never a crash', () => {
  for (const found of [
    {},
    { rules: 7, clientConfig: [], namespaceSelector: 'x', matchConditions: {} },
  ] as JsonObject[]) {
    expect(compareWebhook(base, found).length).toBeGreaterThan(0);
  }
});
