/** Evaluates one write in the browser, by the steps of the webhook: review, mutation, review, verdict, response. */

import { type Json, type JsonObject, textAt } from '../../../src/base/json.ts';
import { escapeControls } from '../../../src/base/text.ts';
import {
  createEngine,
  type Engine,
  type Finding,
  type Indeterminate,
  type Outcome,
} from '../../../src/engine/index.ts';
import { findMutation } from '../../../src/engine/manager-label.ts';
import { type ReviewRequest, readAdmissionReview, referenceOfObject } from '../../../src/engine/review.ts';
import {
  dialectOfObject,
  type InputObject,
  inNamespace,
  referenceOfInput,
  unknownVersion,
} from '../../../src/input/objects.ts';
import { created, generatedName, labelled, withStatus } from '../../../src/input/writes.ts';
import { viewOf } from '../../../src/library.ts';
import type { Identity, Reference } from '../../../src/rules/rule.ts';
import { evaluated, skipped } from '../../../src/server/admission/respond.ts';
import { createInput, type Mark } from './input.ts';
import { changeOf } from './json-patch.ts';
import type { Write } from './scenario.ts';

/** A finding, or a rule that can't decide, at its place in an editor. */
export interface PlacedFinding extends Mark, Pick<Finding, 'ruleId' | 'level' | 'field'> {
  readonly action: Finding['action'] | 'indeterminate';
}

/** What muster makes of one document of the evaluated editor. */
interface DocumentResult {
  /** Kind and name of the object. */
  readonly title: string;
  /** Where the document begins. */
  readonly line: number;
  readonly outcome: Outcome | 'skipped';
}

export interface Result {
  /** What can't be read. Then there is no verdict. */
  readonly problems: readonly Mark[];
  /** Of several documents the worst outcome. `skipped`: no rule applies to such a write. */
  readonly outcome?: Outcome | 'skipped';
  /** Why no rule was evaluated, or what is doubtful about the object, in a sentence. */
  readonly note?: string | undefined;
  readonly findings: readonly PlacedFinding[];
  /** Each document with its outcome, in order, if there are several. */
  readonly documents: readonly DocumentResult[];
  /** Of several documents, the number (from 1) of the one that the reviews and patches below belong to. */
  readonly shown?: number;
  /** The AdmissionReview to `/validate`, and its answer. */
  readonly request?: Json;
  readonly response?: Json;
  /** The JSON Patch of the mutating webhook. */
  readonly mutation: Json;
  /** The JSON Patch from the stored object to the new one. */
  readonly change: Json;
}

/** The result of one document. */
type OneResult = Omit<Result, 'documents' | 'shown'>;

const NOTHING = { problems: [], findings: [], mutation: [], change: [], documents: [] };
const UID = '00000000-0000-4000-8000-000000000000';
/** From the one that matters most. */
const BY_WEIGHT: readonly Result['outcome'][] = ['crashed', 'denied', 'indeterminate', 'allowed', 'skipped'];

const SKIPPED_BECAUSE = {
  exempt: 'The user or the namespace is exempt by the configuration.',
  terminating: 'The object is being deleted.',
  skipped: 'No rule applies to this write.',
} as const;

/**
 * Evaluates the documents of the object's editor (on DELETE: of the stored object's) one after the other, as `kubectl
 * apply` sends them. A document that is allowed is stored for those that follow. Never rejects: what can't be read is
 * in `problems`.
 */
export async function evaluateWrite(write: Write): Promise<Result> {
  const input = createInput();
  const now = input.time('now', write.now);
  const policy = input.policy('configuration', write.configuration, now);
  const isDelete = write.operation === 'DELETE';
  const old = write.operation === 'CREATE' ? [] : input.someObjects('old', write.old);
  const subjects = isDelete ? old : input.someObjects('object', write.object);
  const state = input.objects('state', write.state).map((one) => one.object);
  // One object with one stored object: if they differ in name, that is the mistake to report.
  const isPair = subjects.length === 1 && old.length === 1;
  const pairs = subjects.map((subject, index) => {
    if (write.operation !== 'UPDATE') return { subject };
    return { subject, old: storedFor(subject, isPair ? old : old.filter(isSameAs(subject)), index) };
  });
  if (input.problems.length > 0 || policy === undefined) return { ...NOTHING, problems: input.problems };
  const engine = createEngine({ point: 'webhook', policy, clock: () => now });
  const clusterState = new Map([...old.map((one) => one.object), ...state].map((object) => [keyOf(object), object]));
  const results: OneResult[] = [];
  for (const { subject, old: stored } of pairs) {
    const result = await evaluateOne(subject, stored);
    results.push(result);
    if (result.outcome !== 'allowed' || write.subresource !== '') continue;
    if (isDelete) clusterState.delete(keyOf(subject.object));
    else clusterState.set(keyOf(subject.object), subject.object);
  }
  return together(subjects, results);

  /** Says where the stored object is missing, or is another object. */
  function storedFor(subject: InputObject, candidates: readonly InputObject[], index: number): InputObject | undefined {
    const [first, second] = candidates;
    if (second !== undefined) {
      input.fail('old', `a second object of ${titleOf(subject)}; there must be one`, second.start);
    } else if (first === undefined && old.length > 0) {
      input.fail('object', `document ${index + 1}: no stored object is ${titleOf(subject)}`, subject.start);
    } else if (first !== undefined && !isSameAs(subject)(first)) {
      const message = `the stored object is ${titleOf(first)}, the new one is ${titleOf(subject)}`;
      input.fail('old', `${message}: an UPDATE changes neither kind, namespace nor name`, first.start);
    }
    return first;
  }

  async function evaluateOne(subject: InputObject, stored: InputObject | undefined): Promise<OneResult> {
    const object = isDelete ? undefined : subject;
    const oldObject = isDelete ? subject : stored;
    const editor = isDelete ? 'old' : 'object';
    const fail = (message: string, path?: readonly (string | number)[]): OneResult => {
      const problems = createInput();
      problems.fail(editor, message, path ? subject.locate(path) : subject.start);
      return { ...NOTHING, problems: problems.problems };
    };
    const naming = object && oldObject === undefined ? (one: JsonObject) => generatedName(one, 0) : undefined;
    const reference = referenceOfInput(subject, naming);
    if (reference === undefined)
      return { ...NOTHING, outcome: 'skipped', note: `muster has no rule for ${escapeControls(subject.kind)}.` };
    if ('problem' in reference) return fail(reference.problem, reference.at);
    const { mutation, change, review } = reviewOf(engine, write, reference, object, oldObject);
    const reading = readAdmissionReview(review);
    if (reading.kind === 'refuse') return fail(reading.problem);
    const answer = (request: ReviewRequest, response = skipped(request)) => ({
      ...responseOf(response),
      mutation,
      change,
    });
    if (reading.kind === 'skip') {
      const note = SKIPPED_BECAUSE.skipped;
      return { ...NOTHING, outcome: 'skipped', note, request: review, ...answer(reading.request) };
    }
    const { request } = reading;
    const verdict = await engine.evaluate(reading.subject, viewOf(clusterState.values()));
    const place = placeIn(editor, subject);
    const unknown = (one: Indeterminate): PlacedFinding => place({ ...one, path: [] }, 'indeterminate');
    return {
      problems: [],
      outcome: verdict.outcome,
      note: verdict.skipped ? SKIPPED_BECAUSE[verdict.skipped] : unknownVersion(subject)?.message,
      findings: [...verdict.findings.map((one) => place(one, one.action)), ...verdict.indeterminate.map(unknown)],
      request: review,
      ...answer(request, evaluated(request, verdict)),
    };
  }
}

/** Returns one result for all documents. Reviews and patches are those of the first document with the worst outcome. */
function together(subjects: readonly InputObject[], results: readonly OneResult[]): Result {
  const [only] = results;
  if (only === undefined) return NOTHING;
  if (results.length === 1) return { ...only, documents: [] };
  const problems = results.flatMap((one) => one.problems);
  if (problems.length > 0) return { ...NOTHING, problems };
  const worst = results.reduce((a, b) => (weightOf(b) < weightOf(a) ? b : a));
  return {
    ...worst,
    findings: results.flatMap((one) => one.findings),
    shown: results.indexOf(worst) + 1,
    documents: results.map((one, index) => {
      const subject = subjects[index] as InputObject;
      return { title: titleOf(subject), line: subject.start.line, outcome: one.outcome ?? 'skipped' };
    }),
  };
}

function weightOf({ outcome }: OneResult): number {
  return BY_WEIGHT.indexOf(outcome);
}

/** Kind, namespace and name of an object, as people write them. */
function titleOf({ kind, object }: InputObject): string {
  const [namespace, name] = ['namespace', 'name'].map((key) => textAt(object, ['metadata', key]));
  return escapeControls(
    `${kind} ${namespace ? `${namespace}/` : ''}${name ?? textAt(object, ['metadata', 'generateName']) ?? ''}`,
  );
}

function isSameAs(subject: InputObject): (other: InputObject) => boolean {
  return (other) => keyOf(other.object) === keyOf(subject.object);
}

/** What tells objects apart: group, kind, namespace, name. */
function keyOf(object: JsonObject): string {
  const dialect = dialectOfObject(object);
  const [group] = (textAt(object, ['apiVersion']) ?? '').split('/');
  const { namespace, name } = dialect ? referenceOfObject(dialect, object) : { namespace: undefined, name: undefined };
  return JSON.stringify([
    group,
    object['kind'],
    namespace ?? null,
    name ?? textAt(object, ['metadata', 'name']) ?? null,
  ]);
}

/** Returns what places findings of an object in the text of its editor. */
export function placeIn(editor: string, { locate }: Pick<InputObject, 'locate'>) {
  type Found = Pick<Finding, 'ruleId' | 'level' | 'field' | 'message' | 'path'>;
  return ({ ruleId, level, field, message, path }: Found, action: PlacedFinding['action']): PlacedFinding => {
    const severity = action === 'deny' ? 'error' : action === 'audit' ? 'info' : 'warning';
    return { editor, severity, ruleId, level, action, field, message, ...locate(path) };
  };
}

/** Returns the user as an API server names it; undefined for an empty name. */
export function identityOf({ user, groups }: Pick<Write, 'user' | 'groups'>): Identity | undefined {
  if (user.trim() === '') return undefined;
  const names = groups.split(',').map((name) => name.trim());
  return { username: user.trim(), groups: names.filter((name) => name !== '') };
}

/** Returns the review to `/validate` with the patches that lead to it. */
function reviewOf(
  engine: Engine,
  write: Write,
  reference: Reference,
  object: InputObject | undefined,
  old: InputObject | undefined,
) {
  const { operation, subresource } = write;
  const { dialect, name, namespace } = reference;
  const oldObject = old && inNamespace(reference, old.object);
  const main = object && admitted(write, reference, object.object, oldObject);
  const version = (object ?? old)?.apiVersion.split('/')[1] ?? '';
  const { group, kind, plural: resource } = dialect;
  const request = {
    uid: UID,
    kind: { group, version, kind },
    resource: { group, version, resource },
    ...(subresource !== '' && { subResource: subresource }),
    name,
    ...(namespace !== undefined && { namespace }),
    operation,
    userInfo: identityOf(write) ?? {},
    object: main ?? null,
    oldObject: oldObject ?? null,
    dryRun: false,
  };
  const head = { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview' };
  const unpatched = readAdmissionReview({ ...head, request } as unknown as JsonObject);
  const mutation = unpatched.kind === 'evaluate' ? findMutation(unpatched.subject, engine).operations : [];
  const newObject = (main && mutation.length > 0 && labelled(dialect, main, oldObject)) || main;
  const review = { ...head, request: { ...request, object: newObject ?? null } } as unknown as JsonObject;
  const change = oldObject && newObject ? changeOf(oldObject, newObject) : [];
  return { review, mutation: mutation as unknown as Json, change };
}

/**
 * Returns what the API server makes of the object before admission: each write changes either the status or the rest.
 */
function admitted({ operation, subresource }: Write, reference: Reference, sent: JsonObject, old?: JsonObject) {
  if (operation === 'CREATE' && subresource === '') return created(reference, sent);
  const object = inNamespace(reference, sent);
  const hasStatus = dialectOfObject(object)?.concept !== 'claim';
  if (!hasStatus) return object;
  if (subresource === 'status') return old ? withStatus(old, object['status']) : object;
  return withStatus(object, old?.['status']);
}

function responseOf(response: object): { readonly response: Json } {
  const review = { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response };
  return { response: JSON.parse(JSON.stringify(review)) };
}
