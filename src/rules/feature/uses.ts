/** The entries of `status.uses`: one per (version, enabled). */
import { STEP, type Steps } from '../comparing.ts';
import { isObject, textOf } from '../json.ts';
import { INTERRUPTIBLE, type Json } from '../rule.ts';

/** The version that an entry reports for. */
export function versionOf(use: Json | undefined): string | undefined {
  return isObject(use) ? textOf(use['version']) : undefined;
}

/** The value that an entry reports. */
export function enabledOf(use: Json | undefined): string | undefined {
  return isObject(use) ? textOf(use['enabled']) : undefined;
}

/** Whether each stored entry is still in its place, as where a client adds one or refreshes its own: most writes are no more. */
export function stillBeginsWith(after: readonly Json[], before: readonly Json[]): boolean {
  if (before.length > Math.min(after.length, STEP)) return false;
  return before.every((use, index) => isSameUse(use, after[index]));
}

/** A stored entry with a value that is no more, or undefined. */
export function removedUse(before: readonly Json[], after: readonly Json[]): Json | undefined {
  if (stillBeginsWith(after, before)) return undefined;
  // What cannot be read is said by `feature/shape`, unless there was such an entry before.
  if (before.every(isUse) && !after.every(isUse)) return undefined;
  const kept = new Set(after.map(keyOf));
  return before.find((use) => enabledOf(use) !== undefined && !kept.has(keyOf(use)));
}

/** A stored entry that is no more, for lists of any length. */
export function* takenAway(before: readonly Json[], after: readonly Json[]): Steps<Json | undefined> {
  const kept = new Set<string>();
  for (const [index, use] of after.entries()) {
    if (index % STEP === STEP - 1) yield INTERRUPTIBLE;
    kept.add(keyOf(use));
  }
  for (const [index, use] of before.entries()) {
    if (index % STEP === STEP - 1) yield INTERRUPTIBLE;
    if (!kept.has(keyOf(use))) return use;
  }
  return undefined;
}

function keyOf(use: Json): string {
  return JSON.stringify([versionOf(use), enabledOf(use)]);
}

function isSameUse(one: Json, other: Json | undefined): boolean {
  return versionOf(one) === versionOf(other) && enabledOf(one) === enabledOf(other);
}

/** Whether an entry's version and value can be read. */
function isUse(use: Json): boolean {
  const enabled = enabledOf(use);
  return versionOf(use) !== undefined && (enabled === 'Enabled' || enabled === 'Disabled');
}
