/** The verdicts of the fallback policies that `muster manifests --policies` prints, by Kubernetes' own evaluator. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { parseAllDocuments } from 'yaml';
import { dialects } from '../../../../src/api/dialects.ts';
import { policyEvaluator } from '../harness/assets.ts';
import { HARDLY_COLLECTED, type Json, runMuster, succeeded } from '../harness/index.ts';
import { configurationFile, othersOf } from './settings.ts';
import { nameOf, namespaceOf, stronger, type Update, type Verdict, versionOf } from './update.ts';

export interface Policies {
  evaluate(updates: readonly Update[]): Promise<Verdict[]>;
  stop(): Promise<void>;
}

/** What the evaluator prints for one write. */
interface Answer {
  readonly denied: readonly { readonly policy: string; readonly code: number; readonly message: string }[];
  readonly warnings: readonly string[];
}

/** Compiled and ready; it is asked any number of times. */
export async function startPolicies(folder: string): Promise<Policies> {
  const policySets = [await printed(), await printed(configurationFile('configured', folder))];
  const child = spawn(await policyEvaluator(), [], { stdio: ['pipe', 'pipe', 'inherit'], env: HARDLY_COLLECTED });
  const ask = lineByLine(child);
  const kinds = dialects.map(({ group, versions, kind, plural, scope }) => ({
    group,
    versions,
    kind,
    plural,
    namespaced: scope === 'Namespaced',
  }));
  child.stdin?.write(`${JSON.stringify({ kinds, policySets })}\n`);
  return {
    evaluate: (updates) => Promise.all(updates.map(async (update) => verdictOf(await ask(writeOf(update))))),
    async stop() {
      child.stdin?.end();
      if (child.exitCode === null) await once(child, 'close');
    },
  };
}

async function printed(config?: string): Promise<object> {
  const configured = config === undefined ? [] : ['--config', config];
  const { stdout } = await succeeded(runMuster(['manifests', '--policies', ...configured]));
  const objects: Json[] = parseAllDocuments(stdout).map((document) => document.toJS());
  const of = (kind: string) => objects.filter((object) => object?.kind === kind);
  return { policies: of('ValidatingAdmissionPolicy'), bindings: of('ValidatingAdmissionPolicyBinding') };
}

/** One answer for each line that is written, in their order. */
function lineByLine(child: ChildProcess): (line: object) => Promise<Answer> {
  const waiting: { resolve(answer: Answer): void; reject(error: Error): void }[] = [];
  createInterface({ input: child.stdout as NodeJS.ReadableStream }).on('line', (line) => {
    waiting.shift()?.resolve(JSON.parse(line) as Answer);
  });
  child.once('close', (code) => {
    for (const { reject } of waiting.splice(0)) reject(new Error(`the policy evaluator ended with ${code}`));
  });
  return (line) =>
    new Promise((resolve, reject) => {
      waiting.push({ resolve, reject });
      child.stdin?.write(`${JSON.stringify(line)}\n`);
    });
}

function writeOf(update: Update): object {
  const { dialect, subresource, object, old, username, groups, setting } = update;
  return {
    policySet: setting === 'configured' ? 1 : 0,
    operation: 'UPDATE',
    subresource,
    kind: { group: dialect.group, version: versionOf(update), kind: dialect.kind },
    resource: dialect.plural,
    namespace: namespaceOf(update) ?? '',
    name: nameOf(update),
    username,
    groups,
    object,
    oldObject: old,
    state: othersOf(update),
  };
}

const RULE_ID = /\[([a-z]+\/[a-z-]+)\] /;

/** An expression that fails to evaluate names no rule: that is an error, whatever it was about. */
function verdictOf({ denied, warnings }: Answer): Verdict {
  const found = new Map<string, string>();
  const texts = [...denied.map(({ message }) => message), ...warnings];
  let failed = false;
  for (const [texts, action] of [
    [warnings, 'warn'],
    [denied.map(({ message }) => message), 'deny'],
  ] as const)
    for (const text of texts) {
      const ruleId = RULE_ID.exec(text)?.[1];
      if (ruleId === undefined) failed = true;
      else stronger(found, ruleId, action);
    }
  const code = denied.some((one) => one.code === 403) ? 403 : denied[0]?.code;
  return { outcome: failed ? 'error' : denied.length > 0 ? 'denied' : 'allowed', found, texts, code };
}
