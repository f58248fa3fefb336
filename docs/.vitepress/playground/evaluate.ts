/** Evaluates one write in the browser, by the steps of the webhook: review, mutation, review, verdict, response. */
import { createPatch } from 'rfc6902';
import { referenceOf, unknownVersion } from '../../../src/cli/check/reference.ts';
import { created, generatedName, labelled, withStatus } from '../../../src/cli/check/writes.ts';
import type { InputObject } from '../../../src/cluster/files/objects.ts';
import { dialectOfObject, inNamespace } from '../../../src/cluster/files/reference.ts';
import { createEngine, type Finding, type Indeterminate, type Outcome } from '../../../src/engine/index.ts';
import { mutationOf } from '../../../src/engine/manager-label.ts';
import { type ReviewRequest, readAdmissionReview } from '../../../src/engine/review.ts';
import { plain } from '../../../src/engine/text.ts';
import { viewOf } from '../../../src/library.ts';
import type { Identity, Json, JsonObject, Reference } from '../../../src/rules/rule.ts';
import { evaluated, skipped } from '../../../src/server/admission/respond.ts';
import { createInput, type Mark } from './input.ts';
import type { Write } from './scenario.ts';

/** A finding, or a rule that can't decide, at its place in an editor. */
export interface PlacedFinding extends Mark, Pick<Finding, 'ruleId' | 'level' | 'field'> {
  readonly action: Finding['action'] | 'indeterminate';
}

export interface Result {
  /** What can't be read. Then there is no verdict. */
  readonly problems: readonly Mark[];
  /** `skipped`: no rule applies to such a write. */
  readonly outcome?: Outcome | 'skipped';
  /** Why no rule was evaluated, or what is doubtful about the object, in a sentence. */
  readonly note?: string | undefined;
  readonly findings: readonly PlacedFinding[];
  /** The AdmissionReview to `/validate`, and its answer. */
  readonly request?: Json;
  readonly response?: Json;
  /** The JSON Patch of the mutating webhook. */
  readonly mutation: Json;
  /** The JSON Patch from the stored object to the new one. */
  readonly change: Json;
}

const NOTHING = { problems: [], findings: [], mutation: [], change: [] };
const UID = '00000000-0000-4000-8000-000000000000';

const SKIPPED_BECAUSE = {
  exempt: 'The user or the namespace is exempt by the configuration.',
  terminating: 'The object is being deleted.',
  skipped: 'No rule applies to this write.',
} as const;

/** Evaluates a write. Never rejects: what can't be read is in `problems`. */
export async function evaluateWrite(write: Write): Promise<Result> {
  const input = createInput();
  const now = input.time('now', write.now);
  const policy = input.policy('configuration', write.configuration, now);
  const isDelete = write.operation === 'DELETE';
  const old = write.operation === 'CREATE' ? undefined : input.object('old', write.old);
  const object = isDelete ? undefined : input.object('object', write.object);
  const state = input.objects('state', write.state).map((one) => one.object);
  const subject = isDelete ? old : object;
  if (input.problems.length > 0 || policy === undefined || subject === undefined)
    return { ...NOTHING, problems: input.problems };
  const editor = isDelete ? 'old' : 'object';
  const reference = referenceOf(subject, object && old === undefined ? (one) => generatedName(one, 0) : undefined);
  if (reference === undefined)
    return { ...NOTHING, outcome: 'skipped', note: `muster has no rule for ${plain(subject.kind)}.` };
  if ('problem' in reference) {
    input.fail(editor, reference.problem, subject.locate(reference.at));
    return { ...NOTHING, problems: input.problems };
  }
  const { mutation, change, review } = reviewOf(write, reference, object, old);
  const reading = readAdmissionReview(review);
  if (reading.kind === 'refuse') {
    input.fail(editor, reading.problem);
    return { ...NOTHING, problems: input.problems };
  }
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
  const engine = createEngine({ point: 'webhook', policy, clock: () => now });
  const stored = old === undefined ? [] : [old.object];
  const verdict = await engine.evaluate(reading.subject, viewOf([...state, ...stored]));
  const place = placeIn(editor, subject);
  return {
    problems: [],
    outcome: verdict.outcome,
    note: verdict.skipped ? SKIPPED_BECAUSE[verdict.skipped] : unknownVersion(subject)?.message,
    findings: [
      ...verdict.findings.map((one) => place(one, one.action)),
      ...verdict.indeterminate.map(placeIndeterminate),
    ],
    request: review,
    ...answer(request, evaluated(request, verdict)),
  };

  function placeIndeterminate(one: Indeterminate): PlacedFinding {
    return place({ ...one, path: [] }, 'indeterminate');
  }
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
function reviewOf(write: Write, reference: Reference, object: InputObject | undefined, old: InputObject | undefined) {
  const { operation, subresource } = write;
  const { dialect, name, namespace } = reference;
  const oldObject = old && inNamespace(reference, old.object);
  const main = object && admitted(write, reference, object.object, oldObject);
  const newObject = main && ((subresource === '' && labelled(dialect, main, oldObject)) || main);
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
    object: newObject ?? null,
    oldObject: oldObject ?? null,
    dryRun: false,
  };
  const review = { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', request } as unknown as JsonObject;
  const unpatched = readAdmissionReview({
    ...review,
    request: { ...request, object: main ?? null } as unknown as Json,
  });
  const mutation = unpatched.kind === 'evaluate' ? mutationOf(unpatched.subject).operations : [];
  const change = oldObject && newObject ? createPatch(oldObject, newObject) : [];
  return { review, mutation: mutation as unknown as Json, change: change as unknown as Json };
}

/** Returns what the API server makes of the object before admission: each write changes either the status or the rest. */
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
