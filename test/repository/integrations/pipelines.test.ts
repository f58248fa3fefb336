/**
 * What other pipelines run, as far as it can be run here: the commands that the files hold, with the values that they
 * name.
 */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { HEAD } from '../../support/configuration.ts';
import { newFolder } from '../../support/folder.ts';
import { MAIN } from '../../support/main.ts';
import { checkoutIn, claim, commandIn, commit, ran } from './repository.ts';

const read = (path: string) => parse(readFileSync(path, 'utf8'));
let folder: string;
let work: string;
let base: string;

beforeAll(() => {
  folder = newFolder().path;
  work = join(folder, 'work');
  base = commit(work, {
    'manifests/id.yaml': claim('id.k8s.io', 'east-1'),
    'manifests/set.yaml': claim('clusterset.k8s.io', 'fleet'),
  });
});

/** Another id in the working tree, which muster refuses to a member; afterwards all is as it was. */
function withAnotherId<T>(body: () => T): T {
  commit(work, { 'manifests/id.yaml': claim('id.k8s.io', 'east-2') });
  try {
    return body();
  } finally {
    commit(work, { 'manifests/id.yaml': claim('id.k8s.io', 'east-1') });
  }
}

describe('the GitLab job', () => {
  const { muster } = read('examples/integrations/gitlab/muster.gitlab-ci.yml');
  const run = () => {
    const env = { ...muster.variables, CI_MERGE_REQUEST_DIFF_BASE_SHA: base, FIRST: commandIn(join(folder, 'bin')) };
    return ran(work, ['bash', '-eo', 'pipefail', '-c', muster.script.join('\n')], env);
  };

  test('passes, and fails with a report that is kept', () => {
    expect(run()).toMatchObject({ code: 0, out: expect.stringContaining(muster.variables.MUSTER_PACKAGE) });
    const { code, out } = withAnotherId(run);
    expect({ code, out }).toEqual({ code: 1, out: expect.stringContaining('claim/id-immutable-in-clusterset') });
    for (const report of [...muster.artifacts.paths, muster.artifacts.reports.junit]) {
      expect(readFileSync(join(work, report), 'utf8')).toContain('id-immutable-in-clusterset');
    }
    rmSync(join(work, 'muster-reports'), { recursive: true });
    expect(muster.artifacts.when).toBe('always');
  });

  test('writes nothing through what a merge request has put in the place of its reports', () => {
    const victim = join(folder, 'victim');
    writeFileSync(victim, 'precious');
    for (const name of ['muster.xml', 'muster.sarif']) symlinkSync(victim, join(work, name));
    rmSync(join(work, 'muster-reports'), { recursive: true, force: true });
    symlinkSync(folder, join(work, 'muster-reports'));
    expect(run().code).toBe(0);
    expect(readFileSync(victim, 'utf8')).toBe('precious');
    expect(readdirSync(folder).filter((name) => /muster\.(xml|sarif)$/.test(name))).toEqual([]);
    expect(readFileSync(join(work, muster.artifacts.reports.junit), 'utf8')).toContain('<testsuites');
    for (const name of ['muster.xml', 'muster.sarif']) rmSync(join(work, name));
    rmSync(join(work, 'muster-reports'), { recursive: true });
  });
});

describe('the Jenkins stage', () => {
  const text = readFileSync('examples/integrations/jenkins/Jenkinsfile', 'utf8');
  const [, script = 'false'] = /sh '''\n(.*?)'''/s.exec(text) ?? [];
  const values = Object.fromEntries(
    [...text.matchAll(/^ +(MUSTER_\w+) = '(.*)'$/gm)].map(([, name, value]) => [name, value]),
  );
  /** Jenkins calls `sh -xe`; the target branch is there, as it is merged with. */
  const run = () =>
    ran(work, ['sh', '-xe', '-c', script], { ...values, CHANGE_TARGET: 'main', FIRST: commandIn(join(folder, 'bin')) });

  beforeAll(() => {
    ran(work, ['git', 'update-ref', 'refs/remotes/origin/main', base]);
  });

  test('passes, and fails with a report that is kept', () => {
    expect(run()).toMatchObject({ code: 0, out: expect.stringContaining(`${values['MUSTER_PACKAGE']}`) });
    const { code, out } = withAnotherId(run);
    expect({ code, out }).toEqual({ code: 1, out: expect.stringContaining('claim/id-immutable-in-clusterset') });
    const [, report = ''] = /testResults: '(.*?)'/.exec(text) ?? [];
    expect(readFileSync(join(work, report), 'utf8')).toContain('id-immutable-in-clusterset');
    rmSync(join(work, 'muster-reports'), { recursive: true });
  });

  test('a target branch that was not fetched is an error, not an empty past', () => {
    ran(work, ['git', 'update-ref', '-d', 'refs/remotes/origin/main']);
    expect(run().code).toBe(2);
    rmSync(join(work, 'muster-reports'), { recursive: true });
  });
});

describe('the Tekton task', () => {
  const { spec } = read('examples/integrations/tekton/task.yaml');
  const [step] = spec.steps;
  type Values = Readonly<Record<string, string | readonly string[]>>;
  const defaults: Values = Object.fromEntries(
    spec.params.map((one: { name: string; default: string | readonly string[] }) => [one.name, one.default]),
  );

  /** Parameters as Tekton puts them in: a list stands for as many arguments. */
  function args(input: Values): string[] {
    const values: Values = { ...defaults, ...input };
    return step.args.flatMap((text: string) => {
      const list = /^\$\(params\.([\w-]+)\[\*\]\)$/.exec(text)?.[1];
      if (list !== undefined) return values[list];
      return text
        .replace(/\$\(params\.([\w-]+)\)/g, (_, name: string) => String(values[name]))
        .replace('$(workspaces.reports.path)', reports);
    });
  }
  /** The workspace of the settings, where the Task mounts it. */
  const { mountPath } = spec.workspaces.find((one: { name: string }) => one.name === 'settings');
  const mounted = (text: string) => text.replace(`${mountPath}/`, `${folder}/settings/`);
  const run = (input: Values) => ran(work, ['node', MAIN, ...args(input).map(mounted)]);
  let reports: string;
  beforeAll(() => {
    mkdirSync(join(folder, 'settings'));
    writeFileSync(join(folder, 'settings/muster.yaml'), HEAD);
    const exported = `${claim('id.k8s.io', 'east-1')}---\n${claim('clusterset.k8s.io', 'fleet')}`;
    writeFileSync(join(folder, 'settings/exported.yaml'), exported);
    reports = mkdtempSync(join(folder, 'reports-'));
  });

  test('runs what the image runs', () => {
    const entry = /^ENTRYPOINT (.*)$/m.exec(readFileSync('tools/image/Dockerfile', 'utf8'))?.[1] ?? '';
    expect(step.command).toEqual(JSON.parse(entry));
  });

  test('passes and fails as the pipeline calls it, and leaves its reports', () => {
    const pipeline = read('examples/integrations/tekton/pipeline.yaml').spec;
    const check = pipeline.tasks.find((one: { name: string }) => one.name === 'check');
    const input = Object.fromEntries(
      check.params.map((one: { name: string; value: string[] }) => [one.name, one.value]),
    );
    expect(Object.keys(input).filter((name) => !(name in defaults))).toEqual([]);
    expect(run(input).code).toBe(0);
    expect(withAnotherId(() => run(input))).toMatchObject({ code: 1 });
    const given = (input['options'] ?? []).filter((flag: string) => /^--(config|state)=/.test(flag));
    expect(given.map((flag: string) => flag.replace(/=.*/, ''))).toEqual(['--config', '--state']);
    // A change can't reach what it is checked with.
    for (const flag of given) expect(flag).toContain(`=${mountPath}/`);
    for (const report of ['muster.sarif', 'muster.xml']) {
      expect(readFileSync(join(reports, report), 'utf8')).toContain('id-immutable-in-clusterset');
      expect(existsSync(join(work, report))).toBe(false);
    }
  });
});

describe('the pre-commit hook', () => {
  const [hook, ...others] = read('.pre-commit-hooks.yaml');
  // pre-commit calls the entry of its checkout from the repository's root.
  const own = () => join(folder, 'own');
  const run = () => ran(own(), [join(folder, 'checkout', hook.entry), ...hook.args]);

  test('is one, whose entry can be executed', () => {
    expect(others).toEqual([]);
    // It runs for a commit that only deletes manifests, too: for that one pre-commit has no files.
    expect(hook).toMatchObject({ id: 'muster', language: 'script', pass_filenames: false, always_run: true });
    expect(statSync(hook.entry).mode & 0o111).toBe(0o111);
  });

  test('passes what is well, and fails what is not', () => {
    checkoutIn(join(folder, 'checkout'));
    commit(own(), { 'id.yaml': claim('id.k8s.io', 'east-1'), 'set.yaml': claim('clusterset.k8s.io', 'fleet') });
    expect(run()).toMatchObject({ code: 0 });
    writeFileSync(join(own(), 'id.yaml'), claim('id.k8s.io', 'east-2'));
    expect(run()).toMatchObject({ code: 1, out: expect.stringContaining('claim/id-immutable-in-clusterset') });
  });

  test('says that it reads files only', () => {
    const { code, out } = ran(own(), [join(folder, 'checkout', hook.entry), '.', '--live']);
    expect({ code, out }).toEqual({ code: 2, out: expect.stringContaining('the hook reads files only') });
    const byVariable = ran(own(), [join(folder, 'checkout', hook.entry), '.'], { MUSTER_LIVE: 'true' });
    expect(byVariable).toEqual({ code, out });
  });

  test('finds a newer Node in the tool cache of a runner, and else says what it needs', () => {
    const old = join(folder, 'old');
    mkdirSync(old);
    writeFileSync(join(old, 'node'), '#!/bin/sh\ntest "$1" = --version && echo v20.0.0\n', { mode: 0o755 });
    const command = [join(folder, 'checkout', hook.entry), ...hook.args];
    const { code, out } = ran(own(), command, { FIRST: old });
    expect({ code, out }).toEqual({ code: 2, out: 'error: muster needs Node 22.19 or newer, found v20.0.0\n' });
    const cache = join(folder, 'cache');
    mkdirSync(join(cache, 'node/24.0.0/x64/bin'), { recursive: true });
    symlinkSync(process.execPath, join(cache, 'node/24.0.0/x64/bin/node'));
    commit(own(), { 'id.yaml': claim('id.k8s.io', 'east-1') });
    expect(ran(own(), command, { FIRST: old, RUNNER_TOOL_CACHE: cache })).toMatchObject({ code: 0 });
  });
});
