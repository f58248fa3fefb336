/** The policy a command works under: that of `--config`, or what holds without. */
import type { Policy } from '../engine/index.ts';

/** Loads the configuration; its warnings go to standard error. Undefined without a file. Throws ConfigError. */
export async function loadPolicy(file: string | undefined): Promise<Policy | undefined> {
  if (file === undefined) return undefined;
  const [{ loadConfiguration }, { ruleIds }] = await Promise.all([
    import('../config/load.ts'),
    import('../rules/index.ts'),
  ]);
  const { policy, warnings } = await loadConfiguration(file, ruleIds, Date.now());
  for (const warning of warnings) process.stderr.write(`warning: ${warning}\n`);
  return policy;
}
