/** Objects of a cluster with what was found of them. */
import type { CheckResult } from '../output/report.ts';
import { reportedFindings } from '../output/text.ts';
import type { Findings } from './run.ts';

export interface Met {
  readonly result: CheckResult;
  readonly uid: string | undefined;
}

/** Each object with its uid. */
export function metIn({ results, uids }: Pick<Findings, 'results' | 'uids'>): readonly Met[] {
  return results.map((result, index) => ({ result, uid: uids[index] }));
}

/** Those with findings that ask for attention: what is denied before what is unknown before what is warned of. */
export function inOrderOfWeight(objects: readonly Met[]): readonly Met[] {
  const told = objects.filter(({ result }) => reportedFindings(result).length > 0);
  return told.sort((a, b) => WEIGHT[a.result.outcome] - WEIGHT[b.result.outcome]);
}

const WEIGHT = { denied: 0, indeterminate: 1, allowed: 2 } as const;
