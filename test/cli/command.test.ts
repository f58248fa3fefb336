/** The command line itself, as a process: what a shell and a script see. */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { ruleIds } from '../../src/rules/index.ts';
import { claim, cluster, type Folder, newFolder, yaml } from './world.ts';

const MAIN = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url));
// A process takes a quarter of a second; on a busy machine many times that.
jest.setTimeout(30_000);
const ESCAPE = '\u001b';

let folder: Folder;
beforeAll(() => {
  folder = newFolder();
  folder.put('good.yaml', yaml(claim('id.k8s.io', 'one')));
  folder.put('bad.yaml', yaml(claim('id.k8s.io', 'A_B')));
  folder.put('joined.yaml', yaml(claim('id.k8s.io', 'one'), claim('clusterset.k8s.io', 'fleet')));
  folder.put('warns.yaml', yaml(claim('clusterset.k8s.io', 'fleet')));
  folder.put('other.yaml', 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n');
  folder.put('broken.yaml', 'a: [1\n');
  folder.put('empty.yaml', '');
});
afterAll(() => folder.remove());

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

interface Given {
  readonly stdin?: string;
  readonly env?: Record<string, string>;
}

function muster(args: readonly string[], { stdin = '', env = {} }: Given = {}): Promise<Ended> {
  const inherited = Object.entries(process.env).filter(([name]) => !/^(MUSTER_|NO_COLOR|FORCE_COLOR)/.test(name));
  const child = spawn(process.execPath, [MAIN, ...args], {
    cwd: folder.path,
    env: { ...Object.fromEntries(inherited), ...env },
  });
  let [out, err] = ['', ''];
  child.stdout.on('data', (text) => {
    out += text;
  });
  child.stderr.on('data', (text) => {
    err += text;
  });
  child.stdin.end(stdin);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, out, err }));
  });
}

const lineCount = (text: string) => text.split('\n').length - 1;

describe('exit codes and outputs of check', () => {
  test('all is well: the summary and nothing else, exit 0', async () => {
    expect(await muster(['check', 'good.yaml'])).toEqual({
      code: 0,
      out: '1 judged: 1 allowed, 0 denied, 0 indeterminate; 0 warnings, 0 skipped, 0 errors\n',
      err: '',
    });
  });

  test('a denial: place, rule, field, object; exit 1; no colour in a pipe', async () => {
    const { code, out, err } = await muster(['check', 'bad.yaml', 'other.yaml']);
    const [finding, source, mark, , summary, end] = out.split('\n');
    expect(finding).toMatch(
      /^bad\.yaml:2:\d+: deny \[claim\/id-syntax\] spec\.value: .*"A_B".* \(ClusterClaim id\.k8s\.io\)$/,
    );
    expect(source).toMatch(/^ {2}2 \| .*"A_B"/);
    expect(mark).toHaveLength((source?.indexOf('"A_B"') ?? 0) + '"A_B"'.length);
    expect(summary).toBe('1 judged: 0 allowed, 1 denied, 0 indeterminate; 0 warnings, 1 skipped, 0 errors');
    expect({ code, err, end }).toEqual({ code: 1, err: '', end: '' });
    expect(out).not.toContain(ESCAPE);
  });

  test('--fail-on names what fails the run, each with those before it', async () => {
    const code = async (...args: string[]) => (await muster(['check', ...args])).code;
    const codes = await Promise.all([
      code('warns.yaml'),
      code('warns.yaml', '--fail-on', 'warning'),
      code('warns.yaml', '--fail-on', 'indeterminate'),
      code('--deleted', 'good.yaml'),
      code('--deleted', 'good.yaml', '--fail-on=indeterminate'),
      code('--deleted', 'good.yaml', '--fail-on=warning'),
      code('bad.yaml', '--fail-on=warning'),
    ]);
    expect(codes).toEqual([0, 1, 0, 0, 1, 1, 1]);
  });

  test('an error beats a finding: exit 2, and the rest is judged', async () => {
    const { code, out, err } = await muster(['check', 'broken.yaml', 'bad.yaml', 'missing.yaml']);
    expect(code).toBe(2);
    expect(out).toMatch(/\[claim\/id-syntax\][\s\S]*\n1 judged: 0 allowed, 1 denied, .* 2 errors\n$/);
    expect(err.split('\n').sort()).toEqual([
      '',
      expect.stringMatching(/^broken\.yaml:1:\d+: error: /),
      "missing.yaml:1:1: error: can't read it: no such file or folder",
    ]);
  });

  test('the JSON report, on standard output and in a file beside text', async () => {
    const [piped, beside] = await Promise.all([
      muster(['check', 'bad.yaml', '-o', 'json']),
      muster(['check', 'bad.yaml', '-o', 'json=report.json', '-o', 'text']),
    ]);
    expect(piped.code).toBe(1);
    expect(JSON.parse(piped.out)).toMatchObject({ kind: 'CheckReport', summary: { denied: 1 } });
    expect(beside.out).toMatch(/^bad\.yaml/);
    expect(readFileSync(`${folder.path}/report.json`, 'utf8')).toBe(piped.out);
  });

  test('standard input, as documents and as state', async () => {
    const [documents, state] = await Promise.all([
      muster(['check', '-'], { stdin: yaml(claim('id.k8s.io', 'A_B')) }),
      muster(['check', '--deleted', 'good.yaml', '--state', '-'], { stdin: yaml(claim('clusterset.k8s.io', 'fleet')) }),
    ]);
    expect(documents.out).toMatch(/^<stdin>:2:\d+: deny/);
    expect(state.out).toMatch(/^good\.yaml:.* deny \[claim\/id-present-in-clusterset\]/);
  });

  test('a note on what was changed goes to standard error', async () => {
    folder.put('bare.yaml', yaml(cluster('a', { metadata: { name: 'a' } })));
    const { code, out, err } = await muster(['check', 'bare.yaml', '-o', 'json']);
    expect({ code, lines: lineCount(err) }).toEqual({ code: 0, lines: 1 });
    expect(err).toMatch(/^bare\.yaml:2:1: note: label x-k8s\.io\/cluster-manager added/);
    expect(JSON.parse(out).results).toHaveLength(1);
  });

  test('a configuration, and one that is refused', async () => {
    const head = 'apiVersion: muster/v1alpha1\nkind: MusterConfiguration\n';
    folder.put('warn.yaml', `${head}rules:\n  claim/id-syntax: warn\n`);
    folder.put('wrong.yaml', `${head}rules:\n  claim/id-sintax: warn\nmood: grim\n`);
    const [warned, refused] = await Promise.all([
      muster(['check', 'bad.yaml', '--config', 'warn.yaml']),
      muster(['check', 'bad.yaml', '--config', 'wrong.yaml']),
    ]);
    expect(warned.out).toMatch(/: warn \[claim\/id-syntax\]/);
    expect(warned.code).toBe(0);
    expect(refused).toMatchObject({ code: 2, out: '' });
    expect(refused.err).toMatch(/^error: wrong\.yaml:4:.*claim\/id-syntax/);
    expect(lineCount(refused.err)).toBe(2);
  });

  test('a reader that has seen enough ends it quietly', async () => {
    folder.put('many.yaml', yaml(...Array.from({ length: 3000 }, (_, index) => claim(`a${index}.k8s.io`, 'x'))));
    const child = spawn(process.execPath, [MAIN, 'check', 'many.yaml'], { cwd: folder.path });
    let err = '';
    child.stderr.on('data', (text) => {
      err += text;
    });
    child.stdout.once('data', () => child.stdout.destroy());
    await new Promise((resolve) => child.on('close', resolve));
    expect(err).toBe('');
  });
});

describe('wrong calls: one line, exit 2', () => {
  const cases: { args: string[]; says: RegExp; env?: Record<string, string> }[] = [
    { args: ['chek'], says: /unknown command 'chek'.*Did you mean check\?/ },
    { args: ['check', 'good.yaml', '--sate', 'x'], says: /unknown option '--sate'.*Did you mean --state\?/ },
    { args: ['check'], says: /nothing to check/ },
    { args: ['check', '-', '-'], says: /named once only/ },
    { args: ['check', 'good.yaml', '--state'], says: /argument missing/ },
    { args: ['check', 'good.yaml', '--fail-on', 'sorrow'], says: /denied, indeterminate, warning/ },
    { args: ['check', 'good.yaml'], env: { MUSTER_FAIL_ON: 'sorrow' }, says: /MUSTER_FAIL_ON.*denied, indeterminate/ },
    { args: ['check', 'good.yaml', '--subresource', 'scale'], says: /none, status/ },
    { args: ['check', 'good.yaml', '-o', 'jsn'], says: /unknown output "jsn".*did you mean "json"/ },
    { args: ['check', 'good.yaml', '-o', 'text', '-o', 'json'], says: /standard output can hold one report only/ },
    { args: ['check', 'good.yaml', '-o', 'json=nowhere/x.json'], says: /can't write nowhere\/x\.json: no such file/ },
    { args: ['check', 'good.yaml', '--as-group', 'g'], says: /--as-group needs --as/ },
    { args: ['check', 'good.yaml', '--config', 'missing.yaml'], says: /missing\.yaml/ },
    { args: ['check', 'other.yaml', '--fail-on-no-match'], says: /other\.yaml:1:1: error: nothing of a kind/ },
    { args: ['explain', 'claim/id-sintax'], says: /no rule "claim\/id-sintax".*did you mean "claim\/id-syntax"/ },
    { args: ['explain'], says: /missing required argument 'id'/ },
  ];
  test.each(cases)('$args', async ({ args, says, env = {} }) => {
    const { code, err } = await muster(args, { env });
    expect(code).toBe(2);
    expect(err).toMatch(says);
    expect(lineCount(err)).toBe(1);
  });

  test('no command at all shows the help', async () => {
    const { code, err } = await muster([]);
    expect(code).toBe(2);
    expect(err).toMatch(/^Usage: muster/);
  });
});

describe('the environment', () => {
  test('sets every flag, lists too, and is beaten by flags', async () => {
    const env = { MUSTER_STATE: 'other.yaml:joined.yaml', MUSTER_OUTPUT: 'json', MUSTER_FAIL_ON_NO_MATCH: 'true' };
    folder.put('changed.yaml', yaml(claim('id.k8s.io', 'two')));
    const [set, none, beaten, empty] = await Promise.all([
      muster(['check', 'changed.yaml'], { env }),
      muster(['check', 'other.yaml'], { env }),
      muster(['check', 'changed.yaml', '--state', 'empty.yaml', '-o', 'text'], { env }),
      muster(['check', 'other.yaml'], { env: { MUSTER_STATE: '', MUSTER_FAIL_ON_NO_MATCH: 'false' } }),
    ]);
    expect(JSON.parse(set.out).results[0].findings[0].ruleId).toBe('claim/id-immutable-in-clusterset');
    expect(none.code).toBe(2);
    expect(beaten).toMatchObject({ code: 0, out: expect.stringMatching(/^1 judged: 1 allowed/) });
    expect(empty.code).toBe(0);
  });

  test('refuses a switch that says neither yes nor no', async () => {
    const env = { MUSTER_FAIL_ON_NO_MATCH: 'perhaps' };
    const { code, out, err } = await muster(['check', 'other.yaml'], { env });
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toBe(
      "error: option '--fail-on-no-match' value 'perhaps' from env 'MUSTER_FAIL_ON_NO_MATCH' is invalid. Allowed choices are true, false.\n",
    );
  });
});

describe('help, version, rules, explain', () => {
  test('--version and --help end with 0, each help with an example', async () => {
    const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
    expect(await muster(['--version'])).toEqual({ code: 0, out: `${version}\n`, err: '' });
    const helps = await Promise.all(
      [[], ['serve'], ['check'], ['rules'], ['explain'], ['certs']].map((command) => muster([...command, '--help'])),
    );
    for (const { code, out } of helps) {
      expect(code).toBe(0);
      expect(out).toMatch(/Examples?:\n {2}muster/);
    }
  });

  test('rules lists the whole catalogue, in its order', async () => {
    const [table, json] = await Promise.all([muster(['rules']), muster(['rules', '-o', 'json'])]);
    const rows = table.out.trimEnd().split('\n').slice(1);
    expect(rows.map((row) => row.split(' ')[0])).toEqual([...ruleIds]);
    const listed = JSON.parse(json.out);
    expect(listed.map(({ id }: { id: string }) => id)).toEqual([...ruleIds]);
    expect(listed[1]).toMatchObject({
      id: 'claim/reserved-name',
      level: 'MUST',
      defaultAction: 'deny',
      defaultActionByKind: { 'ClusterClaim.cluster.open-cluster-management.io': 'warn' },
    });
  });

  test('explain has norm, source, default and an example each way', async () => {
    const [prose, json] = await Promise.all([
      muster(['explain', 'feature/transition']),
      muster(['explain', 'feature/transition', '-o', 'json']),
    ]);
    const facts = JSON.parse(json.out);
    expect(prose.code).toBe(0);
    for (const part of [facts.quote, facts.source, facts.why, 'Default action:   deny', 'Allowed\n', 'Not allowed\n']) {
      expect(prose.out).toContain(part);
    }
    expect(facts.examples.denied).not.toBe('');
  });
});
