/**
 * The manifests in examples/good and examples/bad: `muster check` gives the verdict that the comment of each one names.
 */
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { dialects } from '../../src/api/dialects.ts';
import { runCheck } from '../../src/cli/check/run.ts';
import { dialectOfObject } from '../../src/input/objects.ts';
import { summaryLine } from '../../src/report/text.ts';
import { filesIn } from '../../tools/generate/artifact.ts';
import { run } from '../support/command-line.ts';

const good = filesIn('.', 'examples/good');
const bad = filesIn('.', 'examples/bad');

const ACTIONS: Readonly<Record<string, string>> = { 'Denied by': 'deny', 'Warned about by': 'warn' };

/** Returns the findings, as `deny claim/value`, of files that are checked in one run. */
async function findingsIn(...paths: readonly string[]) {
  const { report } = await runCheck(run({ paths, state: ['examples/cluster'] }));
  expect(report.errors).toEqual([]);
  return report.results.flatMap(({ findings }) => findings.map(({ action, ruleId }) => `${action} ${ruleId}`));
}

test.each(bad)('%s: exactly the finding that its second line names', async (file) => {
  const [, verdict = '', rule] = /^# \S.*\.\n# (Denied by|Warned about by) ([a-z/-]+)[.:]/.exec(read(file)) ?? [];
  expect(await findingsIn(file)).toEqual([`${ACTIONS[verdict]} ${rule}`]);
});

test.each(good)('%s: no finding; its first line says what it is', async (file) => {
  expect(read(file)).toMatch(/^# \S.*\.\n/);
  expect(await findingsIn(file)).toEqual([]);
});

test('all good ones are allowed in one run too, and so is what the cluster holds', async () => {
  expect(await findingsIn('examples/good')).toEqual([]);
  expect((await runCheck(run({ paths: ['examples/cluster'] }))).report.summary).toMatchObject({
    denied: 0,
    warnings: 0,
  });
});

test.each(['good', 'bad'])('docs/demo.md has the summary of examples/%s', async (side) => {
  const { report } = await runCheck(run({ paths: [`examples/${side}`], state: ['examples/cluster'] }));
  expect(read('docs/demo.md')).toContain(
    `$ npx kube-muster check examples/${side} --state examples/cluster\n…\n${summaryLine(report)}\n`,
  );
});

test.each([
  ['good', good],
  ['bad', bad],
])('each API has a %s one', (_, files) => {
  const found = new Set(files.map((file) => dialectOfObject(parse(read(file)))?.name));
  expect([...found].sort()).toEqual(dialects.map(({ name }) => name).sort());
});

function read(file: string): string {
  return readFileSync(file, 'utf8');
}
