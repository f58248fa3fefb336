/** What was given to be judged: the objects of files, without those that nobody judges. */
import { dialectOf } from '../../api/dialects.ts';
import { type GivenObject, type ObjectError, objectsIn } from './objects.ts';
import { readEach, type SourcesOptions } from './sources.ts';

export interface Given {
  /** Of kinds that muster judges, in any version, and AdmissionReviews. */
  readonly objects: readonly GivenObject[];
  readonly errors: readonly ObjectError[];
  /** Objects of other kinds, and documents that are no Kubernetes objects. Nothing else is kept of them. */
  readonly skipped: number;
}

/** Reads the objects of the paths, in the order given. Never throws on bad input. */
export async function readObjects(paths: readonly string[], options: SourcesOptions = {}): Promise<Given> {
  const objects: GivenObject[] = [];
  const [unread, wrong]: [ObjectError[], ObjectError[]] = [[], []];
  let skipped = 0;
  for await (const { documents, errors } of readEach(paths, options)) {
    for (const error of errors) unread.push(error);
    for (const document of documents) {
      const found = objectsIn(document);
      for (const error of found.errors) wrong.push(error);
      skipped += found.foreign;
      for (const object of found.objects) {
        if (isJudged(object)) objects.push(object);
        else skipped += 1;
      }
    }
  }
  return { objects, errors: [...unread, ...wrong], skipped };
}

/** Whether an object is of a kind that muster judges, or asks about one that may be. */
export function isJudged({ apiVersion, kind }: Pick<GivenObject, 'apiVersion' | 'kind'>): boolean {
  const [group = '', version] = apiVersion.split('/');
  if (version === undefined) return false;
  return dialectOf(group, kind) !== undefined || (group === 'admission.k8s.io' && kind === 'AdmissionReview');
}
