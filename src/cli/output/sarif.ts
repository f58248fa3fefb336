/** A report as SARIF 2.1.0, the form that code scanning dashboards read. */
import type { CheckError, CheckFinding, CheckReport, CheckResult } from '../check/report.ts';
import { version } from '../version.ts';
import { artifactLocation, SOURCE_ROOT } from './artifact.ts';
import { complaint, nameOf } from './check-text.ts';
import { type Fingerprints, fingerprints } from './fingerprint.ts';
import type { Reporting } from './report.ts';
import { literally, ruleIndexOf, sarifRules } from './sarif-rules.ts';
import { shown } from './shown.ts';

const SCHEMA = 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/os/schemas/sarif-schema-2.1.0.json';

/** The log of one run. Its results are made one at a time, while they are written. */
export function sarifLog(report: CheckReport, { exitCode, root }: Reporting) {
  const run = {
    tool: { driver: { name: 'muster', semanticVersion: version(), rules: sarifRules() } },
    invocations: [
      {
        executionSuccessful: report.errors.length === 0,
        exitCode,
        toolExecutionNotifications: report.errors.map((error) => notificationOf(error, root)),
      },
    ],
    ...(root !== undefined && { originalUriBaseIds: { [SOURCE_ROOT]: { description: { text: ROOT } } } }),
    columnKind: 'utf16CodeUnits',
    results: resultsOf(report, root),
  };
  return { $schema: SCHEMA, version: '2.1.0', runs: [run] };
}

const ROOT = 'The root of the sources: the folder muster was called in, or the workspace that GitHub names.';

function resultsOf(report: CheckReport, root: string | undefined): Iterable<unknown> {
  return {
    *[Symbol.iterator]() {
      const fingerprint = fingerprints();
      for (const result of report.results) {
        for (const finding of result.findings) yield sarifResult(result, finding, fingerprint, root);
      }
    },
  };
}

function sarifResult(result: CheckResult, finding: CheckFinding, fingerprint: Fingerprints, root: string | undefined) {
  const { ruleId, level, action, field } = finding;
  const artifact = artifactLocation(result.file, root);
  const ruleIndex = ruleIndexOf(ruleId);
  const { operation, subresource } = result;
  return {
    ruleId,
    ...(ruleIndex !== undefined && { ruleIndex }),
    ...judgement(finding),
    message: { text: literally(`${complaint(finding)} (${nameOf(result)})`) },
    locations: [
      {
        physicalLocation: { artifactLocation: artifact, region: regionOf(finding) },
        logicalLocations: logicalLocations(result, field),
      },
    ],
    partialFingerprints: fingerprinted(fingerprint(result, finding, artifact.uri)),
    properties: { level, action, operation, ...(subresource !== '' && { subresource }) },
  };
}

/** The second key is the one that GitHub compares alerts by. */
function fingerprinted(fingerprint: string) {
  return { 'musterFinding/v1': fingerprint, primaryLocationLineHash: fingerprint };
}

/** What could not be told is no failure to SARIF, and has no level then. */
function judgement({ action, outcome }: CheckFinding) {
  if (outcome === 'indeterminate') return { kind: 'open', level: 'none' };
  return { kind: 'fail', level: action === 'deny' ? 'error' : action === 'warn' ? 'warning' : 'note' };
}

function regionOf({ line, column, endLine, endColumn }: CheckFinding) {
  const end = endLine === undefined || endColumn === undefined ? {} : { endLine, endColumn };
  return { startLine: line, startColumn: column, ...end };
}

function logicalLocations(result: CheckResult, field: string) {
  const [group = '', kind, namespace, name = ''] = [
    result.apiVersion.split('/')[0] ?? '',
    result.kind,
    result.namespace,
    result.name,
  ].map(shown);
  const path = [group, kind, namespace, name].filter(Boolean).join('/');
  const object = { name, fullyQualifiedName: path, kind: 'resource' };
  if (field === '') return [object];
  return [object, { name: shown(field), fullyQualifiedName: `${path}#${shown(field)}`, kind: 'property' }];
}

function notificationOf({ file, line, column, message }: CheckError, root: string | undefined) {
  const physicalLocation = {
    artifactLocation: artifactLocation(file, root),
    region: { startLine: line, startColumn: column },
  };
  return {
    level: 'error',
    message: { text: literally(shown(message)) },
    locations: [{ physicalLocation }],
  };
}
