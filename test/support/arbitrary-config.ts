/** Configurations by chance: valid ones, and those with something replaced by anything. */
import fc from 'fast-check';
import type { Json } from '../../src/base/json.ts';
import { configurationOf } from './configuration.ts';

const name = fc.constantFrom('a', 'fleet', 'kube-system', 'constructor');
const principal = fc.oneof(
  fc.record({ user: name }),
  fc.record({ group: name }),
  fc.record({ serviceAccount: fc.tuple(name, name).map(([namespace, own]) => `${namespace}/${own}`) }),
);
const principals = fc.array(principal, { minLength: 1, maxLength: 3 });
const action = fc.constantFrom('deny', 'warn', 'audit', 'ignore');
const some = <T>(members: { [Key in keyof T]: fc.Arbitrary<T[Key]> }) => fc.record(members, { requiredKeys: [] });
const ruleId = fc.constantFrom('claim/value', 'inventory/version', 'feature/shape');

const kindOf = fc.constantFrom(
  { apiGroup: 'multicluster.x-k8s.io', kind: 'ClusterClaim' },
  { apiGroup: 'about.k8s.io', kind: 'ClusterProperty' },
  { apiGroup: 'features.x-k8s.io', kind: 'Feature' },
);
const exception = fc
  .tuple(
    kindOf,
    fc.array(ruleId, { minLength: 1, maxLength: 2 }),
    name,
    fc.constantFrom('2027-01-31', '2020-01-01T00:00:00Z'),
  )
  .map(([kind, rules, own, expires]) => ({ ...kind, rules, name: own, expires, reason: 'r' }));

/** Every section may be there, and everything in it is right. */
export const validConfiguration = fc
  .tuple(
    some({
      mode: fc.constantFrom('enforce', 'warn', 'audit'),
      rules: fc.dictionary(ruleId, fc.oneof(action, some({ webhook: action, check: action, scan: action }))),
      claims: some({
        allowedReservedNames: fc.array(fc.constantFrom('a.k8s.io', '*.k8s.io')),
        membershipManagers: principals,
      }),
      inventory: some({ managers: fc.dictionary(name, principals, { minKeys: 1, maxKeys: 3 }) }),
      features: some({
        dynamic: fc.oneof(fc.constant('*'), fc.array(fc.record({ namespace: name, name: fc.constantFrom('*', 'a') }))),
        serverFlow: fc.uniqueArray(fc.record({ namespace: name, principals }), {
          selector: (entry) => entry.namespace,
        }),
        clockSkewSeconds: fc.double({ min: 0, max: 300, noNaN: true }),
      }),
      services: some({ closedNamespaces: fc.uniqueArray(name), importManagers: principals }),
      registrar: fc.record(
        {
          kubeconfig: fc.constant('hub.yaml'),
          namespace: name,
          whenUnreachable: fc.constantFrom('deny', 'warn'),
        },
        { requiredKeys: ['kubeconfig', 'namespace'] },
      ),
      exemptions: some({ users: fc.array(name), groups: fc.array(name), namespaces: fc.array(name) }),
      exceptions: fc.array(exception, { maxLength: 2 }),
    }),
  )
  .map(([sections]) => configurationOf(sections));

/** A valid configuration in which one value, wherever it stands, has become any other, or a key has been added. */
export const damagedConfiguration = fc
  .tuple(
    validConfiguration,
    fc.nat(),
    fc.oneof(fc.jsonValue() as fc.Arbitrary<Json>, fc.constantFrom('', '*', 'a', 0, [], {})),
    fc.boolean(),
  )
  .map(([valid, seed, value, adds]) => damage(valid, seed, value as Json, adds));

function damage(configuration: Json, seed: number, value: Json, adds: boolean): Json {
  const copy = structuredClone(configuration) as Json;
  const holders: Record<string, Json>[] = [];
  collect(copy, holders);
  const holder = holders[seed % holders.length];
  const keys = Object.keys(holder ?? {});
  const key = keys.length === 0 ? 'x' : (keys[Math.floor(seed / holders.length) % keys.length] ?? 'x');
  if (holder) holder[adds && !Array.isArray(holder) ? `${key}x` : key] = value;
  return copy;
}

function collect(value: Json, holders: Record<string, Json>[]): void {
  if (typeof value !== 'object' || value === null) return;
  holders.push(value as Record<string, Json>);
  for (const member of Object.values(value)) collect(member, holders);
}
