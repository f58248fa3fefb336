/**
 * Turns each input object into the operations that the API server would send: a CREATE, or an UPDATE if the object is
 * stored; a status write; a DELETE. Each is evaluated and, unless it is denied, stored, so that later objects see it.
 * An AdmissionReview is evaluated as it is, and not stored, since no deploy tool applies a review.
 */

import { hasStatus } from '../api/dialects.ts';
import { at, isObject, type JsonObject, type Path } from '../base/json.ts';
import { isStatusWritten } from '../base/object.ts';
import { isExempt } from '../engine/evaluate.ts';
import type { Engine, Verdict } from '../engine/index.ts';
import { readAdmissionReview, subjectOf } from '../engine/review.ts';
import {
  type InputObject,
  type InvalidInput,
  inNamespace,
  isReview,
  keyOf,
  referenceOfInput,
} from '../input/objects.ts';
import type { RunView } from '../input/view.ts';
import * as writes from '../input/writes.ts';
import type { Identity, Operation, Reference, Subject, Subresource } from '../rules/rule.ts';

export interface SessionOptions {
  readonly engine: Engine;
  /** The stored objects. The session changes them. */
  readonly view: RunView;
  /** The user; undefined if it is not known. */
  readonly identity: Identity | undefined;
  /** Limits evaluation to the main write or to the status write. */
  readonly subresource: 'none' | 'status' | undefined;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  /**
   * Whether the stored objects are from a cluster. Then an update keeps members that the file does not have, unless the
   * last applied manifest had them.
   */
  readonly isClusterState?: boolean;
}

/** One operation and its verdict. */
export interface EvaluatedOperation {
  /** The path of the evaluated object within the input. */
  readonly at: Path;
  readonly subject: Subject;
  readonly verdict: Verdict;
  /** A note for the user on what was changed before the evaluation. */
  readonly note?: string;
}

/** The evaluated operations of an object (none for a kind to which no rule applies), or why it is invalid. */
type ObjectEvaluation = readonly EvaluatedOperation[] | InvalidInput;

/**
 * Applies an object, or deletes it: evaluates that and, unless it is denied, stores or removes the object. An
 * AdmissionReview is evaluated as requested.
 */
type Session = (step: 'apply' | 'remove', input: InputObject) => Promise<ObjectEvaluation>;

/** Starts a session. */
export function createSession(options: SessionOptions): Session {
  let generated = 0;
  const applied = new Map<string, JsonObject>();
  const generate = (object: JsonObject) => writes.generatedName(object, generated++);
  return async (step, input) => {
    const isApplied = step === 'apply';
    if (isReview(input)) return isApplied ? applyReview(options, input) : UNDELETABLE;
    const reference = referenceOfInput(input, isApplied ? generate : undefined);
    if (reference === undefined) return [];
    if (!('dialect' in reference)) return reference;
    return (isApplied ? applyObject : removeObject)({ options, input, reference, applied });
  };
}

const UNDELETABLE: InvalidInput = { problem: "an AdmissionReview can't be deleted: name the object itself", at: [] };

interface ObjectWrite {
  readonly options: SessionOptions;
  readonly input: InputObject;
  readonly reference: Reference;
  /** The manifests that the session has applied, by the keys of their objects. */
  readonly applied: Map<string, JsonObject>;
}

/** Evaluates the apply of an object: an UPDATE if it is stored, otherwise a CREATE. Then its status, if it has one. */
async function applyObject(write: ObjectWrite): Promise<readonly EvaluatedOperation[]> {
  const { options, input, reference, applied } = write;
  const { subresource, view } = options;
  const stored = view.stored(reference);
  const operation = stored === undefined ? 'CREATE' : 'UPDATE';
  // In a cluster, others may have set fields: without a last applied manifest, the file removes none.
  const unknown = options.isClusterState ? {} : undefined;
  const last = stored && (applied.get(keyOf(reference)) ?? writes.lastApplied(stored) ?? unknown);
  const object = stored
    ? writes.updated(reference, input.object, stored, last)
    : writes.created(reference, input.object);
  const { identity, engine } = options;
  const isLabelled = !isExempt({ identity, namespace: reference.namespace }, engine.policy);
  const labelled = isLabelled ? writes.labelled(reference.dialect, object, stored) : undefined;
  const main = labelled ?? object;
  const results: EvaluatedOperation[] = [];
  if (subresource !== 'status') {
    const result = await evaluateObject(write, operation, '', main, stored);
    if (result.verdict.outcome !== 'denied') applied.set(keyOf(reference), input.object);
    results.push(labelled === undefined ? result : { ...result, note: LABEL_NOTES[operation] });
    // Only the status is evaluated: its main object counts as stored.
  } else if (stored === undefined) view.store(reference, writes.afterWrite(main));
  const status = at(input.object, ['status']);
  if (subresource === 'none' || status === undefined || !hasStatus(reference.dialect)) return results;
  // Unless it is asked for, a status without any value is not taken for the write of a controller.
  if (subresource === undefined && !isStatusWritten(input.object)) return results;
  // A denied CREATE stores nothing. Its status is evaluated all the same, so that all findings are reported at once.
  const before = view.stored(reference) ?? main;
  const after = writes.withStatus(writes.converted(before, input.apiVersion), status);
  return [...results, await evaluateObject(write, 'UPDATE', 'status', after, before)];
}

const LABEL_NOTES = {
  CREATE: 'label x-k8s.io/cluster-manager added from spec.clusterManager.name, as the mutating webhook does on CREATE',
  UPDATE:
    'label x-k8s.io/cluster-manager put back as stored, as the mutating webhook does on UPDATE; add it to the file',
};

async function removeObject(write: ObjectWrite): Promise<readonly EvaluatedOperation[]> {
  const { options, input, reference } = write;
  const known = options.view.stored(reference);
  // No webhook is called for the deletion of an object that a cluster does not have.
  if (options.isClusterState && known === undefined && (await options.view.get(reference)).known) return [];
  const stored = known ?? inNamespace(reference, writes.withoutServerMetadata(input.object));
  return [await evaluateObject(write, 'DELETE', '', stored, stored)];
}

async function evaluateObject(
  { options, input, reference }: ObjectWrite,
  operation: Operation,
  subresource: Subresource,
  object: JsonObject,
  stored: JsonObject | undefined,
): Promise<EvaluatedOperation> {
  const { identity, view } = options;
  const oldObject = stored && writes.converted(stored, input.apiVersion);
  const version = input.apiVersion.split('/')[1] ?? '';
  const subject = subjectOf(reference, { version, operation, subresource, object, oldObject, identity });
  const verdict = await options.engine.evaluate(subject, view);
  const isStored = subresource === '' || view.stored(reference) !== undefined;
  const left = operation === 'DELETE' ? writes.afterDelete(object, options.clock()) : writes.afterWrite(object);
  if (verdict.outcome !== 'denied' && isStored) view.store(reference, left);
  return { at: [], subject, verdict };
}

async function applyReview(options: SessionOptions, input: InputObject): Promise<ObjectEvaluation> {
  const request = at(input.object, ['request']);
  if (request === undefined && at(input.object, ['response']) !== undefined) {
    return { problem: 'this AdmissionReview has a response and no request: there is nothing to evaluate', at: [] };
  }
  // A server needs the uid for its response; a review in a file may lack it.
  const review = isObject(request) ? { ...input.object, request: { uid: 'none', ...request } } : input.object;
  const reading = readAdmissionReview(review);
  if (reading.kind === 'skip') return [];
  if (reading.kind === 'refuse') return { problem: reading.problem, at: ['request'] };
  const subject = { ...reading.subject, identity: reading.subject.identity ?? options.identity };
  const verdict = await options.engine.evaluate(subject, options.view);
  return [{ at: ['request', subject.operation === 'DELETE' ? 'oldObject' : 'object'], subject, verdict }];
}
