/**
 * The programs of the end-to-end tests: found in KUBEBUILDER_ASSETS or in the cache, or built from source with Go. Jest
 * runs the default export before all end-to-end tests; `node test/system/e2e/harness/assets.ts` builds the programs of
 * a control plane and prints their paths.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  buildGo,
  cacheOf,
  fingerprint,
  type GoProgram,
  goProgram,
  installed,
  isProgram,
} from '../../../support/go-program.ts';

const CONTROL_PLANE = {
  etcd: 'go.etcd.io/etcd/server/v3',
  kubectl: 'k8s.io/kubernetes/cmd/kubectl',
  'kube-apiserver': 'k8s.io/kubernetes/cmd/kube-apiserver',
  'kube-controller-manager': 'k8s.io/kubernetes/cmd/kube-controller-manager',
} as const;
/** Each from a module of its own in `tools`; the last one is ours, of the libraries of controller-runtime and Flux. */
const TOOLS = {
  'helm-3': ['helm', 'helm.sh/helm/v3/cmd/helm'],
  'helm-4': ['helm', 'helm.sh/helm/v4/cmd/helm'],
  writers: ['writers', '.'],
} as const;

/** Cilium's controllers of a ClusterSet. They take a quarter of an hour, so that only `cilium-build.ts` builds them. */
const CILIUM = {
  'cilium-operator': 'github.com/cilium/cilium/operator',
  'clustermesh-apiserver': 'github.com/cilium/cilium/clustermesh-apiserver',
} as const;

/** Without the service discoveries of Prometheus, which make two thirds of it. */
const PROMTOOL = { package: 'github.com/prometheus/prometheus/cmd/promtool', tags: 'remove_all_sd' } as const;

type Binary = keyof typeof CONTROL_PLANE;
type Tool = keyof typeof TOOLS;
/** Where each program is. */
export type Assets = Readonly<Record<Binary, string>>;
export type Tools = Readonly<Record<Tool, string>>;
export type Cilium = Readonly<Record<keyof typeof CILIUM, string>>;

interface Program extends GoProgram {
  readonly name: string;
}

const MODULE = fileURLToPath(new URL('..', import.meta.url));
const EVALUATOR = 'policy-evaluator';

/** Why no control plane can be had on this machine, in one sentence; undefined when one can. */
export const whyNoAssets = (): string | undefined => whyMissing(controlPlane());
export const whyNoPolicyEvaluator = (): string | undefined => whyMissing([evaluator()]);
export const whyNoTools = (): string | undefined => whyMissing(tools());

/**
 * Finds the programs of a control plane, and builds what is missing (five minutes, once for each version), with a line
 * on stderr for each. Any number of processes may do so at once.
 * @throws Error saying what is missing, or what the compiler said
 */
export const ensureAssets = (): Promise<Assets> => ensure<Binary>(controlPlane());

/** Does the same for Helm and the writers of the field scenarios: four minutes. */
export const ensureTools = (): Promise<Tools> => ensure<Tool>(tools());

/** Does the same for the program that evaluates policies without an API server. */
export async function policyEvaluator(): Promise<string> {
  return (await ensure<typeof EVALUATOR>([evaluator()]))[EVALUATOR];
}

/** Finds promtool on PATH, or builds it: two minutes. @throws Error as `ensureAssets` */
export async function promtool(): Promise<string> {
  return installed('promtool') ?? (await ensure<'promtool'>([builtPromtool()])).promtool;
}
export const whyNoPromtool = (): string | undefined =>
  installed('promtool') === undefined ? whyMissing([builtPromtool()]) : undefined;

/** Builds Cilium's controllers where they are missing. @throws Error as `ensureAssets` */
export const ensureCilium = (): Promise<Cilium> => ensure<keyof typeof CILIUM>(cilium());

/** Why the tests with Cilium's controllers can't run, in one sentence: nothing builds them on the way. */
export function whyNoCilium(): string | undefined {
  const missing = missingOf(cilium()).map(({ path }) => path);
  return missing.length === 0 ? undefined : `${missing.join(', ')} missing: npm run e2e:cilium-build builds them`;
}

/**
 * Everything else is built here, once and one after the other: the limits of tests have no room for it, and they run
 * side by side.
 */
export default async function setup(): Promise<void> {
  await ensureAssets();
  if (whyNoPolicyEvaluator() === undefined) await policyEvaluator();
  if (whyNoTools() === undefined) await ensureTools();
  if (whyNoPromtool() === undefined) await promtool();
}

function controlPlane(): Program[] {
  const folder = process.env['KUBEBUILDER_ASSETS'];
  const linkerFlags = versionFlags();
  return Object.entries(CONTROL_PLANE).map(([name, built]) => {
    const inFolder = join(folder ?? '', name);
    // The usual bundle of these programs has no controller manager: ours goes with it.
    const isOurs = !folder || (name === 'kube-controller-manager' && !isProgram(inFolder));
    const path = isOurs ? join(cacheFolder(), name) : inFolder;
    return { name, path, module: MODULE, package: built, linkerFlags };
  });
}

function tools(): Program[] {
  return Object.entries(TOOLS).map(([name, [file, built]]) => {
    const module = join(MODULE, 'tools', name);
    return { name, path: join(cacheOf(`${name}-${fingerprint(module)}`), file), module, package: built };
  });
}

function cilium(): Program[] {
  const module = join(MODULE, 'tools', 'cilium');
  const folder = cacheOf(`cilium-${fingerprint(module)}`);
  return Object.entries(CILIUM).map(([name, built]) => ({ name, path: join(folder, name), module, package: built }));
}

function builtPromtool(): Program {
  const module = join(MODULE, 'tools', 'promtool');
  return { name: 'promtool', path: join(cacheOf(`promtool-${fingerprint(module)}`), 'promtool'), module, ...PROMTOOL };
}

function evaluator(): Program {
  const version = fingerprint(join(MODULE, EVALUATOR), join(MODULE, 'go.sum'));
  const path = join(cacheFolder(), `${EVALUATOR}-${version}`);
  return { name: EVALUATOR, path, module: MODULE, package: `./${EVALUATOR}` };
}

function missingOf(programs: readonly Program[]): Program[] {
  return programs.filter(({ path }) => !isProgram(path));
}

function whyMissing(programs: readonly Program[]): string | undefined {
  const missing = missingOf(programs);
  const folder = process.env['KUBEBUILDER_ASSETS'];
  const foreign = missing.filter(({ path }) => folder && dirname(path) === folder).map(({ name }) => name);
  if (foreign.length > 0) return `KUBEBUILDER_ASSETS (${folder}) lacks ${foreign.join(', ')}`;
  if (missing.length === 0 || goProgram() !== undefined) return undefined;
  const paths = missing.map(({ path }) => path).join(', ');
  return `${paths} missing, and so is Go to build from source: install Go, or set KUBEBUILDER_ASSETS`;
}

async function ensure<N extends string>(programs: readonly Program[]): Promise<Record<N, string>> {
  const reason = whyMissing(programs);
  if (reason !== undefined) throw new Error(`the end-to-end tests lack programs: ${reason}`);
  for (const program of missingOf(programs)) {
    process.stderr.write(`building ${program.path} (minutes, the first time)\n`);
    buildGo(program);
  }
  return Object.fromEntries(programs.map(({ name, path }) => [name, path])) as Record<N, string>;
}

function cacheFolder(): string {
  return cacheOf(`kubernetes-${kubernetesVersion()}`);
}

/** The release of Kubernetes that `go.mod` names, such as `v1.36.3`. */
function kubernetesVersion(): string {
  const version = /^\s*k8s\.io\/kubernetes (v\S+)/m.exec(readFileSync(join(MODULE, 'go.mod'), 'utf8'))?.[1];
  if (version === undefined) throw new Error(`${MODULE}go.mod names no k8s.io/kubernetes`);
  return version;
}

/**
 * Returns the minor version of Kubernetes that is tested, such as 36: with `KUBEBUILDER_ASSETS`, that of its programs.
 */
export function kubernetesMinor(): number {
  const folder = process.env['KUBEBUILDER_ASSETS'];
  const program = join(folder ?? '', 'kube-apiserver');
  const version = folder ? execFileSync(program, ['--version'], { encoding: 'utf8' }) : kubernetesVersion();
  return Number(/v1\.(\d+)/.exec(version)?.[1]);
}

/** kubectl reads its own version, and the API server serves it: both come from the linker. */
function versionFlags(): string {
  const version = kubernetesVersion();
  const [gitMajor, gitMinor] = version.slice(1).split('.');
  const facts = Object.entries({ gitVersion: version, gitMajor, gitMinor });
  return `-s -w ${facts.map(([key, value]) => `-X k8s.io/component-base/version.${key}=${value}`).join(' ')}`;
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  // No top-level await: Jest loads this file by require.
  void ensureAssets().then((assets) => {
    for (const entry of Object.entries(assets)) process.stdout.write(`${entry.join(' ')}\n`);
  });
