/** The examples of all rules, as test/fixtures holds them, and the subjects that they stand for. */
import { readdirSync, readFileSync } from 'node:fs';
import type { JsonObject } from '../../src/base/json.ts';
import { readDocuments } from '../../src/documents/index.ts';
import { readAdmissionReview } from '../../src/engine/review.ts';
import { rules } from '../../src/rules/index.ts';
import type { Subject } from '../../src/rules/rule.ts';
import { reviewOf, type Write } from './writes.ts';

interface Case {
  readonly config?: JsonObject;
  /** As in a suite; absent for what is allowed. */
  readonly expect?: 'denied' | { readonly verdict: 'allowed'; readonly warnings: readonly string[] };
  readonly file: string;
  readonly ruleId: string;
  readonly folder: 'allow' | 'deny';
}

/** An example of a rule on writes. */
export interface Example extends Write, Case {}

/** An example of a rule that compares clusters: what each of them holds. */
export interface ClustersExample extends Case {
  readonly clusters: Readonly<Record<string, readonly JsonObject[]>>;
  /** What they held before, for a rule on changes. */
  readonly before?: Readonly<Record<string, readonly JsonObject[]>>;
  /** Whether these are all clusters of their ClusterSets. */
  readonly complete?: boolean;
}

/** The time of the examples. */
export const NOW = '2026-06-01T00:00:00Z';

const all: readonly (Example | ClustersExample)[] = rules.flatMap(({ id }) =>
  (['allow', 'deny'] as const).flatMap((folder) => {
    const path = `test/fixtures/${id}/${folder}`;
    return readdirSync(path).map((name) => {
      const file = `${path}/${name}`;
      const { documents, errors } = readDocuments(readFileSync(file, 'utf8'), file);
      if (errors.length > 0 || documents.length !== 1) throw new Error(`${file}: ${JSON.stringify(errors)}`);
      return { ...(documents[0]?.value as object), file, ruleId: id, folder } as Example | ClustersExample;
    });
  }),
);

/** The examples of all rules on writes. */
export const examples: readonly Example[] = all.filter((example) => 'operation' in example);

/** The examples of the rules that compare clusters. */
export const clustersExamples: readonly ClustersExample[] = all.filter((example) => 'clusters' in example);

/** Returns the subject of that review. @throws Error where no rule is about such a write */
export function subjectOf(write: Write): Subject {
  const reading = readAdmissionReview(reviewOf(write));
  if (reading.kind !== 'evaluate') throw new Error(`not evaluated: ${JSON.stringify(write)}`);
  return reading.subject;
}
