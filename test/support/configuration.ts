/** MusterConfigurations, and their policies. */
import type { JsonObject } from '../../src/base/json.ts';
import { policyOf } from '../../src/config/policy.ts';
import type { Policy } from '../../src/engine/index.ts';
import { ruleIds } from '../../src/rules/index.ts';

/** What the file of a configuration begins with. */
export const HEAD = 'apiVersion: muster/v1alpha1\nkind: MusterConfiguration\n';

export function configurationOf(settings: object = {}): JsonObject {
  return { apiVersion: 'muster/v1alpha1', kind: 'MusterConfiguration', ...settings };
}

/** Returns the policy of a configuration. @throws Error with its problems */
export function policyFrom(settings: object = {}, now = 0): Policy {
  const { policy, problems } = policyOf(configurationOf(settings), ruleIds, now);
  if (policy === undefined || problems.length > 0) throw new Error(JSON.stringify(problems));
  return policy;
}
