/** Reports parts of charts and kustomizations that are not evaluated, but may hold or change objects of our kinds. */
import { getOrInsert } from '../base/collections.ts';
import { textAt } from '../base/json.ts';
import { errorAbout, readText, type TextRead } from '../documents/files.ts';
import { couldNameOurs, LINE_BREAK, readManifests, type SourceError } from '../documents/index.ts';
import type { Kustomization } from './layouts/kustomization.ts';
import type { ReadPlan } from './layouts/read-plan.ts';
import { unnamedChanges, unwalkedParts } from './layouts/unwalked.ts';
import { dialectOfObject, evaluatedIn, type InputObject } from './objects.ts';
import type { Place } from './place.ts';

/** Called with each part of a chart or kustomization that names a kind of muster, and is not evaluated. */
export type OnUnevaluated = (part: SourceError & Pick<Place, 'cluster'>) => void;

/** Reports a part that may name a kind of muster. A file that can't be decoded may, too. */
export function reportUnevaluated(read: TextRead, file: string, part: string, report?: OnUnevaluated): void {
  const text = 'text' in read ? read.text : '';
  if (report === undefined || ('text' in read && !couldNameOurs(text))) return;
  const line = text.split(LINE_BREAK).findIndex(couldNameOurs) + 1 || 1;
  report({ file, line, column: 1, message: part });
}

/** Reports the parts of unrendered folders that a walk does not find, or does not recognize. */
export function reportUnwalked(plan: ReadPlan, files: readonly string[], report: OnUnevaluated): void {
  if (plan.unrendered.length === 0) return;
  const { tree } = plan.layout;
  const walked = new Set(files.map((file) => tree.pathOf(file)));
  const held = new Map<string, HeldObjects | undefined>();
  /** Several kustomizations may list one file, which is read once. */
  const heldIn = (file: string) => getOrInsert(held, file, () => readOurs(file));
  for (const { file, part, isManifest } of unwalkedParts(plan, walked)) {
    const objects = isManifest ? heldIn(file) : undefined;
    if (objects?.isUnclear === false && objects.objects.length === 0) continue;
    reportUnevaluated(readText(file), tree.nameOf(file), part, report);
  }
  const changing = new Set<string>();
  for (const { kustomizations, resources } of unnamedChanges(plan)) {
    const listed = resources.flatMap((file) => heldIn(file) ?? []);
    for (const one of kustomizations) if (listed.some((objects) => mayChange(one, objects))) changing.add(one.file);
  }
  for (const file of changing)
    report(errorAbout(tree.nameOf(file), 'it may change objects in the files that it lists'));
}

/** The objects of muster's kinds in a manifest. */
interface HeldObjects {
  readonly objects: readonly InputObject[];
  /** Whether a document can't be read, which may hold more of them. */
  readonly isUnclear: boolean;
}

/** Reads the objects of muster's kinds in a manifest; undefined if the file can't be read. */
function readOurs(file: string): HeldObjects | undefined {
  const read = readText(file);
  if ('message' in read) return undefined;
  const batches = [...readManifests(read.text, file)];
  const documents = batches.flatMap((batch) => batch.documents);
  return {
    objects: documents.flatMap(evaluatedIn),
    isUnclear: batches.some(({ errors }) => errors.length > 0),
  };
}

/** Returns whether a kustomization may change one of the objects. One that already has its namespace stays as it is. */
function mayChange({ mayChangeOurs, namespace }: Kustomization, { objects, isUnclear }: HeldObjects): boolean {
  const isMoved = ({ object }: InputObject) =>
    dialectOfObject(object)?.scope === 'Namespaced' && textAt(object, ['metadata', 'namespace']) !== namespace;
  return isUnclear || objects.some((one) => mayChangeOurs || isMoved(one));
}
