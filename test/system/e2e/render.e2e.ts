import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { CheckReport } from '../../../src/report/report.ts';
import { HEAD } from '../../support/configuration.ts';
import { newFolder } from '../../support/folder.ts';
import { commitAll } from '../../support/git.ts';
import { ensureAssets, ensureTools, runMuster, whyNoTools } from './harness/index.ts';

const LAYOUTS = fileURLToPath(new URL('../../unit/input/layouts/', import.meta.url));
const helms = whyNoTools() === undefined ? (['helm-3', 'helm-4'] as const) : [];
let folder: string;
let bins: Readonly<Record<string, string>>;
const path = process.env['PATH'] ?? '';

beforeAll(async () => {
  const root = newFolder().path;
  const { kubectl } = await ensureAssets();
  const tools = helms.length > 0 ? await ensureTools() : undefined;
  const made = ['helm-3', 'helm-4'].map((name) => {
    const bin = join(root, name);
    mkdirSync(bin, { recursive: true });
    symlinkSync(kubectl, join(bin, 'kubectl'));
    if (tools) symlinkSync(tools[name as 'helm-3'], join(bin, 'helm'));
    return [name, bin];
  });
  bins = Object.fromEntries(made);
});
afterAll(() => rmSync(dirname(bins['helm-3'] ?? ''), { recursive: true, force: true }));
beforeEach(() => {
  folder = newFolder().path;
});
afterEach(() => {
  process.env['PATH'] = path;
});

async function check(args: readonly string[], bin = 'helm-3') {
  process.env['PATH'] = `${bins[bin]}${delimiter}${path}`;
  const { stdout, stderr, code } = await runMuster(['check', ...args, '--render', '-o', 'json'], []);
  const report: CheckReport = stdout === '' ? { results: [], errors: [] } : JSON.parse(stdout);
  const short = (text: string) => text.replaceAll(`${folder}/`, '').replaceAll(folder, '.');
  return {
    code,
    stderr: short(stderr),
    results: report.results.map(({ file, operation, namespace, name: own, outcome, findings }) => {
      const name = namespace === '' ? own : `${namespace}/${own}`;
      const rules = findings.map(({ ruleId }) => ` ${ruleId}`).join('');
      return `${short(file ?? '')} ${operation} ${name} ${outcome}${rules}`;
    }),
    errors: report.errors.map(({ file, message }) => `${short(file ?? '')}: ${short(message)}`),
  };
}

const layout = (name: string) => cpSync(join(LAYOUTS, name), folder, { recursive: true });
const put = (name: string, text: string) => {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), text);
};

describe('kubectl kustomize', () => {
  test('an overlay is rendered with its patches; base and patches are not evaluated by themselves', async () => {
    layout('kustomize-overlays');
    rmSync(join(folder, 'overlays/west'), { recursive: true });
    expect(await check([folder])).toMatchObject({
      results: ['overlays/east CREATE cluster.clusterset.k8s.io allowed'],
      errors: [],
      code: 0,
    });
  });

  test('overlays of one base are clusters', async () => {
    layout('kustomize-overlays');
    const one = await check([folder]);
    expect(one.errors).toEqual([
      expect.stringMatching(/the same ClusterProperty .* in .*overlays\/east and .*overlays\/west/),
    ]);
    expect(await check(['--clusters', join(folder, 'overlays/*')])).toMatchObject({
      results: [
        'overlays/east CREATE cluster.clusterset.k8s.io allowed',
        'overlays/west CREATE cluster.clusterset.k8s.io allowed',
      ],
      errors: [],
      code: 0,
    });
  });

  describe('a kustomization that hides what it refers to', () => {
    let server: Server;
    let requests = 0;
    beforeEach(async () => {
      requests = 0;
      server = createServer((_, response) => {
        requests++;
        response.end(MEMBERSHIP);
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      mkdirSync(join(folder, 'repository/.git'), { recursive: true });
      put('repository/app/a.yaml', MEMBERSHIP);
      put('outside/kustomization.yaml', 'resources: [x.yaml]\n');
      put('outside/x.yaml', MEMBERSHIP.replace('blue', 'SECRET_'));
    });
    afterEach(() => new Promise((resolve) => server.close(resolve)));

    const URL_PATH = 'http://127.0.0.1:PORT/x';
    const IN_ONE_LINE =
      '--- {apiVersion: builtin, kind: PatchTransformer, metadata: {name: p}, path: "http:\\x2f\\x2f127.0.0.1:PORT"}';
    test.each([
      `resources: [${URL_PATH}]\nResources: [a.yaml]\n`,
      `Resources: [a.yaml]\nresources: [${URL_PATH}]\n`,
      `resources: [a.yaml]\npatches: [{ path: "${URL_PATH}", Path: a.yaml }]\n`,
      `resources: [a.yaml]\npatches: ["${URL_PATH}"]\n`,
      `resources: ["\\x68ttp:\\/\\/127.0.0.1:PORT/x"]\n`,
      `resources: [a.yaml]\n# \ufeff\nresources: [${URL_PATH}]\n`,
      `\ufeff\ufeff\ufeff#resources: [${URL_PATH}]\nresources: [a.yaml]\n`,
      `resources: [a.yaml]\ntransformers: [config.yaml]\n`,
      `resources: [a.yaml]\ntransformers: [group.yaml]\n`,
      `resources: [a.yaml]\ntransformers: [list.yaml]\n`,
      `resources: [a.yaml]\ntransformers: [t]\n`,
      `resources: [a.yaml]\ntransformers: ['${IN_ONE_LINE}']\n`,
      `resources: [../../outside]\nResources: [a.yaml]\n`,
      `resources: [../../outside]\n`,
      `resources: [../app/../../outside]\n`,
    ])('fetches nothing and reads nothing outside of the repository: %j', async (text) => {
      const { port } = server.address() as AddressInfo;
      const url = `http://127.0.0.1:${port}/x`;
      put('repository/app/kustomization.yaml', text.replaceAll('PORT', String(port)));
      const tagged = `!<tag:yaml.org,2002:bin%61ry> ${Buffer.from(url).toString('base64')}`;
      put(
        'repository/app/config.yaml',
        `apiVersion: builtin\nkind: PatchTransformer\nmetadata: { name: p }\npath: ${tagged}\n`,
      );
      const group = `apiVersion: /builtin\nkind: PatchTransformer\nmetadata: { name: p }\npath: ${url}\n`;
      put('repository/app/group.yaml', `${group}target: { name: clusterset.k8s.io }\n`);
      put('repository/app/list.yaml', `kind: List\nitems:\n- ${group.replaceAll('\n', '\n  ')}\n`);
      put('repository/app/t/p.yaml', group.replace(url, 'a.yaml'));
      const operation = { op: 'replace', path: '/path', value: url };
      const patch = JSON.stringify([operation]);
      put(
        'repository/app/t/kustomization.yaml',
        JSON.stringify({ resources: ['p.yaml'], patches: [{ target: { name: 'p' }, patch }] }),
      );
      // It is read as YAML, though it names a file, too.
      put(`repository/app/${IN_ONE_LINE.replace('PORT', String(port))}`, group.replace(url, 'a.yaml'));
      const { code, ...shown } = await check([join(folder, 'repository')]);
      expect({ code, requests }).toEqual({ code: 2, requests: 0 });
      expect(JSON.stringify(shown)).not.toContain('SECRET_');
    });
  });

  test('components and generators; plugins are not started', async () => {
    layout('kustomize-components');
    const failed = await check([folder]);
    expect(failed.errors).toEqual([expect.stringMatching(/^overlays\/dev: can't render it: .*plugins? disabled/)]);
    expect(failed.code).toBe(2);
    put('overlays/dev/Kustomization', 'resources: [../../base, id.yaml]\ncomponents: [../../components/membership]\n');
    const rendered = await check([folder]);
    expect(rendered.errors).toEqual([]);
    expect(rendered.results.map((line) => line.split(' ').slice(1, 3))).toEqual([
      ['CREATE', 'cluster.clusterset.k8s.io'],
      ['CREATE', 'clusterset.k8s.io'],
    ]);
  });
});

describe.each([...helms])('%s', (helm) => {
  test('a chart is rendered with its values; a library and other files are not', async () => {
    layout('helm-chart');
    expect(await check([folder], helm)).toMatchObject({
      results: ['fleet CREATE cluster.clusterset.k8s.io denied claim/id-syntax'],
      errors: [],
      code: 1,
    });
  });

  test('a chart that asks for the APIs of its objects renders them', async () => {
    put('chart/Chart.yaml', 'apiVersion: v2\nkind: Chart\nname: chart\nversion: 1.0.0\n');
    const has = (what: string) => `{{- if .Capabilities.APIVersions.Has "about.k8s.io/v1${what}" }}\n---\n`;
    const second = MEMBERSHIP.replace('name: clusterset', 'name: cluster.clusterset');
    put('chart/templates/a.yaml', `${has('')}${MEMBERSHIP}{{- end }}\n${has('/ClusterProperty')}${second}{{- end }}\n`);
    const { results, errors } = await check([folder], helm);
    expect(errors).toEqual([]);
    expect(results).toHaveLength(2);
  });

  test('what Helm leaves out of a chart is noted, and no template that it renders as it is', async () => {
    put('chart/Chart.yaml', 'apiVersion: v2\nname: chart\nversion: 1.0.0\n');
    put('chart/.helmignore', 'templates/sub/b.yaml\n');
    put('chart/values.yaml', 'apis: [about.k8s.io]\nset: blue\n');
    put('chart/templates/a.yaml', MEMBERSHIP.replace('blue', '"{{ .Values.set }}"'));
    put('chart/templates/list.yaml', JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [JSON.parse(PROPERTY)] }));
    put('chart/templates/text.yaml', `# a comment\r\n${FEATURE.replaceAll('\n', '\r\n')}---\n`);
    put('chart/templates/sub/b.yaml', ID);
    put('chart/templates/_c.yaml', ID);
    put('chart/east/id-values.yaml', ID);
    const { results, stderr, code } = await check([folder, '--fail-on', 'indeterminate'], helm);
    expect(results).toHaveLength(3);
    expect(stderr.match(/^\S+(?=:1:1: note: not evaluated)/gm)).toEqual([
      'chart/east/id-values.yaml',
      'chart/templates/_c.yaml',
      'chart/templates/sub/b.yaml',
    ]);
    expect(code).toBe(1);
  });

  test('objects in crds/ are rendered, also those of a packed chart, and a name in capital letters', async () => {
    put('chart/Chart.yaml', 'apiVersion: v2\nname: chart\nversion: 1.0.0\n');
    put('chart/crds/id.YAML', ID.replace('value: blue', 'value: Blue'));
    put('chart/crds/set.yaml', MEMBERSHIP);
    put('packed/Chart.yaml', 'apiVersion: v2\nname: packed\nversion: 1.0.0\n');
    put('packed/crds/a.yaml', PROPERTY);
    mkdirSync(join(folder, 'chart/charts'));
    execFileSync('tar', ['-C', folder, '-czf', join(folder, 'chart/charts/packed-1.0.0.tgz'), 'packed']);
    rmSync(join(folder, 'packed'), { recursive: true });
    const { results, errors } = await check([folder], helm);
    expect(errors).toEqual([]);
    expect(results.toSorted()).toEqual([
      'chart CREATE a.example.com allowed',
      'chart CREATE cluster.clusterset.k8s.io denied claim/id-syntax',
      'chart CREATE clusterset.k8s.io allowed claim/clusterset-requires-id',
    ]);
  });

  test('a dependency that is not in charts/ is an error with the fix, and nothing is fetched', async () => {
    layout('helm-chart');
    rmSync(join(folder, 'fleet/charts'), { recursive: true });
    const { errors, code } = await check([folder], helm);
    expect(errors).toEqual([
      expect.stringMatching(/missing in charts\/ directory: names: helm dependency build fleet$/),
    ]);
    expect(code).toBe(2);
  });

  describe('a chart of the configuration', () => {
    const ENTRIES = [
      '{ chart: charts/app, cluster: east, values: [env/common.yaml, env/east.yaml] }',
      '{ chart: charts/app, cluster: west, values: ["env/west, a \\"b\\".yaml"], namespace: fleet }',
    ];
    const WEST_VALUES = 'env/west, a "b".yaml';
    const configure = (...entries: readonly string[]) => {
      put('muster.yaml', `${HEAD}check: { charts: [${entries.join(', ')}] }\n`);
    };
    const run = (...args: readonly string[]) => check(['--config', join(folder, 'muster.yaml'), ...args], helm);
    beforeEach(() => {
      mkdirSync(join(folder, '.git'));
      put('charts/app/Chart.yaml', 'apiVersion: v2\nname: app\nversion: 1.0.0\n');
      const id = ID.replace('value: blue', 'value: {{ .Values.id }}');
      put('charts/app/templates/a.yaml', `${id}---\n${MEMBERSHIP}---\n${FEATURE}`);
      put('charts/app/values.yaml', 'id: default\n');
      put('env/common.yaml', 'id: common\n');
      put('env/east.yaml', 'id: one\n');
      put(WEST_VALUES, 'id: two\n');
      configure(...ENTRIES);
    });

    test('is rendered for each cluster with its values and namespace', async () => {
      expect(await run()).toMatchObject({
        results: [
          'charts/app CREATE cluster.clusterset.k8s.io allowed',
          'charts/app CREATE clusterset.k8s.io allowed',
          'charts/app CREATE default/f allowed',
          'charts/app CREATE cluster.clusterset.k8s.io allowed',
          'charts/app CREATE clusterset.k8s.io allowed',
          'charts/app CREATE fleet/f allowed',
        ],
        errors: [],
        code: 0,
      });
    });

    test('with values that Helm can not read is an error that names them', async () => {
      put('env/east.yaml', 'id: [\n');
      const { errors, code } = await run();
      expect(errors).toEqual([expect.stringMatching(/^charts\/app: can't render it: .*env\/east\.yaml/)]);
      expect(code).toBe(2);
    });

    // By one of the two: which files of a revision Helm gets does not depend on its version.
    if (helm === 'helm-4')
      test('is compared with --base-ref, with the values there', async () => {
        rmSync(join(folder, '.git'), { recursive: true });
        commitAll(folder);
        put(WEST_VALUES, 'id: changed\n');
        expect((await run('--base-ref', 'HEAD')).results).toEqual([
          'charts/app UPDATE cluster.clusterset.k8s.io allowed',
          'charts/app UPDATE clusterset.k8s.io allowed',
          'charts/app UPDATE default/f allowed',
          'charts/app UPDATE cluster.clusterset.k8s.io denied claim/id-immutable-in-clusterset',
          'charts/app UPDATE clusterset.k8s.io allowed',
          'charts/app UPDATE fleet/f allowed',
        ]);
        // Another chart with other values, both of which were there: what counts is what was rendered then.
        cpSync(join(folder, 'charts/app'), join(folder, 'charts/renamed'), { recursive: true });
        configure('{ chart: charts/renamed, cluster: east, values: [env/common.yaml] }');
        const deleted = [
          'HEAD:charts/app DELETE clusterset.k8s.io allowed',
          'HEAD:charts/app DELETE cluster.clusterset.k8s.io allowed claim/id-present',
        ];
        expect((await run('--base-ref', 'HEAD')).results).toEqual([
          'charts/renamed UPDATE cluster.clusterset.k8s.io denied claim/id-immutable-in-clusterset',
          'charts/renamed UPDATE clusterset.k8s.io allowed',
          'charts/renamed UPDATE default/f allowed',
          ...deleted,
          'HEAD:charts/app DELETE fleet/f allowed',
        ]);
        configure(ENTRIES[0] ?? '');
        rmSync(join(folder, 'charts'), { recursive: true });
        expect(await run('--base-ref', 'HEAD')).toMatchObject({
          results: [
            ...deleted,
            'HEAD:charts/app DELETE default/f allowed',
            ...deleted,
            'HEAD:charts/app DELETE fleet/f allowed',
          ],
          errors: [],
        });
        put('muster.yaml', HEAD);
        put('charts/app/Chart.yaml', 'apiVersion: v2\nname: app\nversion: 1.0.0\n');
        put('charts/app/templates/a.yaml', MEMBERSHIP);
        put('env/other.yaml', 'id: other\n');
        commitAll(folder);
        rmSync(join(folder, 'env/other.yaml'));
        put('env/new.yaml', 'id: other\n');
        configure('{ chart: charts/app, cluster: east, values: [env/new.yaml] }');
        const renamed = await run('--base-ref', 'HEAD');
        expect(renamed.stderr).toMatch(
          /HEAD:charts\/app:1:1: note: can't render it: values "HEAD:env\/new\.yaml": no such file; so no object counts as deleted/,
        );
        configure('{ chart: charts/other, cluster: east }');
        expect(await run('--base-ref', 'HEAD')).toMatchObject({
          errors: ['muster.yaml: check.charts[0].chart: charts/other: no such folder, neither here nor at --base-ref'],
          code: 2,
        });
      });
  });
});

const MEMBERSHIP =
  'apiVersion: about.k8s.io/v1\nkind: ClusterProperty\nmetadata:\n  name: clusterset.k8s.io\nspec:\n  value: blue\n';
const ID = MEMBERSHIP.replace('clusterset.k8s.io', 'cluster.clusterset.k8s.io');
const PROPERTY =
  '{"apiVersion":"about.k8s.io/v1","kind":"ClusterProperty","metadata":{"name":"a.example.com"},"spec":{"value":"a"}}';
const FEATURE = 'apiVersion: features.x-k8s.io/v1alpha1\nkind: Feature\nmetadata:\n  name: f\nspec: {}\n';
