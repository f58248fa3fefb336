/** What `--render` starts, with which environment and limits, and what it refuses. Scripts stand for the programs. */
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { dialects } from '../../../../src/api/dialects.ts';
import { createSandbox, programOnPath } from '../../../../src/input/render/program.ts';
import { openRenderer } from '../../../../src/input/render/render.ts';
import { type Folder, newFolder } from '../../../support/folder.ts';

let bin: Folder;
let repository: Folder;
const saved = { ...process.env };

beforeEach(() => {
  bin = newFolder();
  repository = newFolder();
  mkdirSync(join(repository.path, '.git'));
  process.env['PATH'] = bin.path;
});
afterEach(() => {
  process.env = { ...saved };
});

function program(name: string, script: string, folder = bin): string {
  const file = folder.put(name, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
  return file;
}

async function render(folder = 'app', type: 'kustomization' | 'chart' = 'kustomization') {
  const renderer = openRenderer();
  try {
    const result = await renderer.render({ type, path: join(repository.path, folder), name: folder });
    return 'text' in result ? result.text : `${result.file}: ${result.message}`;
  } finally {
    renderer.close();
  }
}

describe('programs', () => {
  beforeEach(() => void repository.put('app/kustomization.yaml', 'resources: []\n'));

  test('kustomize is preferred, kubectl serves too', async () => {
    const restricted = '--load-restrictor=LoadRestrictionsRootOnly';
    const copy = `${join(tmpdir(), 'muster-render-')}\\w+/copy-0${repository.path}/app`;
    program('kubectl', 'echo kubectl "$@"');
    expect(await render()).toMatch(new RegExp(`^kubectl kustomize ${copy} ${restricted}\n$`));
    program('kustomize', 'echo kustomize "$@"');
    expect(await render()).toMatch(new RegExp(`^kustomize build ${copy} ${restricted}\n$`));
  });

  test('helm renders charts, for a cluster that has the APIs of muster', async () => {
    repository.put('chart/Chart.yaml', 'name: chart\n');
    program('helm', 'echo helm "$@"');
    const call = await render('chart', 'chart');
    expect(call).toMatch(/^helm template \S+\/chart --skip-schema-validation --include-crds --api-versions /);
    for (const { group, kind, versions } of dialects)
      for (const version of versions) {
        expect(call).toContain(` --api-versions ${group}/${version} `);
        expect(call).toContain(` --api-versions ${group}/${version}/${kind}`);
      }
  });

  test('programs on the PATH can not be called by those', async () => {
    program('git', 'echo called');
    program('kustomize', 'git || echo none');
    expect(await render()).toBe('none\n');
  });

  test('a missing program is named', async () => {
    expect(await render()).toBe(
      "app: can't render it: neither kustomize nor kubectl is on the PATH: install kustomize, or check without --render",
    );
    expect(await render('app', 'chart')).toBe(
      "app: can't render it: helm is not on the PATH: install it, or check without --render",
    );
  });

  test('a program in the repository is not used, nor one of a relative PATH', () => {
    program('tools/kustomize', '', repository);
    const tools = join(repository.path, 'tools');
    process.env['PATH'] = `${tools}:.:tools`;
    expect(programOnPath('kustomize', [])).toBe(join(tools, 'kustomize'));
    expect(programOnPath('kustomize', [repository.path])).toBeUndefined();
    symlinkSync(join(tools, 'kustomize'), join(bin.path, 'kustomize'));
    process.env['PATH'] = bin.path;
    expect(programOnPath('kustomize', [repository.path])).toBeUndefined();
  });

  test('nothing of the environment is passed on', async () => {
    for (const name of ['KUBECONFIG', 'HELM_PLUGINS', 'HELM_DRIVER', 'AWS_SECRET_ACCESS_KEY', 'NODE_OPTIONS', 'HOME'])
      process.env[name] = '/secret';
    program('kustomize', '/usr/bin/env');
    const text = await render();
    const names = text.split('\n').map((line) => line.split('=')[0] ?? '');
    expect(text).not.toContain('secret');
    expect(names.filter((name) => !/^(PATH|HOME|TMPDIR|LC_ALL|PWD|OLDPWD|SHLVL|_|)$/.test(name)).toSorted()).toEqual(
      [
        ...['XDG_CONFIG_HOME', 'XDG_CACHE_HOME', 'XDG_DATA_HOME'],
        ...['HELM_CONFIG_HOME', 'HELM_CACHE_HOME', 'HELM_DATA_HOME', 'HELM_PLUGINS'],
        ...['KUSTOMIZE_PLUGIN_HOME', 'KUBECONFIG', 'HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'NO_PROXY'],
      ].toSorted(),
    );
  });

  test.each([
    ['Error: first:\n  more\n\nUse --debug\n', 'first: more'],
    ['Error: early\nError: last\n', 'last'],
    ['warning\nError: in file \u001b[31mred\n', 'in file \\u001b[31mred'],
    ['E1122 10:00:00.0 1 run.go:72] "command failed" err="no such field \\"a\\""\n', 'no such field "a"'],
    [
      '# Warning: old\nE1122 10:00:00.0 1 run.go:72] "command failed" err=<\n\tin p.yaml:\n\tno map\n >\n',
      'in p.yaml: no map',
    ],
    ['', 'it ended with 1'],
    ['warning\nno such option\n', 'no such option'],
  ])('the error that it prints is reported: %j', async (printed, message) => {
    program('kustomize', `/usr/bin/printf %s '${printed}' >&2; exit 1`);
    expect(await render()).toBe(`app: can't render it: ${message}`);
  });

  test.each([
    ['of spaces', 'Error: a', ' ', 'b'],
    ['that kubectl seems to log often', 'E1', ' err="', 'b'],
  ])('a long error %s is read in linear time', async (_, begin, repeated, end) => {
    repository.put('long.txt', begin + repeated.repeat(400_000) + end);
    program('kustomize', `/bin/cat '${repository.path}/long.txt' >&2; exit 1`);
    expect(await render()).toMatch(/^app: can't render it: /);
  });
});

describe('the copy that is rendered', () => {
  const sources = {
    'app/kustomization.yaml': 'Resources: [../base, a.yaml]\ngenerators: [generator.yaml]\n# not copied\n',
    'app/a.yaml': '# as it is\n',
    'app/other.yaml': '',
    'app/generator.yaml':
      'apiVersion: builtin\nkind: ConfigMapGenerator\nmetadata: { name: a }\nfiles: [a=data.json]\nenvs: [a=b.env]\n',
    'app/data.json': '{}',
    'app/a=b.env': '',
    'base/kustomization.yml': 'patches: [p.yaml]\nimageTags: []\nconstructor: a\n---\nresources: [http://h/second]\n',
    'base/p.yaml': '',
  };

  test('has what the kustomizations refer to, and these as muster has read them', async () => {
    for (const [name, text] of Object.entries(sources)) repository.put(name, text);
    program('kustomize', 'cd $2/..; /usr/bin/find . -type f | /usr/bin/sort; /bin/cat */*');
    expect((await render()).split('\n')).toEqual([
      ...['./app/a.yaml', './app/a=b.env', './app/data.json', './app/generator.yaml', './app/kustomization.yaml'],
      ...['./base/kustomization.yml', './base/p.yaml', '# as it is'],
      '{}{"apiVersion":"builtin","kind":"ConfigMapGenerator","metadata":{"name":"a"},"files":["a=data.json"],"envs":["a=b.env"]}',
      '{"Resources":["../base","a.yaml"],"generators":["generator.yaml"]}{"patchesStrategicMerge":["p.yaml"],"images":[],"constructor":"a"}',
    ]);
  });

  test('is removed', async () => {
    repository.put('app/kustomization.yaml', '');
    program('kustomize', 'echo $2');
    expect(existsSync((await render()).trim())).toBe(false);
  });

  test('has links within the repository, and errors name the files of the repository', async () => {
    repository.put('app/kustomization.yaml', 'resources: [link]\n');
    repository.put('real/kustomization.yaml', 'resources: [../b.yaml]\n');
    repository.put('b.yaml', 'b');
    symlinkSync('../real', join(repository.path, 'app/link'));
    program('kustomize', '/bin/cat $2/link/../b.yaml; echo "error: in $2/x" >&2; exit 1');
    expect(await render()).toBe("app: can't render it: in app/x");
    program('kustomize', '/bin/cat $2/link/../b.yaml');
    expect(await render()).toBe('b');
  });

  test('of a chart has its links', async () => {
    repository.put('chart/Chart.yaml', 'name: chart\n');
    symlinkSync('Chart.yaml', join(repository.path, 'chart/link.yaml'));
    program('helm', '/bin/cat $2/link.yaml');
    expect(await render('chart', 'chart')).toBe('name: chart\n');
  });
});

describe('limits', () => {
  const limited = async (script: string, limits: { timeoutMs: number; mostBytes: number }) => {
    const sandbox = createSandbox(limits);
    try {
      return await sandbox.run(program('slow', script), []).catch((error: Error) => error.message);
    } finally {
      sandbox.close();
    }
  };

  test('a program that takes too long is ended with all that it started', async () => {
    const message = await limited('/bin/sleep 600 & /bin/sleep 600', { timeoutMs: 200, mostBytes: 1000 });
    expect(message).toBe('it took more than 0.2 s');
  });

  test('a program that prints too much is ended', async () => {
    const message = await limited('while :; do echo 0123456789; done', { timeoutMs: 60_000, mostBytes: 1000 });
    expect(message).toBe('it printed more than 1 MiB');
  });
});

describe('refused before any program starts', () => {
  const fetched = '--render fetches nothing: keep a copy of it in the repository';

  test.each([
    ['resources: [https://example.com/a.yaml]', `resources "https://example.com/a.yaml" is remote, and ${fetched}`],
    ['resources: [github.com/org/repo]', `resources "github.com/org/repo" is remote, and ${fetched}`],
    ['Resources: ["git@example.com:org/repo"]', `resources "git@example.com:org/repo" is remote, and ${fetched}`],
    ['reſources: ["ssh://host/repo"]', `resources "ssh://host/repo" is remote, and ${fetched}`],
    ['bases: ["file:///tmp/repo"]', `resources "file:///tmp/repo" is remote, and ${fetched}`],
    ['components: ["base?ref=main"]', `components "base?ref=main" is remote, and ${fetched}`],
    ['patches: [{ path: "http://h/p.yaml" }]', `patches "http://h/p.yaml" is remote, and ${fetched}`],
    ['configMapGenerator: [{ files: ["a=http://h/p"] }]', `configMapGenerator "http://h/p" is remote, and ${fetched}`],
    [
      'configMapGenerator: [{ envs: ["http://h/p?a=b"] }]',
      `configMapGenerator "http://h/p?a=b" is remote, and ${fetched}`,
    ],
    ['secretGenerator: [{ env: "http://h/p?a=b" }]', `secretGenerator "http://h/p?a=b" is remote, and ${fetched}`],
    ['openapi: { path: "http://h/p" }', `openapi "http://h/p" is remote, and ${fetched}`],
    ['resources: [../base]', `resources "https://example.com/b" in ../base is remote, and ${fetched}`],
    ['resources: [missing.yaml]', `resources "missing.yaml" does not exist, and ${fetched}`],
    ['resources: [../empty]', 'resources "../empty" is a folder without a kustomization that can be read'],
    ['resources: [../../../../../../../etc]', 'resources "../../../../../../../etc" leads out of the repository'],
    ['resources: [link]', 'resources "link" leads out of the repository'],
    ['generators: [generator.yaml]', `generators "generator.yaml" names a URL, and ${fetched}`],
    ['patches: ["http://h/p.yaml"]', `patchesStrategicMerge "http://h/p.yaml" is remote, and ${fetched}`],
    ['resources: [pipe]', 'resources "pipe" is neither a file nor a folder'],
    ['transformers: [list.yaml]', `transformers "list.yaml" names a URL, and ${fetched}`],
    ['transformers: [../base]', 'transformers "../base" is a folder, which can name a URL unseen: list its files'],
    ['generators: [../base]', 'generators "../base" is a folder, which can name a URL unseen: list its files'],
    ['validators: [../base]', 'validators "../base" is a folder, which can name a URL unseen: list its files'],
    ...[
      'generators: ["apiVersion: builtin\\nkind: ConfigMapGenerator\\nfiles: [http://h/p]\\n"]',
      'generators: ["apiVersion: builtin\\rkind: ConfigMapGenerator\\rfiles: [http://h/p]"]',
      'validators: ["&a {apiVersion: /builtin, kind: PatchTransformer, path: http://h/p}"]',
    ].map((text) => [text, `an inline generator or transformer names a URL, and ${fetched}`] as const),
    [
      'helmCharts: [{ name: a, repo: https://h }]',
      'it inflates Helm charts, which --render does not do: kustomize build --enable-helm … | muster check -',
    ],
    [
      'resources: [../charts]',
      'it inflates Helm charts in ../charts, which --render does not do: kustomize build --enable-helm … | muster check -',
    ],
  ])('%s', async (text, message) => {
    program('kustomize', 'echo started');
    repository.put('app/kustomization.yaml', `${text}\n`);
    repository.put('base/kustomization.yaml', 'resources: ["https://example.com/b"]\n');
    repository.put('charts/kustomization.yaml', 'helmCharts: [{ name: a, repo: https://h }]\n');
    repository.put('empty/a.yaml', '');
    repository.put('app/generator.yaml', 'apiVersion: builtin\nkind: ConfigMapGenerator\nfiles: ["\\x68ttp://h/p"]\n');
    repository.put('app/list.yaml', 'kind: List\nitems: [{ apiVersion: /builtin, path: http://h/p }]\n');
    symlinkSync('/etc', join(repository.path, 'app/link'));
    execFileSync('mkfifo', [join(repository.path, 'app/pipe')]);
    expect(await render()).toBe(`app: can't render it: ${message}`);
  });

  test('a chart with a link that leads out of it', async () => {
    program('helm', 'echo started');
    repository.put('chart/Chart.yaml', 'name: chart\n');
    symlinkSync('/etc/passwd', repository.put('chart/templates/x', '').replace(/x$/, 'y.yaml'));
    expect(await render('chart', 'chart')).toBe(
      'chart: can\'t render it: "templates/y.yaml" is a link that leads out of the chart',
    );
  });
});
