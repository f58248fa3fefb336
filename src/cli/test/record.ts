/** `muster test --record`: a suite of what is decided now, which is read back and judged before it is handed out. */
import { readDocuments } from '../../documents/index.ts';
import type { CheckError } from '../output/report.ts';
import { UsageError } from '../shared.ts';
import { boundaryOf } from './boundary.ts';
import { compose } from './compose.ts';
import { createDecider, type Decided } from './decide.ts';
import { createLibrary } from './library.ts';
import { printed } from './print.ts';
import { MOST_TESTS, readSuite } from './read-suite.ts';
import { type Recording, recordWrites } from './recording.ts';
import type { Case } from './suite.ts';

export interface SuiteRecording extends Recording {
  /** Where the suite will lie: what it names counts from there. */
  readonly file: string;
  /** The configuration, as the suite is to name it. */
  readonly config: string | undefined;
}

export type Recorded =
  | { readonly text: string; readonly tests: number; readonly skipped: number }
  /** What could not be read or judged. Then there is no suite: it would look whole. */
  | { readonly errors: readonly CheckError[] };

/** Throws UsageError where there is nothing to record, or too much. */
export async function recordSuite(recording: SuiteRecording): Promise<Recorded> {
  const { recorded, errors, skipped } = await recordWrites(recording);
  if (errors.length > 0) return { errors };
  if (recorded.length === 0) throw new UsageError('nothing to record: no object there is of a kind that muster judges');
  if (recorded.length > MOST_TESTS) {
    throw new UsageError(
      `${recorded.length} writes are more than a suite has tests (${MOST_TESTS}): record them in parts`,
    );
  }
  const { config, now } = recording;
  const composition = { config, now, recorded };
  const cases = await readBack(printed(compose(composition)), recording);
  const decide = createDecider(now);
  const decided: Decided[] = [];
  for (const one of cases) {
    const decision = await decide(one);
    if ('crash' in decision) return { errors: [crashOf(one, decision.crash)] };
    decided.push(decision.decided);
  }
  return { text: printed(compose(composition, decided)), tests: decided.length, skipped };
}

/** The cases that `muster test` will see. That it can't read what was just written is our bug. */
async function readBack(text: string, { file, policy, now }: SuiteRecording): Promise<readonly Case[]> {
  const { documents, errors: broken } = readDocuments(text, file);
  const document = documents[0];
  // The policy is at hand already, and its file need not be where the suite will look for it.
  const library = { ...createLibrary(now), policy: async () => (policy ? { value: policy } : { problems: [] }) };
  const reading = document && (await readSuite(document, { library, boundary: boundaryOf(file, []), policy, now }));
  const problem = [...broken, ...(reading?.errors ?? [])][0];
  if (!reading || problem)
    throw new Error(`the recorded suite can't be read back: ${problem?.line}: ${problem?.message}`);
  return reading.cases;
}

function crashOf({ name }: Case, { ruleId, error }: { readonly ruleId: string; readonly error: unknown }): CheckError {
  const reason = error instanceof Error ? error.message : error;
  return { file: name, line: 1, column: 1, message: `[${ruleId}] broke (a bug in muster): ${reason}` };
}
