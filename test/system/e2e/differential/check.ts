/** What `muster check` answers: the stored objects as --state, the new ones as files that somebody applies. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { limitConcurrency } from '../../../../src/base/concurrency.ts';
import type { Json, JsonObject } from '../../../../src/base/json.ts';
import { runCheck } from '../../../../src/cli/check/run.ts';
import { loadConfiguration } from '../../../../src/config/load.ts';
import type { CheckResult } from '../../../../src/report/report.ts';
import { ruleIds } from '../../../../src/rules/index.ts';
import { configurationFile, documents, othersOf, writeState } from './settings.ts';
import { groupedBy, metadataOf, nameOf, namespaceOf, stronger, type Update, type Verdict } from './update.ts';

/**
 * The verdicts of `muster check`; undefined where a file can't express the update. One run takes as many updates as
 * have names of their own.
 */
export async function check(updates: readonly Update[], folder: string): Promise<(Verdict | undefined)[]> {
  const verdicts = new Array<Verdict | undefined>(updates.length);
  const runs = [...groupedBy(updates, runOf).values()].flatMap(distinct);
  const limited = limitConcurrency(2);
  const evaluate = async (run: readonly Numbered[]) => {
    const expressible = run.filter(({ one }) => isExpressible(one));
    const found = await checkRun(
      expressible.map(({ one }) => one),
      folder,
    );
    expressible.forEach(({ index }, at) => {
      verdicts[index] = found[at];
    });
  };
  await Promise.all(runs.map((run) => limited(() => evaluate(run))));
  return verdicts;
}

/** A file without a status does not contain it: nobody writes one. */
function isExpressible({ subresource, object }: Update): boolean {
  return subresource === '' || object['status'] !== undefined;
}

/** What one run has in common: flags and other objects. */
function runOf({ subresource, username, groups, setting }: Update): string {
  return JSON.stringify([subresource, username, groups, setting]);
}

type Numbered = { readonly one: Update; readonly index: number };

/** Split so that no object stands twice in a run, and no membership beside what depends on it. */
function distinct(all: readonly Numbered[]): Numbered[][] {
  const runs: Numbered[][] = [];
  const left = new Map<string, number>();
  for (const numbered of all) {
    const key = keyOf(numbered.one);
    const at = left.get(key) ?? 0;
    left.set(key, at + 1);
    runs[at] ??= [];
    runs[at].push(numbered);
  }
  return runs;
}

/** Well-known claims of one API share a key, so that each has a run of its own. */
function keyOf(update: Update): string {
  const { claim, name } = update.dialect;
  const isWellKnown = claim !== undefined && [...claim.idNames, claim.membershipName].includes(nameOf(update));
  return [name, namespaceOf(update), isWellKnown ? 'well-known' : nameOf(update)].join(' ');
}

async function checkRun(updates: readonly Update[], parent: string): Promise<Verdict[]> {
  const [first] = updates;
  if (first === undefined) return [];
  const { subresource, username, groups, setting } = first;
  const folder = mkdtempSync(join(parent, 'check-'));
  const others = new Map(updates.flatMap(othersOf).map((object) => [JSON.stringify(object), object]));
  const state = writeState(join(folder, 'state'), [...others.values(), ...updates.map(({ old }) => old)]);
  const file = join(folder, 'new.yaml');
  writeFileSync(file, documents(updates.map(fileOf)));
  const config = configurationFile(setting, parent);
  // The function that the command calls: a process for each of thousands of small runs would take minutes.
  const { report } = await runCheck({
    paths: [file],
    deleted: [],
    state: [state],
    policy: config === undefined ? undefined : (await loadConfiguration(config, ruleIds, Date.now())).policy,
    identity: { username, groups },
    subresource: subresource || 'none',
    failOnNoMatch: false,
    stdin: async () => new Uint8Array(),
    clock: Date.now,
  });
  if (report.errors.length > 0) throw new Error(`muster check: ${JSON.stringify(report.errors.slice(0, 3))}`);
  const byObject = new Map(report.results.map((result) => [resultKey(result), result]));
  return updates.map((update) => verdictOf(update, byObject.get(objectKey(update))));
}

/**
 * The file that somebody applies: what is gone from the metadata is null in it, as an apply leaves what is not
 * mentioned.
 */
function fileOf({ object, old }: Update): JsonObject {
  const before = metadataOf(old);
  const now = metadataOf(object);
  const metadata: Record<string, Json> = { ...gone(before, now), ...now };
  for (const key of ['labels', 'annotations'])
    if (isPlain(before[key]) && isPlain(now[key])) metadata[key] = { ...gone(before[key], now[key]), ...now[key] };
    else if (isPlain(before[key])) metadata[key] = gone(before[key], {});
  return { ...object, metadata };
}

function gone(before: JsonObject, now: JsonObject): JsonObject {
  return Object.fromEntries(Object.keys(before).flatMap((key) => (Object.hasOwn(now, key) ? [] : [[key, null]])));
}

function verdictOf(update: Update, result: CheckResult | undefined): Verdict {
  if (result === undefined) throw new Error(`check has no result for ${objectKey(update)}`);
  const found = new Map<string, string>();
  for (const { ruleId, action, outcome } of result.findings)
    if (outcome !== 'indeterminate' && action !== 'audit') stronger(found, ruleId, action);
  const texts = result.findings.map(({ ruleId, field, message }) => `[${ruleId}] ${field}: ${message}`);
  return { outcome: result.outcome, found, texts };
}

function resultKey({ apiVersion, kind, namespace, name }: CheckResult): string {
  return [apiVersion, kind, namespace, name].join(' ');
}

function objectKey(update: Update): string {
  const { apiVersion, kind } = update.object;
  return [apiVersion, kind, namespaceOf(update) ?? '', nameOf(update)].join(' ');
}

function isPlain(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
