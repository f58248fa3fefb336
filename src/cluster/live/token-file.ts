/**
 * Tokens in files, as kubelets and others renew them: `tokenFile` of a kubeconfig, and a pod's service account. client-node
 * knows the first by another name, keeps the second for a minute, and sends no token at all where a file is empty: then the
 * API server takes the caller for nobody in particular, and speaks of rights where the file is what is wrong.
 */
import { readFile } from 'node:fs/promises';
import type { Authenticator } from '@kubernetes/client-node/dist/auth.js';
import type { User } from '@kubernetes/client-node/dist/config_types.js';
import { plain } from '../../engine/text.ts';
import { ClusterError } from './errors.ts';

/** Has the user read its token from the file at each call, or from the one client-node lets it read. A file beats a token, as in kubectl. */
export function withTokenFile(user: User, named: string | undefined): User {
  const file: string | undefined = named || user.authProvider?.config?.tokenFile;
  if (!file) return user;
  const { token: _, ...rest } = user;
  return { ...rest, authProvider: { name: NAME, config: { file } } };
}

/** Reads a user's token anew at each call: what a kubelet has renewed is in use at once. */
export class TokenFiles implements Authenticator {
  /** The last good token of each file, for a moment in which its file is being written. */
  readonly #last = new Map<string, string>();

  isAuthProvider({ authProvider }: User): boolean {
    return authProvider?.name === NAME;
  }

  /** @throws ClusterError `no-access`, naming the file */
  async applyAuthentication(
    { authProvider }: User,
    options: Parameters<Authenticator['applyAuthentication']>[1],
  ): Promise<void> {
    const file: string = authProvider.config.file;
    const token = (await tokenIn(file).catch((error: unknown) => this.#last.get(file) ?? error)) as string | Error;
    if (typeof token !== 'string') throw token;
    this.#last.set(file, token);
    options.headers = { ...options.headers, Authorization: `Bearer ${token}` };
  }
}

const NAME = 'muster-token-file';
const READ_FAILURES: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  EACCES: 'may not be read by this user',
  EISDIR: 'is a folder',
};

/** Without the line break that an editor leaves. @throws ClusterError */
async function tokenIn(file: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    const reason = READ_FAILURES[cause.code ?? ''] ?? `can't be read (${cause.code ?? plain(cause.message)})`;
    throw new ClusterError('no-access', `the kubeconfig's token file ${file} ${reason}; check the path`, { cause });
  });
  const token = text.trim();
  if (token !== '') return token;
  throw new ClusterError('no-access', `the kubeconfig's token file ${file} is empty; write the token into it`);
}
