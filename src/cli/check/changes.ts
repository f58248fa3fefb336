/** What `--base-ref` tells. On its own, so that a run without it need not load what speaks with git. */
import { identityOf } from './base-objects.ts';
import { type Base, readBase } from './base-ref.ts';
import type { BeforeRequest, Given } from './before.ts';

/** What the paths held at a revision, and what is deleted since; what is given as deleted is not told twice. */
export async function readChanges(request: BeforeRequest, ref: string, given: Given): Promise<Base> {
  const { documents, deletions, errors } = given;
  const unreadable = new Set(errors.map(({ file }) => file));
  const aside = [...request.deleted, ...(request.state ?? [])];
  const base = await readBase({ ref, paths: request.paths, aside, documents, unreadable });
  const named = new Set(deletions.map(identityOf));
  return { ...base, deletions: base.deletions.filter((one) => !named.has(identityOf(one))) };
}
