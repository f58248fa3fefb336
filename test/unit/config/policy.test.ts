/** What a configuration means, and what is refused or warned about: refused.yaml and warned.yaml have the cases. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../../src/base/json.ts';
import { fieldOf } from '../../../src/base/text.ts';
import { policyOf } from '../../../src/config/policy.ts';
import { readDocuments } from '../../../src/documents/index.ts';
import { defaultPolicy, type Policy } from '../../../src/engine/policy.ts';
import { ruleIds } from '../../../src/rules/index.ts';
import { configurationOf } from '../../support/configuration.ts';

const RULES = new Set([
  'import/ports',
  'placement/index',
  'placement/slices',
  'feature/settled',
  'claim/value',
  'claim/id-syntax',
  'claim/reserved-name',
  'inventory/version',
  'feature/shape',
  'inventory/properties-as-is',
  'inventory/properties-included',
  // These are disabled until a key is configured.
  'inventory/known-manager',
  'claim/id-reserved',
  'placement/scheduler',
  'feature/dynamic-opt-in',
]);
const NOW = Date.UTC(2026, 5, 1);
const EXCEPTION = {
  rules: ['claim/reserved-name'],
  apiGroup: 'multicluster.x-k8s.io',
  kind: 'ClusterClaim',
  name: 'old.k8s.io',
  expires: '2027-01-31',
  reason: 'ticket 12',
};

interface Case {
  readonly name: string;
  /** The difference to an empty configuration, or to one with a valid exception. */
  readonly config?: JsonObject;
  readonly exception?: JsonObject;
  readonly problems?: readonly string[];
  readonly warnings?: readonly string[];
}

function casesIn(file: string): readonly (readonly [string, Case])[] {
  const { documents, errors } = readDocuments(readFileSync(`test/unit/config/${file}`, 'utf8'), file);
  expect(errors).toEqual([]);
  const cases = documents[0]?.value as unknown as readonly Case[];
  return cases.map((one) => [one.name, one]);
}

function reading(change: Record<string, unknown>) {
  return policyOf(configurationOf(change), RULES, NOW);
}

/** Problems as `field: message`. */
function problemsOf(configuration: unknown): string[] {
  return policyOf(configuration, RULES, NOW).problems.map(({ path, message }) => `${fieldOf(path)}: ${message}`);
}

const exception = (change: Record<string, unknown>) => ({ exceptions: [{ ...EXCEPTION, ...change }] });
const ofCase = ({ config, exception: change }: Case) => (change ? exception(change) : (config ?? {}));
const expected = { rules: new Set(['claim/reserved-name']), apiGroup: 'multicluster.x-k8s.io', kind: 'ClusterClaim' };
const settings = (change: Partial<Policy['settings']>) => ({ settings: { ...defaultPolicy.settings, ...change } });

describe('a valid configuration', () => {
  const everywhere = (action: string) => ({ webhook: action, check: action, scan: action });
  const good: [string, Record<string, unknown>, Partial<Policy>][] = [
    ['nothing but its kind', {}, {}],
    [
      'null in every section',
      {
        mode: null,
        rules: null,
        claims: null,
        inventory: null,
        features: null,
        registrar: null,
        exemptions: null,
        exceptions: null,
      },
      {},
    ],
    [
      'null in every member',
      {
        rules: { 'claim/value': null, 'feature/shape': { webhook: null } },
        claims: { allowedReservedNames: null, membershipManagers: null },
        inventory: { managers: null },
        features: { dynamic: null, serverFlow: null, clockSkewSeconds: null },
        exemptions: { users: null, groups: null, serviceAccounts: null, namespaces: null },
      },
      {},
    ],
    ['empty lists', { claims: { allowedReservedNames: [] }, features: { serverFlow: [] }, exceptions: [] }, {}],
    ['mode', { mode: 'audit' }, { mode: 'audit' }],
    [
      'an action for all points, and for each',
      { rules: { 'claim/value': 'audit', 'inventory/version': { webhook: 'deny', check: 'ignore', scan: 'warn' } } },
      {
        actions: new Map(
          Object.entries({
            'claim/value': everywhere('audit'),
            'inventory/version': { webhook: 'deny', check: 'ignore', scan: 'warn' },
          }),
        ) as Policy['actions'],
      },
    ],
    [
      'an action for one point',
      { rules: { 'claim/value': { check: 'warn', scan: null } } },
      { actions: new Map([['claim/value', { check: 'warn' }]]) },
    ],
    [
      'claims',
      {
        claims: {
          allowedReservedNames: ['location.k8s.io', '*.topology.kubernetes.io'],
          membershipManagers: [
            { serviceAccount: 'fleet/mcs-controller' },
            { user: 'jane', group: null },
            { group: 'g' },
          ],
        },
      },
      settings({
        claims: {
          allowedReservedNames: ['location.k8s.io', '*.topology.kubernetes.io'],
          membershipManagers: [{ serviceAccount: 'fleet/mcs-controller' }, { user: 'jane' }, { group: 'g' }],
        },
      }),
    ],
    [
      'managers whose names are properties of every object',
      { inventory: { managers: JSON.parse('{"constructor":[{"user":"a"}],"toString":[{"group":"b"}]}') } },
      settings({
        inventory: {
          managers: new Map<string, [{ user: string }] | [{ group: string }]>([
            ['constructor', [{ user: 'a' }]],
            ['toString', [{ group: 'b' }]],
          ]),
        },
      }),
    ],
    ['no dynamic feature', { features: { dynamic: [] } }, settings({ features: { dynamic: [], clockSkewSeconds: 5 } })],
    [
      'features',
      {
        features: {
          dynamic: [
            { namespace: 'kube-system', name: '*' },
            { namespace: '*', name: 'openapiv3' },
          ],
          serverFlow: [{ namespace: 'kube-system', principals: [{ user: 'system:apiserver' }] }],
          clockSkewSeconds: 0.5,
        },
      },
      settings({
        features: {
          dynamic: [
            { namespace: 'kube-system', name: '*' },
            { namespace: '*', name: 'openapiv3' },
          ],
          serverFlow: [{ namespace: 'kube-system', principals: [{ user: 'system:apiserver' }] }],
          clockSkewSeconds: 0.5,
        },
      }),
    ],
    ['no clock skew', { features: { clockSkewSeconds: 0 } }, settings({ features: { clockSkewSeconds: 0 } })],
    [
      'the largest clock skew',
      { features: { clockSkewSeconds: 300 } },
      settings({ features: { clockSkewSeconds: 300 } }),
    ],
    [
      'a registrar, which denies joins while the hub is away',
      { registrar: { kubeconfig: 'hub.yaml', namespace: 'cluster-ids', whenUnreachable: null } },
      settings({ registrar: { kubeconfig: 'hub.yaml', namespace: 'cluster-ids', whenUnreachable: 'deny' } }),
    ],
    [
      'a registrar without which joins pass',
      { registrar: { kubeconfig: 'hub.yaml', namespace: 'cluster-ids', whenUnreachable: 'warn' } },
      settings({ registrar: { kubeconfig: 'hub.yaml', namespace: 'cluster-ids', whenUnreachable: 'warn' } }),
    ],
    [
      'exemptions',
      { exemptions: { users: ['jane'], groups: ['g'], serviceAccounts: ['velero/velero'], namespaces: ['sandbox'] } },
      {
        exemptions: {
          users: new Set(['jane']),
          groups: new Set(['g']),
          serviceAccounts: new Set(['system:serviceaccount:velero:velero']),
          namespaces: new Set(['sandbox']),
        },
      },
    ],
    [
      'an exception until the end of a day',
      exception({}),
      { exceptions: [{ ...expected, name: 'old.k8s.io', expires: Date.UTC(2027, 1, 1), reason: 'ticket 12' }] },
    ],
    [
      'an exception until the end of a leap day',
      exception({ expires: '2028-02-29', namespace: null }),
      { exceptions: [{ ...expected, name: 'old.k8s.io', expires: Date.UTC(2028, 2, 1), reason: 'ticket 12' }] },
    ],
    [
      'an exception until a time, of a namespaced kind',
      exception({
        rules: ['inventory/version', 'inventory/version'],
        kind: 'ClusterProfile',
        namespace: 'fleet',
        name: 'edge',
        expires: '2027-01-31T18:00:00.25+01:00',
      }),
      {
        exceptions: [
          {
            rules: new Set(['inventory/version']),
            apiGroup: 'multicluster.x-k8s.io',
            kind: 'ClusterProfile',
            namespace: 'fleet',
            name: 'edge',
            expires: Date.UTC(2027, 0, 31, 17, 0, 0, 250),
            reason: 'ticket 12',
          },
        ],
      },
    ],
  ];

  test.each(good)('%s', (_, change, policy) => {
    expect(reading(change)).toEqual({ policy: { ...defaultPolicy, ...policy }, problems: [], warnings: [] });
  });

  test('is frozen, with all that is in it', () => {
    const { policy } = reading({
      rules: { 'claim/value': 'warn' },
      inventory: { managers: { m: [{ user: 'a' }] } },
      features: { dynamic: [{ namespace: 'a', name: 'b' }] },
      ...exception({}),
    });
    const inside = [
      policy,
      policy?.actions.get('claim/value'),
      policy?.settings.claims.allowedReservedNames,
      policy?.settings.inventory.managers?.get('m'),
      policy?.settings.inventory.managers?.get('m')?.[0],
      policy?.settings.features.dynamic?.[0],
      policy?.exemptions,
      policy?.exceptions[0],
    ];
    for (const part of inside) expect([part !== undefined, Object.isFrozen(part)]).toEqual([true, true]);
  });

  test('leaves its input as it was', () => {
    const manager = { user: 'a' };
    reading({ inventory: { managers: { m: [manager] } } });
    expect(Object.isFrozen(manager)).toBe(false);
  });
});

describe('is refused', () => {
  test.each(casesIn('refused.yaml'))('%s', (_, one) => {
    const configuration = configurationOf(ofCase(one));
    expect(problemsOf(configuration).sort()).toEqual([...(one.problems ?? [])].sort());
    expect(policyOf(configuration, RULES, NOW).policy).toBeUndefined();
  });

  test.each<[string, unknown, string]>([
    ['nothing', undefined, 'missing; expected a MusterConfiguration (a map)'],
    ['null', null, 'missing; expected a MusterConfiguration (a map)'],
    ['a text', 'x', 'expected a MusterConfiguration (a map), found "x"'],
    ['a list', [configurationOf()], 'expected a MusterConfiguration (a map), found a list'],
  ])('%s instead of a map', (_, configuration, message) => {
    expect(policyOf(configuration, RULES, NOW)).toEqual({ problems: [{ path: [], message }], warnings: [] });
  });

  test('another kind, whose keys are no problems of their own', () => {
    const claim = { apiVersion: 'multicluster.x-k8s.io/v1alpha1', kind: 'ClusterClaim', metadata: {}, spec: {} };
    expect(problemsOf(claim)).toEqual(['kind: expected "MusterConfiguration", found "ClusterClaim"']);
  });

  test('the key __proto__, which does not set anything', () => {
    const configuration = JSON.parse(
      '{ "__proto__": { "mode": "audit" }, "apiVersion": "muster/v1alpha1", "kind": "MusterConfiguration" }',
    );
    expect(problemsOf(configuration)).toEqual([expect.stringMatching(/^__proto__: unknown key; known here: /)]);
  });

  test('a number that is none', () => {
    expect(problemsOf(configurationOf({ features: { clockSkewSeconds: Number.NaN } }))).toHaveLength(1);
  });

  test('more than 1000 entries or keys', () => {
    const users = (count: number) =>
      reading({ exemptions: { users: Array.from({ length: count }, (_, i) => `u${i}`) } });
    expect(users(1000).policy?.exemptions.users.size).toBe(1000);
    expect(users(1001).problems[0]?.message).toBe('has 1001 entries; at most 1000 are read');
    const rules = Object.fromEntries(Array.from({ length: 1001 }, (_, i) => [`r${i}`, 'warn']));
    expect(problemsOf(configurationOf({ rules }))).toEqual(['rules: has 1001 keys; at most 1000 are read']);
  });

  test('a list with more wrong entries than a call can have arguments', () => {
    const dynamic = Array(150_000).fill(5);
    const problem = 'features.dynamic: has 150000 entries; at most 1000 are read';
    expect(problemsOf(configurationOf({ features: { dynamic } }))).toEqual([problem]);
  });

  test('with the problems of all sections at once, those of keys marked', () => {
    const { problems } = reading({
      mode: 'x',
      rules: { nope: 'warn' },
      claims: { x: 1 },
      inventory: { managers: { 'a b': [{ user: 'a' }] } },
    });
    expect(problems.map(({ path, ofKey }) => [path, ofKey])).toEqual([
      [['mode'], undefined],
      [['claims', 'x'], true],
      [['rules', 'nope'], true],
      [['inventory', 'managers', 'a b'], true],
    ]);
  });
});

describe('is accepted with a warning', () => {
  test.each(casesIn('warned.yaml'))('%s', (_, one) => {
    const read = reading(ofCase(one));
    expect({ problems: read.problems, warnings: read.warnings }).toEqual({ problems: [], warnings: one.warnings });
    expect(read.policy?.exceptions.length).toBe(one.exception ? 1 : 0);
  });

  test('and takes effect', () => {
    expect(reading({ features: { dynamic: '*' } }).policy?.settings.features.dynamic).toBe('*');
    const { policy } = reading({ exemptions: { groups: ['system:authenticated'] } });
    expect(policy?.exemptions.groups).toEqual(new Set(['system:authenticated']));
  });
});

const page = readFileSync('docs/configuration.md', 'utf8');
const examples = [...page.matchAll(/^```yaml\n(.*?)^```$/gms)].map(([, yaml]) => String(yaml));

test.each(examples)('an example of docs/configuration.md loads without a warning: %s', (yaml) => {
  const { documents } = readDocuments(yaml, 'docs/configuration.md');
  const whole = configurationOf(documents[0]?.value as object);
  const { problems, warnings } = policyOf(whole, ruleIds, Date.UTC(2027, 0, 1));
  expect({ count: documents.length, problems, warnings }).toEqual({ count: 1, problems: [], warnings: [] });
});
