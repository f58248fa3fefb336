/** What `--policies` prints: the floor, under the configuration that is given. */
import { plannedAction } from '../../engine/plan.ts';
import { defaultPolicy } from '../../engine/policy.ts';
import type { Manifest } from '../../manifests/manifest.ts';
import { policies } from '../../manifests/policies.ts';
import type { ManifestsFlags } from '../manifests.ts';
import { loadPolicy, UsageError } from '../shared.ts';

/**
 * The policies and their bindings. Each rule's action, the reserved names that are allowed and the exemptions are the
 * configuration's; what changes there later takes another print.
 * @throws {UsageError} for a flag that says nothing of policies; `ConfigError` for a bad `--config`
 */
export async function floorOf({ config, only, url, caFile }: ManifestsFlags): Promise<readonly Manifest[]> {
  const stray = Object.entries({ '--only': only, '--url': url, '--ca-file': caFile }).find(([, value]) => value);
  if (stray) throw new UsageError(`${stray[0]} does not go with --policies: they call no server; leave it out`);
  const policy = (await loadPolicy(config)) ?? defaultPolicy;
  return policies({
    actionOf: (rule, dialect, messageId) => plannedAction(rule, dialect, policy, 'webhook', messageId),
    settings: policy.settings,
    exemptions: policy.exemptions,
  });
}
