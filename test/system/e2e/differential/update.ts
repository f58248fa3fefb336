/** One random update, and the form in which each of the three evaluators takes it. */

import type { Dialect } from '../../../../src/api/dialects.ts';
import type { JsonObject } from '../../../../src/base/json.ts';
import type { Subresource } from '../../../../src/rules/rule.ts';

/** What else exists, and which configuration holds; see `settings.ts`. */
export type Setting = 'alone' | 'member' | 'leaving' | 'configured';

export interface Update {
  readonly dialect: Dialect;
  readonly subresource: Subresource;
  readonly old: JsonObject;
  readonly object: JsonObject;
  readonly username: string;
  readonly groups: readonly string[];
  readonly setting: Setting;
}

/** `deny` and `warn` by rule id: what an evaluator found, the stronger action where a rule found several things. */
export type Found = ReadonlyMap<string, string>;

export interface Verdict {
  readonly outcome: 'allowed' | 'denied' | 'indeterminate' | 'error';
  readonly found: Found;
  /** `status.code` of a denial, where the evaluator answers with one. */
  readonly code?: number | undefined;
  /** As the evaluator put it, for people. */
  readonly texts: readonly string[];
}

export function metadataOf(object: JsonObject): JsonObject {
  return object['metadata'] as JsonObject;
}

export function nameOf({ old }: Pick<Update, 'old'>): string {
  return metadataOf(old)['name'] as string;
}

export function namespaceOf({ old }: Pick<Update, 'old'>): string | undefined {
  return metadataOf(old)['namespace'] as string | undefined;
}

export function versionOf({ object }: Pick<Update, 'object'>): string {
  return String(object['apiVersion']).split('/')[1] ?? '';
}

/** Keeps the stronger of two actions. */
export function stronger(found: Map<string, string>, ruleId: string, action: string): void {
  if (found.get(ruleId) !== 'deny') found.set(ruleId, action);
}

/** What is grouped by the same text, in the order of first appearance; each with its index. */
export function groupedBy<T>(all: readonly T[], keyOf: (one: T) => string): Map<string, { one: T; index: number }[]> {
  return Map.groupBy(
    all.map((one, index) => ({ one, index })),
    ({ one }) => keyOf(one),
  );
}
