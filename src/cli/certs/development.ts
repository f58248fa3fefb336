/** `muster certs --dir`: certificates for one's own machine. */

import { formatTime } from '../../base/syntax.ts';
import { shellQuoted } from '../../base/text.ts';
import { ensureDevelopmentCertificates } from '../../certificates/development.ts';
import { CertificateError } from '../../certificates/error.ts';
import { loadCertificate } from '../../certificates/load-certificate.ts';
import { leadsOut } from '../../report/safe-file.ts';
import { escapeFile } from '../../report/terminal.ts';

/** Makes certificates in a folder unless good ones are there; returns the text to print. @throws CertificateError */
export async function makeAndDescribe(dir: string, force: boolean): Promise<string> {
  refuseLinkedFolder(dir);
  const files = await ensureDevelopmentCertificates(dir, { force });
  const { names, notAfter } = await loadCertificate(files);
  return [
    files.made
      ? `Made development certificates in ${dir}:`
      : `Good certificates are in ${dir} already (--force makes new):`,
    `  ${files.caFile}   what clients trust`,
    `  ${files.certFile}  for ${names.join(', ')}, until ${formatTime(notAfter)}`,
    `  ${files.keyFile}  its private key`,
    `Next: muster serve --cert-dir ${shellQuoted(dir)}`,
    '',
  ]
    .map(escapeFile)
    .join('\n');
}

/**
 * Refuses a folder behind a link out of a checkout, so that no link decides where a key goes. @throws CertificateError
 */
export function refuseLinkedFolder(dir: string): void {
  const problem = leadsOut(dir);
  if (problem !== undefined) throw new CertificateError(`can't write certificates into ${dir}: ${problem}`);
}
