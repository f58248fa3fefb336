/** Compares clusters in memory, and table tests of the rules that do so. */
import { describe, expect, test } from '@jest/globals';
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
import type { Rule } from '../../src/rules/rule.ts';

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

type Point = ComparisonOptions['point'];
type RowOptions = Omit<ConflictOptions, 'rule' | 'point'>;

interface ComparisonTable {
  /** Where the rule compares; at the other point, every row is silent. Default: both. */
  readonly points?: readonly Point[];
  /** Of all rows. A row may have others. */
  readonly options?: RowOptions;
  /** The line of `conflictsIn` that a finding of a row stands for. Default: the finding is that line. */
  readonly line?: (finding: string) => string;
  /** What a row reports that says nothing else. */
  readonly findings?: readonly string[];
  /** Whether the findings of a row have lines of what they are related to. Default: they do. */
  readonly related?: false;
  readonly reports: readonly (readonly [
    name: string,
    clusters: Clusters,
    findings?: readonly string[] | undefined,
    options?: RowOptions,
  ])[];
  readonly silent: readonly (readonly [name: string, clusters: Clusters, options?: RowOptions])[];
  /** All messages, with those of what the findings are related to. */
  readonly messages: readonly (readonly [
    name: string,
    clusters: Clusters,
    messages: readonly unknown[],
    options?: RowOptions,
  ])[];
}

/** The tests of one rule that compares, from its table. Each row runs at both points. */
export function testComparison({ id }: Rule, table: ComparisonTable): void {
  const { points = ['check', 'scan'], line = (finding) => finding } = table;
  const expectFindings = async (clusters: Clusters, expected: readonly string[], row: RowOptions = {}) => {
    const options = { ...table.options, ...row, rule: id };
    for (const point of ['check', 'scan'] as const) {
      const lines = await conflictsIn(clusters, { ...options, point });
      const found = table.related === false ? lines.filter((one) => !one.startsWith(' ')) : lines;
      expect({ [point]: found }).toEqual({ [point]: points.includes(point) ? expected.map(line) : [] });
    }
  };
  // By rest parameters: Jest passes `done` to a function that has more parameters than the row has values.
  describe(id, () => {
    test.each(table.reports)('reports: %s', (...[, clusters, findings = table.findings ?? [], options]) =>
      expectFindings(clusters, findings, options),
    );
    test.each(table.silent)('is silent on %s', (...[, clusters, options]) => expectFindings(clusters, [], options));
    test.each(table.messages)('the message: %s', async (...[, clusters, messages, options]) =>
      expect(await messagesOf(clusters, id, { ...table.options, ...options })).toEqual(messages),
    );
  });
}
