/** The flags that name clusters, as options and on the command line. */
import { describe, expect, test } from '@jest/globals';
import { type CheckFlags, checkOptions } from '../../../../src/cli/check/command.ts';
import { parseGlob } from '../../../../src/input/clusters/glob.ts';
import { kubeconfigOf } from '../../../support/api-stub.ts';
import { yaml } from '../../../support/command-line.ts';
import { HEAD } from '../../../support/configuration.ts';
import { newRepository } from '../../../support/git.ts';
import { musterHere } from '../../../support/in-process.ts';
import { memberOf } from '../../../support/objects.ts';

const member = (id: string) => yaml(...memberOf('fleet', id));

const folder = newRepository();
for (const [name, text] of Object.entries({
  'clusters/east/claims.yaml': member('one'),
  'clusters/west/claims.yaml': member('two'),
  'muster.yaml': `${HEAD}check:\n  clusters: ["clusters/*"]\n`,
  'platform/muster.yaml': `${HEAD}check:\n  clusters: ["../clusters/*"]\n`,
  'none.yaml': `${HEAD}check:\n  clusters: [clusters/*, fleets/*]\n`,
  'wrong.yaml': `${HEAD}check:\n  clusters:\n    - clusters/..\n`,
  'both.yaml': `${HEAD}check:\n  clusters: [clusters/east, "clusters/w*"]\n`,
  'away.kubeconfig': JSON.stringify(kubeconfigOf('https://127.0.0.1:1')),
}))
  folder.put(name, text);
folder.commit();

describe('options', () => {
  const configured = [parseGlob('clusters/*', 'muster.yaml: check.clusters "clusters/*"')];
  const optionsOf = (flags: Partial<CheckFlags>, paths: readonly string[] = [], globs = [] as typeof configured) =>
    checkOptions(paths, { failOn: 'denied', ...flags }, globs);
  const globs = { clusters: ['clusters/*'] };

  test.each<[title: string, flags: Partial<CheckFlags>, paths: readonly string[], message: string]>([
    [
      'a path',
      globs,
      ['a.yaml'],
      "--clusters names what is checked, so paths can't be given beside it: leave out a.yaml",
    ],
    [
      'an expanded glob',
      { clusters: ['clusters/east'] },
      ['clusters/west'],
      'leave out clusters/west (and quote a glob, so that the shell does not expand it)',
    ],
    ['no name', { cluster: ['clusters/east'] }, [], '--cluster clusters/east: write NAME=PATH'],
    ['an empty name', { cluster: ['=clusters/east'] }, [], '--cluster =clusters/east: write NAME=PATH'],
    ['an empty path', { cluster: ['east='] }, [], '--cluster east=: write NAME=PATH'],
    ['standard input', { cluster: ['east=-'] }, [], "standard input can't be a cluster"],
    ['state of all', { ...globs, state: ['a.yaml'] }, [], '--state a.yaml: beside clusters write NAME=PATH'],
    ['deletions of all', { ...globs, deleted: ['a.yaml'] }, [], '--deleted a.yaml: beside clusters write NAME=PATH'],
    [
      'one API server',
      { ...globs, live: [] },
      [],
      '--live reads one cluster: beside clusters give --live NAME=CONTEXT',
    ],
    ['two contexts', { ...globs, live: ['a=b', 'a=c'] }, [], '--live names two contexts for "a": give one'],
    [
      'two states',
      { ...globs, live: ['a=b'], state: ['a=c'] },
      [],
      '--live and --state both name the previous state of "a"',
    ],
    [
      'standard input twice',
      { ...globs, state: ['a=-'], deleted: ['b=-'] },
      [],
      '"-" (standard input) can be named once',
    ],
    ['no clusters for --live', { live: ['a=b'] }, ['a.yaml'], '--live a=b: name clusters with --cluster NAME=PATH or'],
    [
      'no clusters for --state',
      { state: ['a=b'] },
      ['a.yaml'],
      'a=b: no such file or folder; for NAME=PATH name clusters',
    ],
    ['a revision like a flag', { ...globs, baseRef: '-x' }, [], '--base-ref needs a git revision'],
  ])('refuse %s', (_, flags, paths, message) => {
    expect(() => optionsOf(flags, paths)).toThrow(message);
  });

  test('the configuration names clusters like the flag, and a flag beats it', () => {
    expect(optionsOf({}, [], configured).clusters?.globs).toBe(configured);
    expect(() => optionsOf({}, ['a'], configured)).toThrow('check.clusters "clusters/*" names what is checked');
    expect(optionsOf({ cluster: ['a=b'] }, [], configured).clusters).toMatchObject({
      named: [{ name: 'a', path: 'b' }],
      globs: [],
    });
  });

  test('each cluster has its own files and context', () => {
    const given = { state: ['a=s', 'a=t=u'], deleted: ['a=d'], live: ['b=admin@b=1'], kubeconfig: 'k' };
    const { clusters, clusterAccess } = optionsOf({ ...globs, ...given });
    expect(clusters?.state).toEqual(new Map([['a', ['s', 't=u']]]));
    expect(clusters?.deleted).toEqual(new Map([['a', ['d']]]));
    expect(clusterAccess.get('b')).toMatchObject({ kubeconfig: 'k', context: 'admin@b=1' });
  });
});

describe('on the command line', () => {
  const check = (args: string, env: Readonly<Record<string, string>> = {}) =>
    musterHere(['check', ...args.split(' ').filter(Boolean)], { cwd: folder.path, env });
  const passed = { code: 0, out: expect.stringMatching(/^4 evaluated: 4 allowed/m), err: '' };

  test.each<[args: string, env: Readonly<Record<string, string>>]>([
    ['--clusters clusters/* --base-ref HEAD --fail-on warning', {}],
    ['--cluster east=clusters/east --cluster west=clusters/west/claims.yaml', {}],
    ['--config muster.yaml', {}],
    ['--config platform/muster.yaml', {}],
    ['', { MUSTER_CLUSTERS: 'clusters/e*:clusters/w*' }],
    ['', { MUSTER_CLUSTER: 'east=clusters/east:west=clusters/west' }],
    ['--clusters clusters/e* --cluster b=clusters/west', {}],
    ['--clusters clusters/east --clusters clusters/w*', {}],
    ['--clusters clusters/east --base-ref HEAD', { MUSTER_CLUSTER: 'b=clusters/west' }],
    ['--config both.yaml', {}],
  ])('two clusters pass with %s %j', async (args, env) => {
    expect(await check(args, env)).toEqual(passed);
  });

  test.each([
    [
      '--config wrong.yaml',
      /^error: wrong.yaml:5:7: check.clusters\[0\]: expected a folder, or a glob .*found "clusters\/\.\."/,
    ],
    ['--config none.yaml', /^error: none.yaml:4:26: check.clusters "fleets\/\*": no folder matches/],
    [
      '--clusters clusters/* --live east=x --context x --kubeconfig away.kubeconfig',
      /^error: --context names one cluster/,
    ],
    ['--clusters clusters/* --live east=y --kubeconfig away.kubeconfig', /^error: .*context "y"/],
  ])('%s is one line', async (args, message) => {
    const { code, err } = await check(args);
    expect({ code, err }).toEqual({ code: 2, err: expect.stringMatching(message) });
    expect(err.split('\n')).toHaveLength(2);
  });

  test('JSON names the cluster of each result, and of an error', async () => {
    const args = '--clusters clusters/* --live west=x --kubeconfig away.kubeconfig -o json';
    const { code, out } = await check(args, { MUSTER_CONTEXT: 'other' });
    const { results, errors } = JSON.parse(out);
    expect(code).toBe(2);
    expect(results.map(({ cluster }: { cluster: string }) => cluster)).toEqual(['east', 'east', 'west', 'west']);
    expect(errors[0]).toEqual({ cluster: 'west', message: expect.stringContaining('the API server at') });
  });

  test('--live without a value takes no path', async () => {
    const { out, err } = await check('--live clusters/east --kubeconfig away.kubeconfig');
    expect(out).toMatch(/^2 evaluated|\n2 evaluated/);
    expect(err).toMatch(/^error: the API server at /);
    const variable = await check('clusters/east --kubeconfig away.kubeconfig', { MUSTER_LIVE: 'true' });
    expect(variable.out).toBe(out);
    expect((await check('clusters/east', { MUSTER_LIVE: 'off' })).code).toBe(0);
  });
});
