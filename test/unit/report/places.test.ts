/**
 * Places in the outputs: an object of a cluster is in no file, and a deletion since a git revision is in a file that is
 * gone.
 */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { renderGithub } from '../../../src/report/github.ts';
import { jsonPieces } from '../../../src/report/json.ts';
import { renderJunit } from '../../../src/report/junit.ts';
import type { CheckReport, RelatedPlace } from '../../../src/report/report.ts';
import { noColor } from '../../../src/report/terminal.ts';
import { renderText } from '../../../src/report/text.ts';
import { claim, yaml } from '../../support/command-line.ts';
import { type GitFolder, newRepository } from '../../support/git.ts';
import { musterHere } from '../../support/in-process.ts';
import { finding, live, report, reporting, result } from './fixtures.ts';

const MESSAGE = 'spec.value: must be a DNS label, got "A_B"';
const textOf = (input: CheckReport) => [...renderText(input, reporting(), noColor)].join('');
const githubOf = (input: CheckReport) => [...renderGithub(input, reporting())];
const junitOf = (input: CheckReport) => [...renderJunit(input, reporting())].join('');
const jsonOf = (input: CheckReport) => JSON.parse([...jsonPieces(input)].join(''));

describe('an object of a cluster', () => {
  const related: RelatedPlace[] = [{ cluster: 'west', about: 'ClusterClaim id.k8s.io', message: 'the same id' }];
  const one = report({ results: [live()] });
  const { context: _, ...inEast } = live({ cluster: 'east', findings: [{ ...live().findings[0], related } as never] });
  const several = report({ results: [inEast] });

  test('is named with its context or its cluster in text, without a line', () => {
    expect(textOf(one)).toContain(`ClusterClaim id.k8s.io, context prod: denied [claim/id-syntax] ${MESSAGE}\n`);
    expect(textOf(several)).toContain(`east: ClusterClaim id.k8s.io: denied [claim/id-syntax] ${MESSAGE}\n`);
    expect(textOf(several)).toContain('\n  see west: ClusterClaim id.k8s.io: the same id\n');
    expect(textOf(several)).not.toMatch(/undefined|:\d+:\d+/);
  });

  test('is named by an annotation of GitHub, which has no file', () => {
    expect(githubOf(one)[0]).toMatch(
      /^::error title=denied%3A claim\/id-syntax::spec\.value: .* \(ClusterClaim id\.k8s\.io, context prod\); more: /,
    );
  });

  test('has neither file nor line in JSON', () => {
    const [{ findings, ...found }] = jsonOf(several).results;
    expect(found).toMatchObject({ cluster: 'east', kind: 'ClusterClaim', name: 'id.k8s.io' });
    for (const part of [found, findings[0], findings[0].related[0]])
      expect(Object.keys(part)).not.toEqual(expect.arrayContaining(['file']));
    expect(findings[0].related).toEqual(related);
    expect(jsonOf(one).results[0]).toMatchObject({ context: 'prod' });
    expect(JSON.stringify(jsonOf(several))).not.toMatch(/"(file|line|column)"/);
  });

  test('is in the JUnit suite of its cluster', () => {
    expect(junitOf(one)).toContain('<testsuite name="prod"');
    expect(junitOf(several)).toContain('<testsuite name="east"');
    expect(junitOf(several)).not.toContain('undefined');
  });
});

test('what is about no file is an error without a place', () => {
  const errors = [
    { about: '--base-ref nope', message: 'no such commit' },
    { cluster: 'east', message: 'away' },
  ];
  const input = report({ errors });
  expect(githubOf(input).slice(0, 2)).toEqual([
    '::error title=muster::--base-ref nope: no such commit\n',
    '::error title=muster::east: away\n',
  ]);
  const junit = junitOf(input);
  expect(junit).toContain('<testcase classname="input" name="--base-ref nope">');
  expect(junit).toContain('>error: east: away</error>');
});

test('standard input is a place in text, and no file for GitHub', () => {
  const input = report({ results: [result({ file: '<stdin>', findings: [finding()] })] });
  expect(textOf(input)).toMatch(/^<stdin>:6:10: denied/);
  expect(githubOf(input)[0]).toMatch(/^::error title=denied%3A claim\/id-syntax::spec\.value/);
});

describe('what is gone since a git revision', () => {
  let repository: GitFolder;
  beforeAll(() => {
    repository = newRepository();
    repository.put('clusters/id.yaml', `# the id\n${yaml(claim('id.k8s.io', 'a'))}`);
    repository.put('clusters/set.yaml', yaml(claim('clusterset.k8s.io', 'fleet')));
    repository.commit();
    repository.git('rm', '-q', 'clusters/id.yaml');
  });

  const check = async (cwd: string, path: string, format: string) => {
    const env = { GITHUB_WORKSPACE: repository.path };
    const args = ['check', path, '--base-ref', 'main', '-o', format];
    return (await musterHere(args, { cwd: repository.at(cwd), env })).out;
  };

  test('is at REF:PATH in text and JSON', async () => {
    expect(await check('.', '.', 'text')).toMatch(/^main:clusters\/id\.yaml:3:89: denied .*, deleted\)$/m);
    const { results } = JSON.parse(await check('.', '.', 'json'));
    expect(results[0]).toMatchObject({ file: 'main:clusters/id.yaml', operation: 'DELETE' });
  });

  test.each([
    ['.', '.'],
    ['clusters', '.'],
  ])('is at its path in the working tree for SARIF and GitHub, from %s', async (cwd, path) => {
    const [{ results }] = JSON.parse(await check(cwd, path, 'sarif')).runs;
    expect(results[0].locations[0].physicalLocation).toEqual({
      artifactLocation: { uri: 'clusters/id.yaml', uriBaseId: '%SRCROOT%' },
      region: { startLine: 3, startColumn: 89, endLine: 3, endColumn: 100 },
    });
    expect(await check(cwd, path, 'github')).toMatch(
      /^::error title=[^,]*,file=clusters\/id\.yaml,line=3,endLine=3,col=89,endColumn=100::/m,
    );
  });
});
