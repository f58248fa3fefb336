/** The fixtures of the rules as suites and as AdmissionReviews, and a folder to run them in. */
import { readdirSync, readFileSync } from 'node:fs';
import { runTests, type Tested } from '../../../src/cli/test/run.ts';
import { readDocuments } from '../../../src/documents/index.ts';
import { rules } from '../../../src/rules/index.ts';
import type { JsonObject } from '../../../src/rules/rule.ts';
import type { Example } from '../../rules/example.ts';

/** The time of the fixtures. */
export const NOW = '2026-06-01T00:00:00Z';

export interface Fixture extends Example {
  readonly file: string;
  readonly ruleId: string;
  readonly folder: 'allow' | 'deny';
}

/** All fixtures of all rules. */
export const fixtures: readonly Fixture[] = rules.flatMap(({ id }) =>
  (['allow', 'deny'] as const).flatMap((folder) => {
    const path = `test/fixtures/${id}/${folder}`;
    return readdirSync(path).map((name) => {
      const { documents } = readDocuments(readFileSync(`${path}/${name}`, 'utf8'), name);
      return { ...(documents[0]?.value as object), file: `${path}/${name}`, ruleId: id, folder } as Fixture;
    });
  }),
);

/** One fixture as a suite of one test; `more` for its configuration. */
export function suiteOf(fixture: Fixture, more: JsonObject = {}): JsonObject {
  const { file, operation, subresource, user, dryRun, now, state, old, object } = fixture;
  const test = {
    name: file,
    operation,
    ...(subresource && { subresource }),
    ...(dryRun && { dryRun }),
    ...(state && { state }),
    ...(old && { oldObject: old }),
    ...(object && operation !== 'DELETE' && { object }),
    // The mutating webhook would fix what some rules report.
    mutate: false,
    // Includes the rules that the webhook of a cluster leaves to scan.
    view: 'files',
    user: { name: user?.username ?? 'jane', groups: user?.groups ?? [] },
    expect: expectationOf(fixture),
  };
  const head = { apiVersion: 'muster/v1alpha1', kind: 'MusterTest', defaults: { now: now ?? NOW } };
  return { ...head, config: { ...fixture.config, ...more }, tests: [test] };
}

function expectationOf({ folder, ruleId, expect = 'deny' }: Fixture): JsonObject {
  if (folder === 'allow') return { verdict: 'allowed', warnings: { exclude: [ruleId] }, audits: { exclude: [ruleId] } };
  if (expect === 'deny') return { verdict: 'denied', rules: { include: [ruleId] } };
  return { verdict: 'allowed', warnings: { include: [ruleId] } };
}

/** One fixture as the API server would send it. */
export function reviewOf({ operation, subresource, user, dryRun, old, object }: Fixture): JsonObject {
  const evaluated = (operation === 'DELETE' ? old : object) ?? {};
  const [group = '', version = ''] = String(evaluated['apiVersion']).split('/');
  const metadata = evaluated['metadata'] as { readonly name?: string; readonly namespace?: string };
  const request = {
    uid: '7f0b2a4c',
    kind: { group, version, kind: String(evaluated['kind']) },
    operation,
    ...(subresource && { subResource: subresource }),
    name: metadata.name ?? '',
    ...(metadata.namespace && { namespace: metadata.namespace }),
    userInfo: { username: user?.username ?? 'jane', groups: user?.groups ?? [] },
    object: operation === 'DELETE' ? null : evaluated,
    oldObject: old ?? null,
    dryRun: dryRun ?? false,
  };
  return { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', request };
}

/** Runs suites at the time of the fixtures. */
export function runAt(...paths: readonly string[]): Promise<Tested> {
  return runTests({ paths, now: Date.parse(NOW) });
}
