/** The workflows of GitHub: what they may do, and that what they call exists. Nothing here can run them. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}
interface Job {
  readonly permissions?: Readonly<Record<string, string>>;
  readonly 'timeout-minutes'?: number;
  readonly uses?: string;
  readonly steps?: readonly Step[];
}
interface Workflow {
  readonly on: object;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, Job>>;
}

const FOLDER = '.github/workflows';
const ACTIONS = '.github/actions';
const workflows = readdirSync(FOLDER).map((name): [string, Workflow] => [name, read(join(FOLDER, name))]);
const actions = readdirSync(ACTIONS).map((name): [string, { runs: { steps: Step[] } }] => [
  `${ACTIONS}/${name}`,
  read(join(ACTIONS, name, 'action.yml')),
]);
const jobs = workflows.flatMap(([name, { jobs }]) =>
  Object.entries(jobs).map(([job, about]): [string, Job] => [`${name}: ${job}`, about]),
);
const steps = [
  ...jobs.flatMap(([name, { steps = [] }]) => steps.map((step): [string, Step] => [name, step])),
  ...actions.flatMap(([name, { runs }]) => runs.steps.map((step): [string, Step] => [name, step])),
];
const packageJson = JSON.parse(readFileSync('package.json', 'utf8'));

function read(file: string) {
  return parse(readFileSync(file, 'utf8'));
}

describe('what a workflow may do', () => {
  test.each(workflows)('%s names its permissions, and writes nothing by default', (_, { permissions }) => {
    expect(permissions).toBeDefined();
    expect(Object.values(permissions ?? {}).filter((access) => access !== 'read')).toEqual([]);
  });

  test('only these jobs may write', () => {
    const writing = jobs.map(([name, { permissions = {} }]) => [
      name,
      Object.keys(permissions).filter((scope) => permissions[scope] === 'write'),
    ]);
    expect(Object.fromEntries(writing.filter(([, scopes]) => scopes?.length))).toEqual({
      'docs.yml: publish': ['pages', 'id-token'],
      'release.yml: image': ['packages', 'id-token'],
      'release.yml: chart': ['packages', 'id-token'],
      'release.yml: npm': ['id-token'],
      'release.yml: github': ['contents', 'id-token', 'attestations'],
    });
  });

  test.each(workflows)('%s does not run with rights of the target of a pull request', (_, { on }) => {
    expect(Object.keys(on)).not.toContain('pull_request_target');
    expect(Object.keys(on)).not.toContain('workflow_run');
  });

  test.each(jobs)('%s ends at some time', (_, job) => {
    expect(job.uses !== undefined || Number(job['timeout-minutes']) <= 60).toBe(true);
  });

  test('a checkout leaves no credentials behind', () => {
    const checkouts = steps.filter(([, { uses }]) => uses?.startsWith('actions/checkout@'));
    expect(checkouts.length).toBeGreaterThan(5);
    for (const [name, step] of checkouts) expect([name, step.with?.['persist-credentials']]).toEqual([name, false]);
  });

  test('an expression is no part of a script: values reach it as variables', () => {
    expect(steps.filter(([, { run }]) => run?.includes('${{'))).toEqual([]);
  });

  test('no secret is read', () => {
    const texts = readdirSync(FOLDER).map((name) => readFileSync(join(FOLDER, name), 'utf8'));
    expect(texts.join('')).not.toMatch(/\bsecrets\b/);
  });

  test('another action is pinned to a commit; ours is there', () => {
    for (const [name, { uses }] of steps) {
      if (uses === undefined) continue;
      const isThere = uses.startsWith('./') && existsSync(join(uses, 'action.yml'));
      expect([name, uses, isThere || /^[\w-]+\/[\w-]+@[0-9a-f]{40}$/.test(uses)]).toEqual([name, uses, true]);
    }
  });
});

describe('what a workflow runs', () => {
  const scripts = steps.map(([, { run = '' }]) => run).join('\n');

  test('every npm script exists', () => {
    const called = [...scripts.matchAll(/npm run (?:-s )?([\w:]+)/g)].map(([, script]) => script);
    expect(called.length).toBeGreaterThan(5);
    expect(called.filter((script) => !Object.hasOwn(packageJson.scripts, `${script}`))).toEqual([]);
  });

  test('ci.yml has the commands of .ci/run, which runs them on one machine', () => {
    // Without its priority, and what follows a command: where its output goes, and that it runs beside the next.
    const script = readFileSync('.ci/run', 'utf8').replaceAll(/^nice -n \d+ /gm, '');
    const commands = script.match(/^(?:[A-Z0-9_]+=\S+ )*npm [^>\n]*\b/gm) ?? [];
    const jobs = Object.values(read(join(FOLDER, 'ci.yml')).jobs as Record<string, Job>);
    const runs = jobs.flatMap(({ steps = [] }) => steps.flatMap(({ run }) => run?.trim().split('\n') ?? []));
    expect(commands).toContain('E2E=required npm test');
    expect(['npm ci', ...runs].sort()).toEqual([...commands].sort());
  });

  test('Node is the one of package.json, whose license goes with the binaries', () => {
    const [, setup] = steps.find(([, { uses }]) => uses?.startsWith('actions/setup-node@')) ?? [];
    expect(setup?.with?.['node-version']).toBe(packageJson.devDependencies.node);
  });

  test('addresses of registries come from the repository', () => {
    const release = readFileSync(join(FOLDER, 'release.yml'), 'utf8');
    const lines = release.split('\n').filter((line) => line.includes('ghcr.io'));
    expect(lines.filter((line) => !line.includes("vars.REGISTRY || 'ghcr.io'"))).toEqual([]);
    expect(release).not.toContain('kube-muster/kube-muster');
  });
});

test('addresses of the repository and the site, where no program writes them, are those of package.json', () => {
  const source = packageJson.repository.url.replace(/^git\+|\.git$/g, '');
  expect(packageJson.bugs).toBe(`${source}/issues`);
  const folder = '.github/ISSUE_TEMPLATE';
  const files = [
    '.github/SECURITY.md',
    '.github/SUPPORT.md',
    'docs/releasing.md',
    'tools/image/Dockerfile',
    ...readdirSync(folder).map((name) => join(folder, name)),
  ];
  const named = files.flatMap((file) => readFileSync(file, 'utf8').match(/https:\/\/\S*kube-muster[^\s)"]*/g) ?? []);
  expect(named.length).toBeGreaterThan(3);
  expect(named.filter((url) => !url.startsWith(source) && !url.startsWith(packageJson.homepage))).toEqual([]);
});
