/**
 * The objects of the chart that depend on no rule, rendered by Helm, as data for `muster manifests`: the command itself
 * needs no Helm. `npm run generate` starts this first, since the files in `manifests/` are made of the data.
 * Helm is needed only where the chart has changed.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { type Artifact, filesIn, readIfThere } from './artifact.ts';

export const CHART = 'charts/kube-muster';
const PATH = 'src/manifests/chart-objects.generated.ts';
/** The files that the rendering depends on. The other files of the chart are generated from the catalogue. */
const INPUTS = [
  `${CHART}/templates`,
  `${CHART}/values.yaml`,
  `${CHART}/files/alerts.yaml`,
  `${CHART}/files/dashboard.json`,
];

/** Placeholders, which src/manifests/chart-objects.ts replaces. */
const NAMESPACE = 'release-namespace';
const PLACEHOLDERS = {
  fullnameOverride: 'release-fullname',
  image: { repository: 'release-image', tag: 'release-tag' },
};
/** There are two renderings, since one release can't have both providers of certificates. */
const RENDERINGS = [
  {
    values: {
      scan: { enabled: true, services: true },
      monitoring: { serviceMonitor: true, rules: true, dashboard: true },
    },
    parts: ['leases', 'rbac', 'config', 'workload', 'network', 'certs', 'scan', 'scan-services', 'monitoring'],
  },
  {
    values: {
      certificates: { provider: 'cert-manager' },
      events: { enabled: true },
      configuration: { registrar: { kubeconfig: 'hub.yaml', namespace: 'cluster-ids' } },
    },
    parts: ['events', 'cert-manager', 'registrar'],
  },
] as const;

const RELEASE_LABELS = [
  'helm.sh/chart',
  'app.kubernetes.io/instance',
  'app.kubernetes.io/version',
  'app.kubernetes.io/managed-by',
];

/**
 * Returns the module. The chart is rendered only if it has changed since the module in the checkout was made.
 * @throws Error if Helm is needed and missing, or can't render the chart
 */
export function chartObjects(root: string): Artifact {
  const digest = digestOf(root);
  const current = readIfThere(join(root, PATH));
  return { path: PATH, text: current?.includes(digest) ? current : moduleOf(root, digest) };
}

function digestOf(root: string): string {
  const files = INPUTS.flatMap((input) => (input.includes('.') ? [input] : filesIn(root, input)));
  const hash = createHash('sha256');
  for (const file of files) hash.update(`${file}\n${readFileSync(join(root, file), 'utf8')}\n`);
  return hash.digest('hex');
}

function moduleOf(root: string, digest: string): string {
  const lines = RENDERINGS.flatMap(({ values, parts }) => {
    const objects = rendered(root, { ...PLACEHOLDERS, ...values });
    return parts.map((part) => {
      const own = objects.filter(({ source }) => source.split(/[/.]/)[0] === part);
      const printed = own.map(({ object }) => `    ${JSON.stringify(object)},\n`);
      return `  ${JSON.stringify(part)}: [\n${printed.join('')}  ],\n`;
    });
  });
  return [
    '// Generated from charts/kube-muster by `npm run generate`. Do not edit.',
    `// The chart: sha256 ${digest}`,
    "import type { Manifest } from './manifest.ts';",
    '',
    'export const CHART_OBJECTS = {',
    `${lines.join('')}} as const satisfies Readonly<Record<string, readonly Manifest[]>>;`,
    '',
  ].join('\n');
}

/** Returns the objects of the chart without the labels of a release, with the templates that they come from. */
function rendered(root: string, values: object) {
  const args = [
    'template',
    'release',
    join(root, CHART),
    '--namespace',
    NAMESPACE,
    '--kube-version',
    '1.36',
    // The schema of the values is generated later: where the chart has a new value, it does not know it yet.
    '--skip-schema-validation',
    '--values',
    '-',
  ];
  const text = execFileSync(helmProgram(), args, { encoding: 'utf8', input: JSON.stringify(values) });
  return text.split(/^---\n/m).flatMap((document) => {
    const [, source] = /^# Source: kube-muster\/templates\/(.*)$/m.exec(document) ?? [];
    const object = parse(document);
    if (source === undefined || object === null) return [];
    for (const label of RELEASE_LABELS) delete object.metadata.labels[label];
    return [{ source, object }];
  });
}

/** Returns the Helm in the variable HELM, else that of the end-to-end tests, else the one on the PATH. */
function helmProgram(): string {
  const cache = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'muster');
  const cached = existsSync(cache) ? readdirSync(cache).filter((name) => name.startsWith('helm-')) : [];
  const built = cached.map((name) => join(cache, name, 'helm')).filter((file) => existsSync(file));
  const program = process.env['HELM'] ?? built.at(-1) ?? 'helm';
  try {
    execFileSync(program, ['version', '--short'], { stdio: 'ignore' });
    return program;
  } catch {
    const problem = `${CHART} has changed, and Helm, which renders it into ${PATH}, does not start (${program})`;
    throw new Error(`${problem}: install Helm 3 or 4, or set HELM to its path, and run npm run generate`);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = fileURLToPath(new URL('../..', import.meta.url));
  const { path, text } = chartObjects(root);
  writeFileSync(join(root, path), text);
}
