/** Compares clusters in memory, for the tests of the rules that do so. */

import type { Resource } from '../../src/api/dialects.ts';
import { type JsonObject, textAt } from '../../src/base/json.ts';
import {
  type Comparison,
  type ComparisonOptions,
  createComparison,
  type Finding,
  freeze,
  type Verdict,
} from '../../src/engine/index.ts';
import { comparedKindOf } from '../../src/input/objects.ts';

/** By name, what each cluster holds. */
export type Clusters = Readonly<Record<string, readonly JsonObject[]>>;

interface RunOptions extends Partial<ComparisonOptions> {
  /** By cluster, the kinds of which not all objects could be read. */
  readonly unread?: Readonly<Record<string, readonly Resource[]>>;
}

/** Adds the clusters to a new comparison. A handle is `CLUSTER KIND [NAMESPACE/]NAME`. */
export function comparisonOf(clusters: Clusters, { unread, ...options }: RunOptions = {}): Comparison<string> {
  const comparison = createComparison<string>({ point: 'scan', isAcross: true, ...options });
  for (const [cluster, objects] of Object.entries(clusters)) {
    const part = comparison.begin(cluster);
    for (const object of objects) {
      const dialect = comparedKindOf(object);
      if (dialect === undefined) throw new Error('not of a kind that muster reads');
      const [kind, namespace, name] = [['kind'], ['metadata', 'namespace'], ['metadata', 'name']].map((path) =>
        textAt(object, path),
      );
      part.add(dialect, freeze(object), `${cluster} ${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`);
    }
    part.commit(new Map((unread?.[cluster] ?? []).map((kind) => [kind, 'not read in this test'])));
  }
  return comparison;
}

interface ConflictOptions extends RunOptions {
  readonly before?: Clusters;
  /** Only its findings: objects that suit one rule may lack what another asks for. Default: those of all rules. */
  readonly rule?: string;
}

/** Returns `HANDLE: ACTION RULE FIELD`, and below each `  HANDLE FIELD` of what it is related to. */
export async function conflictsIn(
  clusters: Clusters,
  { before, rule, ...options }: ConflictOptions = {},
): Promise<string[]> {
  const compared = await comparisonOf(clusters, options).finish(before && comparisonOf(before, options));
  return compared.flatMap(({ handle, verdict, related }) =>
    findingsOf(verdict, rule).flatMap((finding) => [
      `${handle}: ${finding.action} ${finding.ruleId} ${finding.field}`,
      ...(related.get(finding) ?? []).map((other) => `  ${other.handle} ${other.path.join('.')}`),
    ]),
  );
}

/** Returns the messages of all findings, and of what they are related to. */
export async function messagesOf(clusters: Clusters, rule?: string, options: RunOptions = {}): Promise<string[]> {
  const compared = await comparisonOf(clusters, options).finish();
  return compared.flatMap(({ verdict, related }) =>
    findingsOf(verdict, rule).flatMap((finding) => [
      finding.message,
      ...(related.get(finding) ?? []).map(({ message }) => `  ${message}`),
    ]),
  );
}

function findingsOf({ findings }: Verdict, rule: string | undefined): readonly Finding[] {
  return findings.filter(({ ruleId }) => rule === undefined || ruleId === rule);
}
