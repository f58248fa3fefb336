/** Collects the writes that manifests lead to, each with the cluster state before it. */
import { dialects } from '../../api/dialects.ts';
import { createFilesView, type InputObject, readObjects, readState } from '../../cluster/files/index.ts';
import { createEngine, type Policy, type Subject } from '../../engine/index.ts';
import { lostManagerLabel, missingManagerLabel } from '../../engine/manager-label.ts';
import type { Identity, JsonObject } from '../../rules/rule.ts';
import { createSession } from '../check/operations.ts';
import { type CheckError, errorOf } from '../output/report.ts';

export interface WriteSources {
  /** Manifests, or AdmissionReviews. */
  readonly paths: readonly string[];
  readonly deleted: readonly string[];
  /** All that exists before. */
  readonly state: readonly string[];
  readonly policy: Policy | undefined;
  readonly identity: Identity | undefined;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly stdin: () => Promise<Uint8Array>;
}

/** A write as the validating webhook would see it. */
export interface RecordedWrite {
  readonly subject: Subject;
  /** The objects of its dialect that exist; no rule reads others. */
  readonly state: readonly JsonObject[];
  /** Whether the mutating webhook would have added a label, but did not run. */
  readonly unlabelled: boolean;
}

export interface Writes {
  readonly writes: readonly RecordedWrite[];
  readonly errors: readonly CheckError[];
  /** The number of objects of kinds that muster does not evaluate. */
  readonly skipped: number;
}

/** Returns deletions first, then documents; each sees those before it as stored, unless they were denied. */
export async function collectWrites(sources: WriteSources): Promise<Writes> {
  const { policy, identity, now, stdin } = sources;
  const before = await readState(sources.state, { stdin });
  const documents = await readObjects(sources.paths, { stdin });
  const deletions = await readObjects(sources.deleted, { stdin });
  const view = createFilesView({ state: before.objects, known: dialects });
  const engine = createEngine({ point: 'webhook', live: true, clock: () => now, ...(policy && { policy }) });
  const session = createSession({ engine, view, identity, subresource: undefined, clock: () => now });
  const errors = [...before.errors, ...documents.errors, ...deletions.errors].map(errorOf);
  const writes: RecordedWrite[] = [];
  let skipped = documents.skipped + deletions.skipped;
  const record = async (one: InputObject, deed: 'apply' | 'remove') => {
    const states = new Map<string, readonly JsonObject[]>();
    for (const dialect of dialects) {
      const listed = await view.list(dialect);
      states.set(dialect.name, listed.known ? listed.value : []);
    }
    const evaluated = await session[deed](one);
    if ('problem' in evaluated) {
      const { line, column } = one.locate(evaluated.at);
      errors.push({ file: one.source, line, column, message: evaluated.problem });
      return;
    }
    if (evaluated.length === 0) skipped++;
    for (const { subject } of evaluated)
      writes.push({ subject, state: states.get(subject.dialect.name) ?? [], unlabelled: isUnlabelled(subject) });
  };
  for (const one of deletions.objects) await record(one, 'remove');
  for (const one of documents.objects) await record(one, 'apply');
  return { writes, errors, skipped };
}

function isUnlabelled({ dialect, operation, subresource, object, oldObject }: Subject): boolean {
  if (operation === 'CREATE') return missingManagerLabel(dialect, object) !== undefined;
  if (operation !== 'UPDATE' || subresource !== '' || oldObject === undefined) return false;
  return lostManagerLabel(dialect, object, oldObject) !== undefined;
}
