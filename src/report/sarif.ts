/** Renders a report as SARIF 2.1.0, the format of code scanning dashboards. */

import { createHash } from 'node:crypto';
import { pathToFileURL } from 'node:url';
import packageJson from '../../package.json' with { type: 'json' };
import { escapeControls } from '../base/text.ts';
import { pathIn } from '../documents/files.ts';
import type { Place, PlacedMessage } from '../input/place.ts';
import { rules } from '../rules/index.ts';
import { jsonPieces } from './json.ts';
import {
  type CheckFinding,
  type CheckReport,
  type CheckResult,
  failsForNote,
  findingPlace,
  type RelatedPlace,
  type ReportContext,
  workingPath,
} from './report.ts';
import { literally, sarifRules } from './sarif-rules.ts';
import { messageOf, nameOf, placedMessage } from './text.ts';

const SCHEMA = 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/os/schemas/sarif-schema-2.1.0.json';
const SOURCE_ROOT = '%SRCROOT%';
const ROOT = 'The root of the sources: the folder muster was called in, or the workspace that GitHub names.';

/** Renders the log of one run, in pieces. Results are converted one at a time. */
export function renderSarif(report: CheckReport, { exitCode, root, failOn }: ReportContext): Iterable<string> {
  const { errors, warnings = [], notes = [] } = report;
  const toolExecutionNotifications = [
    ...errors.map((error) => notificationOf(error, 'error', root)),
    ...warnings.map((warning) => notificationOf(warning, 'warning', root)),
    ...notes.map((note) => notificationOf(note, failsForNote(note, failOn) ? 'error' : 'note', root)),
  ];
  const run = {
    tool: { driver: { name: 'muster', semanticVersion: packageJson.version, rules: sarifRules() } },
    invocations: [{ executionSuccessful: errors.length === 0, exitCode, toolExecutionNotifications }],
    originalUriBaseIds: { [SOURCE_ROOT]: { description: { text: ROOT } } },
    columnKind: 'utf16CodeUnits',
    results: { [Symbol.iterator]: () => resultsOf(report, root) },
  };
  return jsonPieces({ $schema: SCHEMA, version: '2.1.0', runs: [run] });
}

function* resultsOf(report: CheckReport, root: string): Generator<unknown> {
  const seen = new Map<string, number>();
  for (const result of report.results) {
    for (const finding of result.findings) {
      const digest = fingerprintOf(result, finding, artifactLocation(result, root)?.uri ?? '');
      const count = (seen.get(digest) ?? 0) + 1;
      seen.set(digest, count);
      yield sarifResult(result, finding, `${digest}:${count}`, root);
    }
  }
}

/**
 * Returns the key by which a dashboard recognizes a finding: cluster, rule, file, object and field. Line and value are
 * left out, so an alert stays until it is fixed. The file is included, since a repository has one `id.k8s.io` for each
 * of its clusters.
 */
function fingerprintOf(result: CheckResult, { ruleId, field }: CheckFinding, uri: string): string {
  const { context, cluster = context, apiVersion, kind, namespace, name, subresource } = result;
  const identity = [
    ...(cluster === undefined ? [] : [cluster]),
    ruleId,
    uri,
    apiVersion.split('/')[0],
    kind,
    namespace,
    name,
    subresource,
    field,
  ];
  return createHash('sha256').update(JSON.stringify(identity)).digest('hex').slice(0, 32);
}

function sarifResult(result: CheckResult, finding: CheckFinding, fingerprint: string, root: string) {
  const { ruleId, level, action, field, related } = finding;
  const ruleIndex = rules.findIndex(({ id }) => id === ruleId);
  const { cluster, operation, subresource } = result;
  return {
    ruleId,
    ...(ruleIndex >= 0 && { ruleIndex }),
    ...severityOf(finding),
    message: {
      text: [literally(`${messageOf(finding)} (${nameOf(result)})`), ...(related ?? []).map(linkTo)].join(' '),
    },
    locations: [
      {
        ...physicalLocation(findingPlace(result, finding), root),
        logicalLocations: logicalLocations(result, field),
      },
    ],
    ...(related && { relatedLocations: related.map((place, index) => relatedLocation(place, index, root)) }),
    // GitHub compares alerts by `primaryLocationLineHash`.
    partialFingerprints: { 'musterFinding/v1': fingerprint, primaryLocationLineHash: fingerprint },
    properties: {
      level,
      action,
      operation,
      ...(cluster !== undefined && { cluster }),
      ...(subresource !== '' && { subresource }),
    },
  };
}

/** Returns a link to a related location, by its number: GitHub shows those that the message links to. */
function linkTo({ file, line, about }: RelatedPlace, index: number): string {
  const text = literally(escapeControls(file === undefined ? `${about}` : `${file}:${line}`)).replace(
    /[[\]\\]/g,
    '\\$&',
  );
  return `[${text}](${index + 1})`;
}

function relatedLocation(place: RelatedPlace, index: number, root: string) {
  const { about, cluster = '' } = place;
  const path = [cluster, about ?? ''].map(escapeControls).filter(Boolean).join('/');
  const logical = about !== undefined && { logicalLocations: [{ fullyQualifiedName: path, kind: 'resource' }] };
  const text = literally(placedMessage(place));
  return { id: index + 1, ...physicalLocation(place, root), ...logical, message: { text } };
}

/** In SARIF an undecided finding is no failure and has no level. */
function severityOf({ action, outcome }: CheckFinding) {
  if (outcome === 'indeterminate') return { kind: 'open', level: 'none' };
  return { kind: 'fail', level: action === 'deny' ? 'error' : action === 'warn' ? 'warning' : 'note' };
}

/** Returns the location in a file; empty for an object of a cluster, which has a logical location only. */
function physicalLocation(place: Place, root: string) {
  const { line, column, endLine, endColumn } = place;
  const artifact = artifactLocation(place, root);
  if (artifact === undefined) return {};
  // The JSON leaves out members that are undefined.
  const region = { startLine: line, startColumn: column, endLine, endColumn };
  return { physicalLocation: { artifactLocation: artifact, region } };
}

function logicalLocations({ context = '', cluster = context, apiVersion, ...result }: CheckResult, field: string) {
  const parts = [cluster, apiVersion.split('/')[0] ?? '', result.kind, result.namespace, result.name].map(
    escapeControls,
  );
  const path = parts.filter(Boolean).join('/');
  const object = { name: parts[4], fullyQualifiedName: path, kind: 'resource' };
  if (field === '') return [object];
  return [
    object,
    { name: escapeControls(field), fullyQualifiedName: `${path}#${escapeControls(field)}`, kind: 'property' },
  ];
}

function notificationOf(error: PlacedMessage, level: 'error' | 'warning' | 'note', root: string) {
  const location = physicalLocation(error, root);
  const locations = 'physicalLocation' in location ? [location] : [];
  return { level, message: { text: literally(placedMessage(error)) }, locations };
}

/** Returns the URI of the file of a place, relative to the root if it lies in it; undefined if there is no file. */
function artifactLocation(place: Place, root: string) {
  if (place.file === '<stdin>') return { uri: 'stdin', description: { text: 'standard input' } };
  const file = workingPath(place);
  if (file === undefined) return undefined;
  const path = pathIn(root, file);
  if (path === undefined) return { uri: pathToFileURL(file.toWellFormed()).href };
  return { uri: encoded(path === '' ? '.' : path), uriBaseId: SOURCE_ROOT };
}

/** Encodes each part of a path by itself: a `:` in the first part would make it a scheme. */
function encoded(path: string): string {
  return path.toWellFormed().split('/').map(encodeURIComponent).join('/');
}
