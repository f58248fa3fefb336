/** `muster test --record`: writes a suite of the current results. It is read back and evaluated before it is written. */
import { existsSync } from 'node:fs';
import { dirname, isAbsolute, relative } from 'node:path';
import { dialects } from '../../api/dialects.ts';
import type { JsonObject } from '../../base/json.ts';
import { createFilesView, type InputObject, readObjects, readState } from '../../cluster/files/index.ts';
import { MOST_ENTRIES } from '../../config/schema.ts';
import { readDocuments } from '../../documents/index.ts';
import { createEngine } from '../../engine/index.ts';
import type { Identity } from '../../rules/rule.ts';
import { createSession } from '../check/operations.ts';
import { type CheckError, errorOf } from '../output/report.ts';
import { createFile, replaceFile } from '../output/safe-file.ts';
import { escapeText } from '../output/terminal.ts';
import { errorLine } from '../output/text.ts';
import { identityOf, loadPolicy, readStdin, UsageError } from '../shared.ts';
import { composeSuite, type RecordedWrite } from './compose.ts';
import { evaluateCase, type Result } from './evaluate.ts';
import { accessProblem, boundaryOf, createReferencedFiles, errorIn, isSuite } from './files.ts';
import { type Case, readSuite } from './read-suite.ts';
import type { TestFlags, TestRun } from './run.ts';
import { SUFFIXES } from './schema.ts';

/** `paths` are manifests, or AdmissionReviews. */
export interface Recording extends Pick<TestRun, 'paths' | 'policy' | 'now'> {
  readonly deleted: readonly string[];
  readonly state: readonly string[];
  readonly identity: Identity | undefined;
  /** Where the suite will be: its paths are relative to there. */
  readonly file: string;
  /** The configuration as the suite is to name it. */
  readonly config: string | undefined;
  readonly stdin: () => Promise<Uint8Array>;
}

export type Recorded =
  | { readonly text: string; readonly tests: number; readonly skipped: number }
  /** What could not be read or evaluated. Then there is no suite: it would look complete. */
  | { readonly errors: readonly CheckError[] };

/**
 * Records a suite; overwrites a file only with --force. Sets the process's exit code. @throws UsageError, ConfigError
 * @param suite the file to write; `-`: standard output
 */
export async function recordCommand(paths: readonly string[], flags: TestFlags, suite: string): Promise<void> {
  const { config, force = false } = flags;
  const input = inputOf(paths, flags);
  const toFile = suite !== '-';
  const exists = `${suite} exists already: --force overwrites it`;
  if (toFile && !isSuite(suite))
    throw new UsageError(
      `--record ${suite}: the file of a suite is named *${SUFFIXES[0]}, or muster test would not find it`,
    );
  if (!force && toFile && existsSync(suite)) throw new UsageError(exists);
  const policy = await loadPolicy(config);
  const file = toFile ? suite : 'recorded.muster-test.yaml';
  const boundary = boundaryOf(file, []);
  const isOutside = config !== undefined && accessProblem(config, boundary) !== undefined;
  const path =
    config === undefined || isAbsolute(config) ? config : relative(dirname(file), config).replaceAll('\\', '/');
  const named = isOutside ? undefined : path;
  const recorded = await recordSuite({ ...input, file, config: named, policy, stdin: readStdin, now: Date.now() });
  if ('errors' in recorded) {
    process.exitCode = 2;
    for (const line of [...recorded.errors.map(errorLine), 'nothing was recorded']) process.stderr.write(`${line}\n`);
    return;
  }
  const { text, tests, skipped } = recorded;
  if (toFile) {
    // A file that somebody else made in the meantime stays.
    const problem = force ? replaceFile(suite, [text]) : createFile(suite, [text]);
    if (problem !== undefined) throw new UsageError(problem === 'EEXIST' ? exists : `can't write ${suite}: ${problem}`);
  } else process.stdout.write(text);
  const outside = `${config} is outside of ${boundary}, so the suite names no configuration: run it with --config ${config}`;
  if (isOutside) process.stderr.write(`note: ${escapeText(outside)}\n`);
  const left = skipped > 0 ? `; ${skipped} skipped, of kinds that muster does not evaluate` : '';
  const where = toFile ? `${escapeText(suite)}: ` : '';
  process.stderr.write(`${where}${tests} test${tests === 1 ? '' : 's'} recorded${left}\n`);
}

/** Returns what to record. @throws UsageError */
function inputOf(paths: readonly string[], { state = [], deleted = [], as: username, asGroup = [] }: TestFlags) {
  const all = [...paths, ...deleted, ...state];
  if (paths.length + deleted.length === 0)
    throw new UsageError('nothing to record: name manifests, "-" for standard input, or --deleted PATH');
  if (all.includes('')) throw new UsageError('a path is empty: name a file, a folder, or "-"');
  if (all.filter((path) => path === '-').length > 1)
    throw new UsageError('"-" (standard input) can be named once only');
  if (username === '') throw new UsageError('--as needs a user name');
  if (username === undefined && asGroup.length > 0) throw new UsageError('--as-group needs --as USER');
  return { paths, deleted, state, identity: username === undefined ? undefined : identityOf(username, asGroup) };
}

/** Returns the text of a suite. @throws UsageError if there is nothing to record, or too much */
export async function recordSuite(recording: Recording): Promise<Recorded> {
  const { writes, errors, skipped } = await collectWrites(recording);
  if (errors.length > 0) return { errors };
  if (writes.length === 0) throw new UsageError('nothing to record: no object is of a kind that muster evaluates');
  if (writes.length > MOST_ENTRIES) {
    throw new UsageError(
      `${writes.length} writes are more than a suite has tests (${MOST_ENTRIES}): record them in parts`,
    );
  }
  const results: Result[] = [];
  for (const one of await readBack(composeSuite({ ...recording, writes }), recording)) {
    const result = await evaluateCase(one, recording.now);
    if ('problem' in result) return { errors: [errorIn(recording.file, result.problem)] };
    results.push(result);
  }
  return { text: composeSuite({ ...recording, writes }, results), tests: results.length, skipped };
}

/** Collects the writes of deletions first, then of documents; each sees those before it as stored, unless they were denied. */
async function collectWrites({ paths, deleted, state, policy, identity, now, stdin }: Recording) {
  const before = await readState(state, { stdin });
  const documents = await readObjects(paths, { stdin });
  const deletions = await readObjects(deleted, { stdin });
  const view = createFilesView({ state: before.objects, known: dialects });
  const engine = createEngine({ point: 'webhook', live: true, clock: () => now, ...(policy && { policy }) });
  const session = createSession({ engine, view, identity, subresource: undefined, clock: () => now });
  const errors = [...before.errors, ...documents.errors, ...deletions.errors].map(errorOf);
  const writes: RecordedWrite[] = [];
  let skipped = documents.skipped + deletions.skipped;
  const record = async (one: InputObject, operation: 'apply' | 'remove') => {
    const states = new Map<string, readonly JsonObject[]>();
    for (const dialect of dialects) {
      const listed = await view.list(dialect);
      states.set(dialect.name, listed.known ? listed.value : []);
    }
    const evaluated = await session[operation](one);
    if ('problem' in evaluated)
      return void errors.push({ file: one.source, ...one.locate(evaluated.at), message: evaluated.problem });
    if (evaluated.length === 0) skipped++;
    for (const { subject } of evaluated) writes.push({ subject, state: states.get(subject.dialect.name) ?? [] });
  };
  for (const one of deletions.objects) await record(one, 'remove');
  for (const one of documents.objects) await record(one, 'apply');
  return { writes, errors, skipped };
}

/** Returns the cases that `muster test` will run. */
async function readBack(text: string, { file, policy, now }: Recording): Promise<readonly Case[]> {
  const { documents, errors: broken } = readDocuments(text, file);
  const document = documents[0];
  // The configuration is loaded already, and need not be where the suite will look for it.
  const files = { ...createReferencedFiles(now), policy: async () => policy };
  const reading = document && (await readSuite(document, { files, boundary: boundaryOf(file, []), policy, now }));
  const problem = [...broken, ...(reading?.errors ?? [])][0];
  if (reading && !problem) return reading.cases;
  throw new Error(`the recorded suite can't be read back: ${problem?.line}: ${problem?.message}`);
}
