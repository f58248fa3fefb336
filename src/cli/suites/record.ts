/**
 * `muster test --record`: writes a suite of the current results. It is read back and evaluated before it is written.
 */

import { existsSync } from 'node:fs';
import { dirname, isAbsolute, relative } from 'node:path';
import { supportingKinds } from '../../api/supporting-kinds.ts';
import { addAll } from '../../base/collections.ts';
import type { JsonObject } from '../../base/json.ts';
import { counted, escapeControls } from '../../base/text.ts';
import { UsageError } from '../../base/usage-error.ts';
import { API_VERSION, MOST_ENTRIES } from '../../config/schema.ts';
import { errorAbout } from '../../documents/files.ts';
import { readDocuments } from '../../documents/index.ts';
import type { PlacedMessage } from '../../input/place.ts';
import { readObjects } from '../../input/sources.ts';
import { readSupporting } from '../../input/supporting.ts';
import { toYaml } from '../../manifests/manifest.ts';
import { escapedJson } from '../../report/json.ts';
import { createFile, replaceFile } from '../../report/safe-file.ts';
import { escapeFile } from '../../report/terminal.ts';
import { errorLine } from '../../report/text.ts';
import type { Identity } from '../../rules/rule.ts';
import { identityIn, loadSettings, readStdin, refuseUnclearInput } from '../shared.ts';
import { evaluateCase, together, type WriteResult } from './evaluate-case.ts';
import { accessProblem, boundaryOf, createReferencedFiles, isSuite } from './files.ts';
import { type Case, readSuite } from './read-suite.ts';
import type { TestFlags, TestRun } from './run.ts';
import { KIND, LONGEST_PATTERN, SUFFIXES } from './suite-schema.ts';

/** `paths` are manifests, or AdmissionReviews. */
interface Recording extends Pick<TestRun, 'paths' | 'policy' | 'now'> {
  readonly deleted: readonly string[];
  readonly state: readonly string[];
  readonly identity: Identity | undefined;
  /** The groups that were named, without those of every user. */
  readonly groups: readonly string[];
  /** Where the suite will be: its paths are relative to there. */
  readonly file: string;
  /** The configuration as the suite is to name it. */
  readonly config: string | undefined;
  readonly stdin: () => Promise<Uint8Array>;
}

export type Recorded =
  | { readonly text: string; readonly writes: number; readonly skipped: number }
  /** What could not be read or evaluated. Then there is no suite, since it would look complete. */
  | { readonly errors: readonly PlacedMessage[] };

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
  const policy = (await loadSettings(config))?.policy;
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
  const { text, writes, skipped } = recorded;
  if (toFile) {
    // A file that somebody else made in the meantime stays.
    const problem = force ? replaceFile(suite, [text]) : createFile(suite, [text]);
    if (problem !== undefined) throw new UsageError(problem === 'EEXIST' ? exists : `can't write ${suite}: ${problem}`);
  } else process.stdout.write(text);
  const fix = `run it with --config ${config}`;
  const outside = `${config} is outside of ${boundary}, so the suite names no configuration: ${fix}`;
  if (isOutside) process.stderr.write(`note: ${escapeControls(outside)}\n`);
  const left = skipped > 0 ? `; ${skipped} skipped, of kinds that muster does not evaluate` : '';
  const where = toFile ? `${escapeFile(suite)}: ` : '';
  process.stderr.write(`${where}${counted(writes, 'write')} recorded${left}\n`);
}

/** Returns what to record. @throws UsageError */
function inputOf(paths: readonly string[], { state = [], deleted = [], as: username, asGroup = [] }: TestFlags) {
  if (paths.length + deleted.length === 0)
    throw new UsageError('nothing to record: name manifests, "-" for standard input, or --deleted PATH');
  refuseUnclearInput([...paths, ...deleted, ...state]);
  return { paths, deleted, state, identity: identityIn(username, asGroup), groups: asGroup };
}

/** Returns the text of a suite. @throws UsageError if there is nothing to record, or too much */
export async function recordSuite(recording: Recording): Promise<Recorded> {
  const { file, now } = recording;
  const { written, skipped, errors: unread } = await readEntries(recording);
  if (unread.length > 0) return { errors: unread };
  if (written.check.length + written.deleted.length === 0) throw new UsageError(NOTHING_EVALUATED);
  const elsewhere = `name a file in ${boundaryOf(file, [])} with --state`;
  const parts = 'record them in parts';
  for (const [key, entries] of Object.entries(written))
    refuseTooMany(`objects in "${key}"`, entries, key === 'state' ? elsewhere : parts);
  const { writes, errors } = await evaluateCase(await readBack(textOf(recording, written), recording), now);
  if (errors.length > 0) return { errors: errors.map((error) => ({ ...errorAbout(file, ''), ...error })) };
  if (writes.length === 0) throw new UsageError(NOTHING_EVALUATED);
  const expected = [...Map.groupBy(writes, keyOf).values()].map(expectationOf);
  refuseTooMany('writes', expected, parts);
  return { text: textOf(recording, written, expected), writes: writes.length, skipped };
}

function refuseTooMany(what: string, { length }: readonly unknown[], fix: string): void {
  if (length > MOST_ENTRIES)
    throw new UsageError(`${length} ${what} are more than a suite lists (${MOST_ENTRIES}): ${fix}`);
}

const NOTHING_EVALUATED = 'nothing to record: no object is of a kind that muster evaluates';

type WrittenInput = Readonly<Partial<Record<'check' | 'deleted' | 'state', readonly (string | JsonObject)[]>>>;

/**
 * Returns the input as a suite has it: paths are relative to the suite, and objects in files that it may not read are
 * written out. Errors say what can't be read.
 */
async function readEntries({ paths, deleted, state, file, stdin }: Recording) {
  const boundary = boundaryOf(file, []);
  const errors: PlacedMessage[] = [];
  let skipped = 0;
  const entriesOf = async (named: readonly string[]) => {
    const entries: (string | JsonObject)[] = [];
    for (const path of named) {
      const input = await readObjects([path], { stdin });
      addAll(errors, input.errors);
      skipped += input.skipped;
      // Without the Services of exports, the verdicts on these could differ.
      const supporting = Map.groupBy(readSupporting(input.supporting).objects, ({ kind }) => kind);
      const objects = [...input.objects, ...supportingKinds.flatMap(({ kind }) => supporting.get(kind) ?? [])];
      const isReadable = path !== '-' && accessProblem(path, boundary) === undefined && objects.length > 0;
      if (isReadable) entries.push(relativeTo(file, path));
      else
        addAll(
          entries,
          objects.map(({ object }) => object),
        );
    }
    return entries;
  };
  const written = { check: await entriesOf(paths), deleted: await entriesOf(deleted), state: await entriesOf(state) };
  return { written, skipped, errors };
}

/** Returns a path as a suite names it. A relative one begins with a dot, so that it is no keyword of the suite. */
function relativeTo(suite: string, path: string): string {
  if (isAbsolute(path)) return path;
  const text = relative(dirname(suite), path).replaceAll('\\', '/') || '.';
  return text.startsWith('.') ? text : `./${text}`;
}

const HEAD =
  '# Written by muster test --record: the results at that time. Change it as you like; muster test runs it.\n';

/** Returns the text of the suite. Without expectations it has a placeholder. */
function textOf(
  { config, now, identity, groups, file }: Recording,
  written: WrittenInput,
  expected?: readonly object[],
): string {
  const { check = [], deleted = [], state = [] } = written;
  const test = {
    name: 'recorded',
    ...(state.length > 0 && { state }),
    ...(deleted.length > 0 && { deleted }),
    ...(check.length > 0 && { check }),
    ...(identity && { as: identity.username }),
    ...(groups.length > 0 && { asGroup: groups }),
    now: new Date(now).toISOString(),
    expect: expected ?? 'allowed',
  };
  const suite = { apiVersion: API_VERSION, kind: KIND, ...(config !== undefined && { config }), tests: [test] };
  const json = () => `${escapedJson(JSON.stringify(suite, null, 2))}\n`;
  if (file.endsWith('.json')) return json();
  const yaml = HEAD + toYaml(suite);
  // JSON where YAML would not be read back the same: line breaks that only YAML 1.1 has, for example.
  const { documents, errors } = readDocuments(yaml, '');
  if (errors.length === 0 && JSON.stringify(documents[0]?.value) === JSON.stringify(suite)) return yaml;
  return json();
}

function keyOf({ object, operation, subresource }: WriteResult): string {
  return JSON.stringify([object, operation, subresource]);
}

/** Expects exactly this result: the test notices one more warning, or another word. */
function expectationOf(writes: readonly WriteResult[]): JsonObject {
  const [{ object, operation, subresource }] = writes as [WriteResult];
  const { verdict, rules, warnings, audits, code, message } = together(writes);
  const escaped = message.split('\n').map((line) => line.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  const pattern = `^${escaped.join('\\n')}$`;
  return {
    object,
    operation,
    subresource,
    verdict,
    ...(rules.length > 0 && { rules }),
    ...(code !== undefined && { code }),
    warnings,
    ...(audits.length > 0 && { audits }),
    ...(message !== '' && pattern.length <= LONGEST_PATTERN && { message: pattern }),
  };
}

/** Returns the test that `muster test` will run. */
async function readBack(text: string, { file, policy, now }: Recording): Promise<Case> {
  const { documents, errors: broken } = readDocuments(text, file);
  const document = documents[0];
  // The configuration is loaded already, and need not be where the suite will look for it.
  const files = { ...createReferencedFiles(now), policy: async () => policy };
  const reading = document && (await readSuite(document, { files, boundary: boundaryOf(file, []), policy, now }));
  const problem = [...broken, ...(reading?.errors ?? [])][0];
  const [one] = reading?.cases ?? [];
  if (one && !problem) return one;
  throw new Error(`the recorded suite can't be read back: ${problem?.line}: ${problem?.message}`);
}
