/**
 * The programs of a control plane: found in KUBEBUILDER_ASSETS, found in the cache, or built from source with Go. Jest runs the default
 * export before all end-to-end tests; `node test/e2e/harness/assets.ts` builds the programs and prints their paths.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cacheOf, goProgram, isProgram } from '../../go-program.ts';
import { buildGo } from './go-build.ts';

const PACKAGES = {
  etcd: 'go.etcd.io/etcd/server/v3',
  kubectl: 'k8s.io/kubernetes/cmd/kubectl',
  'kube-apiserver': 'k8s.io/kubernetes/cmd/kube-apiserver',
  'kube-controller-manager': 'k8s.io/kubernetes/cmd/kube-controller-manager',
} as const;

export type Binary = keyof typeof PACKAGES;
/** Where each program is. */
export type Assets = Readonly<Record<Binary, string>>;

const MODULE = fileURLToPath(new URL('..', import.meta.url));
const NAMES = Object.keys(PACKAGES) as Binary[];

/** The release of Kubernetes that `go.mod` names, such as `v1.36.3`. */
export function kubernetesVersion(): string {
  const version = /^\s*k8s\.io\/kubernetes (v\S+)/m.exec(readFileSync(join(MODULE, 'go.mod'), 'utf8'))?.[1];
  if (version === undefined) throw new Error(`${MODULE}go.mod names no k8s.io/kubernetes`);
  return version;
}

/** The programs that are there already. */
export function findAssets(): Partial<Assets> {
  const given = process.env['KUBEBUILDER_ASSETS'];
  const found = NAMES.map((name) => {
    const inCache = join(cacheFolder(), name);
    if (!given) return [name, isProgram(inCache) ? inCache : undefined];
    const inGiven = join(given, name);
    if (isProgram(inGiven)) return [name, inGiven];
    // The usual bundle of these programs has no controller manager: ours goes with it.
    return [name, name === 'kube-controller-manager' && isProgram(inCache) ? inCache : undefined];
  });
  return Object.fromEntries(found.filter(([, path]) => path !== undefined));
}

/** Why no control plane can be had on this machine, in one sentence; undefined when one can. */
export function whyNoAssets(): string | undefined {
  const missing = missingFrom(findAssets());
  if (missing.length === 0) return undefined;
  const given = process.env['KUBEBUILDER_ASSETS'];
  const foreign = missing.filter((name) => name !== 'kube-controller-manager');
  if (given && foreign.length > 0) return `KUBEBUILDER_ASSETS (${given}) lacks ${foreign.join(', ')}`;
  if (hasGo()) return undefined;
  return `${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} missing from ${cacheFolder()}, and so is Go to build from source: install Go, or set KUBEBUILDER_ASSETS`;
}

/**
 * Finds the programs, and builds what is missing (five minutes, once for each version; `log` gets a line for each).
 * Any number of processes may do so at once.
 * @throws Error saying what is missing, or what the compiler said
 */
export async function ensureAssets(log: (line: string) => void = () => {}): Promise<Assets> {
  const reason = whyNoAssets();
  if (reason !== undefined) throw new Error(`no control plane for the end-to-end tests: ${reason}`);
  for (const name of missingFrom(findAssets())) {
    log(`building ${name} for Kubernetes ${kubernetesVersion()} into ${cacheFolder()} (minutes, the first time)`);
    await build(name);
  }
  if (whyNoPolicyEvaluator() === undefined) await policyEvaluator();
  return findAssets() as Assets;
}

export default async function setup(): Promise<void> {
  await ensureAssets((line) => process.stderr.write(`${line}\n`));
}

/**
 * The program that evaluates policies without an API server: found in the cache, or built there from `policy-evaluator`, once for
 * each state of its sources.
 * @throws Error where it is neither there nor can be built
 */
export async function policyEvaluator(): Promise<string> {
  const reason = whyNoPolicyEvaluator();
  if (reason !== undefined) throw new Error(reason);
  const name = `policy-evaluator-${fingerprint()}`;
  const program = join(cacheFolder(), name);
  if (!isProgram(program))
    await buildGo({ module: MODULE, package: './policy-evaluator', linkerFlags: '-s -w', folder: cacheFolder(), name });
  return program;
}

/** Why that program can't be had on this machine, in one sentence; undefined when it can. */
export function whyNoPolicyEvaluator(): string | undefined {
  const program = join(cacheFolder(), `policy-evaluator-${fingerprint()}`);
  if (isProgram(program) || hasGo()) return undefined;
  return `${program} is missing, and so is Go to build it from source: install Go`;
}

function fingerprint(): string {
  const folder = join(MODULE, 'policy-evaluator');
  const hash = createHash('sha256').update(readFileSync(join(MODULE, 'go.sum')));
  for (const name of readdirSync(folder).sort()) hash.update(name).update(readFileSync(join(folder, name)));
  return hash.digest('hex').slice(0, 12);
}

function missingFrom(found: Partial<Assets>): Binary[] {
  return NAMES.filter((name) => found[name] === undefined);
}

function cacheFolder(): string {
  return cacheOf(`kubernetes-${kubernetesVersion()}`);
}

function hasGo(): boolean {
  return goProgram() !== undefined;
}

/** Builds one program into the cache. */
function build(name: Binary): Promise<void> {
  return buildGo({ module: MODULE, package: PACKAGES[name], linkerFlags: linkerFlags(), folder: cacheFolder(), name });
}

/** kubectl reads its own version, and the API server serves it: both come from the linker. */
function linkerFlags(): string {
  const version = kubernetesVersion();
  const [major, minor] = version.slice(1).split('.');
  const facts = { gitVersion: version, gitMajor: major, gitMinor: minor };
  return `-s -w ${Object.entries(facts)
    .map(([key, value]) => `-X k8s.io/component-base/version.${key}=${value}`)
    .join(' ')}`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  ensureAssets((line) => process.stderr.write(`${line}\n`)).then(
    (assets) =>
      process.stdout.write(
        `${Object.entries(assets)
          .map((entry) => entry.join(' '))
          .join('\n')}\n`,
      ),
    (error: Error) => {
      process.stderr.write(`error: ${error.message}\n`);
      process.exitCode = 1;
    },
  );
}
