/** The examples of all rules, as test/fixtures holds them, and the reviews and subjects that they stand for. */
import { readdirSync, readFileSync } from 'node:fs';
import type { JsonObject } from '../../src/base/json.ts';
import { readDocuments } from '../../src/documents/index.ts';
import { readAdmissionReview } from '../../src/engine/review.ts';
import { rules } from '../../src/rules/index.ts';
import type { Operation, Subject, Subresource } from '../../src/rules/rule.ts';

/** One write, and what is stored before it. */
export interface Write {
  readonly operation: Operation;
  readonly subresource?: Subresource;
  readonly user?: { readonly username: string; readonly groups?: readonly string[] };
  readonly dryRun?: boolean;
  /** Default: the object's name. Reviews of deletecollection leave it empty. */
  readonly name?: string;
  readonly now?: string;
  readonly state?: readonly JsonObject[];
  /** The Leases of the registrar's hub. */
  readonly hub?: readonly JsonObject[];
  readonly old?: JsonObject;
  readonly object?: JsonObject;
}

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

/** Returns the AdmissionReview that the API server would send for a write. */
export function reviewOf(write: Write): JsonObject {
  const { operation, subresource = '', user, dryRun = false, old, object } = write;
  const written = (operation === 'DELETE' ? old : object) ?? {};
  const [group = '', version = ''] = String(written['apiVersion']).split('/');
  const { name = '', namespace } = written['metadata'] as { readonly name?: string; readonly namespace?: string };
  const request = {
    uid: '6d9f1c3e-1d7c-4c8e-9f57-1f3c2c1f0a11',
    kind: { group, version, kind: String(written['kind']) },
    operation,
    ...(subresource && { subResource: subresource }),
    name: write.name ?? name,
    ...(namespace && { namespace }),
    userInfo: { username: user?.username ?? 'jane', groups: user?.groups ?? [] },
    object: operation === 'DELETE' ? null : written,
    oldObject: old ?? null,
    dryRun,
  };
  return { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', request };
}

/** Returns the subject of that review. @throws Error where no rule is about such a write */
export function subjectOf(write: Write): Subject {
  const reading = readAdmissionReview(reviewOf(write));
  if (reading.kind !== 'evaluate') throw new Error(`not evaluated: ${JSON.stringify(write)}`);
  return reading.subject;
}
