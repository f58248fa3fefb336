/**
 * The registration against the catalogue, in both directions, and against the table "Registration" of the public
 * surface.
 */
import { describe, expect, test } from '@jest/globals';
import { dialects } from '../../../src/api/dialects.ts';
import {
  mutatingWebhookConfiguration,
  validatingWebhookConfiguration,
  type Webhook,
} from '../../../src/manifests/registration.ts';
import { requiredEnforcement } from '../../../src/manifests/requirements.ts';
import { rules } from '../../../src/rules/index.ts';
import type { Rule } from '../../../src/rules/rule.ts';
import { policyFrom } from '../../support/configuration.ts';

const target = { service: { namespace: 'muster-system', name: 'muster' } };
const validating = validatingWebhookConfiguration(target);
const mutating = mutatingWebhookConfiguration(target);
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
  return dialects.flatMap((dialect) => {
    const of = ({ concept, dialects: names }: Rule) =>
      concept === dialect.concept && (names?.includes(dialect.name) ?? true);
    const found = rules.filter(of).flatMap(({ on, subresources = [''] }: Rule) =>
      subresources.flatMap((part) => {
        const resource = part === '' ? dialect.plural : `${dialect.plural}/${part}`;
        return (part === '' ? on : ['UPDATE']).map((operation) => `${resource} ${operation}`);
      }),
    );
    return [...new Set(found)].map((each) => `${dialect.group}/${dialect.versions} ${each} ${dialect.scope}`);
  });
}

test('outside kube-system the API server calls for what some rule reads, once, and for nothing else', () => {
  // The index, memberships and sound new inventory objects have a webhook of their own, which is sent what that of
  // placements, claims or the inventory is not; deletions of placements and imports, and exports, take a configuration.
  const except = /^(system-features|placement-index|membership-deletions|inventory-creations)/;
  const elsewhere = validating.webhooks.filter(({ name }) => !except.test(name));
  const configured = /placementdecisions DELETE|serviceexports CREATE|serviceimports DELETE/;
  const read = readByRules().filter((each) => !configured.test(each));
  expect(matchedBy(elsewhere).sort()).toEqual(read.sort());
});

test('in kube-system it calls for features alone, and not for their deletions', () => {
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
    ['membership-deletions.validate.muster', '/validate', 'Ignore', 2, 'DELETE'],
    ['inventory.validate.muster', '/validate', 'Fail', 5, 'CREATE,UPDATE'],
    ['inventory-creations.validate.muster', '/validate', 'Ignore', 2, 'CREATE'],
    ['inventory-status.validate.muster', '/validate', 'Ignore', 2, 'UPDATE'],
    ['inventory-deletions.validate.muster', '/validate', 'Ignore', 2, 'DELETE'],
    ['features.validate.muster', '/validate', 'Fail', 5, 'CREATE,UPDATE'],
    ['system-features.validate.muster', '/validate', 'Ignore', 2, 'CREATE,UPDATE'],
    ['feature-deletions.validate.muster', '/validate', 'Ignore', 2, 'DELETE'],
    ['placement.validate.muster', '/validate', 'Fail', 5, 'CREATE,UPDATE'],
    ['placement-index.validate.muster', '/validate', 'Ignore', 2, 'UPDATE'],
    ['service-imports.validate.muster', '/validate', 'Ignore', 2, 'CREATE,UPDATE'],
    ['service-status.validate.muster', '/validate', 'Ignore', 2, 'UPDATE'],
    ['inventory.mutate.muster', '/mutate', 'Ignore', 2, 'CREATE,UPDATE'],
  ]);
});

describe('what the configuration enforces', () => {
  const rows = (settings: object, shown = /-(deletions|owners)/) => {
    const enforcement = requiredEnforcement(policyFrom(settings));
    const { webhooks } = validatingWebhookConfiguration({ ...target, enforcement });
    return webhooks
      .filter(({ name }) => shown.test(name))
      .map(({ name, failurePolicy }) => `${name.split('.')[0]} ${failurePolicy}`);
  };
  const members = { claims: { membershipManagers: [{ user: 'jane' }] } };
  const managers = { inventory: { managers: { harbour: [{ user: 'jane' }] } } };
  const flow = { features: { serverFlow: [{ namespace: 'kube-system', principals: [{ user: 'jane' }] }] } };

  const schedulers = { placements: { schedulers: { harbormaster: [{ user: 'jane' }] } } };
  const leave = 'membership-deletions Ignore';
  const inventory = 'inventory-deletions Ignore';
  const feature = 'feature-deletions Ignore';
  const denying = { ...managers, rules: { 'inventory/sole-manager': 'deny' } };
  test.each<[string, object, string]>([
    ['nothing', {}, 'Ignore'],
    ['a wrong index', { rules: { 'placement/index': 'deny' } }, 'Fail'],
    ['a wrong index in check alone', { rules: { 'placement/index': { check: 'deny' } } }, 'Ignore'],
    ['slices, which no write proves wrong', { rules: { 'placement/slices': { webhook: 'deny' } } }, 'Ignore'],
  ])(
    'the index of a slice may change while muster is away, unless the configuration denies it: %s',
    (_, of, policy) => {
      expect(rows(of, /placement-index/)).toEqual([`placement-index ${policy}`]);
    },
  );

  test.each<[string, object, string]>([
    ['nothing', {}, 'Ignore'],
    ['managers, and the rule only warns', managers, 'Ignore'],
    ['managers that deny', denying, 'Fail'],
    ['a missing label', { rules: { 'inventory/cluster-manager-label': 'deny' } }, 'Ignore'],
    ['a member id that another profile has', { rules: { 'inventory/member-id-unique': 'deny' } }, 'Fail'],
  ])('a sound profile may be created while muster is away, unless a rule may deny it: %s', (_, of, policy) => {
    expect(rows(of, /inventory-creations/)).toEqual([`inventory-creations ${policy}`]);
  });

  const closed = { services: { closedNamespaces: ['kube-system'] } };
  const importManagers = { services: { importManagers: [{ user: 'jane' }] } };
  test.each<[string, object, string[]]>([
    ['nothing', {}, ['service-imports Ignore', 'service-status Ignore']],
    ['a closed namespace', closed, ['service-exports Fail', 'service-imports Ignore', 'service-status Ignore']],
    [
      'import managers that deny',
      { ...importManagers, rules: { 'import/manager': 'deny' } },
      ['service-imports Fail', 'service-status Fail', 'service-owners Fail'],
    ],
  ])('of services: %s', (_, configuration, expected) => {
    expect(rows(configuration, /^service-/)).toEqual(expected);
  });

  test('exports of other namespaces than the closed ones do not wait for muster', () => {
    const enforcement = requiredEnforcement(
      policyFrom({ services: { closedNamespaces: ['kube-system', 'payments'] } }),
    );
    const { webhooks } = validatingWebhookConfiguration({ ...target, enforcement });
    const exports = webhooks.find(({ name }) => name.startsWith('service-exports'));
    expect(exports?.namespaceSelector).toEqual({
      matchExpressions: [
        { key: 'kubernetes.io/metadata.name', operator: 'NotIn', values: ['muster-system'] },
        { key: 'kubernetes.io/metadata.name', operator: 'In', values: ['kube-system', 'payments'] },
      ],
    });
  });

  test('no Service and no EndpointSlice is ever sent', () => {
    const everything = { ...closed, services: { ...closed.services, ...importManagers.services } };
    const enforcement = requiredEnforcement(policyFrom(everything));
    const { webhooks } = validatingWebhookConfiguration({ ...target, enforcement });
    const ofServices = matchedBy(webhooks).filter((each) => /service|endpoint/i.test(each));
    expect([...new Set(ofServices.map((each) => each.replace(/\S+ (\S+) .*/, '$1')))]).toEqual([
      'serviceexports',
      'serviceimports',
      'serviceimports/status',
    ]);
  });

  test.each<[string, object, string[]]>([
    ['nothing: webhooks that only warn fail open', {}, [leave, inventory, feature]],
    [
      'membership managers: no other ends a membership unseen, or gives it an owner',
      members,
      ['membership-deletions Fail', 'claim-owners Fail', inventory, feature],
    ],
    [
      'membership managers, and the rule only warns',
      { ...members, rules: { 'claim/clusterset-manager': 'warn' } },
      [leave, 'claim-owners Ignore', inventory, feature],
    ],
    ['ids that are not deleted', { rules: { 'claim/id-present': 'deny' } }, [leave, inventory, feature]],
    ['cluster managers, which by default only warn', managers, [leave, inventory, 'inventory-owners Ignore', feature]],
    ['cluster managers that deny', denying, [leave, 'inventory-deletions Fail', 'inventory-owners Fail', feature]],
    ['a server flow', flow, [leave, inventory, 'feature-deletions Fail', 'feature-owners Fail']],
    ['schedulers', schedulers, [leave, inventory, feature, 'placement-owners Fail']],
  ])('%s', (_, configuration, expected) => {
    expect(rows(configuration)).toEqual(expected);
  });
});

test("muster's own namespace is never guarded, whatever its name", () => {
  const options = { ...target, namespace: 'guards' };
  const { webhooks } = validatingWebhookConfiguration(options);
  const excluded = [...webhooks, ...mutatingWebhookConfiguration(options).webhooks].map(
    (each) => each.namespaceSelector,
  );
  const notIn = { key: 'kubernetes.io/metadata.name', operator: 'NotIn', values: ['kube-system', 'guards'] };
  const notOurs = { ...notIn, values: ['guards'] };
  const isIn = { ...notIn, operator: 'In', values: ['kube-system'] };
  expect(excluded).toEqual([
    {},
    {},
    ...[notIn, notIn, notIn, notIn, notIn, isIn, notOurs, notIn, notIn, notOurs, notOurs, notIn].map((one) => ({
      matchExpressions: [one],
    })),
  ]);
});
