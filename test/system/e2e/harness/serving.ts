/** Serving certificates as files, as `startMuster({ certs })` takes them. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { issueCertificates } from '../../../../src/certificates/issue.ts';
import { NAMESPACE } from '../../../../src/manifests/names.ts';
import type { ControlPlane } from './control-plane.ts';

/** The Secret with `tls.crt`, `tls.key` and `ca.crt`. */
export const TLS_SECRET = 'muster-tls';
export const SECRET = `/api/v1/namespaces/${NAMESPACE}/secrets/${TLS_SECRET}`;

/** Returns the values of muster's Secret as text. */
export async function secretOf(controlPlane: ControlPlane): Promise<Record<string, string>> {
  const { body } = await controlPlane.api('admin').call('GET', SECRET);
  const values = Object.entries((body.data ?? {}) as Record<string, string>);
  return Object.fromEntries(values.map(([key, value]) => [key, Buffer.from(value, 'base64').toString()]));
}

/** Writes muster's Secret into a folder, as a pod sees it, and returns the folder. */
export async function mountSecret(controlPlane: ControlPlane): Promise<string> {
  return writeAll(join(controlPlane.folder, 'mounted'), await secretOf(controlPlane));
}

/** Writes `tls.crt`, `tls.key` and `ca.crt` for 127.0.0.1 into the folder, and returns the folder. */
export async function servingCertificates(folder: string): Promise<string> {
  const { ca, cert, key } = await issueCertificates({ names: ['127.0.0.1', 'localhost'] });
  return writeAll(folder, { 'ca.crt': ca, 'tls.crt': cert, 'tls.key': key });
}

function writeAll(folder: string, files: Readonly<Record<string, string>>): string {
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text, { mode: 0o600 });
  return folder;
}
