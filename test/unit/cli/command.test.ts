/** The command line: exit codes and streams. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { ruleUrl } from '../../../src/rules/documentation.ts';
import { ruleIds } from '../../../src/rules/index.ts';
import { kubeconfigOf } from '../../support/api-stub.ts';
import { claim, muster as musterAsProcess, yaml } from '../../support/command-line.ts';
import { HEAD } from '../../support/configuration.ts';
import { newRepository } from '../../support/git.ts';
import { musterHere } from '../../support/in-process.ts';

const folder = newRepository();
for (const [name, text] of Object.entries({
  'good.yaml': yaml(claim('id.k8s.io', 'one')),
  'bad.yaml': yaml(claim('id.k8s.io', 'A_B')),
  'joined.yaml': yaml(claim('id.k8s.io', 'one'), claim('clusterset.k8s.io', 'fleet')),
  'warns.yaml': yaml(claim('clusterset.k8s.io', 'fleet')),
  'changed.yaml': yaml(claim('id.k8s.io', 'two')),
  'other.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n',
  'empty.yaml': '',
  'warn.yaml': `${HEAD}rules:\n  claim/id-syntax: warn\n`,
  'wrong.yaml': `${HEAD}rules:\n  claim/id-sintax: warn\nmood: grim\n`,
  'm/a.yaml': yaml(claim('id.k8s.io', 'one'), claim('clusterset.k8s.io', 'fleet')),
  'away.kubeconfig': JSON.stringify(kubeconfigOf('https://127.0.0.1:1')),
}))
  folder.put(name, text);
folder.commit();
folder.put('m/a.yaml', yaml(claim('id.k8s.io', 'Two')));

const muster = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  musterHere(args, { cwd: folder.path, env });
const check = (...args: string[]) => muster(['check', ...args]);
const lineCount = (text: string) => text.split('\n').length - 1;

describe('check', () => {
  test('prints only the summary if nothing is found', async () => {
    expect(await check('good.yaml')).toEqual({
      code: 0,
      out: '1 evaluated: 1 allowed, 0 denied, 0 indeterminate; 0 warnings, 0 skipped, 0 errors\n',
      err: '',
    });
  });

  test.each<[number, ...string[]]>([
    [0, 'warns.yaml'],
    [1, 'warns.yaml', '--fail-on', 'warning'],
    [0, 'warns.yaml', '--fail-on', 'indeterminate'],
    [0, '--deleted', 'good.yaml'],
    [1, '--deleted', 'good.yaml', '--fail-on=indeterminate'],
  ])('exit code %d for %s %s %s %s', async (code, ...args) => {
    expect((await check(...args)).code).toBe(code);
  });

  test('standard input holds the state', async () => {
    const options = { cwd: folder.path, stdin: yaml(claim('clusterset.k8s.io', 'fleet')) };
    const state = await musterAsProcess(['check', '--deleted', 'good.yaml', '--state', '-'], options);
    expect(state.out).toMatch(/^good\.yaml:.* denied \[claim\/id-present-in-clusterset\]/);
  });

  test('a configuration changes actions; a broken one is refused with each problem', async () => {
    const warned = await check('bad.yaml', '--config', 'warn.yaml');
    expect(warned).toMatchObject({ code: 0, out: expect.stringMatching(/: warn \[claim\/id-syntax\]/) });
    const refused = await check('bad.yaml', '--config', 'wrong.yaml');
    expect(refused).toMatchObject({ code: 2, out: '' });
    expect(refused.err).toMatch(/^error: wrong\.yaml:4:.*claim\/id-syntax/);
    expect(lineCount(refused.err)).toBe(2);
  });
});

describe('a wrong call is one line and exit code 2', () => {
  const cases: { args: string[]; message: RegExp; env?: Record<string, string> }[] = [
    { args: ['chek'], message: /unknown command 'chek'.*Did you mean check\?/ },
    { args: ['help', 'chek'], message: /unknown command 'chek'.*Did you mean check\?/ },
    { args: ['version'], message: /unknown command 'version': see muster --help\n$/ },
    { args: ['check', '--all'], message: /unknown option '--all': see muster check --help\n$/ },
    { args: ['check', 'good.yaml', '--sate', 'x'], message: /unknown option '--sate'.*Did you mean --state\?/ },
    { args: ['check'], message: /nothing to check/ },
    { args: ['check', 'good.yaml', '--state'], message: /argument missing/ },
    { args: ['check', 'good.yaml', '--fail-on', 'sorrow'], message: /denied, indeterminate, warning/ },
    {
      args: ['check', 'good.yaml'],
      env: { MUSTER_FAIL_ON: 'sorrow' },
      message: /MUSTER_FAIL_ON.*denied, indeterminate/,
    },
    { args: ['check', 'good.yaml', '--subresource', 'scale'], message: /none, status/ },
    { args: ['check', 'good.yaml', '-o', 'jsn'], message: /unknown --output "jsn".*did you mean "json"/ },
    { args: ['check', 'good.yaml', '-o', 'text', '-o', 'json'], message: /standard output can hold one report only/ },
    { args: ['check', 'good.yaml', '--config', 'missing.yaml'], message: /missing\.yaml/ },
    { args: ['check', '-', '--base-ref', 'HEAD'], message: /standard input has no git history/ },
    { args: ['check', 'm', '--base-ref=-p'], message: /--base-ref needs a git revision/ },
    { args: ['check', '--deleted', 'm', '--base-ref', 'HEAD'], message: /--base-ref needs PATH/ },
    { args: ['check', 'm', '--live', '--kubeconfig', 'away.kubeconfig', '--context', 'y'], message: /context "y"/ },
    { args: ['check', 'm', '--live', '--state', 'm'], message: /--live and --state/ },
    { args: ['explain', 'claim/id-sintax'], message: /no rule "claim\/id-sintax".*did you mean "claim\/id-syntax"/ },
    {
      args: ['explain', 'claim/id'],
      message: /these begin with it: claim\/id-syntax, claim\/id-length, .*claim\/id-present$/m,
    },
    { args: ['explain', 'claim/id-sy'], message: /did you mean "claim\/id-syntax"/ },
    { args: ['explain'], message: /missing required argument 'id': see muster explain --help/ },
    {
      args: ['explain', 'claim/value', 'b'],
      message: /muster explain takes id only, not "b": see muster explain --help/,
    },
    { args: ['scan', 'good.yaml'], message: /takes no arguments, not "good\.yaml": name files .* with --state PATH/ },
  ];
  test.each(cases)('$args', async ({ args, message, env = {} }) => {
    const { code, err } = await muster(args, env);
    expect({ code, err }).toEqual({ code: 2, err: expect.stringMatching(message) });
    expect(lineCount(err)).toBe(1);
  });

  test('what an argument would do to a terminal or a log is escaped', async () => {
    const { err: argument } = await check('--\u001b[2J\u202ex##[add-mask]y');
    expect(argument).toContain(String.raw`unknown option '--\u001b[2J\u202ex#\u0023[add-mask]y'`);
    const { err: variable } = await muster(['check', 'good.yaml'], { MUSTER_FAIL_ON: '\u001b[2J' });
    expect(variable).toContain(String.raw`value '\u001b[2J' from env 'MUSTER_FAIL_ON' is invalid`);
  });

  test('no command at all shows the help', async () => {
    expect(await muster([])).toMatchObject({ code: 2, err: expect.stringMatching(/^Usage: muster/) });
  });
});

describe('the environment', () => {
  test('sets every flag, also lists; a flag beats its variable; an empty one is unset', async () => {
    const env = { MUSTER_STATE: 'other.yaml:joined.yaml', MUSTER_OUTPUT: 'json', MUSTER_FAIL_ON_NO_MATCH: 'true' };
    const [set, none, beaten, empty, base] = await Promise.all([
      muster(['check', 'changed.yaml'], env),
      muster(['check', 'other.yaml'], env),
      muster(['check', 'changed.yaml', '--state', 'empty.yaml', '-o', 'text'], env),
      muster(['check', 'other.yaml'], { MUSTER_STATE: '', MUSTER_FAIL_ON_NO_MATCH: 'false' }),
      muster(['check', 'm'], { MUSTER_BASE_REF: 'HEAD', MUSTER_KUBECONFIG: 'away.kubeconfig' }),
    ]);
    expect(JSON.parse(set.out).results[0].findings[0].ruleId).toBe('claim/id-immutable-in-clusterset');
    expect(none.code).toBe(2);
    expect(beaten).toMatchObject({ code: 0, out: expect.stringMatching(/^1 evaluated: 1 allowed/) });
    expect(empty.code).toBe(0);
    expect(base).toMatchObject({ code: 1, out: expect.stringContaining('2 evaluated'), err: '' });
  });

  test('a switch that is neither true nor false is refused', async () => {
    const { code, err } = await muster(['check', 'other.yaml'], { MUSTER_FAIL_ON_NO_MATCH: 'perhaps' });
    expect(code).toBe(2);
    expect(err).toBe(
      "error: option '--fail-on-no-match' value 'perhaps' from env 'MUSTER_FAIL_ON_NO_MATCH' is invalid. Allowed choices are true, false.\n",
    );
  });
});

describe('help, version, rules and explain', () => {
  test('--version and each --help end with 0; each help has an example', async () => {
    const { bin, version } = JSON.parse(readFileSync('package.json', 'utf8'));
    expect(await muster(['--version'])).toEqual({ code: 0, out: `${version}\n`, err: '' });
    // The built command, as npx calls it; if it fails, run npm run build.
    expect(execFileSync(`./${bin.muster}`, ['--version'], { encoding: 'utf8' })).toBe(`${version}\n`);
    const commands = [[], ['serve'], ['check'], ['rules'], ['explain'], ['certs']];
    for (const { code, out } of await Promise.all(commands.map((command) => muster([...command, '--help'])))) {
      expect({ code, out }).toEqual({ code: 0, out: expect.stringMatching(/Examples?:\n {2}muster/) });
    }
  });

  test('rules lists the whole catalogue in its order', async () => {
    const [table, json] = await Promise.all([muster(['rules']), muster(['rules', '-o', 'json'])]);
    const [rows = '', legend] = table.out.split('\n\n');
    const listed = rows.split('\n').slice(1);
    expect(listed.map((row) => row.split(' ')[0])).toEqual([...ruleIds]);
    expect(listed[1]).toMatch(/ Names under k8s\.io and kubernetes\.io are reserved for .*\.$/);
    expect(legend).toMatch(/^LEVEL .*MUST†/);
    expect(JSON.parse(json.out)[1]).toMatchObject({
      id: 'claim/reserved-name',
      summary: expect.stringMatching(/ are reserved for /),
      fix: expect.stringMatching(/allowedReservedNames/),
      level: 'MUST',
      defaultAction: 'deny',
      defaultActionByKind: { 'ClusterClaim.cluster.open-cluster-management.io': 'warn' },
    });
  });

  test('explain shows summary, fix, norm, source, default action and an example each way', async () => {
    const [prose, json] = await Promise.all([
      muster(['explain', 'feature/transition']),
      // By the address of its page, as reports print it.
      muster(['explain', ruleUrl('feature/transition'), '-o', 'json']),
    ]);
    const facts = JSON.parse(json.out);
    expect(prose.out).toContain(`feature/transition: ${facts.summary}\n\nHow to fix it\n  ${facts.fix}\n`);
    for (const part of [facts.quote, facts.source, facts.why, 'Default action:   deny', 'Allowed\n', 'Not allowed\n'])
      expect(prose.out).toContain(part);
    expect(facts.examples.denied).not.toBe('');
  });
});
