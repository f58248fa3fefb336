/** Compares the objects of a check, of one cluster or of several, once all are evaluated, and adds what is found to the results. */

import type { Path } from '../../base/json.ts';
import { dialectOfObject, keyOf } from '../../cluster/files/index.ts';
import { type ComparisonOptions, createComparison } from '../../engine/index.ts';
import type { Reference } from '../../rules/rule.ts';
import { type ObjectPlace, withCompared } from '../output/compared.ts';
import {
  type CheckError,
  type CheckResult,
  crashesOf,
  objectName,
  type Place,
  placeIn,
  placeOf,
} from '../output/report.ts';
import type { ReadCluster } from './clusters/inputs.ts';
import type { ClusterOutcome, LastResult } from './evaluate.ts';
import type { StatePlaces } from './previous-state.ts';

/** Where an object is, and which result is about it. */
interface Handle extends ObjectPlace {
  /** The position among the results of the run; undefined for an object that was not evaluated. */
  readonly index?: number;
  readonly sourceLine?: CheckResult['sourceLine'];
}

export interface ObjectComparison {
  /** Adds a cluster. @param first the position of its first result among those of the run */
  add(cluster: ReadCluster, outcome: ClusterOutcome, first: number): void;
  /** Adds what is found to the results and, for a bug of ours, to the errors. */
  finish(results: CheckResult[], errors: CheckError[]): Promise<void>;
}

/** Starts a comparison. What was there before is no finding. */
export function compareObjects(options: Omit<ComparisonOptions, 'point'>): ObjectComparison {
  const ofCheck = { ...options, point: 'check' } as const;
  const now = createComparison<Handle>(ofCheck);
  const before = createComparison<undefined>(ofCheck);
  return {
    add(cluster, { view, last, before: known, places }, first) {
      const { name = '' } = cluster;
      const part = now.begin(name);
      for (const { reference, object } of view.all()) {
        const key = keyOf(reference);
        const one = last.get(key);
        const handle = one
          ? { ...evaluatedAt(name, one), index: first + one.index }
          : stateOf(cluster, reference, places);
        part.add(reference.dialect, object, handle);
      }
      part.commit();
      const earlier = before.begin(name);
      for (const object of known) {
        const dialect = dialectOfObject(object);
        if (dialect) earlier.add(dialect, object, undefined);
      }
      earlier.commit();
    },
    async finish(results, errors) {
      for (const compared of await now.finish(before)) {
        const { index, sourceLine } = compared.handle;
        const result = index === undefined ? undefined : results[index];
        // Of an object that exists and is not checked, the others say what is wrong.
        if (index === undefined || result === undefined) continue;
        const found = withCompared(result, compared, (handle) => handle);
        results[index] = sourceLine && found.findings.length > 0 ? { ...found, sourceLine } : found;
        errors.push(...crashesOf(compared.verdict, placeOf(result)));
      }
    },
  };
}

function evaluatedAt(cluster: string, { input, at }: LastResult): Handle {
  const { start, sourceLine, locate } = input;
  const place = inCluster(cluster, placeIn(input, start));
  return { place, sourceLine, locate: (path: Path) => locate([...at, ...path]) };
}

/** Where an object of the previous state is: where it begins in a file of `--state`, or in the cluster. */
function stateOf({ name = '' }: ReadCluster, reference: Reference, places: StatePlaces): Handle {
  const { dialect, name: object, namespace = '' } = reference;
  const about = objectName({ kind: dialect.kind, namespace, name: object });
  return { place: inCluster(name, places.get(keyOf(reference)) ?? { about }), locate: () => ({}) };
}

function inCluster(cluster: string, place: Place): Place {
  return cluster === '' ? place : { cluster, ...place };
}
