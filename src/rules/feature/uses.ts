/** The entries of `status.uses`: one per (version, enabled). */
import { isObject, type Json, textOf } from '../../base/json.ts';

/** Returns the version that an entry reports for. */
export function versionOf(use: Json | undefined): string | undefined {
  return isObject(use) ? textOf(use['version']) : undefined;
}

/** Returns the value that an entry reports. */
export function enabledOf(use: Json | undefined): string | undefined {
  return isObject(use) ? textOf(use['enabled']) : undefined;
}

/** Returns the first stored entry that is missing from the written list. */
export function removedUse(before: readonly Json[], after: readonly Json[]): Json | undefined {
  const kept = new Set(after.map(keyOf));
  return before.find((use) => !kept.has(keyOf(use)));
}

/**
 * Like `removedUse`, for entries with a value. If an entry can't be read, `feature/shape` reports the write and this
 * returns undefined, unless such an entry was stored already.
 */
export function removedReport(before: readonly Json[], after: readonly Json[]): Json | undefined {
  if (before.every(isUse) && !after.every(isUse)) return undefined;
  return removedUse(
    before.filter((use) => enabledOf(use) !== undefined),
    after,
  );
}

function keyOf(use: Json): string {
  return JSON.stringify([versionOf(use), enabledOf(use)]);
}

/** Whether an entry's version and value can be read. */
function isUse(use: Json): boolean {
  const enabled = enabledOf(use);
  return versionOf(use) !== undefined && (enabled === 'Enabled' || enabled === 'Disabled');
}
