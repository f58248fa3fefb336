/** The registration against the catalogue, in both directions, and against the table "Registration" of the public surface. */
import { describe, expect, test } from '@jest/globals';
import { type Dialect, dialects } from '../../src/api/dialects.ts';
import { policyOf } from '../../src/config/policy.ts';
import { enforcementOf } from '../../src/engine/plan.ts';
import { defaultPolicy } from '../../src/engine/policy.ts';
import {
  mutatingWebhookConfiguration,
  type RegistrationOptions,
  validatingWebhookConfiguration,
  type Webhook,
} from '../../src/manifests/registration.ts';
import { ruleIds, rules } from '../../src/rules/index.ts';
import type { Json, Operation, Rule, Subresource } from '../../src/rules/rule.ts';

const target = { service: { namespace: 'muster-system', name: 'muster' } };
const validating = validatingWebhookConfiguration({ target });
const mutating = mutatingWebhookConfiguration({ target });
const all = [...validating.webhooks, ...mutating.webhooks];
const named = (name: string) => all.find((webhook) => webhook.name === name) as Webhook;

/** `group/resource operation`, one for each thing that is matched. */
function matchedBy(webhooks: readonly Webhook[]): string[] {
  return webhooks.flatMap((webhook) =>
    webhook.rules.flatMap(({ apiGroups, apiVersions, resources, operations, scope }) =>
      operations.map((operation) => `${apiGroups}/${apiVersions} ${resources} ${operation} ${scope}`),
    ),
  );
}

function readByRules(): string[] {
  const found = new Set<string>();
  for (const rule of rules as readonly Rule[])
    for (const dialect of dialects) for (const each of matches(rule, dialect)) found.add(each);
  return [...found];
}

function matches(rule: Rule, dialect: Dialect): string[] {
  if (rule.concept !== dialect.concept || !(rule.dialects?.includes(dialect.name) ?? true)) return [];
  const on = (subresource: Subresource): readonly Operation[] => (subresource === '' ? rule.on : ['UPDATE']);
  return (rule.subresources ?? ['']).flatMap((subresource) =>
    on(subresource).map((operation) => {
      const resource = subresource === '' ? dialect.plural : `${dialect.plural}/${subresource}`;
      return `${dialect.group}/${dialect.versions} ${resource} ${operation} ${dialect.scope}`;
    }),
  );
}

test('outside kube-system the API server calls for what some rule reads, once, and for nothing else', () => {
  const elsewhere = validating.webhooks.filter(({ name }) => !name.startsWith('system-features'));
  expect(matchedBy(elsewhere).sort()).toEqual(readByRules().sort());
});

test('in kube-system it calls for features alone, and spares their other writes', () => {
  const here = all.filter(({ namespaceSelector }) => JSON.stringify(namespaceSelector).includes('"In"'));
  expect(here.map(({ name }) => name)).toEqual(['system-features.validate.muster']);
  expect(matchedBy(here)).toEqual(matchedBy([named('features.validate.muster')]));
});

test('the table of the public surface', () => {
  const rows = all.map(({ name, failurePolicy, timeoutSeconds, rules: matched, clientConfig }) => [
    name,
    (clientConfig['service'] as { path: string }).path,
    failurePolicy,
    timeoutSeconds,
    [...new Set(matched.flatMap(({ operations }) => operations))].join(),
  ]);
  expect(rows).toEqual([
    ['claims.validate.muster', '/validate', 'Fail', 5, 'CREATE,UPDATE,DELETE'],
    ['inventory.validate.muster', '/validate', 'Fail', 5, 'CREATE,UPDATE'],
    ['inventory-status.validate.muster', '/validate', 'Ignore', 2, 'UPDATE'],
    ['inventory-deletions.validate.muster', '/validate', 'Ignore', 2, 'DELETE'],
    ['features.validate.muster', '/validate', 'Fail', 5, 'CREATE,UPDATE'],
    ['system-features.validate.muster', '/validate', 'Ignore', 2, 'CREATE,UPDATE'],
    ['feature-deletions.validate.muster', '/validate', 'Ignore', 2, 'DELETE'],
    ['inventory.mutate.muster', '/mutate', 'Ignore', 2, 'CREATE,UPDATE'],
  ]);
});

describe('what the configuration enforces', () => {
  const rows = (settings: object) => {
    const configuration = { apiVersion: 'muster/v1alpha1', kind: 'MusterConfiguration', ...settings };
    const { policy = defaultPolicy, problems } = policyOf(configuration as Json, ruleIds, Date.now());
    expect(problems).toEqual([]);
    const { webhooks } = validatingWebhookConfiguration({ target, enforcement: enforcementOf(policy) });
    const guards = webhooks.filter(({ name }) => /-(deletions|owners)/.test(name));
    return guards.map(
      ({ name, failurePolicy, timeoutSeconds }) => `${name.split('.')[0]} ${failurePolicy} ${timeoutSeconds}`,
    );
  };
  const members = { claims: { membershipManagers: [{ user: 'jane' }] } };
  const managers = { inventory: { managers: { harbour: [{ user: 'jane' }] } } };
  const flow = { features: { serverFlow: [{ namespace: 'kube-system', principals: [{ user: 'jane' }] }] } };

  test.each<[string, object, string[]]>([
    ['nothing: what only warns holds nobody up', {}, ['inventory-deletions Ignore 2', 'feature-deletions Ignore 2']],
    [
      'membership managers: their claim gains no owner unseen',
      members,
      ['claim-owners Fail 5', 'inventory-deletions Ignore 2', 'feature-deletions Ignore 2'],
    ],
    [
      'cluster managers, which by default only warn',
      managers,
      ['inventory-deletions Ignore 2', 'inventory-owners Ignore 2', 'feature-deletions Ignore 2'],
    ],
    [
      'cluster managers that deny',
      { ...managers, rules: { 'inventory/sole-manager': 'deny' } },
      ['inventory-deletions Fail 5', 'inventory-owners Fail 5', 'feature-deletions Ignore 2'],
    ],
    ['a server flow', flow, ['inventory-deletions Ignore 2', 'feature-deletions Fail 5', 'feature-owners Fail 5']],
    [
      'a server flow under mode warn',
      { ...flow, mode: 'warn' },
      ['inventory-deletions Ignore 2', 'feature-deletions Ignore 2', 'feature-owners Ignore 2'],
    ],
    [
      'features that are kept',
      { rules: { 'feature/preserved': 'deny' } },
      ['inventory-deletions Ignore 2', 'feature-deletions Fail 5'],
    ],
  ])('%s', (_, configuration, expected) => {
    expect(rows(configuration)).toEqual(expected);
  });
});

describe('options', () => {
  const both = (options: RegistrationOptions) => [
    ...validatingWebhookConfiguration(options).webhooks,
    ...mutatingWebhookConfiguration(options).webhooks,
  ];

  test('a failure policy is for every webhook', () => {
    expect(new Set(both({ target, failurePolicy: 'Ignore' }).map(({ failurePolicy }) => failurePolicy))).toEqual(
      new Set(['Ignore']),
    );
  });

  test('a server outside is called by its URL, with its CA', () => {
    const configs = both({ target: { url: 'https://muster.example.com:8443/' }, caBundle: 'Y2E=' });
    expect(new Set(configs.map(({ clientConfig }) => JSON.stringify(clientConfig)))).toEqual(
      new Set([
        '{"url":"https://muster.example.com:8443/validate","caBundle":"Y2E="}',
        '{"url":"https://muster.example.com:8443/mutate","caBundle":"Y2E="}',
      ]),
    );
  });

  test("muster's own namespace is never guarded, whatever its name", () => {
    const excluded = both({ target, namespace: 'guards' }).map(({ namespaceSelector }) => namespaceSelector);
    const notIn = { key: 'kubernetes.io/metadata.name', operator: 'NotIn', values: ['kube-system', 'guards'] };
    const notOurs = { ...notIn, values: ['guards'] };
    const isIn = { ...notIn, operator: 'In', values: ['kube-system'] };
    expect(excluded).toEqual([
      {},
      ...[notIn, notIn, notIn, notIn, isIn, notOurs, notIn].map((one) => ({ matchExpressions: [one] })),
    ]);
  });
});
