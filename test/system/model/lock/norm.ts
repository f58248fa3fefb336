/** What must hold: of each step, in the words of the norm alone, and of what is left once all requests have ended. */
import { MEMBERSHIP, type Name, type SystemState, type Write } from './system-state.ts';
import type { Setting } from './translator.ts';

/** The invariants, by the names that reports use. */
const INVARIANTS = {
  exists: 'a member always has an id',
  stays: "a member's id never changes",
  agree: 'two ids never contradict while a member',
  free: "no write is blocked longer than the lock's lifetime after its rival ended",
  alone: 'a writer alone is never refused',
} as const;
export type Invariant = keyof typeof INVARIANTS;

const IDS: readonly Name[] = [0, 1];

/** Returns the invariant that the step breaks. */
export function brokenBy(before: SystemState, after: SystemState, { strict }: Setting): Invariant | undefined {
  const { objects } = after;
  if (!objects[MEMBERSHIP] || before.objects === objects) return undefined;
  const stays = IDS.some((name) => objects[name] && !objects[name].going);
  const wasMember = before.objects[MEMBERSHIP]?.uid === objects[MEMBERSHIP].uid;
  const had = wasMember && IDS.some((name) => before.objects[name]);
  if (!stays && (strict || had)) return 'exists';
  const [newer, older] = objects;
  if (newer && older && newer.value !== older.value) return 'agree';
  const values = IDS.flatMap((name) => before.objects[name]?.value ?? []);
  const isChanged = IDS.some((name) => objects[name] && !values.includes(objects[name].value));
  return had && isChanged ? 'stays' : undefined;
}

/**
 * Whether the norm permits a write while no other is under way. Undefined: the object exists, so that the API server
 * refuses it anyway.
 */
export function permits(
  { objects }: SystemState,
  { operation, name, value }: Write,
  { strict }: Setting,
): boolean | undefined {
  const stored = objects[name];
  const member = objects[MEMBERSHIP];
  if (operation === 'CREATE' && stored) return undefined;
  const ids = IDS.flatMap((id) => objects[id] ?? []);
  if (name === MEMBERSHIP) {
    if (operation === 'DELETE') return true;
    if (new Set(ids.map((id) => id.value)).size > 1) return false;
    return ids.length === 0 ? !strict : ids.some(({ going }) => !going);
  }
  if (!member) return true;
  if (operation === 'CREATE') return ids.every((id) => id.value === value);
  if (operation === 'UPDATE') return stored?.value === value;
  return stored?.going === 1 || (name === 1 && objects[0] != null && !objects[0].going);
}
