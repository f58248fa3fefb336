/** The fallback policies as data. Their expressions are tested against an API server. */
import { describe, expect, test } from '@jest/globals';
import { dialects } from '../../../src/api/dialects.ts';
import { defaultAction } from '../../../src/engine/plan.ts';
import { defaultPolicy, type Policy } from '../../../src/engine/policy.ts';
import { policies } from '../../../src/manifests/policies.ts';
import { rules as catalogue } from '../../../src/rules/index.ts';
import type { Action, Rule } from '../../../src/rules/rule.ts';

const rules: readonly Rule[] = catalogue;
const withCel = rules.filter(({ cel }) => cel !== undefined && 'byDialect' in cel);

// biome-ignore lint/suspicious/noExplicitAny: a test reads the fields it is about, and fails where they are not.
type Any = any;

function printed(configured: Partial<Policy> = {}) {
  const all = policies({ ...defaultPolicy, ...configured });
  const of = (kind: string) =>
    new Map(all.filter((one) => one.kind === kind).map(({ metadata, spec }) => [metadata.name, spec as Any]));
  return { policies: of('ValidatingAdmissionPolicy'), bindings: of('ValidatingAdmissionPolicyBinding') };
}

const fallback = printed();
const named = [...fallback.policies];

/** The rule whose messages a policy has. */
function ruleOf({ validations }: Any): Rule {
  const id = /^\[([a-z/-]+)\] /.exec(validations[0]?.message ?? '')?.[1];
  const rule = rules.find((one) => one.id === id);
  if (!rule) throw new Error(`no rule in "${validations[0]?.message}"`);
  return rule;
}

describe('the catalogue', () => {
  test.each(rules.map((rule) => [rule.id, rule] as const))(
    '%s has CEL for each of its kinds, or the reason why it has none',
    (_, rule) => {
      const { cel } = rule;
      if (cel === undefined)
        throw new Error(`give ${rule.id} its CEL, or one of \`notInCel\` in src/rules/cel/expressions.ts`);
      if ('reason' in cel) expect(cel.reason).toMatch(/^[a-z ]+: \S.{10,}[^.]$/);
      else {
        const own = dialects.filter(
          ({ name, concept }) => concept === rule.concept && (rule.dialects ?? [name]).includes(name),
        );
        expect(Object.keys(cel.byDialect).sort()).toEqual(own.map(({ name }) => name).sort());
      }
    },
  );

  test('each rule with CEL has a policy, and no other', () => {
    expect([...new Set(named.map(([, spec]) => ruleOf(spec).id))]).toEqual(withCel.map(({ id }) => id));
  });

  test('a rule that needs another object or a clock has text on what its policy leaves out', () => {
    const needy = withCel.filter(({ meta }) => meta.needs.includes('cluster') || meta.needs.includes('clock'));
    expect(needy.map(({ cel }) => (cel && 'omits' in cel ? cel.omits : undefined))).not.toContain(undefined);
    expect(needy).toHaveLength(4);
  });
});

describe.each(named)('%s', (name, spec) => {
  const rule = ruleOf(spec);

  test('is bound by its own name, and does by default what its rule does', () => {
    expect(name.startsWith(`muster-${rule.id.replace('/', '-')}`)).toBe(true);
    expect(fallback.bindings.get(name)?.policyName).toBe(name);
    const [first] = spec.matchConstraints.resourceRules;
    const among = dialects.filter(
      ({ group, plural }) => first.apiGroups.includes(group) && first.resources.includes(plural),
    );
    const own = Object.keys(rule.meta.messageLevels ?? {}).find((messageId) => name.endsWith(`-${messageId}`));
    const action = defaultAction(rule, among[0], 'webhook', own);
    expect(fallback.bindings.get(name).validationActions).toEqual([action === 'deny' ? 'Deny' : 'Warn']);
  });

  test('refuses where it fails, unless its parameter may be missing, and matches the writes of its rule', () => {
    const { failurePolicy, paramKind, matchConstraints } = spec;
    expect([failurePolicy, matchConstraints.matchPolicy]).toEqual(
      paramKind ? ['Ignore', 'Exact'] : ['Fail', 'Equivalent'],
    );
    const { on, subresources = [''] } = rule;
    const matched = spec.matchConstraints.resourceRules.flatMap(({ resources, operations }: Any) =>
      resources.map((resource: string) => [resource.split('/')[1] ?? '', operations]),
    );
    const wanted = subresources.map((part) => [part, part === '' ? on : ['UPDATE']]);
    expect(new Set(matched.map(String))).toEqual(new Set(wanted.map(String)));
  });

  test('names the rule, the field and the remedy in one line', () => {
    for (const { message, messageExpression = '', reason } of spec.validations) {
      expect(message).toMatch(new RegExp(`^\\[${rule.id}\\] [a-zA-Z./\\[\\]0-9-]+: \\S[^\\n{}]{10,}$`));
      expect(messageExpression).not.toMatch(/\{\{|\n/);
      // On 422 tools delete an object and create it anew.
      expect(reason).toBe('Forbidden');
    }
  });

  test('reads its parameter by name, in the version that it matches', () => {
    const versions = spec.matchConstraints.resourceRules.flatMap((one: Any) => one.apiVersions);
    if (spec.paramKind === undefined) {
      expect(new Set(versions)).toEqual(new Set(['*']));
      expect(fallback.bindings.get(name)).not.toHaveProperty('paramRef');
      return;
    }
    expect(versions).toEqual([spec.paramKind.apiVersion.split('/')[1]]);
    const paramRef = { name: 'clusterset.k8s.io', parameterNotFoundAction: 'Allow' };
    expect(fallback.bindings.get(name)?.paramRef).toEqual(paramRef);
  });
});

describe('what is configured', () => {
  test('an action is that of the configuration', () => {
    const actions: Record<string, Action> = { 'claim/value': 'audit', 'inventory/version': 'deny' };
    const actionOf = ({ id, concept }: Rule) => actions[id] ?? (concept === 'feature' ? 'ignore' : 'warn');
    const { bindings } = printed({ actions: new Map(rules.map((rule) => [rule.id, { webhook: actionOf(rule) }])) });
    expect(bindings.get('muster-claim-value-cluster-claim')?.validationActions).toEqual(['Audit']);
    // A health report is never refused.
    expect(bindings.get('muster-inventory-version')?.validationActions).toEqual(['Warn']);
    expect([...bindings.keys()].filter((name) => name.startsWith('muster-feature'))).toEqual([]);
  });

  test('a message with a level of its own has a policy of its own, unless an action is configured for the rule', () => {
    const absent = 'muster-inventory-cluster-manager-label-cluster-profile-absent';
    expect(fallback.bindings.get(absent)?.validationActions).toEqual(['Warn']);
    expect(fallback.bindings.get(absent.replace('-absent', ''))?.validationActions).toEqual(['Deny']);
    const { bindings } = printed({ actions: new Map(rules.map(({ id }) => [id, { webhook: 'deny' }])) });
    expect(bindings.get(absent)?.validationActions).toEqual(['Deny']);
  });

  test('reserved names that are allowed are free', () => {
    const settings = {
      claims: { allowedReservedNames: ['location.k8s.io', '*.topology.kubernetes.io'] },
      inventory: {},
      features: { clockSkewSeconds: 5 },
      placements: {},
      services: {},
    };
    const variables = printed({ settings }).policies.get('muster-claim-reserved-name-cluster-claim')?.variables;
    expect(variables).toEqual([
      { name: 'allowed', expression: "dyn(['location.k8s.io', '*.topology.kubernetes.io'])" },
    ]);
  });

  test('who is exempt is excluded by every policy', () => {
    const exemptions = {
      users: new Set(["o'brien"]),
      groups: new Set(['break-glass']),
      serviceAccounts: new Set(['system:serviceaccount:a:b']),
      namespaces: new Set(['sandbox']),
    };
    const conditions = [...printed({ exemptions }).policies.values()].map(({ matchConditions }) =>
      matchConditions.filter(({ name }: Any) => name.startsWith('not-exempt')).map(({ expression }: Any) => expression),
    );
    for (const one of conditions)
      expect(one).toEqual([
        "!(request.userInfo.username in ['o\\'brien', 'system:serviceaccount:a:b'])",
        "!(has(request.userInfo.groups) && request.userInfo.groups.exists(g, g in ['break-glass']))",
        "!(has(request.namespace) && request.namespace in ['sandbox'])",
      ]);
    expect(conditions).toHaveLength(named.length);
  });
});
