/** Loads a configuration file, and reports each problem with its line. */
import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import type { JsonObject } from '../base/json.ts';
import { escapeControls, fieldOf } from '../base/text.ts';
import { reasonOf } from '../documents/files.ts';
import { type Position, readDocuments, type SourceDocument } from '../documents/index.ts';
import type { Policy } from '../engine/policy.ts';
import type { ConfigProblem } from '../schema/reporter.ts';
import { readConfiguration } from './policy.ts';
import type { MusterConfiguration } from './schema.ts';

/** 1 MiB, the most that a ConfigMap can hold. */
const MOST_BYTES = 1024 * 1024;

export interface LoadedConfiguration {
  /** Deep-frozen. */
  readonly policy: Policy;
  /** The text of the file, and its value. */
  readonly text: string;
  readonly value: JsonObject;
  /** `check.clusters`. Globs are relative to the folder of the file. */
  readonly clusters: readonly string[];
  /** `check.charts`. Paths are relative to the folder of the file, and may not exist. */
  readonly charts: NonNullable<NonNullable<MusterConfiguration['check']>['charts']>;
  /** Adds the position to a problem of a setting that only one command checks. */
  readonly locate: (problem: ConfigProblem) => Located;
  /** Returns the error that refuses the file because of such problems. */
  readonly refusal: (problems: readonly Located[]) => ConfigError;
  /** `file:line:column: field: warning`, in the order of the file. */
  readonly warnings: readonly string[];
  /** The SHA-256 of the file's text, in hexadecimal: different for each content. */
  readonly fingerprint: string;
}

/** A configuration is refused. The message has one line for each problem. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  /** `CONFIG_UNREADABLE`: the file can't be read. `CONFIG_INVALID`: it is no configuration. */
  readonly code: 'CONFIG_UNREADABLE' | 'CONFIG_INVALID';
  /** `file:line:column: field: problem`, in the order of the file. */
  readonly problems: readonly string[];

  constructor(code: ConfigError['code'], problems: readonly string[], options?: ErrorOptions) {
    super(problems.join('\n'), options);
    this.code = code;
    this.problems = problems;
  }
}

/**
 * Loads a configuration file.
 * @param ruleIds the ids of all rules
 * @param now milliseconds since the epoch
 * @throws {ConfigError} with all problems
 */
export async function loadConfiguration(
  file: string,
  ruleIds: ReadonlySet<string>,
  now: number,
): Promise<LoadedConfiguration> {
  return configurationOf(await readConfigurationText(file), file, ruleIds, now);
}

/**
 * Returns the text of a configuration file: UTF-8, at most 1 MiB.
 * @throws {ConfigError} `CONFIG_UNREADABLE`, with the cause
 */
export async function readConfigurationText(file: string): Promise<string> {
  const bytes = await readBytes(file).catch((cause: unknown) => {
    throw unreadable(file, `cannot be read: ${reasonOf(cause)}`, cause);
  });
  if (bytes.length > MOST_BYTES) throw unreadable(file, 'is longer than 1 MiB; is this the right file?');
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw unreadable(file, 'is not UTF-8 text; is this the right file?', cause);
  }
}

/**
 * Returns the policy of a configuration text; `file` is its name in problems and warnings.
 * @throws {ConfigError} `CONFIG_INVALID`
 */
export function configurationOf(
  text: string,
  file: string,
  ruleIds: ReadonlySet<string>,
  now: number,
): LoadedConfiguration {
  const { document, broken } = onlyDocument(text, file, 'a MusterConfiguration');
  const reading = document && readConfiguration(document.value, { ruleIds, now });
  const problems = [...broken, ...locatedIn(document, reading?.problems)];
  if (!document || !reading?.policy || problems.length > 0) throw invalid(file, problems);
  return {
    policy: reading.policy,
    text,
    value: document.value as JsonObject,
    clusters: reading.clusters,
    charts: reading.charts,
    locate: (problem) => locate(problem, document),
    refusal: (found) => invalid(file, found),
    warnings: linesOf(file, locatedIn(document, reading.warnings)),
    fingerprint: fingerprintOf(text),
  };
}

/** Returns the SHA-256 of a text, in hexadecimal. */
export function fingerprintOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** A message at its position. */
export interface Located extends Position {
  readonly message: string;
}

/** Parses a file with exactly one document. @param expected what the document is, for the message on an empty file */
export function onlyDocument(text: string, file: string, expected: string) {
  const { documents, errors } = readDocuments(text, file);
  const [document, second] = documents;
  const broken: Located[] = [...errors];
  if (second) broken.push({ ...second.start, message: 'a second document; the file must hold exactly one' });
  else if (!document && errors.length === 0)
    broken.push({ line: 1, column: 1, message: `empty; expected ${expected}` });
  return { document: second ? undefined : document, broken };
}

/** No key has this name. A missing value is located at its parent's key, so a path to this name locates the key. */
const NO_KEY = '\u0000';

/** Adds the positions in a document to problems, and the fields to their messages. */
export function locatedIn(document: SourceDocument | undefined, problems: readonly ConfigProblem[] = []): Located[] {
  return document ? problems.map((one) => locate(one, document)) : [];
}

function locate({ path, message, ofKey }: ConfigProblem, document: SourceDocument): Located {
  const field = fieldOf(path);
  const { line, column } = document.locate(ofKey ? [...path, NO_KEY] : path);
  return { line, column, message: field === '' ? message : `${field}: ${message}` };
}

/** Returns problems in the order of the file. */
export function inFileOrder(located: readonly Located[]): readonly Located[] {
  return located.toSorted((a, b) => a.line - b.line || a.column - b.column);
}

/** Returns one line for each problem, in the order of the file. */
function linesOf(file: string, located: readonly Located[]): readonly string[] {
  return inFileOrder(located).map(({ line, column, message }) =>
    escapeControls(`${file}:${line}:${column}: ${message}`),
  );
}

/** Returns the error that refuses a file. */
export function invalid(file: string, problems: readonly Located[]): ConfigError {
  return new ConfigError('CONFIG_INVALID', linesOf(file, problems));
}

function unreadable(file: string, what: string, cause?: unknown): ConfigError {
  return new ConfigError('CONFIG_UNREADABLE', [`${escapeControls(file)}: ${what}`], { cause });
}

/** Reads at most one byte more than allowed, so that an endless file is not read forever. */
async function readBytes(file: string): Promise<Uint8Array> {
  const handle = await open(file);
  const chunks: Buffer[] = [];
  for await (const chunk of handle.createReadStream({ end: MOST_BYTES })) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
