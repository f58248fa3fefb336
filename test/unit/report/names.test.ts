/** Names of files, folders and clusters in all that is printed, and results to which a comparison adds. */
import { describe, expect, test } from '@jest/globals';
import { addFindings, NOWHERE } from '../../../src/evaluation/results.ts';
import { renderGithub } from '../../../src/report/github.ts';
import { jsonPieces } from '../../../src/report/json.ts';
import { claim, yaml } from '../../support/command-line.ts';
import { newFolder } from '../../support/folder.ts';
import { musterHere } from '../../support/in-process.ts';
import { allowed, finding, report, reporting, result } from './fixtures.ts';

const COMMAND = '::stop-commands::x\u001b[2J';
const folder = newFolder();
folder.put(`m/${COMMAND}/Chart.yaml`, 'apiVersion: v2\nname: a\nversion: 1.0.0\n');
folder.put(`m/${COMMAND}/templates/a.yaml`, '# none\n');
folder.put('clusters/::error::a/id.yaml', yaml(claim('id.k8s.io', 'a')));
folder.put('clusters/b/id.yaml', yaml(claim('id.k8s.io', 'b')));

describe('a name begins no command of GitHub', () => {
  test.each([
    ['a note on a folder, and the lines of -v', `m/${COMMAND}`, ['.', '-v']],
    ['the summary of a cluster', '.', ['--clusters', 'clusters/*']],
  ])('%s', async (_, cwd, args) => {
    const { out, err } = await musterHere(['check', ...args], { cwd: `${folder.path}/${cwd === '.' ? '' : 'm'}` });
    expect(`${out}${err}`).toContain('./::');
    expect(`${out}${err}`).not.toContain('\u001b');
    expect(`${out}${err}`.split('\n').filter((line) => /^\s*::/.test(line))).toEqual([]);
  });
});

test('JSON has what hides or reorders text escaped, in values and in keys', () => {
  const value = { 'a\u202e': ['b\u2028c\u{e0001}', { deep: { deeper: { deepest: '\u009b\u200b' } } }] };
  const text = [...jsonPieces(value)].join('');
  expect(text).toMatch(/^[\n\x20-\x7e]*$/);
  expect(JSON.parse(text)).toEqual(value);
});

test.each([
  ['a warning leaves a denied result denied', result(), 'allowed', 'denied'],
  ['a denial makes an allowed result denied', allowed(), 'denied', 'denied'],
  ['what is indeterminate makes an allowed result so', allowed(), 'indeterminate', 'indeterminate'],
] as const)('a comparison: %s', (_, before, found, after) => {
  const entry = { result: before, position: NOWHERE };
  addFindings(entry, [finding({ action: 'warn' })], [{ outcome: found, crashes: [] }]);
  const { outcome, findings } = entry.result;
  expect({ outcome, count: findings.length }).toEqual({ outcome: after, count: before.findings.length + 1 });
});

test('GitHub gets an end column only for a value on one line', () => {
  const annotation = (more: object) => {
    const results = [result({ findings: [finding(more)] })];
    return [...renderGithub(report({ results }), reporting())][0];
  };
  expect(annotation({ endLine: 6, endColumn: 16 })).toContain(',line=6,endLine=6,col=10,endColumn=16::');
  expect(annotation({ endLine: 7, endColumn: 3 })).toContain(',line=6,col=10::');
});
