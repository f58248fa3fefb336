/** A guarded cluster to break, one thing at a time, and a shell in which doctor's remedies are really run. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { CheckStatus, DoctorReport } from '../../../../src/cli/doctor/report.ts';
import { diagnose } from '../../../../src/cli/doctor/run.ts';
import { openCluster } from '../../../../src/cluster/live/client.ts';
import { partOf } from '../../../../src/manifests/installation.ts';
import { newFolder } from '../../../support/folder.ts';
import { MAIN } from '../../../support/main.ts';
import { writePrograms } from '../../../support/programs.ts';
import { ensureAssets } from '../harness/assets.ts';
import { type ControlPlane, type Json, type Muster, settled, until } from '../harness/index.ts';

/** Whatever is not well, by check, without what follows from another check. */
export type Findings = Readonly<Record<string, Exclude<CheckStatus, 'ok'>>>;

/** Runs doctor in this process. */
export async function examine(controlPlane: ControlPlane, user = 'admin'): Promise<DoctorReport> {
  const client = await openCluster({ kubeconfig: controlPlane.kubeconfig(user) });
  try {
    return await diagnose(client, {});
  } finally {
    client.close();
  }
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

export interface Shell {
  /** Runs one line; @throws Error with what it said where it fails */
  run(line: string): Promise<void>;
  /** `muster` with these arguments, to its end. */
  muster(args: readonly string[]): Promise<{ code: number; out: string; err: string }>;
  readonly folder: string;
}

/** Knows `muster`, `kubectl` (as the administrator) and other programs; has the chart, and a server's CA as ca.crt. */
export async function openShell(
  controlPlane: ControlPlane,
  muster?: Muster,
  programs: Readonly<Record<string, string>> = {},
): Promise<Shell> {
  const { kubectl } = await ensureAssets();
  const folder = newFolder().path;
  const bin = join(folder, 'bin');
  symlinkSync(resolve('charts'), join(folder, 'charts'));
  const commands = { ...programs, muster: `"${process.execPath}" "${MAIN}"`, kubectl: `"${kubectl}"` };
  const scripts = Object.entries(commands).map(([name, command]) => [name, `exec ${command} "$@"`]);
  writePrograms(bin, Object.fromEntries(scripts));
  if (muster !== undefined) copyFileSync(muster.caFile, join(folder, 'ca.crt'));
  const env = { PATH: `${bin}:${process.env['PATH']}`, HOME: folder, KUBECONFIG: controlPlane.kubeconfig('admin') };
  const execute = (file: string, args: readonly string[]) =>
    new Promise<{ code: number; out: string; err: string }>((resolve) => {
      execFile(file, args, { cwd: folder, env }, (error, out, err) => {
        resolve({ code: error === null ? 0 : Number(error.code ?? -1), out, err });
      });
    });
  return {
    folder,
    muster: (args) => execute(process.execPath, [MAIN, ...args]),
    async run(line) {
      const { code, err } = await execute('/bin/sh', ['-c', remembering(line)]);
      if (code !== 0) throw new Error(`${line}: exit ${code}: ${err}`);
      await settled(controlPlane);
    },
  };
}

/** `muster manifests` prints the same for the same flags, and takes a second: the shell keeps what it printed. */
function remembering(line: string): string {
  return line.replace(/^muster manifests [^|&]*/, (command) => {
    const file = `printed-${createHash('sha256').update(command).digest('hex')}`;
    return `{ [ -s ${file} ] || ${command} > ${file}; } && cat ${file} `;
  });
}
