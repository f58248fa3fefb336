/**
 * Loads the address of the API server and the credentials by client-node's `KubeConfig`. The package's transport is not
 * used, since it opens a connection for each call (5.4 ms instead of 0.4). The package takes long to load, so client.ts
 * imports this module only when a cluster is opened.
 */
import { addAbortListener } from 'node:events';
import { readFileSync } from 'node:fs';
import type { RequestOptions } from 'node:https';
import { dirname, resolve, sep } from 'node:path';
import { type Cluster, KubeConfig, type User } from '@kubernetes/client-node';
import { type Json, listAt, textAt } from '../../base/json.ts';
import { safeText } from '../../base/text.ts';
import { reasonOf, statOf } from '../../documents/files.ts';
import { readDocuments } from '../../documents/index.ts';
import { type AccessFlags, type AccessSource, accessSource } from './access-source.ts';
import { ClusterError, unusableCredentials } from './errors.ts';
import { createExecPlugin, EXEC_PLUGIN, pathsIn } from './exec-plugin.ts';

/** How to call an API server as a user. */
export interface Access {
  readonly server: URL;
  /** See `clusterAddress`. */
  readonly address: string;
  /** Whether there is a proxy before the API server. Then `credentials` returns an agent for it. */
  readonly proxied: boolean;
  /**
   * Returns CA, certificate and headers for one call. An exec plugin runs if its last credential has expired. When
   * `signal` aborts, the plugin continues, since other calls may wait for it; only `close` ends it.
   * @throws ClusterError `no-access`, or `timeout` once `signal` aborts
   */
  credentials(signal: AbortSignal): Promise<RequestOptions>;
  /** Ends a plugin that runs. The next call may start it again. */
  close(): void;
  /** The context of a kubeconfig that names it. */
  readonly context?: string;
  /** Equal for two contexts with the same address and user. */
  readonly accessKey?: string;
  /** The namespace of the context, or of the pod. */
  readonly namespace?: string | undefined;
  /** The kubeconfigs, and the files that they name. */
  readonly files?: readonly string[];
}

/** The most characters of the list of contexts in a message. */
const LONGEST_LIST = 256;

/**
 * Loads --kubeconfig, else KUBECONFIG, the pod's service account, or the default file; or another source. Call it again
 * to read a changed file.
 * @throws ClusterError `no-access`, naming the file and what is missing
 */
export function loadAccess(flags: AccessFlags, source: AccessSource = accessSource(flags)): Access {
  const loaded = load(source);
  const chosen = flags.context || loaded.getCurrentContext();
  const context = loaded.getContextObject(chosen);
  const cluster = context && loaded.getCluster(context.cluster);
  if (!cluster) {
    const names = loaded.getContexts().map(({ name }) => name);
    const known = names.length === 0 ? 'it has no contexts' : `it has ${safeText(names.join(', '), LONGEST_LIST)}`;
    const missing = context
      ? `no cluster "${safeText(context.cluster, 128)}", which its context "${safeText(chosen, 128)}" names`
      : chosen
        ? `no context "${safeText(chosen, 128)}"`
        : 'no current-context';
    const fix = source.contextFix ?? 'name another one with --context';
    throw noAccess(`${source.name} has ${missing}; ${fix}: ${known}`);
  }
  const user = loaded.getUser(context.user) ?? { name: '' };
  // Of a copy: a string that the parser returns may be a slice of the whole kubeconfig, and keep it in memory.
  const access = accessOf(...structuredClone([cluster, user] as const));
  const accessKey = JSON.stringify([access.address, cluster.proxyUrl, context.user]);
  const files = [...(source.files ?? []), ...filesNamedBy(cluster, user)];
  return { ...access, context: chosen, accessKey, namespace: structuredClone(context.namespace), files };
}

/** Returns the files with the CA, the certificate, the key and the token, and those of an exec plugin. */
function filesNamedBy({ caFile }: Cluster, { certFile, keyFile, authProvider, exec }: User): readonly string[] {
  const files: readonly unknown[] = [caFile, certFile, keyFile, authProvider?.config?.tokenFile];
  // A word of a command line is a path only if there is such a file.
  const ofPlugin = pathsIn(exec).filter((path) => statOf(path)?.isFile());
  return structuredClone([...files.filter((file) => typeof file === 'string'), ...ofPlugin]);
}

/**
 * Returns the access to a cluster as a user. The user's exec plugin runs by `createExecPlugin`: client-node's own
 * authenticator takes every user with an `exec`, so here the user has an auth provider of another name in its place.
 * @param config the cluster's data for the plugin
 * @throws ClusterError `no-access` for a server that is no address
 */
export function accessOf(cluster: Cluster, user: User, config?: Json): Access {
  const server = addressOf(cluster);
  let closed = new AbortController();
  const own = new KubeConfig();
  if (user.exec) own.addAuthenticator(createExecPlugin(user.exec, { cluster, config }, () => closed.signal));
  const { exec, ...rest } = user;
  const applied: User = exec ? { ...rest, authProvider: { name: EXEC_PLUGIN } } : user;
  own.loadFromClusterAndUser(cluster, applied);
  return {
    server,
    address: clusterAddress(server, cluster.tlsServerName),
    proxied: Boolean(cluster.proxyUrl),
    credentials: (signal) => credentialsOf(own, user, signal),
    close() {
      closed.abort();
      closed = new AbortController();
    },
  };
}

/** Returns the address of a cluster, to compare: the path is a part of it, and the name in the server's certificate. */
export function clusterAddress({ origin, pathname }: URL, tlsServerName = ''): string {
  return `${origin}${pathname.replace(/\/$/, '')} ${tlsServerName}`;
}

/**
 * Loads a source. Of several entries with one name the first counts, as in kubectl; `mergeConfig` refuses such files.
 */
function load({ name, files, text }: AccessSource): KubeConfig {
  const merged = new KubeConfig();
  try {
    if (text !== undefined) merged.loadFromString(text);
    else if (files === undefined) merged.loadFromCluster();
    else {
      const configs = files.map(loadFile);
      merged.loadFromOptions({
        clusters: configs.flatMap(({ clusters }) => clusters),
        users: configs.flatMap(({ users }) => users),
        contexts: configs.flatMap(({ contexts }) => contexts),
        currentContext: configs.map(({ currentContext }) => currentContext).find(Boolean),
      });
    }
    return merged;
  } catch (cause) {
    // The parser's message may repeat a secret.
    const reason = (cause as NodeJS.ErrnoException).code ? reasonOf(cause) : 'it is not a kubeconfig';
    throw noAccess(`${name} can't be read (${reason}); check the path and what it holds`, cause);
  }
}

/** The last content of each file, and what it says: many contexts of one kubeconfig may be opened one by one. */
const loadedFiles = new Map<string, { readonly text: string; readonly config: KubeConfig }>();

function loadFile(file: string): KubeConfig {
  const text = readFileSync(file, 'utf8');
  const last = loadedFiles.get(file);
  if (last?.text === text) return last.config;
  const config = new KubeConfig();
  config.loadFromString(text);
  config.makePathsAbsolute(dirname(file));
  config.users = withTokenFiles(config.users, text, file).map((user) => withCommandPath(user, file));
  loadedFiles.set(file, { text, config });
  return config;
}

/** As in kubectl, a relative path of an exec plugin begins at the kubeconfig; a bare name is found by PATH. */
function withCommandPath(user: User, file: string): User {
  const command: unknown = user.exec?.command;
  if (typeof command !== 'string' || !command.includes(sep)) return user;
  return { ...user, exec: { ...user.exec, command: resolve(dirname(file), command) } };
}

/**
 * Adds the `tokenFile` of users, which client-node does not read from a kubeconfig, as its auth provider of that name.
 * It reads the file once a minute. As in kubectl, the file has precedence over a token.
 */
function withTokenFiles(users: readonly User[], text: string, file: string): User[] {
  const entries = listAt(readDocuments(text, file).documents[0]?.value, ['users']);
  return users.map((user) => {
    const entry = entries.find((one) => textAt(one, ['name']) === user.name);
    const path = textAt(entry, ['user', 'tokenFile']);
    if (!path) return user;
    const { token: _, ...rest } = user;
    const tokenFile = resolve(dirname(file), path);
    return { ...rest, authProvider: { name: 'tokenFile', config: { tokenFile } } };
  });
}

function addressOf({ server, skipTLSVerify, proxyUrl }: Cluster): URL {
  const url = URL.canParse(server) ? new URL(server) : undefined;
  if (url?.protocol === 'https:' || (url?.protocol === 'http:' && (skipTLSVerify || proxyUrl))) return url;
  if (url?.protocol === 'http:')
    throw noAccess(
      `the cluster's server ${safeText(url.origin, 128)} is not https; write https://HOST:PORT, or, for a proxy on ` +
        'this machine, insecure-skip-tls-verify: true beside it',
    );
  // Before an "@" there may be a password.
  const shown = server.includes('@') ? '' : ` "${safeText(server, 128)}"`;
  throw noAccess(`the cluster's server${shown} is not an address; write https://HOST:PORT`);
}

function noAccess(message: string, cause?: unknown): ClusterError {
  return new ClusterError('no-access', message, { cause });
}

async function credentialsOf(config: KubeConfig, user: User, signal: AbortSignal): Promise<RequestOptions> {
  const options: RequestOptions = {};
  try {
    await beforeAbort(signal, config.applyToHTTPSOptions(options));
  } catch (cause) {
    if (cause instanceof ClusterError) throw cause;
    const plugin = user.exec ?? user.authProvider?.config?.exec;
    throw unusableCredentials(cause, plugin ? whyNoPlugin(cause, plugin) : undefined);
  }
  return { ...options, headers: withToken(options.headers as Record<string, string> | undefined, user) };
}

/**
 * Trims the line break that an editor leaves in a token file. Without a token, the API server would take the user for
 * anonymous.
 */
function withToken(headers: Record<string, string> = {}, { authProvider }: User): Record<string, string> {
  const file: string | undefined = authProvider?.config?.tokenFile;
  if (!file) return headers;
  const authorization = headers['Authorization']?.trim() ?? '';
  if (/^Bearer \S/.test(authorization)) return { ...headers, Authorization: authorization };
  throw noAccess(`the token file ${file} is empty; write the token into it`);
}

/** Returns why an exec plugin failed. Its output is not repeated: it may be a token, and users see this message. */
function whyNoPlugin(cause: unknown, { command }: { readonly command?: string }): string {
  const { code, killed } = cause as { code?: unknown; killed?: boolean };
  const failed = killed ? 'did not end in time' : 'failed, or printed no credential';
  // An exit code is a number.
  const why = typeof code === 'string' ? `can't be run (${code})` : failed;
  return `the exec plugin "${safeText(String(command), 256)}" ${why}; run it by hand to see more`;
}

/** Waits for the work, but not after the signal has aborted. @throws ClusterError `timeout` */
async function beforeAbort(signal: AbortSignal, work: Promise<void>): Promise<void> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const listener = addAbortListener(signal, () =>
    reject(new ClusterError('timeout', 'the credentials did not come in time')),
  );
  try {
    await Promise.race([work, late]);
  } finally {
    // A listener would keep the signal, and all that the call holds, until its time is over.
    listener[Symbol.dispose]();
  }
}
