/**
 * Functions that the rules on claims share: the value, the well-known names, and the claims of the id and the
 * membership.
 */

import type { ClaimDetails, Dialect } from '../../api/dialects.ts';
import type { Json, JsonObject, Path } from '../../base/json.ts';
import { isTerminating, specOf } from '../../base/object.ts';
import type { MaybePromise } from '../../base/promise.ts';
import { type Answer, type ClusterView, type Context, NAME, type RuleResult } from '../rule.ts';

export const VALUE: Path = ['spec', 'value'];

/** Returns what is specific to the claim's dialect. @throws TypeError for an object that is not a claim */
export function claimDetails(context: Context): ClaimDetails {
  const { claim } = context.dialect;
  if (claim === undefined) throw new TypeError(`${context.dialect.kind} is not a claim`);
  return claim;
}

/** Whether the object is the claim that holds the cluster's id, under either of its names. */
export function isId({ dialect, name }: Pick<Context, 'dialect' | 'name'>): boolean {
  return dialect.claim?.idNames.includes(name) === true;
}

/** Whether the object is the claim with the cluster's membership in a ClusterSet. */
export function isMembership({ dialect, name }: Pick<Context, 'dialect' | 'name'>): boolean {
  return dialect.claim?.membershipName === name;
}

/** Returns `spec.value`, of any type; null is absent. */
export function claimValue(object: JsonObject | undefined): Json | undefined {
  return specOf(object)?.['value'] ?? undefined;
}

/** Whether the membership claim exists. One that is being deleted still exists. */
export async function inClusterSet({ dialect, view }: Context): Promise<Answer<boolean>> {
  return mapAnswer(await readMembership(dialect, view), (membership) => membership !== undefined);
}

/** Returns an answer with what `map` makes of its value. One that is not known stays. */
export function mapAnswer<Value, Result>(answer: Answer<Value>, map: (value: Value) => Result): Answer<Result> {
  return answer.known ? { known: true, value: map(answer.value) } : answer;
}

/** Reads the claim with the cluster's membership. */
export function readMembership(dialect: Dialect, view: ClusterView): MaybePromise<Answer<JsonObject | undefined>> {
  return view.get({ dialect, name: dialect.claim?.membershipName ?? '' });
}

/** Whether the id also exists under its newer name, so that the older one may be deleted. */
export async function newerIdStays({ dialect, name, view }: Context): Promise<Answer<boolean>> {
  const newest = dialect.claim?.idNames[0] ?? name;
  if (name === newest) return { known: true, value: false };
  return mapAnswer(await view.get({ dialect, name: newest }), (id) => id !== undefined && !isTerminating(id));
}

/**
 * Reports the deletion of an id, unless it still exists under its newer name.
 * @param member whether to report it for a member of a ClusterSet, or for a cluster that is none
 */
export async function reportDeletedId(
  context: Context,
  { member }: { member: boolean },
): Promise<readonly RuleResult[]> {
  const [inSet, newer] = await Promise.all([inClusterSet(context), newerIdStays(context)]);
  if ((inSet.known && inSet.value !== member) || (newer.known && newer.value)) return [];
  if (!inSet.known) return [{ path: NAME, unknown: inSet.reason }];
  if (!newer.known) return [{ path: NAME, unknown: newer.reason }];
  const data = { name: context.name, membership: claimDetails(context).membershipName };
  return [{ path: NAME, messageId: 'deleted', data }];
}

/** Reads the claims with the cluster's id that exist, the newer name first. */
export async function readIds(dialect: Dialect, view: ClusterView): Promise<Answer<readonly JsonObject[]>> {
  const answers = await Promise.all((dialect.claim?.idNames ?? []).map((name) => view.get({ dialect, name })));
  const unread = answers.find((answer) => !answer.known);
  if (unread !== undefined) return unread;
  const ids = answers.flatMap((answer) => (answer.known && answer.value !== undefined ? [answer.value] : []));
  return { known: true, value: ids };
}
