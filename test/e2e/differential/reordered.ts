/** Whether an update puts entries of a list in another order, whatever else it does. */
import type { Json } from '../../../src/rules/rule.ts';
import type { Update } from './update.ts';

export function isReordered({ old, object }: Update): boolean {
  return reorders(old, object);
}

function reorders(before: Json, after: Json): boolean {
  if (typeof before !== 'object' || typeof after !== 'object' || before === null || after === null) return false;
  if (Array.isArray(before) && Array.isArray(after)) return areSwapped(before, after);
  const [a, b] = [before, after] as Record<string, Json>[];
  return Object.keys(a ?? {}).some((key) => reorders(a?.[key] ?? null, b?.[key] ?? null));
}

/** Two that are in both lists, and stand the other way round. */
function areSwapped(before: readonly Json[], after: readonly Json[]): boolean {
  const texts = after.map((entry) => JSON.stringify(entry));
  const places = before.map((entry) => texts.indexOf(JSON.stringify(entry))).filter((place) => place >= 0);
  return places.some((place, index) => index > 0 && place < (places[index - 1] ?? 0));
}
