/** The verdicts of `muster serve` over HTTPS: one process for each cluster state, called as the API server calls it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { applyPatch, type Operation } from 'rfc6902';
import { limitConcurrency } from '../../../../src/base/concurrency.ts';
import type { JsonObject } from '../../../../src/base/json.ts';
import { reviewOf } from '../../../support/writes.ts';
import { type Api, createApi, type Json, type Muster, startMuster } from '../harness/index.ts';
import { configurationFile, objectsOf, SETTINGS, writeState } from './settings.ts';
import { type Setting, stronger, type Update, type Verdict } from './update.ts';

export interface Webhooks {
  evaluate(updates: readonly Update[]): Promise<Verdict[]>;
  stop(): Promise<void>;
}

const LABEL = 'x-k8s.io/cluster-manager';

export async function startWebhooks(folder: string): Promise<Webhooks> {
  const started = await Promise.all(SETTINGS.map((setting) => start(setting, folder)));
  const apis = new Map(started.map(({ setting, api }) => [setting, api] as const));
  return {
    evaluate(updates) {
      const limited = limitConcurrency(32);
      return Promise.all(updates.map((update) => limited(() => evaluate(apis.get(update.setting) as Api, update))));
    },
    async stop() {
      for (const { muster, api } of started) {
        api.close();
        await muster.stop('SIGKILL');
      }
    },
  };
}

async function start(setting: Setting, folder: string): Promise<{ setting: Setting; muster: Muster; api: Api }> {
  const config = configurationFile(setting, folder);
  const state = writeState(join(folder, `state-${setting}`), objectsOf(setting));
  const muster = await startMuster({
    args: ['--state', state, '--log-level', 'error'],
    ...(config === undefined ? {} : { config }),
  });
  return { setting, muster, api: createApi(muster.url, readFileSync(muster.caFile, 'utf8'), undefined) };
}

/** First the mutating webhook, where it is registered for the write, then the validating one. */
async function evaluate(api: Api, update: Update): Promise<Verdict> {
  const object = isMutated(update) ? await mutated(api, update) : update.object;
  const { response } = await post(api, '/validate', { ...update, object });
  const { allowed, status = {}, auditAnnotations = {}, warnings = [] } = response;
  const found = new Map<string, string>();
  for (const entry of String(auditAnnotations.rules ?? '').split(',')) {
    const [ruleId = '', action = ''] = entry.split(':');
    if (action === 'deny' || action === 'warn') stronger(found, ruleId, action);
  }
  const texts = [status.message, ...warnings].filter((text) => text !== undefined);
  if (allowed) return { outcome: 'allowed', found, texts };
  const outcome =
    status.code === 503 ? 'indeterminate' : status.code >= 500 || status.code === 400 ? 'error' : 'denied';
  return { outcome, found, texts, code: status.code };
}

function isMutated({ dialect, subresource, object }: Update): boolean {
  const labels = ((object['metadata'] as JsonObject)['labels'] ?? {}) as JsonObject;
  return dialect.concept === 'inventory' && subresource === '' && labels[LABEL] === undefined;
}

async function mutated(api: Api, update: Update): Promise<JsonObject> {
  const { response } = await post(api, '/mutate', update);
  const object = structuredClone(update.object);
  if (response.patch === undefined) return object;
  const patch = JSON.parse(Buffer.from(response.patch, 'base64').toString()) as Operation[];
  const failed = applyPatch(object, patch).filter((result) => result !== null);
  if (failed.length > 0) throw new Error(`the patch does not apply: ${failed[0]?.message}`);
  return object;
}

async function post(api: Api, path: string, update: Update): Promise<Json> {
  const { subresource, object, old, username, groups } = update;
  const review = reviewOf({ operation: 'UPDATE', subresource, object, old, user: { username, groups } });
  const { status, body } = await api.call('POST', `${path}?timeout=10s`, review);
  if (status !== 200) throw new Error(`${path} answered ${status}: ${JSON.stringify(body)}`);
  return body;
}
