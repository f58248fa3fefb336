import { describe, expect, test } from '@jest/globals';
import { policyOf } from '../../src/config/policy.ts';
import { defaultPolicy, type Policy } from '../../src/engine/policy.ts';
import { fieldOf } from '../../src/engine/text.ts';
import type { Json } from '../../src/rules/rule.ts';

const RULES = new Set(['claim/value', 'claim/id-syntax', 'claim/reserved-name', 'inventory/version', 'feature/shape']);
const NOW = Date.UTC(2026, 5, 1);
const BASE = { apiVersion: 'muster/v1alpha1', kind: 'MusterConfiguration' };
const EXCEPTION = {
  rules: ['claim/reserved-name'],
  apiGroup: 'multicluster.x-k8s.io',
  kind: 'ClusterClaim',
  name: 'old.k8s.io',
  expires: '2027-01-31',
  reason: 'ticket 12',
};
const AN_END = 'a date such as 2027-01-31, or an RFC 3339 date-time with its zone such as 2027-01-31T18:00:00Z';
const A_RESERVED_NAME = 'expected a name (lower case, as objects are named) or *.suffix, with no other "*"';
const AN_ACTION = 'expected deny, warn, audit or ignore';
const OR_POINTS = `${AN_ACTION}, or a map of webhook, check and scan`;
const A_PRINCIPAL = 'exactly one of user, group, serviceAccount';
const NAME_THEM = 'name the users, groups or service accounts that need it';
const NAME_NAMES = 'list the names that you claim';
const NAME_FEATURES = 'list the features, or leave the key out';
const NOBODY = 'an empty list would lock everyone out; name at least one principal, or leave the key out';

function reading(change: Record<string, unknown>) {
  return policyOf({ ...BASE, ...change }, RULES, NOW);
}

/** Problems as `field: message`. */
function problemsOf(configuration: unknown): string[] {
  return policyOf(configuration, RULES, NOW).problems.map(({ path, message }) => `${fieldOf(path)}: ${message}`);
}

const exception = (change: Record<string, unknown>) => ({ exceptions: [{ ...EXCEPTION, ...change }] });
const expected = { rules: new Set(['claim/reserved-name']), apiGroup: 'multicluster.x-k8s.io', kind: 'ClusterClaim' };
const settings = (change: Partial<Policy['settings']>) => ({ settings: { ...defaultPolicy.settings, ...change } });

describe('a good configuration', () => {
  const everywhere = (action: string) => ({ webhook: action, check: action, scan: action });
  const good: [string, Record<string, unknown>, Partial<Policy>][] = [
    ['nothing but its kind', {}, {}],
    [
      'null in every section',
      { mode: null, rules: null, claims: null, inventory: null, features: null, exemptions: null, exceptions: null },
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
      'managers whose names an object has by itself',
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
    ['no feature', { features: { dynamic: [] } }, settings({ features: { dynamic: [], clockSkewSeconds: 5 } })],
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
    ['no skew', { features: { clockSkewSeconds: 0 } }, settings({ features: { clockSkewSeconds: 0 } })],
    ['most skew', { features: { clockSkewSeconds: 300 } }, settings({ features: { clockSkewSeconds: 300 } })],
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
      'an exception to the end of a day',
      exception({}),
      { exceptions: [{ ...expected, name: 'old.k8s.io', expires: Date.UTC(2027, 1, 1), reason: 'ticket 12' }] },
    ],
    [
      'an exception to the end of a leap day',
      exception({ expires: '2028-02-29', namespace: null }),
      { exceptions: [{ ...expected, name: 'old.k8s.io', expires: Date.UTC(2028, 2, 1), reason: 'ticket 12' }] },
    ],
    [
      'an exception to a moment, of a namespaced kind',
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

  test('leaves what it was given as it was', () => {
    const given = { ...BASE, inventory: { managers: { m: [{ user: 'a' }] } } };
    policyOf(given, RULES, NOW);
    expect(Object.isFrozen(given.inventory.managers.m[0])).toBe(false);
  });
});

describe('a bad configuration is refused', () => {
  const managers = (value: Json) => ({ claims: { membershipManagers: value } });
  const at = 'claims.membershipManagers';
  const bad: [string, Record<string, unknown>, string[]][] = [
    ['another version', { apiVersion: 'muster/v1' }, ['apiVersion: expected "muster/v1alpha1", found "muster/v1"']],
    ['no version', { apiVersion: null }, ['apiVersion: missing; expected "muster/v1alpha1"']],
    ['another kind', { kind: 'ConfigMap' }, ['kind: expected "MusterConfiguration", found "ConfigMap"']],
    ['no kind', { kind: undefined }, ['kind: missing; expected "MusterConfiguration"']],
    ['a slip in a key', { ruels: {} }, ['ruels: unknown key; did you mean "rules"?']],
    [
      'an unknown key',
      { metadata: { name: 'x' } },
      [
        'metadata: unknown key; known here: apiVersion, kind, mode, rules, claims, inventory, features, exemptions, exceptions',
      ],
    ],
    ['an unknown key that is null', { modes: null }, ['modes: unknown key; did you mean "mode"?']],
    ['an unknown mode', { mode: 'warning' }, ['mode: expected enforce, warn or audit, found "warning"']],
    [
      'a slip in the mode',
      { mode: 'Enforce' },
      ['mode: expected enforce, warn or audit, found "Enforce"; did you mean "enforce"?'],
    ],
    ['a boolean mode', { mode: false }, ['mode: expected enforce, warn or audit, found false']],
    ['rules as a list', { rules: ['claim/value'] }, ['rules: expected a map from rule ids to actions, found a list']],
    [
      'an unknown rule',
      { rules: { 'claim/valeu': 'warn' } },
      ['rules[claim/valeu]: no rule "claim/valeu"; did you mean "claim/value"?'],
    ],
    [
      'a rule without its concept, and with nothing to do',
      { rules: { 'id-syntax': null } },
      ['rules.id-syntax: no rule "id-syntax"; did you mean "claim/id-syntax"?'],
    ],
    [
      'a rule that is near none, of a name an object has by itself',
      { rules: { constructor: 'warn' } },
      ['rules.constructor: no rule "constructor"; muster rules lists them'],
    ],
    [
      'an action YAML makes false',
      { rules: { 'claim/value': false } },
      [
        `rules[claim/value]: ${OR_POINTS}, found false (which is what YAML makes of off and no); write ignore to switch a rule off`,
      ],
    ],
    [
      'an action YAML makes true',
      { rules: { 'claim/value': { scan: true } } },
      [`rules[claim/value].scan: ${AN_ACTION}, found true (which is what YAML makes of on and yes); name the action`],
    ],
    [
      'off as a text',
      { rules: { 'claim/value': 'off' } },
      [`rules[claim/value]: ${OR_POINTS}, found "off"; write ignore to switch a rule off`],
    ],
    [
      'a slip in an action',
      { rules: { 'claim/value': { webhook: 'dney' } } },
      [`rules[claim/value].webhook: ${AN_ACTION}, found "dney"; did you mean "deny"?`],
    ],
    ['a number as an action', { rules: { 'claim/value': 1 } }, [`rules[claim/value]: ${OR_POINTS}, found 1`]],
    ['a list of actions', { rules: { 'claim/value': ['warn'] } }, [`rules[claim/value]: ${OR_POINTS}, found a list`]],
    [
      'an unknown point',
      { rules: { 'claim/value': { webhok: 'warn' } } },
      ['rules[claim/value].webhok: unknown key; did you mean "webhook"?'],
    ],
    ['a section as text', { claims: 'none' }, ['claims: expected a map, found "none"']],
    ['a section as a list', { features: [] }, ['features: expected a map, found a list']],
    [
      'names as a text',
      { claims: { allowedReservedNames: 'a.k8s.io' } },
      ['claims.allowedReservedNames: expected a list of names, found "a.k8s.io"'],
    ],
    [
      'names that can be none',
      { claims: { allowedReservedNames: ['*', 'a.*', '*.*.b', '*a.k8s.io', 'A.k8s.io', '', 7, null, ['a']] } },
      [
        `claims.allowedReservedNames[0]: ${A_RESERVED_NAME}, found "*"`,
        `claims.allowedReservedNames[1]: ${A_RESERVED_NAME}, found "a.*"`,
        `claims.allowedReservedNames[2]: ${A_RESERVED_NAME}, found "*.*.b"`,
        `claims.allowedReservedNames[3]: ${A_RESERVED_NAME}, found "*a.k8s.io"`,
        `claims.allowedReservedNames[4]: ${A_RESERVED_NAME}, found "A.k8s.io"`,
        `claims.allowedReservedNames[5]: ${A_RESERVED_NAME}, found ""`,
        `claims.allowedReservedNames[6]: ${A_RESERVED_NAME}, found 7; put it in quotes`,
        'claims.allowedReservedNames[7]: missing; expected an entry of the list',
        `claims.allowedReservedNames[8]: ${A_RESERVED_NAME}, found a list`,
      ],
    ],
    ['nobody', managers([]), [`${at}: ${NOBODY}`]],
    ['principals as a map', managers({ user: 'a' }), [`${at}: expected a list of principals, found a map`]],
    ['a principal as text', managers(['jane']), [`${at}[0]: expected a principal (${A_PRINCIPAL}), found "jane"`]],
    [
      'a principal of nothing',
      managers([{}, { user: null }]),
      [0, 1].map((i) => `${at}[${i}]: expected ${A_PRINCIPAL}, found none`),
    ],
    ['a principal of two', managers([{ user: 'a', group: 'b' }]), [`${at}[0]: expected ${A_PRINCIPAL}, found 2`]],
    ['a slip in a principal', managers([{ usr: 'a' }]), [`${at}[0].usr: unknown key; did you mean "user"?`]],
    [
      'a user that YAML makes a boolean',
      managers([{ user: true }]),
      [`${at}[0].user: expected a name, found true; put it in quotes`],
    ],
    ['an empty group', managers([{ group: '' }]), [`${at}[0].group: expected a name, found ""`]],
    [
      'service accounts that can be none',
      managers([
        { serviceAccount: 'x' },
        { serviceAccount: 'a/b/c' },
        { serviceAccount: '/b' },
        { serviceAccount: 'A/b' },
      ]),
      ['x', 'a/b/c', '/b', 'A/b'].map(
        (name, i) => `${at}[${i}].serviceAccount: expected a service account as NAMESPACE/NAME, found "${name}"`,
      ),
    ],
    [
      'a service account by its user name',
      managers([{ serviceAccount: 'system:serviceaccount:fleet:mcs' }]),
      [
        `${at}[0].serviceAccount: expected a service account as NAMESPACE/NAME, found "system:serviceaccount:fleet:mcs"; write "fleet/mcs"`,
      ],
    ],
    [
      'no manager',
      { inventory: { managers: {} } },
      ['inventory.managers: an empty map would know no manager; name at least one, or leave the key out'],
    ],
    [
      'managers as a list',
      { inventory: { managers: ['a'] } },
      ['inventory.managers: expected a map from the names of managers to principals, found a list'],
    ],
    [
      'managers of nobody, and of an impossible name',
      { inventory: { managers: { a: [], b: null, 'c d': [{ user: 'x' }] } } },
      [
        `inventory.managers.a: ${NOBODY}`,
        'inventory.managers.b: missing; expected a list of principals',
        'inventory.managers[c d]: "c d" can be no manager\'s name: it has to fit a label (at most 63 of A-Z, a-z, 0-9, "-", "_", ".")',
      ],
    ],
    [
      'dynamic as another text',
      { features: { dynamic: 'all' } },
      ['features.dynamic: expected "*" or a list of { namespace, name }, found "all"'],
    ],
    [
      'dynamic entries',
      { features: { dynamic: ['*', {}, { namespace: 'Kube', name: 'OpenAPIV3' }, { namespace: 'a', nmae: 'b' }] } },
      [
        'features.dynamic[0]: expected a map with namespace and name, found "*"',
        'features.dynamic[1].name: missing; expected the name of a Feature object (lower case), or "*"',
        'features.dynamic[1].namespace: missing; expected the name of a namespace, or "*"',
        'features.dynamic[2].name: expected the name of a Feature object (lower case), or "*", found "OpenAPIV3"',
        'features.dynamic[2].namespace: expected the name of a namespace, or "*", found "Kube"',
        'features.dynamic[3].nmae: unknown key; did you mean "name"?',
        'features.dynamic[3].name: missing; expected the name of a Feature object (lower case), or "*"',
      ],
    ],
    [
      'a namespace twice, and one of nobody',
      {
        features: {
          serverFlow: [
            { namespace: 'a', principals: [{ user: 'x' }] },
            { namespace: 'b' },
            { principals: [{ user: 'y' }] },
            { namespace: 'a', principals: [] },
            { namespace: '*', principals: [{ user: 'x' }] },
          ],
        },
      },
      [
        'features.serverFlow[1].principals: missing; expected a list of principals',
        'features.serverFlow[2].namespace: missing; expected a namespace',
        `features.serverFlow[3].principals: ${NOBODY}`,
        'features.serverFlow[3].namespace: "a" stands in entry 0 already; put all its principals there',
        'features.serverFlow[4].namespace: expected a namespace\'s name (a-z, 0-9, "-", at most 63), found "*"',
      ],
    ],
    ...[-0.1, 300.1, '5', true, [5], Number.NaN].map((value): [string, Record<string, unknown>, string[]] => [
      `a skew of ${String(value)}`,
      { features: { clockSkewSeconds: value } },
      [
        `features.clockSkewSeconds: expected a number of seconds from 0 to 300, found ${
          Array.isArray(value) ? 'a list' : typeof value === 'string' ? `"${value}"` : value
        }`,
      ],
    ]),
    [
      'exemptions',
      {
        exemptions: { users: [{ user: 'a' }], groups: 'g', serviceAccounts: ['a'], namespaces: ['Sandbox'], roles: [] },
      },
      [
        'exemptions.roles: unknown key; known here: users, groups, serviceAccounts, namespaces',
        'exemptions.serviceAccounts[0]: expected a service account as NAMESPACE/NAME, found "a"',
        'exemptions.users[0]: expected a name, found a map',
        'exemptions.groups: expected a list of group names, found "g"',
        'exemptions.namespaces[0]: expected a namespace\'s name (a-z, 0-9, "-", at most 63), found "Sandbox"',
      ],
    ],
    ['exceptions as a map', { exceptions: EXCEPTION }, ['exceptions: expected a list of exceptions, found a map']],
    [
      'an exception of nothing',
      { exceptions: [{}] },
      [
        'exceptions[0].rules: missing; expected a list of rule ids',
        'exceptions[0].apiGroup: missing; expected an API group',
        'exceptions[0].kind: missing; expected a kind',
        'exceptions[0].name: missing; expected the name of one object (lower case, no wildcard)',
        `exceptions[0].expires: missing; expected ${AN_END}`,
        'exceptions[0].reason: missing; expected a text that says why',
      ],
    ],
    ['an exception without end', exception({ expires: null }), [`exceptions[0].expires: missing; expected ${AN_END}`]],
    ...['never', '2027-02-30', '2027-13-01', '27-01-31', '2027-01-31T18:00:00', '2027-01-31T25:00:00Z', ''].map(
      (value): [string, Record<string, unknown>, string[]] => [
        `an end of "${value}"`,
        exception({ expires: value }),
        [`exceptions[0].expires: expected ${AN_END}, found "${value}"`],
      ],
    ),
    ['a year as an end', exception({ expires: 2027 }), [`exceptions[0].expires: expected ${AN_END}, found 2027`]],
    [
      'an exception from no rule',
      exception({ rules: [] }),
      ['exceptions[0].rules: an empty list; name at least one rule'],
    ],
    [
      'an exception from rules as text',
      exception({ rules: 'claim/value' }),
      ['exceptions[0].rules: expected a list of rule ids, found "claim/value"'],
    ],
    [
      'an exception from unknown rules',
      exception({ rules: ['claim/vlue', '*', 5] }),
      [
        'exceptions[0].rules[0]: no rule "claim/vlue"; did you mean "claim/value"?',
        'exceptions[0].rules[1]: no rule "*"; muster rules lists them',
        'exceptions[0].rules[2]: expected a rule id, found 5; put it in quotes',
      ],
    ],
    [
      'a group with its version',
      exception({ apiGroup: 'features.x-k8s.io/v1alpha1', kind: 'Feature' }),
      [
        'exceptions[0].apiGroup: expected an API group that rules judge, without version (multicluster.x-k8s.io, cluster.open-cluster-management.io, about.k8s.io or features.x-k8s.io), found "features.x-k8s.io/v1alpha1"; did you mean "features.x-k8s.io"?',
      ],
    ],
    [
      'a kind nobody judges',
      exception({ kind: 'clusterclaims' }),
      [
        'exceptions[0].kind: expected a kind of multicluster.x-k8s.io that rules judge (ClusterClaim, InventoryCluster or ClusterProfile), found "clusterclaims"; did you mean "ClusterClaim"?',
      ],
    ],
    [
      'a namespace of a cluster-scoped kind',
      exception({ namespace: 'a' }),
      ['exceptions[0].namespace: a ClusterClaim has no namespace; leave the key out'],
    ],
    [
      'a pattern for a name, and no reason',
      exception({ name: '*', reason: '' }),
      [
        'exceptions[0].name: expected the name of one object (lower case, no wildcard), found "*"',
        'exceptions[0].reason: expected a text that says why, found ""',
      ],
    ],
    [
      'too many entries',
      { exemptions: { users: Array(1001).fill('a') } },
      ['exemptions.users: has 1001 entries; at most 1000 are read'],
    ],
    [
      'too many keys',
      { rules: Object.fromEntries(Array.from({ length: 1001 }, (_, i) => [`r${i}`, 'warn'])) },
      ['rules: has 1001 keys; at most 1000 are read'],
    ],
    [
      'text that could forge a line',
      { mode: 'warn\nmode: ok\u202e' },
      ['mode: expected enforce, warn or audit, found "warn\\u000amode: ok\\u202e"'],
    ],
  ];

  test.each(bad)('%s', (_, change, problems) => {
    expect(problemsOf({ ...BASE, ...change })).toEqual(problems);
    expect(reading(change).policy).toBeUndefined();
  });

  test.each<[string, unknown, string]>([
    ['nothing', undefined, 'missing; expected a MusterConfiguration'],
    ['null', null, 'missing; expected a MusterConfiguration'],
    ['a text', 'x', 'expected a MusterConfiguration (a map), found "x"'],
    ['a list', [BASE], 'expected a MusterConfiguration (a map), found a list'],
  ])('%s instead of a map', (_, configuration, message) => {
    expect(policyOf(configuration, RULES, NOW)).toEqual({ problems: [{ path: [], message }], warnings: [] });
  });

  test('the key of __proto__, which is no way to the settings', () => {
    const configuration = JSON.parse(
      `{ "__proto__": { "mode": "audit" }, "apiVersion": "${BASE.apiVersion}", "kind": "${BASE.kind}" }`,
    );
    expect(problemsOf(configuration)).toEqual([expect.stringMatching(/^__proto__: unknown key; known here: /)]);
  });

  test('1000 entries are not too many', () => {
    expect(
      reading({ exemptions: { users: Array.from({ length: 1000 }, (_, i) => `u${i}`) } }).policy?.exemptions.users.size,
    ).toBe(1000);
  });

  test('problems of all sections come at once, those of keys marked', () => {
    const { problems } = reading({
      mode: 'x',
      rules: { nope: 'warn' },
      claims: { x: 1 },
      inventory: { managers: { 'a b': [{ user: 'a' }] } },
    });
    expect(problems.map(({ path, ofKey }) => [path, ofKey])).toEqual([
      [['mode'], undefined],
      [['rules', 'nope'], true],
      [['claims', 'x'], true],
      [['inventory', 'managers', 'a b'], true],
    ]);
  });
});

describe('a doubtful configuration is warned about', () => {
  const doubtful: [string, Record<string, unknown>, string[]][] = [
    [
      'an expired exception, which stays for the count',
      exception({ expires: '2026-05-31' }),
      [
        'exceptions[0]: the exception for ClusterClaim old.k8s.io (claim/reserved-name) ended at 2026-06-01T00:00:00.000Z and holds no more; remove it',
      ],
    ],
    ['an exception through today', exception({ expires: '2026-06-01' }), []],
    ['an exception that ends in a millisecond', exception({ expires: '2026-06-01T00:00:00.001Z' }), []],
    [
      'an exception from a rule that never judges its kind',
      exception({ rules: ['inventory/version'] }),
      ['exceptions[0].rules: inventory/version never judges a ClusterClaim; the exception does nothing for it'],
    ],
    [
      'a principal of two managers, however it is written',
      {
        inventory: {
          managers: {
            x: [{ serviceAccount: 'a/b' }, { group: 'g' }],
            y: [{ user: 'system:serviceaccount:a:b' }, { user: 'g' }],
            z: [{ group: 'g' }, { group: 'g' }],
          },
        },
      },
      [
        'inventory.managers: "user system:serviceaccount:a:b" is a principal of 2 managers: x, y',
        'inventory.managers: "group g" is a principal of 2 managers: x, z',
      ],
    ],
    ['a principal twice in one list', { inventory: { managers: { x: [{ user: 'a' }, { user: 'a' }] } } }, []],
    [
      'a name that looks like a pattern',
      { exemptions: { users: ['team-*'] } },
      ['exemptions.users[0]: "team-*" is taken literally; "*" is no wildcard here'],
    ],
    [
      'an exemption of everybody',
      {
        exemptions: {
          users: ['system:anonymous', 'jane'],
          groups: ['system:authenticated', 'system:unauthenticated', 'system:serviceaccounts', 'fleet-admins'],
        },
      },
      [
        `exemptions.users[0]: "system:anonymous" is everybody without credentials: no rule applies to them; ${NAME_THEM}`,
        `exemptions.groups[0]: "system:authenticated" is everybody with credentials: no rule applies to them; ${NAME_THEM}`,
        `exemptions.groups[1]: "system:unauthenticated" is everybody without credentials: no rule applies to them; ${NAME_THEM}`,
        `exemptions.groups[2]: "system:serviceaccounts" is every service account, so every pod: no rule applies to them; ${NAME_THEM}`,
      ],
    ],
    [
      'everybody as a principal, for what each list guards',
      {
        claims: { membershipManagers: [{ group: 'system:authenticated' }, { user: 'jane' }] },
        inventory: { managers: { x: [{ group: 'system:serviceaccounts' }], y: [{ user: 'y' }] } },
        features: {
          serverFlow: [{ namespace: 'kube-system', principals: [{ user: 'a' }, { user: 'system:anonymous' }] }],
        },
      },
      [
        `claims.membershipManagers[0].group: "system:authenticated" is everybody with credentials: claim/clusterset-manager refuses none of them; ${NAME_THEM}`,
        `inventory.managers.x[0].group: "system:serviceaccounts" is every service account, so every pod: inventory/sole-manager refuses none of them; ${NAME_THEM}`,
        `features.serverFlow[0].principals[1].user: "system:anonymous" is everybody without credentials: feature/server-flow and feature/client-uses refuse none of them; ${NAME_THEM}`,
      ],
    ],
    [
      'one group of many, or of administrators, as it stands',
      {
        exemptions: { groups: ['system:masters', 'system:serviceaccounts:velero', 'system:nodes'] },
        claims: { membershipManagers: [{ group: 'system:serviceaccounts:fleet' }, { user: 'system:apiserver' }] },
      },
      [],
    ],
    [
      'a wildcard that allows all reserved names under a suffix',
      { claims: { allowedReservedNames: ['*.k8s.io', '*.kubernetes.io', '*.io', '*.topology.kubernetes.io', 'io'] } },
      [
        `claims.allowedReservedNames[0]: "*.k8s.io" allows every name under *.k8s.io: claim/reserved-name no longer guards them; ${NAME_NAMES}`,
        `claims.allowedReservedNames[1]: "*.kubernetes.io" allows every name under *.kubernetes.io: claim/reserved-name no longer guards them; ${NAME_NAMES}`,
        `claims.allowedReservedNames[2]: "*.io" allows every name under *.k8s.io and *.kubernetes.io: claim/reserved-name no longer guards them; ${NAME_NAMES}`,
      ],
    ],
    [
      'an opt-in of every feature',
      { features: { dynamic: '*' } },
      [`features.dynamic: every feature is opted in: feature/dynamic-opt-in refuses nothing; ${NAME_FEATURES}`],
    ],
    [
      'an opt-in of every feature, in an entry',
      {
        features: {
          dynamic: [
            { namespace: 'kube-system', name: '*' },
            { namespace: '*', name: 'a' },
            { namespace: '*', name: '*' },
          ],
        },
      },
      [`features.dynamic[2]: every feature is opted in: feature/dynamic-opt-in refuses nothing; ${NAME_FEATURES}`],
    ],
  ];

  test.each(doubtful)('%s', (_, change, warnings) => {
    const read = reading(change);
    expect({ problems: read.problems, warnings: read.warnings }).toEqual({ problems: [], warnings });
    expect(read.policy?.exceptions.length).toBe('exceptions' in change ? 1 : 0);
  });

  test('and is in force all the same', () => {
    expect(reading({ features: { dynamic: '*' } }).policy?.settings.features.dynamic).toBe('*');
    const { policy } = reading({ exemptions: { groups: ['system:authenticated'] } });
    expect(policy?.exemptions.groups).toEqual(new Set(['system:authenticated']));
  });
});
