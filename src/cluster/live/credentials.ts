/** What a kubeconfig adds to a request: CA, certificate, token. A plugin may make them, and take its time. */
import { readFileSync } from 'node:fs';
import type { RequestOptions } from 'node:https';
import { ExecAuth } from '@kubernetes/client-node/dist/exec_auth.js';
import { plain, shorten } from '../../engine/text.ts';
import type { Access } from './access.ts';
import { ClusterError } from './errors.ts';
import type { Cluster, User } from './kubeconfig.ts';
import { TokenFiles } from './token-file.ts';

/** @throws ClusterError `no-access`, or `timeout`: a plugin that outlasts `ends` is left to itself */
export async function credentialsOf({ credentials, user }: Access, ends: AbortSignal): Promise<RequestOptions> {
  try {
    return await Promise.race([credentials(), endOf(ends)]);
  } catch (cause) {
    if (cause instanceof ClusterError) throw cause;
    throw user.exec || user.authProvider ? unusable(cause, whyNoPlugin(cause)) : unusable(cause);
  }
}

/** Makes them for one call after another; what a plugin or a provider made is used until it expires. */
export function credentialsFor(cluster: Cluster, user: User): () => Promise<RequestOptions> {
  const tokenFiles = new TokenFiles();
  const provided = Boolean(user.authProvider) && !tokenFiles.isAuthProvider(user);
  if (cluster.proxyUrl || provided) return byClientNode(cluster, user, tokenFiles);
  const makers = [tokenFiles, new ExecAuth()];
  return async () => {
    const options = { ...ofCluster(cluster), ...ofUser(user) };
    await makers.find((maker) => maker.isAuthProvider(user))?.applyAuthentication(user, options);
    if (user.token) options.headers['Authorization'] = `Bearer ${user.token}`;
    return options;
  };
}

/** Ways that few go: through a proxy, by a provider of old. The whole of client-node is loaded for them alone. */
function byClientNode(cluster: Cluster, user: User, tokenFiles: TokenFiles): () => Promise<RequestOptions> {
  const loading = async () => {
    const { KubeConfig } = await import('./client-node.ts');
    const access = new KubeConfig();
    access.addAuthenticator(tokenFiles);
    access.loadFromClusterAndUser(cluster, user);
    return access;
  };
  let access: ReturnType<typeof loading> | undefined;
  return async () => {
    access ??= loading();
    const options: RequestOptions = {};
    await (await access).applyToHTTPSOptions(options);
    return options;
  };
}

function ofCluster({ server, skipTLSVerify, tlsServerName, caData, caFile }: Cluster): RequestOptions {
  if (server.startsWith('http:') && !skipTLSVerify)
    throw new Error('over http: they could be read on the way; use https:, or say insecure-skip-tls-verify: true');
  const ca = bytesOf(caData, caFile);
  return {
    ...(skipTLSVerify && { rejectUnauthorized: false }),
    ...(tlsServerName && { servername: tlsServerName }),
    ...(ca && { ca }),
  };
}

function ofUser({ certData, certFile, keyData, keyFile, username, password, impersonateUser }: User) {
  const [cert, key] = [bytesOf(certData, certFile), bytesOf(keyData, keyFile)];
  const headers: Record<string, string> = impersonateUser ? { 'Impersonate-User': impersonateUser } : {};
  return {
    ...(cert && { cert }),
    ...(key && { key }),
    ...(username && { auth: `${username}:${password ?? ''}` }),
    headers,
  };
}

/** Of both, what stands in the kubeconfig itself counts, as for kubectl. */
function bytesOf(data: string | undefined, file: string | undefined): Buffer | undefined {
  if (data) return Buffer.from(data, 'base64');
  return file ? readFileSync(file) : undefined;
}

const LONGEST_REASON = 256;

export function unusable(
  cause: unknown,
  reason = plain(shorten(cause instanceof Error ? cause.message : String(cause), LONGEST_REASON)),
): ClusterError {
  return new ClusterError('no-access', `the kubeconfig's credentials or CA can't be used: ${reason}`, { cause });
}

/** What a plugin printed may be a token, and is not repeated: this is told to whoever waits for a verdict. */
function whyNoPlugin(cause: unknown): string {
  const { code } = cause as { code?: unknown };
  const why = code === undefined ? 'failed, or printed no credential' : `can't be run (${code})`;
  return `the plugin that it names ${why}; run it by hand to see more`;
}

function endOf(ends: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const late = () => reject(new ClusterError('timeout', "the kubeconfig's credentials did not come in time"));
    if (ends.aborted) late();
    else ends.addEventListener('abort', late, { once: true });
  });
}
