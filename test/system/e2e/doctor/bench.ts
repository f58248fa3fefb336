/** A guarded cluster to break, one thing at a time, and a shell in which doctor's remedies are really run. */
import { createHash } from 'node:crypto';
import { copyFileSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { CheckStatus, DoctorReport } from '../../../../src/cli/doctor/report.ts';
import { diagnose } from '../../../../src/cli/doctor/run.ts';
import { openCluster } from '../../../../src/cluster/live/client.ts';
import { partOf } from '../../../../src/manifests/installation.ts';
import { type ControlPlane, type Json, type Muster, openShell, settled, succeeded, until } from '../harness/index.ts';

/** Whatever is not well, by check, without what follows from another check. */
export type Findings = Readonly<Record<string, Exclude<CheckStatus, 'ok'>>>;

/**
 * Runs doctor in this process. It sends some thirty calls at once, each of which has 2 or 5 s. Where one takes longer,
 * the machine is too slow at that moment, as the report says; then doctor runs anew, for two minutes at most.
 */
export async function examine(controlPlane: ControlPlane, user = 'admin'): Promise<DoctorReport> {
  const client = await openCluster({ kubeconfig: controlPlane.kubeconfig(user) });
  try {
    let report = await diagnose(client, {});
    for (const start = Date.now(); isLate(report) && Date.now() - start < 120_000; )
      report = await diagnose(client, {});
    return report;
  } finally {
    client.close();
  }
}

function isLate({ checks }: DoctorReport): boolean {
  return checks.some(({ message }) => message.includes('no answer in time'));
}

/** Returns the causes of whatever is not well. */
export function findingsOf({ checks }: DoctorReport): Findings {
  const unwell = checks.filter(({ status, cause }) => status !== 'ok' && cause === undefined);
  return Object.fromEntries(unwell.map(({ id, status }) => [id, status])) as Findings;
}

/** What doctor looks at and no test's subject is: namespace, CRDs, Leases, rights. */
export async function install(controlPlane: ControlPlane): Promise<void> {
  const parts = (['namespace', 'crds', 'leases', 'rbac'] as const).flatMap((part) => partOf(part, { image: 'none' }));
  await controlPlane.apply(...parts);
}

/** Returns the checks that follow from one. */
export function consequencesOf({ checks }: DoctorReport, id: string): string[] {
  return checks.flatMap((check) => (check.cause === id ? check.id : [])).sort();
}

/** Returns the command of a remedy. */
export function remedyOf({ checks }: DoctorReport, id: string): string {
  const remedy = checks.find((check) => check.id === id)?.remedy ?? '';
  return /(?:muster|kubectl|helm) [a-z].*$/.exec(remedy)?.[0] ?? `echo no command in: '${remedy}'; false`;
}

/** Changes an object as it stands. A webhook configuration is waited for. */
export async function edit(controlPlane: ControlPlane, path: string, change: (object: Json) => void): Promise<void> {
  const api = controlPlane.api('admin');
  const { body } = await api.call('GET', path);
  change(body);
  const { status, body: answer } = await api.call('PUT', path, body);
  if (status !== 200) throw new Error(`${path}: ${status} ${answer.message}`);
  await settled(controlPlane);
}

/** Deletes an object, and waits until it is gone: one with a finalizer, such as a CRD, stays for a moment. */
export async function remove(controlPlane: ControlPlane, path: string): Promise<void> {
  const api = controlPlane.api('admin');
  const { status, body } = await api.call('DELETE', path);
  if (status > 299) throw new Error(`${path}: ${status} ${body.message}`);
  await until(`${path} to be gone`, async () => (await api.call('GET', path)).status === 404);
  await settled(controlPlane);
}

/** Runs commands of remedies, each to its end. @throws Error with what one said where it fails */
export type Remedies = (line: string) => Promise<void>;

/** In a folder that has the chart and, of a server, its CA as ca.crt. */
export async function openRemedies(
  controlPlane: ControlPlane,
  { muster, programs }: { readonly muster?: Muster; readonly programs?: Readonly<Record<string, string>> } = {},
): Promise<Remedies> {
  const { folder, run } = await openShell(controlPlane, programs);
  symlinkSync(resolve('charts'), join(folder, 'charts'));
  if (muster !== undefined) copyFileSync(muster.caFile, join(folder, 'ca.crt'));
  return async (line) => {
    await succeeded(run(remembering(line)));
    await settled(controlPlane);
  };
}

/** `muster manifests` prints the same for the same flags, and takes a second: the shell keeps what it printed. */
function remembering(line: string): string {
  return line.replace(/^muster manifests [^|&]*/, (command) => {
    const file = `printed-${createHash('sha256').update(command).digest('hex')}`;
    return `{ [ -s ${file} ] || ${command} > ${file}; } && cat ${file} `;
  });
}
