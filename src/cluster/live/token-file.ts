/**
 * Tokens in files, as kubelets and others renew them: `tokenFile` of a kubeconfig, and a pod's service account. client-node
 * knows the first by another name, keeps the second for a minute, and sends no token at all where a file is empty: then the
 * API server takes the caller for nobody in particular, and speaks of rights where the file is what is wrong.
 */
import { readFile } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import type { KubeConfig, User } from '@kubernetes/client-node';
import { readDocuments } from '../../documents/index.ts';
import { plain } from '../../engine/text.ts';
import { listAt, textAt } from '../../rules/json.ts';
import type { Json } from '../../rules/rule.ts';
import { ClusterError } from './error.ts';

/**
 * Files of tokens that a kubeconfig names, by user.
 * @param folder what relative paths are relative to
 * @throws ClusterError `no-access` where it names some and is not to be understood
 */
export function tokenFilesIn(text: string, source: string, folder: string): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  if (!text.includes('tokenFile')) return files;
  const { documents, errors } = readDocuments(text, source);
  const [error] = errors;
  if (error) throw new ClusterError('no-access', `${source}:${error.line}: ${error.message}`);
  for (const document of documents) {
    for (const user of listAt(document.value as Json, ['users'])) {
      const file = textAt(user, ['user', 'tokenFile']);
      if (file) files.set(textAt(user, ['name']) ?? '', isAbsolute(file) ? file : join(folder, file));
    }
  }
  return files;
}

/** Has the users of these files, and whom client-node lets read one, read theirs at each call. A file beats a token, as in kubectl. */
export function useTokenFiles(access: KubeConfig, files: ReadonlyMap<string, string> = new Map()): void {
  access.users = access.users.map((user) => {
    const file = files.get(user.name) ?? tokenFileOf(user);
    if (file === undefined) return user;
    const { token: _, ...rest } = user;
    return { ...rest, authProvider: { name: NAME, config: { file } } };
  });
}

type Authenticator = Parameters<KubeConfig['addAuthenticator']>[0];

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

function tokenFileOf({ authProvider }: User): string | undefined {
  return authProvider?.config?.tokenFile || undefined;
}

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
