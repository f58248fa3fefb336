/** The steps of an installation, as an operator takes them. Processes stand in for pods. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { NAMESPACE } from '../../../../src/manifests/names.ts';
import { type ControlPlane, type Json, looseDefinition, type Outcome, runMuster, succeeded } from '../harness/index.ts';

/** The definitions of the kinds of cert-manager that are installed with its certificates, without their schemas. */
export const CERT_MANAGER = [
  ['Issuer', 'issuers'],
  ['Certificate', 'certificates'],
].map(([kind = '', plural = '']) =>
  looseDefinition({ group: 'cert-manager.io', kind, plural, scope: 'Namespaced', versions: ['v1'] }),
);

/** Returns what `muster manifests` prints. @throws Error with its message */
export async function manifests(...args: readonly string[]): Promise<string> {
  return (await succeeded(runMuster(['manifests', ...args]))).stdout;
}

/** Writes a kubeconfig with a token of a ServiceAccount, as a pod gets one; returns its path. */
export async function kubeconfigOf(controlPlane: ControlPlane, account: string): Promise<string> {
  const { stdout } = await succeeded(controlPlane.kubectl('admin', ['create', 'token', account, '-n', NAMESPACE]));
  const config = JSON.parse(readFileSync(controlPlane.kubeconfig('stranger', { namespace: NAMESPACE }), 'utf8'));
  config.users[0].user = { token: stdout.trim() };
  const file = join(controlPlane.folder, `${account}.account.kubeconfig`);
  writeFileSync(file, JSON.stringify(config), { mode: 0o600 });
  return file;
}

/** Returns the Jobs of the manifests. Once an hour there is another one, of the CronJob. */
export async function installedJobs(controlPlane: ControlPlane): Promise<Json[]> {
  const { stdout } = await controlPlane.kubectl('admin', ['get', 'jobs', '-n', NAMESPACE, '-o', 'json']);
  return JSON.parse(stdout).items.filter(({ metadata }: Json) => metadata.ownerReferences === undefined);
}

/** Runs the Job's command with the arguments and the account of its manifest. */
export async function runCertsJob(controlPlane: ControlPlane): Promise<Outcome> {
  const [job] = await installedJobs(controlPlane);
  const { serviceAccountName, containers } = job.spec.template.spec;
  return runMuster([...containers[0].args, '--kubeconfig', await kubeconfigOf(controlPlane, serviceAccountName)]);
}
