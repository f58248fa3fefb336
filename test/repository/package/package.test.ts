/** What is published: its size, what is in it, and that another project can use it as a library and as a command. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import vm from 'node:vm';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { issueCertificates } from '../../../src/certificates/issue.ts';
import * as sources from '../../../src/index.ts';
import { kubeconfigOf } from '../../support/api-stub.ts';
import { claim } from '../../support/objects.ts';
import { blocksOf, pages } from '../../support/pages.ts';
import { until } from '../../support/until.ts';
import { loadBare } from './bare.ts';
import { layOut } from './image.ts';
import { install, type Packed, pack, runNode } from './packed.ts';

// It builds and installs, beside other tests.

/** Of the package unpacked, in bytes. The bundle holds all that it needs. */
const BUDGET = 5_600_000;
let packed: Packed;
let project: string;

beforeAll(async () => {
  packed = await pack();
  project = join(packed.folder, 'project');
  await install(packed, project);
});

describe('what is in it', () => {
  test('stays within the budget; if it does not, see what grew with npm pack --dry-run', () => {
    const biggest = [...packed.files].sort((a, b) => b.size - a.size).slice(0, 10);
    const within = packed.unpackedSize < BUDGET;
    expect({ within, biggest: within ? [] : biggest }).toEqual({ within: true, biggest: [] });
  });

  test('code, types of the entry, manifests and texts, and nothing else', () => {
    const paths = packed.files.map(({ path }) => path);
    const kinds =
      /^(dist\/[\w/.-]+\.(js|d\.ts)|manifests\/[\w/.-]+\.yaml|docs\/public\/schemas\/[\w-]+\.json|package\.json|README\.md|CHANGELOG\.md|LICENSE|dist\/THIRD-PARTY-NOTICES)$/;
    expect(paths.filter((path) => !kinds.test(path))).toEqual([]);
    const needed = ['README.md', 'CHANGELOG.md', 'LICENSE', 'package.json', 'dist/index.js', 'dist/index.d.ts'];
    expect(needed.filter((path) => !paths.includes(path))).toEqual([]);
  });

  test('the command, before anything else, says that an old Node is too old', () => {
    const main = readFileSync(join(project, 'node_modules/kube-muster/dist/cli/main.js'), 'utf8');
    const [before = '', after] = main.split('await import(');
    expect(before.replaceAll('\\\n', '')).toContain('muster needs Node');
    expect([...before.matchAll(/\bfrom ?(\S+?);/g)].map(([, module]) => module)).toEqual(["'node:module'"]);
    expect(after).not.toMatch(/^(import|export)\b/m);
  });
});

describe('installed in another project', () => {
  test('brings no other package, but the license of each whose code it bundles', () => {
    const notices = readFileSync(join(project, 'node_modules/kube-muster/dist/THIRD-PARTY-NOTICES'), 'utf8');
    for (const name of ['fastify', 'pino', 'yaml', '@kubernetes/client-node']) {
      expect(notices).toMatch(new RegExp(`^${name} [\\d.]+ \\(.+\\)$`, 'm'));
    }
    expect(notices).toContain('Copyright (c) 2016-present The Fastify team');
    const others = readdirSync(join(project, 'node_modules')).filter((name) => !/^(\.|kube-muster$)/.test(name));
    expect(others).toEqual([]);
  });

  test.each(['muster', 'kubectl-muster', 'kube-muster'])('%s is a command', async (command) => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
    const muster = join('node_modules', '.bin', command);
    expect(await runNode(project, [muster, '--version'])).toEqual({ code: 0, out: `${version}\n` });
    writeFileSync(join(project, 'claim.json'), JSON.stringify(claim('a.k8s.io', 'a')));
    const { code, out } = await runNode(project, [muster, 'check', 'claim.json']);
    expect({ code, out }).toEqual({ code: 1, out: expect.stringContaining('[claim/reserved-name]') });
  });

  test('the command connects to a cluster: nothing of the client is missing', async () => {
    writeFileSync(join(project, 'kubeconfig'), JSON.stringify(kubeconfigOf('https://127.0.0.1:1')));
    const doctor = [join('node_modules', '.bin', 'muster'), 'doctor', '--kubeconfig', 'kubeconfig'];
    expect(await runNode(project, doctor)).toEqual({ code: 2, out: expect.stringContaining('127.0.0.1:1') });
  });

  test('nothing but the entry can be imported', async () => {
    writeFileSync(join(project, 'inner.js'), "import 'kube-muster/dist/cli/program.js';");
    expect((await runNode(project, ['inner.js'])).out).toContain('ERR_PACKAGE_PATH_NOT_EXPORTED');
  });
});

describe('what the image holds', () => {
  test('serves with the command of the Dockerfile, where nothing else is beside it', async () => {
    const certificates = join(packed.folder, 'certificates');
    mkdirSync(certificates);
    const { cert, key } = await issueCertificates({ names: ['127.0.0.1'] });
    writeFileSync(join(certificates, 'tls.crt'), cert);
    writeFileSync(join(certificates, 'tls.key'), key);
    const image = join(packed.folder, 'image');
    const { main, args } = layOut(join(project, 'node_modules/kube-muster'), image, certificates);
    const env = { MUSTER_HOST: '127.0.0.1', MUSTER_PORT: '0', MUSTER_OPS_PORT: '0', MUSTER_DRAIN_SECONDS: '0' };
    const server = spawn(process.execPath, [main, ...args], { cwd: image, env, stdio: ['ignore', 'pipe', 'ignore'] });
    const exit = once(server, 'exit');
    try {
      let out = '';
      server.stdout.on('data', (chunk) => {
        out += chunk;
      });
      await until(() => out.includes('muster listens on') || server.exitCode !== null, 60_000);
      const [, ops] = out.match(/\(ops: (\S+)\)/) ?? [];
      expect((await fetch(`${ops}/readyz`)).status).toBe(200);
    } finally {
      server.kill('SIGTERM');
    }
    expect(await exit).toEqual([0, null]);
  });
});

describe('as a library, in TypeScript', () => {
  // Every block that imports the library; the first prints what the block behind it shows.
  const blocks = blocksOf(pages());
  const programs = blocks.filter(({ language, text }) => language === 'ts' && text.includes("from 'kube-muster'"));
  const printed = blocks[blocks.findIndex(({ at }) => at === programs[0]?.at) + 1]?.text ?? '';

  test.each([
    { module: 'nodenext', moduleResolution: 'nodenext' },
    { module: 'esnext', moduleResolution: 'bundler' },
  ])('the programs of the documentation compile against the types: $moduleResolution', async (resolution) => {
    programs.forEach(({ text }, index) => {
      writeFileSync(join(project, `program${index}.ts`), text);
    });
    writeFileSync(join(project, 'console.d.ts'), 'declare const console: { log(text: string): void };\n');
    writeFileSync(join(project, 'wrong.ts'), WRONG);
    expect(await compile(resolution)).toEqual({ code: 0, out: '' });
  });

  test('and run under Node; the first prints what the documentation says', async () => {
    await compile({ module: 'nodenext', moduleResolution: 'nodenext' });
    expect(printed).not.toBe('');
    expect(await runNode(project, ['out/program0.js'])).toEqual({ code: 0, out: printed });
    for (const index of programs.keys()) {
      expect(await runNode(project, [`out/program${index}.js`])).toMatchObject({ code: 0 });
    }
  });

  /** Strictly, with the types of the package checked as well, and those of Node and of a browser out of reach. */
  function compile(resolution: object): ReturnType<typeof runNode> {
    const compilerOptions = {
      target: 'es2023',
      lib: ['es2023'],
      types: [],
      outDir: 'out',
      rootDir: '.',
      strict: true,
      skipLibCheck: false,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      ...resolution,
    };
    const files = [...programs.map((_, index) => `program${index}.ts`), 'wrong.ts', 'console.d.ts'];
    writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
    return runNode(project, [resolve('node_modules/typescript/bin/tsc'), '-p', '.']);
  }
});

/** Types that are `any`, because something of them was not found, would take all of this. */
const WRONG = `
import {
  createEngine,
  policyOf,
  readAdmissionReview,
  type RuleId,
  ruleIds,
  rules,
  subjectOf,
  type Verdict,
  viewOf,
} from 'kube-muster';
// @ts-expect-error: no such point
createEngine({ point: 'nowhere' });
// @ts-expect-error: an id that no rule has
export const id: RuleId = 'claim/none';
export const known: RuleId = 'claim/id-syntax';
// @ts-expect-error: no such outcome
export const isGood = (verdict: Verdict) => verdict.outcome === 'good';
// @ts-expect-error: no object
subjectOf('text');
// @ts-expect-error: a view is read, not written
viewOf([]).store;
export const sources: string[] = rules.map(({ meta }) => meta.source);
export const kindOf = (review: unknown) => readAdmissionReview(review).kind;
export const warnings: readonly string[] = policyOf({}, ruleIds, 0).warnings;
`;

describe('as a library, where there is nothing but the language', () => {
  test('the entry is one module, and evaluates where code from strings is refused and globals of Node are absent', async () => {
    const { context, files, namespace } = await loadBare(join(project, 'node_modules/kube-muster/dist/index.js'));
    expect(files).toHaveLength(1);
    expect(() => vm.runInContext('new Function("return 1")', context)).toThrow('Code generation from strings');
    expect(vm.runInContext('[typeof process, typeof URL].join()', context)).toBe('undefined,undefined');
    expect(Object.keys(namespace).sort()).toEqual(Object.keys(sources).sort());
    const { createEngine, subjectOf, viewOf, unknownView, policyOf, ruleIds } = namespace as typeof sources;
    const engine = createEngine({ point: 'check' });
    const evaluated = async (view: sources.ClusterView, ...input: Parameters<typeof subjectOf>) => {
      const subject = subjectOf(...input);
      const verdict = subject && (await engine.evaluate(subject, view));
      return `${verdict?.outcome}: ${verdict?.findings.map(({ ruleId }) => ruleId)}`;
    };
    const id = claim('id.k8s.io', 'one');
    const joined = viewOf([id, claim('clusterset.k8s.io', 'fleet')]);
    const change = { oldObject: id };
    expect(await evaluated(viewOf([]), claim('id.k8s.io', 'A_B'))).toBe('denied: claim/id-syntax');
    expect(await evaluated(viewOf([id]), claim('id.k8s.io', 'two'), change)).toBe('allowed: claim/id-stable');
    expect(await evaluated(joined, claim('id.k8s.io', 'two'), change)).toMatch(/^denied: .*id-immutable-in-clusterset/);
    expect(await evaluated(unknownView, claim('id.k8s.io', 'two'), change)).toMatch(/^indeterminate: /);
    expect(await evaluated(joined, id, { operation: 'DELETE' })).toMatch(/^denied: .*id-present-in-clusterset/);
    expect(subjectOf({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } })).toBeUndefined();
    expect(policyOf({ kind: 'Other' }, ruleIds, 0).problems).not.toEqual([]);
  });
});
