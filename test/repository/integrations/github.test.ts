/** The GitHub action: its steps, run as a runner runs them, with the inputs as variables. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { HEAD } from '../../support/configuration.ts';
import { newFolder } from '../../support/folder.ts';
import { writePrograms } from '../../support/programs.ts';
import { checkoutIn, claim, commit, type Ran, ran } from './repository.ts';

const { inputs, outputs, runs } = parse(readFileSync('action.yml', 'utf8'));
type Step = { id: string; shell: string; run: string; env?: Record<string, string>; 'working-directory'?: string };
const steps: readonly Step[] = runs.steps;
const INPUT = /^\$\{\{ inputs\.([a-z-]+) \}\}$/;
const MANAGED = `${HEAD}claims:
  membershipManagers: [{ group: fleet admins }]
`;
let folder: string;
let base: string;

beforeAll(() => {
  folder = newFolder().path;
  checkoutIn(join(folder, 'action'));
  mkdirSync(join(folder, 'temp'));
  base = commit(join(folder, 'work'), {
    'good/id.yaml': claim('id.k8s.io', 'east-1'),
    'good/set.yaml': claim('clusterset.k8s.io', 'fleet'),
    'bad/claim.yaml': claim('id.k8s.io', 'A_B'),
    'two words/claim.yaml': claim('id.k8s.io', 'A_B'),
    'managed.yaml': MANAGED,
    'kust/kustomization.yaml': 'resources: [claim.yaml]\n',
    'kust/claim.yaml': claim('id.k8s.io', 'east-1'),
    'clusters.yaml': `${HEAD}check: { clusters: [good, bad] }\n`,
    'audit.yaml': `${HEAD}mode: audit\n`,
  });
});

interface Outcome extends Ran {
  readonly outputs: Readonly<Record<string, string>>;
}

/** Both steps, one after the other; the first that fails ends it. */
function act(input: Readonly<Record<string, string>>, more: Readonly<Record<string, string>> = {}): Outcome {
  const output = join(folder, 'output');
  writeFileSync(output, '');
  const env = {
    GITHUB_ACTION_PATH: join(folder, 'action'),
    GITHUB_OUTPUT: output,
    GITHUB_WORKSPACE: join(folder, 'work'),
    RUNNER_TEMP: join(folder, 'temp'),
    ...more,
  };
  const value = (text = '') => {
    const name = INPUT.exec(text)?.[1] ?? 'working-directory';
    return input[name] ?? inputs[name].default;
  };
  let last: Ran = { code: null, out: '' };
  for (const step of steps) {
    const at = join(folder, 'work', value(step['working-directory']));
    const own = Object.fromEntries(Object.entries(step.env ?? {}).map(([name, text]) => [name, value(text)]));
    // The shell that the runner starts for `shell: bash`.
    const command = ['bash', '--noprofile', '--norc', '-eo', 'pipefail', '-c', step.run];
    last = ran(at, command, { ...env, ...own });
    if (last.code !== 0) break;
  }
  const lines = readFileSync(output, 'utf8').split('\n').filter(Boolean);
  return { ...last, outputs: Object.fromEntries(lines.map((line) => line.split(/=(.*)/s).slice(0, 2))) };
}

describe('its text', () => {
  test('no expression stands in a script: every input is a variable or a working directory', () => {
    for (const { run, shell } of steps)
      expect({ shell, expressions: run.includes('${{') }).toEqual({ shell: 'bash', expressions: false });
    const texts = steps.flatMap((step) => [...Object.values(step.env ?? {}), step['working-directory'] ?? '']);
    const used = texts.filter(Boolean);
    expect(used.map((text) => INPUT.exec(text)?.[1]).sort()).toEqual(Object.keys(inputs).sort());
  });

  test('each output is one that the script sets', () => {
    const values = Object.entries<{ value: string }>(outputs).map(([name, { value }]) => [name, value]);
    expect(values).toEqual(values.map(([name]) => [name, `\${{ steps.check.outputs.${name} }}`]));
    expect(act({ paths: 'good' }).outputs).toEqual({
      'exit-code': '0',
      'sarif-file': expect.stringMatching(/\/temp\/muster-\w+\/muster\.sarif$/),
    });
    expect(Object.keys(outputs).sort()).toEqual(['exit-code', 'sarif-file']);
  });
});

describe('it evaluates', () => {
  test('what is wrong: an annotation at its place, a report, exit code 1', () => {
    const { code, out, outputs: set } = act({ paths: 'audit.yaml\n\nbad\n' });
    expect({ code, set: set['exit-code'] }).toEqual({ code: 1, set: '1' });
    expect(out).toMatch(/^::error .*file=bad\/claim\.yaml,.*line=6/m);
    const sarif = JSON.parse(readFileSync(set['sarif-file'] ?? '', 'utf8'));
    expect(sarif.runs[0].results[0].ruleId).toBe('claim/id-syntax');
  });

  test('twice in a job, with a report of each, and none of a wrong call', () => {
    const files = ['bad', 'good'].map((paths) => act({ paths }).outputs['sarif-file'] ?? '');
    const counts = files.map((file) => JSON.parse(readFileSync(file, 'utf8')).runs[0].results.length);
    expect(counts).toEqual([1, 0]);
    expect(act({ paths: 'good', 'fail-on': 'warnings' }).outputs).toEqual({ 'exit-code': '2' });
  });

  test.each(['render', 'fail-on-no-match'])('no other word than true and false for %s', (name) => {
    const { code, out, outputs: set } = act({ paths: 'good', [name]: 'yes' });
    expect({ code, out }).toEqual({ code: 2, out: `::error::the input ${name} is neither true nor false\n` });
    expect(set).toEqual({ 'exit-code': '2' });
  });

  test('no cluster, for which packages would be missing', () => {
    expect(act({ paths: 'good' }, { MUSTER_LIVE: 'true' }).out).toBe(
      '::error::the action reads files only: unset MUSTER_LIVE\n',
    );
    expect(act({ paths: 'good', state: 'bad' }, { MUSTER_LIVE: 'true' }).code).not.toBe(2);
  });

  test('with a configuration, with state, against a base, by what is to fail', () => {
    expect(act({ paths: 'bad', config: 'audit.yaml' }).code).toBe(0);
    expect(act({ paths: 'good', 'base-ref': base }).code).toBe(0);
    writeFileSync(join(folder, 'work/good/id.yaml'), claim('id.k8s.io', 'east-2'));
    expect(act({ paths: 'good', 'base-ref': base }).out).toContain('claim/id-immutable-in-clusterset');
    expect(act({ paths: 'good/id.yaml', state: 'good/set.yaml\nbad' }).out).toContain(
      'claim/id-immutable-in-clusterset',
    );
    writeFileSync(join(folder, 'work/good/id.yaml'), claim('id.k8s.io', 'east-1'));
    expect(act({ paths: 'good/set.yaml', 'fail-on': 'warning' }).code).toBe(1);
    expect(act({ paths: 'audit.yaml', 'fail-on-no-match': 'true' }).code).toBe(2);
    expect(act({ clusters: 'goo*\nb*' })).toMatchObject({ code: 1, out: expect.stringContaining('(ad: ClusterClaim') });
    expect(act({ paths: 'none' })).toMatchObject({ code: 2, outputs: { 'exit-code': '2' } });
  });

  test('clusters by name, one a line', () => {
    const { code, out } = act({ cluster: 'east=good\nwest=bad' });
    expect({ code, out }).toEqual({ code: 1, out: expect.stringContaining('(west: ClusterClaim') });
  });

  test('clusters that the configuration names, if paths is empty', () => {
    const { code, out } = act({ paths: '', config: 'clusters.yaml' });
    expect({ code, out }).toEqual({ code: 1, out: expect.stringContaining('(bad: ClusterClaim') });
  });

  test('deletions: the id of a member', () => {
    const { code, out } = act({ paths: 'audit.yaml', state: 'good', deleted: 'good/id.yaml' });
    expect({ code, out }).toEqual({ code: 1, out: expect.stringContaining('claim/id-present-in-clusterset') });
  });

  test('by the user and the groups that are named', () => {
    const asked = { paths: 'good/set.yaml', state: 'good/id.yaml', config: 'managed.yaml' };
    expect(act(asked).out).toContain('the user who makes this request is unknown');
    expect(act({ ...asked, as: 'jane' })).toMatchObject({ code: 1, out: expect.stringContaining('jane') });
    expect(act({ ...asked, as: 'jane', 'as-group': 'others\nfleet admins' }).code).toBe(0);
  });

  test('a kustomization as it is rendered, where that is asked for', () => {
    const programs = join(folder, 'programs');
    // Nothing else is on its PATH.
    const text = claim('id.k8s.io', 'A_B').trimEnd();
    writePrograms(programs, { kustomize: `echo '${text}'` });
    const FIRST = programs;
    expect(act({ paths: 'kust' }, { FIRST }).code).toBe(0);
    const { code, out } = act({ paths: 'kust', render: 'true' }, { FIRST });
    expect({ code, out }).toEqual({ code: 1, out: expect.stringContaining('claim/id-syntax') });
  });
});

describe('whatever stands in an input', () => {
  test.each(Object.keys(inputs).filter((name) => name !== 'working-directory'))('nothing of it is run: %s', (name) => {
    const made = join(folder, 'made');
    const text = `$(touch ${made})\`touch ${made}\`"; touch ${made}; "'; touch ${made}; '`;
    const input = name === 'sarif-file' ? '$(touch made)`touch made`' : text;
    // A shell would run it. What Node gets is seen without muster.
    const FIRST = join(folder, 'recorder');
    writePrograms(FIRST, { node: `printf '%s\\n' "$@" >'${folder}/arguments'` });
    const { out, outputs: set } = act({ paths: 'good', [name]: input }, { FIRST });
    expect([existsSync(made), existsSync(join(folder, 'work/made'))]).toEqual([false, false]);
    expect(Object.keys(set)).toEqual(['exit-code']);
    const refused = `::error::the input ${name} is neither true nor false\n`;
    expect(out === refused || readFileSync(join(folder, 'arguments'), 'utf8').includes(input)).toBe(true);
  });

  test('a path is one argument, with its spaces, and never a flag', () => {
    expect(act({ paths: 'two words' }).out).toContain('file=two words/claim.yaml');
    expect(act({ paths: '--help' }).code).toBe(2);
  });

  test('no further output is set by a name with a line end', () => {
    const { code, outputs: set } = act({ paths: 'good', 'sarif-file': 'a.sarif\nexit-code=0' });
    expect({ code, set }).toEqual({ code: 2, set: { 'exit-code': '2' } });
  });
});
