/** Serving certificates as files, as `startMuster({ certs })` takes them: one certificate for all replicas. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { issueCertificates } from '../../../src/tls/issue.ts';

/** Writes `tls.crt`, `tls.key` and `ca.crt` for 127.0.0.1 into the folder, and returns the folder. */
export async function servingCertificates(folder: string): Promise<string> {
  const { ca, cert, key } = await issueCertificates({ names: ['127.0.0.1', 'localhost'] });
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries({ 'ca.crt': ca, 'tls.crt': cert, 'tls.key': key })) {
    writeFileSync(join(folder, name), text, { mode: 0o600 });
  }
  return folder;
}
