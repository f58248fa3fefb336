/** The three evaluators, started, and their verdicts on updates. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { check } from './check.ts';
import type { Verdicts } from './compare.ts';
import { type Policies, startPolicies } from './policies.ts';
import type { Update } from './update.ts';
import { startWebhooks } from './webhook.ts';

export interface Evaluators {
  judge(updates: readonly Update[]): Promise<Verdicts[]>;
  readonly policies: Policies;
  stop(): Promise<void>;
}

export async function startEvaluators(): Promise<Evaluators> {
  const folder = mkdtempSync(join(tmpdir(), 'muster-differential-'));
  const policies = await startPolicies(folder);
  const webhooks = await startWebhooks(folder).catch(async (error) => {
    await policies.stop();
    throw error;
  });
  return {
    policies,
    async judge(updates) {
      const [webhook, policy] = await Promise.all([webhooks.judge(updates), policies.judge(updates)]);
      const checked = await check(updates, folder);
      return updates.map((_, index) => ({
        webhook: webhook[index] as Verdicts['webhook'],
        policies: policy[index] as Verdicts['policies'],
        check: checked[index],
      }));
    },
    async stop() {
      await policies.stop();
      await webhooks.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
