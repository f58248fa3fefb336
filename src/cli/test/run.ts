/** One `muster test`: finds the suites, reads them whole, runs their cases, and reports. */
import { readDocuments } from '../../documents/index.ts';
import type { Policy } from '../../engine/index.ts';
import { type CheckError, errorOf } from '../output/report.ts';
import { boundaryOf } from './boundary.ts';
import { differencesOf } from './compare.ts';
import { createDecider } from './decide.ts';
import { errorIn, findSuites } from './find.ts';
import { createLibrary, type Library, suiteText } from './library.ts';
import { readSuite } from './read-suite.ts';
import { reportOf, type TestReport, type TestResult } from './report.ts';
import type { Case } from './suite.ts';

export interface TestRun {
  readonly paths: readonly string[];
  /** For suites that name no configuration; undefined: what holds without. */
  readonly policy?: Policy | undefined;
  /** Only tests whose name contains this, in whatever case. */
  readonly filter?: string | undefined;
  /** Milliseconds since the epoch: one moment for the whole run. */
  readonly now: number;
}

export interface Tested {
  readonly report: TestReport;
  /** Of configurations, one line each. */
  readonly warnings: readonly string[];
}

/** Runs all suites. One that has a problem is not run at all; the others are. */
export async function runTests(run: TestRun): Promise<Tested> {
  const { files, errors: missing } = findSuites(run.paths);
  const library = createLibrary(run.now);
  const gathered: Gathering = { results: [], errors: [...missing], warnings: [], skipped: 0 };
  const decide = createDecider(run.now);
  for (const file of files) await runFile(file, { ...run, library, decide }, gathered);
  if (run.filter !== undefined && gathered.results.length + gathered.errors.length === 0) {
    gathered.errors.push(errorIn(files[0] ?? '', `no test has "${run.filter}" in its name (--filter)`));
  }
  const report = reportOf({ ...gathered, suites: files.length });
  return { report, warnings: [...library.warnings, ...gathered.warnings] };
}

interface Gathering {
  readonly results: TestResult[];
  readonly errors: CheckError[];
  readonly warnings: string[];
  skipped: number;
}

interface Running extends TestRun {
  readonly library: Library;
  readonly decide: ReturnType<typeof createDecider>;
}

async function runFile(file: string, run: Running, into: Gathering): Promise<void> {
  const boundary = boundaryOf(file, run.paths);
  const text = suiteText(file, boundary);
  if ('problems' in text) {
    into.errors.push(...text.problems.map((problem) => errorIn(file, problem)));
    return;
  }
  const { documents, errors } = readDocuments(text.value, file);
  into.errors.push(...errors.map(errorOf));
  if (documents.length + errors.length === 0) into.errors.push(errorIn(file, 'empty; expected a MusterTest'));
  for (const document of documents) {
    const suite = await readSuite(document, { library: run.library, boundary, policy: run.policy, now: run.now });
    into.errors.push(...suite.errors);
    into.warnings.push(...suite.warnings);
    for (const one of suite.cases) await runCase(one, run, into);
  }
}

async function runCase(one: Case, { filter, decide }: Running, into: Gathering): Promise<void> {
  if (filter !== undefined && !one.name.toLowerCase().includes(filter.toLowerCase())) {
    into.skipped++;
    return;
  }
  const { file, name } = one;
  const { line, column } = one.place;
  const decision = await decide(one);
  if ('crash' in decision) {
    const { ruleId, error } = decision.crash;
    const reason = error instanceof Error ? error.message : error;
    into.errors.push({ file, line, column, message: `[${ruleId}] broke in "${name}" (a bug in muster): ${reason}` });
    return;
  }
  const differences = differencesOf(one, decision.decided);
  const outcome = differences.length === 0 ? 'passed' : 'failed';
  into.results.push({ file, line, column, name, outcome, got: decision.decided, differences });
}
