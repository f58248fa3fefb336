/** A configuration file, from its text to a policy or to problems with their lines. */
import { ConfigError, configurationOf as read } from '../../../../src/config/load.ts';
import { ruleIds } from '../../../../src/rules/index.ts';
import { configurationOf } from '../../../support/configuration.ts';
import { examples } from '../../../support/examples.ts';
import { ensure, type Target } from '../target.ts';

const NOW = Date.UTC(2026, 5, 1);

export const configuration: Target = {
  name: 'configuration',
  prefix: 0,
  longest: 16 * 1024,
  seeds: () => {
    const known = new Set(examples.flatMap(({ config }) => (config ? [JSON.stringify(config)] : [])));
    const all = [...known].map((config) => JSON.stringify(configurationOf(JSON.parse(config))));
    return [...all, YAML].map((text) => Buffer.from(text));
  },
  run(input) {
    try {
      const { policy, warnings } = read(input.toString('utf8'), 'muster.yaml', ruleIds, NOW);
      ensure(Object.isFrozen(policy), 'a policy is frozen');
      ensure(warnings.every(isLine), 'each warning is one line that begins with its place');
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      const { problems } = error;
      ensure(problems.length > 0 && problems.every(isLine), 'each problem is one line that begins with its place');
      ensure(!error.message.includes('a bug'), error.message);
    }
  },
};

function isLine(text: string): boolean {
  return /^muster\.yaml:[1-9]\d*:[1-9]\d*: ./.test(text) && !/[\p{Cc}\p{Cf}\p{Cs}]/u.test(text);
}

const YAML = `apiVersion: muster/v1alpha1
kind: MusterConfiguration
mode: enforce
rules: { claim/qualified-name: warn, inventory/sole-manager: { webhook: deny, check: ignore, scan: warn } }
claims: { allowedReservedNames: ["*.k8s.io"], membershipManagers: [{ serviceAccount: fleet/mcs-controller }] }
inventory:
  managers: { some-manager: [{ user: jane }, { group: fleet-admins }] }
features: { dynamic: [{ namespace: kube-system, name: openapiv3 }], clockSkewSeconds: 5 }
exemptions: { users: [], groups: [], serviceAccounts: [a/b], namespaces: [] }
exceptions:
  - { rules: [claim/reserved-name], apiGroup: multicluster.x-k8s.io, kind: ClusterClaim, name: old.k8s.io, expires: 2027-01-31, reason: "ticket 12" }
`;
