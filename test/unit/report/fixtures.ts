/** Reports for the tests of the outputs: small ones, and generated hostile ones. */
import fc from 'fast-check';
import {
  type CheckFinding,
  type CheckReport,
  type CheckResult,
  type ReportContext,
  type RunPart,
  reportOf,
} from '../../../src/report/report.ts';

export function reporting(more: Partial<ReportContext> = {}): ReportContext {
  return { command: 'muster check', failOn: 'denied', exitCode: 0, root: process.cwd(), ...more };
}

export function finding(more: Partial<CheckFinding> = {}): CheckFinding {
  return {
    ruleId: 'claim/id-syntax',
    level: 'MUST',
    action: 'deny',
    field: 'spec.value',
    message: 'must be a DNS label, got "A_B"',
    url: 'https://docs.example/rules/claim-id-syntax',
    line: 6,
    column: 10,
    ...more,
  };
}

export function result(more: Partial<CheckResult> = {}): CheckResult {
  return {
    file: 'claims.yaml',
    line: 1,
    column: 1,
    apiVersion: 'multicluster.x-k8s.io/v1alpha1',
    kind: 'ClusterClaim',
    namespace: '',
    name: 'id.k8s.io',
    operation: 'CREATE',
    subresource: '',
    outcome: 'denied',
    findings: [finding()],
    ...more,
  };
}

export const allowed = (more: Partial<CheckResult> = {}) => result({ outcome: 'allowed', findings: [], ...more });
export const warned = (more: Partial<CheckResult> = {}) =>
  result({ outcome: 'allowed', findings: [finding({ action: 'warn', level: 'SHOULD' })], ...more });
export const unknown = (more: Partial<CheckResult> = {}) =>
  result({ outcome: 'indeterminate', findings: [finding({ outcome: 'indeterminate' })], ...more });

/** An object of the only API server of a run. */
export function live(more: Partial<CheckResult> = {}): CheckResult {
  const [{ file: _, line: __, column: ___, ...object }, { line: ____, column: _____, ...found }] = [
    result(),
    finding(),
  ];
  return { ...object, context: 'prod', findings: [found], ...more };
}

interface Collected extends Omit<RunPart, 'cluster' | 'entries' | 'notes' | 'placedNotes' | 'skipped'> {
  readonly results?: readonly CheckResult[];
  readonly notes?: RunPart['placedNotes'];
  readonly skipped?: readonly Pick<RunPart, 'cluster' | 'skipped'>[];
}

export function report({ results = [], notes = [], skipped = [], ...collected }: Collected): CheckReport {
  const entries = results.map((one) => ({ result: one }));
  return reportOf([{ ...collected, entries, placedNotes: notes }, ...skipped]);
}

/** Texts that break outputs. */
const EVIL = [
  ...[']]>', '<!--', '</failure><evil a="b">', '&amp;&#0;', '\n::error::forged', '::stop-commands::token', ''],
  ...['  ::add-mask::x', '##[add-mask]x', '##vso[task.setvariable variable=a]b', '##teamcity[buildProblem]'],
  ...['%0A::set-env name=a::b', 'a:b,c=d::e', '\u001b[2J\u001b]0;title\u0007', '\u0000\u0008\u000b\u001f\u007f\u0085'],
  ...['\ud83d', '\udc00x', '\uffff\ufffe', '\u2028\u2029\u202e', '{0} {{x}} {1', '"\'\\`$(id)', '👩‍👩‍👧 東京 e\u0301'],
  ...['[click](https://evil.example) [1](2)', '../../etc/passwd', 'C:\\x\\y.yaml', 'n'.repeat(10_000)],
];

export const text: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...EVIL),
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.tuple(fc.constantFrom(...EVIL), fc.constantFrom(...EVIL)).map((pair) => pair.join(' ')),
);

const position = fc.record({ line: fc.integer({ min: 1, max: 9 }), column: fc.integer({ min: 1, max: 400 }) });
const end = fc.oneof(
  fc.constant({}),
  fc.record({ endLine: fc.integer({ min: 9, max: 12 }), endColumn: fc.integer({ min: 1, max: 500 }) }),
);
const ruleId = fc.oneof(fc.constantFrom('claim/id-syntax', 'feature/transition'), text);
const anyFinding: fc.Arbitrary<CheckFinding> = fc
  .tuple(
    fc.record({ ruleId, field: text, message: text, url: text, action: fc.constantFrom('deny', 'warn', 'audit') }),
    fc.constantFrom({}, { outcome: 'indeterminate' as const }),
    position,
    end,
    text,
  )
  .map(([what, outcome, at, to, line]) => {
    return { level: 'MUST', ...what, ...outcome, ...at, ...to, sourceLine: () => line } as CheckFinding;
  });
const anyResult: fc.Arbitrary<CheckResult> = fc
  .tuple(
    fc.record({ file: text, apiVersion: text, kind: text, namespace: text, name: text }),
    fc.record({ operation: fc.constantFrom('CREATE', 'DELETE'), subresource: fc.constantFrom('', 'status') }),
    fc.record({ outcome: fc.constantFrom('allowed', 'denied', 'indeterminate'), findings: fc.array(anyFinding) }),
    position,
  )
  .map(([what, write, verdict, at]) => ({ ...what, ...write, ...verdict, ...at }) as CheckResult);
const anyError = fc.tuple(fc.record({ file: text, message: text }), position).map(([what, at]) => ({ ...what, ...at }));

/** Reports with hostile text in every field. */
export const anyReport: fc.Arbitrary<CheckReport> = fc
  .tuple(fc.array(anyResult, { maxLength: 5 }), fc.array(anyError, { maxLength: 3 }))
  .map(([results, errors]) => report({ results, errors }));
