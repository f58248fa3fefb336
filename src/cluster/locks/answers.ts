/** What becomes of an allowed verdict where the write can't have its intent. */
import type { Guard, Subject, Verdict } from '../../engine/index.ts';
import { fieldOf } from '../../engine/text.ts';
import { listAt, textAt } from '../../rules/json.ts';

export interface About {
  readonly subject: Subject;
  readonly guard: Guard;
}

/** 503: it may be right, but not now. */
export function withheld(verdict: Verdict, { subject, guard }: About, reason: string): Verdict {
  const field = fieldOf(subject.operation === 'DELETE' ? ['metadata', 'name'] : ['spec', 'value']);
  const message = `cannot be decided now: ${reason}`;
  return { ...verdict, outcome: 'indeterminate', indeterminate: [{ ...guard, field, message }] };
}

/**
 * 409, as the API server is about to answer. Were it allowed, its intent could never be seen to be settled, and would
 * block the identity for a minute, each time some controller creates what is there. A server-side apply that lost a race is
 * right, though: asked again, which kubectl does by itself on 503, it comes as an UPDATE.
 */
export function alreadyThere(verdict: Verdict, { subject, guard }: About): Verdict {
  if (isApplied(subject)) return withheld(verdict, { subject, guard }, 'another write has just created it; try again');
  const path = ['metadata', 'name'];
  const message = `${subject.dialect.plural} "${subject.name}" already exists`;
  const finding = { ...guard, action: 'deny', path, field: fieldOf(path), message, code: 409 } as const;
  return { ...verdict, outcome: 'denied', findings: [...verdict.findings, finding] };
}

function isApplied({ object }: Subject): boolean {
  return listAt(object, ['metadata', 'managedFields']).some((entry) => textAt(entry, ['operation']) === 'Apply');
}
