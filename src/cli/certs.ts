/** `muster certs`: certificates for development, made by hand rather than by the first `muster serve`. */
import { type Command, Option } from 'commander';
import { ensureDevelopmentCertificates } from '../tls/development.ts';
import { CertificateError } from '../tls/error.ts';
import { loadCertificate, moment } from '../tls/load.ts';

interface Flags {
  readonly dir: string;
  readonly force?: boolean;
}

/** Adds `certs` to the program. Exit 0 when the folder has good certificates; 2, with one line on stderr, when not. */
export function registerCerts(program: Command): void {
  program
    .command('certs')
    .summary('makes certificates')
    .description('Makes a development CA and a server certificate under it, unless the folder has good ones.')
    .addOption(new Option('--dir <folder>', 'where ca.crt, tls.crt and tls.key go').default('certs').env('MUSTER_DIR'))
    .addOption(new Option('--force', 'make new ones, whatever is there').env('MUSTER_FORCE'))
    .addHelpText('after', `\nExample:\n  muster certs --dir certs\n  muster serve --cert-dir certs`)
    .action(certs);
}

async function certs(flags: Flags, command: Command): Promise<void> {
  try {
    const text = await makeAndDescribe(flags.dir, forced(flags, command));
    command.configureOutput().writeOut?.(text);
  } catch (error) {
    if (!(error instanceof CertificateError)) throw error;
    command.error(`error: ${error.message}`, { exitCode: 2, code: `muster.certificate.${error.code}` });
  }
}

/** commander takes a variable that is set for a flag that is given; people write MUSTER_FORCE=false and mean it. */
function forced({ force = false }: Flags, command: Command): boolean {
  if (command.getOptionValueSource('force') !== 'env') return force;
  return !['', '0', 'false', 'no'].includes((process.env['MUSTER_FORCE'] ?? '').toLowerCase());
}

async function makeAndDescribe(dir: string, force: boolean): Promise<string> {
  if (dir === '') throw new CertificateError('unwritable', '--dir (or MUSTER_DIR) is empty; name a folder');
  const trio = await ensureDevelopmentCertificates(dir, { force });
  const { names, notAfter } = await loadCertificate(trio);
  return [
    trio.made
      ? `Made development certificates in ${dir}:`
      : `Good certificates are in ${dir} already (--force makes new):`,
    `  ${trio.caFile}   what clients trust`,
    `  ${trio.certFile}  for ${names.join(', ')}, until ${moment(notAfter)}`,
    `  ${trio.keyFile}  its private key`,
    `Next: npx muster serve --cert-dir ${quoted(dir)}`,
    '',
  ].join('\n');
}

/** As a shell wants it, so that the line works when pasted. */
function quoted(dir: string): string {
  return /^[\w./-]+$/.test(dir) ? dir : `'${dir.replaceAll("'", `'\\''`)}'`;
}
