/** What helm and kustomize print, on standard input. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { runCheck } from '../../../../src/cli/check/run.ts';
import { run } from '../../../support/command-line.ts';

const printed = (name: string) => readFileSync(new URL(`printed/${name}`, import.meta.url), 'utf8');

async function check(text: string) {
  const { report, notes } = await runCheck(run({ paths: ['-'], stdin: async () => Buffer.from(text) }));
  const lines = report.results.map(({ file, line, operation, name, outcome, findings }) =>
    [
      `${file}:${line}: ${operation} ${name}: ${outcome}`,
      ...findings.map(({ ruleId, line: at }) => `${ruleId}:${at}`),
    ].join(' '),
  );
  return { lines, notes, errors: report.errors, skipped: report.summary.skipped };
}

const helm = printed('helm-template.yaml');
const kustomize = printed('kustomize.yaml');
const fromHelm = {
  lines: [
    '<stdin>:40: CREATE id.k8s.io: denied claim/id-syntax:47',
    '<stdin>:50: CREATE clusterset.k8s.io: allowed claim/clusterset-requires-id:53',
    '<stdin>:59: CREATE east: allowed',
  ],
  notes: [expect.stringMatching(/^<stdin>:59:1: note: label x-k8s.io\/cluster-manager added/)],
  errors: [],
  skipped: 4,
};
const fromKustomize = {
  lines: [
    '<stdin>:31: CREATE clusterset.k8s.io: allowed',
    '<stdin>:41: CREATE id.k8s.io: allowed',
    '<stdin>:50: CREATE east: denied inventory/cluster-manager-label:55',
  ],
  notes: [],
  errors: [],
  skipped: 3,
};

describe('helm template', () => {
  test('comments on the source, an empty template, hooks, CRDs and other kinds', async () => {
    expect(await check(helm)).toEqual(fromHelm);
  });

  test('the same with line ends of Windows, with a byte order mark, without an end of the last line', async () => {
    expect(await check(helm.replaceAll('\n', '\r\n'))).toEqual(fromHelm);
    expect(await check(`\ufeff${helm}`)).toEqual(fromHelm);
    expect(await check(helm.trimEnd())).toEqual(fromHelm);
  });

  test('what helm install --dry-run puts before it is skipped', async () => {
    const head = 'NAME: fleet\nLAST DEPLOYED: Mon Jun  1 12:00:00 2026\nNAMESPACE: default\nHOOKS:\nMANIFEST:\n';
    const { errors, skipped, lines } = await check(head + helm);
    expect({ errors, skipped, evaluated: lines.length }).toEqual({ errors: [], skipped: 5, evaluated: 3 });
  });

  test('a template that went wrong costs only its own document', async () => {
    const broken = helm.replace('script: |', 'script: {{ .Values.script }} # about.k8s.io');
    const { lines, errors } = await check(broken);
    expect(lines).toEqual(fromHelm.lines);
    expect(errors).toEqual([expect.objectContaining({ file: '<stdin>', line: expect.any(Number) })]);
    expect(errors[0]?.line).toBeGreaterThanOrEqual(25);
    expect(errors[0]?.line).toBeLessThan(35);
  });
});

describe('kustomize build', () => {
  test('no separator before the first document, keys in order of the alphabet, lists that are not indented', async () => {
    expect(await check(kustomize)).toEqual(fromKustomize);
    expect(await check(kustomize.replaceAll('\n', '\r\n'))).toEqual(fromKustomize);
  });
});

describe('nothing to read', () => {
  test.each(['---\n', '---\n---\n', '# a comment\n', '---\n# Source: a.yaml\n---\n', 'null\n'])(
    '%j is no error, and nothing is evaluated',
    async (text) => expect(await check(text)).toEqual({ lines: [], notes: [], errors: [], skipped: 0 }),
  );

  test.each(['', '\n', '\ufeff'])('%j is an error: the program before it failed', async (text) => {
    const message = 'standard input is empty: did the program before it fail?';
    expect((await check(text)).errors).toEqual([{ file: '<stdin>', line: 1, column: 1, message }]);
  });
});

test('an error about all of it names it as others do', async () => {
  const { report } = await runCheck(run({ paths: ['-'], stdin: async () => Buffer.from('a: 1'), failOnNoMatch: true }));
  expect(report.errors).toMatchObject([{ file: '<stdin>', message: expect.stringContaining('--fail-on-no-match') }]);
});
