/**
 * docs/outputs.md: its example is what the command prints, and it has each format. The blocks of `console` are run by
 * test/system/docs.
 */

import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { runCheck } from '../../../src/cli/check/run.ts';
import { REPORT_FORMATS } from '../../../src/report/formats.ts';
import { run } from '../../support/command-line.ts';
import { newFolder } from '../../support/folder.ts';

const folder = newFolder();

const MANIFEST = `apiVersion: multicluster.x-k8s.io/v1alpha1
kind: ClusterClaim
metadata:
  name: id.k8s.io
spec:
  value: East 1
`;

async function reportOfManifest() {
  const { report } = await runCheck(run({ paths: [folder.put('claims.yaml', MANIFEST)] }));
  return { ...report, results: report.results.map((result) => ({ ...result, file: 'claims.yaml' })) };
}

/** The fenced block of a chapter. */
function example(file: string, chapter: string): string {
  const text = readFileSync(file, 'utf8').split(`\n## ${chapter}\n`)[1] ?? '';
  return /```\w*\n([\s\S]*?)```/.exec(text)?.[1] ?? '';
}

test('json: as docs/outputs.md shows it, but for the message', async () => {
  const shown = JSON.parse(example('docs/outputs.md', 'json'));
  const { summary, results } = JSON.parse(JSON.stringify(await reportOfManifest()));
  results[0].findings[0].message = '…';
  expect({ ...shown, errors: [] }).toEqual({
    apiVersion: 'muster/v1alpha1',
    kind: 'CheckReport',
    summary,
    results,
    errors: [],
  });
  expect(Object.keys(shown.errors[0])).toEqual(['file', 'line', 'column', 'message']);
});

test('every format has its chapter and its column', () => {
  const text = readFileSync('docs/outputs.md', 'utf8');
  expect([...text.matchAll(/^## (.*)$/gm)].map(([, title]) => title)).toEqual([...REPORT_FORMATS, 'The webhook']);
  expect(text).toContain(`| | ${REPORT_FORMATS.join(' | ')} |`);
});
