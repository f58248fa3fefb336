/** The location of findings, from the manifest to the mark under the value. */
import { describe, expect, test } from '@jest/globals';
import { runCheck } from '../../../src/cli/check/run.ts';
import { pathIn } from '../../../src/documents/files.ts';
import { excerpt } from '../../../src/report/excerpt.ts';
import { sourceRoot } from '../../../src/report/report.ts';
import { run } from '../../support/command-line.ts';
import { newFolder } from '../../support/folder.ts';

const folder = newFolder();

const CLAIM = 'apiVersion: multicluster.x-k8s.io/v1alpha1\nkind: ClusterClaim\nmetadata: {name: id.k8s.io}\n';
const FEATURE = 'apiVersion: features.x-k8s.io/v1alpha1\nkind: Feature\nmetadata: {name: a, namespace: ns}\nspec: {}\n';
const STATUS = '{class: ns, name: a, default: Disabled, source: CommandLine, version: "1", state: Of}';

const cases: { name: string; yaml: string; rule: string; marks: string }[] = [
  { name: 'a value', yaml: `${CLAIM}spec:\n  value: A B\n`, rule: 'claim/id-syntax', marks: '5:10 A B' },
  {
    name: 'an item of a List, in JSON',
    yaml: '{"apiVersion":"v1","kind":"List","items":[\n{"apiVersion":"about.k8s.io/v1beta1","kind":"ClusterProperty","metadata":{"name":"id.k8s.io"},"spec":{"value":"A_B"}}]}',
    rule: 'claim/id-syntax',
    marks: '2:111 "A_B"',
  },
  { name: 'a status', yaml: `${FEATURE}status: ${STATUS}\n`, rule: 'feature/shape', marks: '5:91 Of' },
  {
    name: 'an AdmissionReview',
    yaml: `apiVersion: admission.k8s.io/v1\nkind: AdmissionReview\nrequest:\n  operation: CREATE\n  kind: {group: multicluster.x-k8s.io, version: v1alpha1, kind: ClusterClaim}\n  userInfo: {username: jane}\n  object:\n${CLAIM.replace(/^/gm, '    ').trimEnd()}\n    spec: {value: A_B}\n`,
    rule: 'claim/id-syntax',
    marks: '11:19 A_B',
  },
  {
    name: 'a later document, CRLF',
    yaml: `a: b\r\n---\r\n${CLAIM}spec: {value: A_B}\r\n`,
    rule: 'claim/id-syntax',
    marks: '6:15 A_B',
  },
];

test.each(cases)('$name', async ({ yaml, rule, marks }) => {
  const { report } = await runCheck(run({ paths: [folder.put('located.yaml', yaml)] }));
  expect(report.errors).toEqual([]);
  const found = report.results.flatMap(({ findings }) => findings).find(({ ruleId }) => ruleId === rule);
  const { line = 0, column = 0, sourceLine } = found ?? {};
  if (!found || !sourceLine) throw new Error(`no ${rule} with a source`);
  const [source = '', under = ''] = excerpt(sourceLine(line), { ...found, line, column });
  const marked = source.slice(under.indexOf('^'), under.length);
  expect(`${line}:${column} ${marked}`).toBe(marks);
});

describe('the root of the sources', () => {
  test("is GitHub's workspace if the current folder is in it", () => {
    expect(sourceRoot({ GITHUB_WORKSPACE: '/w' }, '/w/sub')).toBe('/w');
    expect(sourceRoot({ GITHUB_WORKSPACE: '/w' }, '/w')).toBe('/w');
    expect(sourceRoot({ GITHUB_WORKSPACE: '/w' }, '/elsewhere')).toBe('/elsewhere');
    expect(sourceRoot({ GITHUB_WORKSPACE: '/w' }, '/w-two')).toBe('/w-two');
    expect(sourceRoot({}, '/w')).toBe('/w');
  });

  test('has only paths below it', () => {
    expect(pathIn('/w', '/w/a/../b c.yaml')).toBe('b c.yaml');
    expect(pathIn('/w', '/w/..a/b')).toBe('..a/b');
    expect([pathIn('/w', '/'), pathIn('/w', '/w2/a'), pathIn('/w', '/w/../a')]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
});
