/**
 * Runs an exec credential plugin (client.authentication.k8s.io) of a kubeconfig or a provider file. client-node's own
 * runner has no time limit and no KUBERNETES_EXEC_INFO, and a plugin that hangs would keep this process alive.
 */
import { execFile } from 'node:child_process';
import { sep } from 'node:path';
import type { Cluster, User } from '@kubernetes/client-node';
import { at, isObject, type Json, type JsonObject, listAt, textAt, textOf } from '../../base/json.ts';
import { namedPath } from '../../base/text.ts';

/** The `exec` of a kubeconfig's user, and the `execConfig` of a provider file. */
export interface ExecConfig {
  readonly apiVersion?: string | undefined;
  readonly command: string;
  readonly args?: readonly string[] | null | undefined;
  /** Added to the environment of this process. */
  readonly env?: readonly { readonly name: string; readonly value: string }[] | null | undefined;
  /** Whether the plugin gets the cluster's address. */
  readonly provideClusterInfo?: boolean | undefined;
}

/** The cluster for which the plugin gets a credential. */
interface PluginCluster {
  readonly cluster: Cluster;
  /**
   * The cluster's extension `client.authentication.k8s.io/exec`: data for the plugin, never a part of its command line.
   */
  readonly config?: Json | undefined;
}

/** The name in `User.authProvider` by which client-node finds this plugin. */
export const EXEC_PLUGIN = 'muster-exec';

const DEFAULT_API = 'client.authentication.k8s.io/v1';
const TIMEOUT_MS = 60_000;
const MOST_BYTES = 1024 * 1024;
/** A credential that expires this soon is renewed. */
const MARGIN_MS = 1000;

/**
 * Returns an authenticator for client-node's `KubeConfig.addAuthenticator`. The plugin runs when no credential is
 * valid; calls at the same time share one run.
 * @param signalOfRun returns the signal that ends a run that starts now
 * @param timeoutMs ends a run that takes longer, so that the next call starts another one
 */
export function createExecPlugin(
  exec: ExecConfig,
  target: PluginCluster,
  signalOfRun: () => AbortSignal,
  timeoutMs: number = TIMEOUT_MS,
) {
  let last: { readonly status: Promise<JsonObject>; expiry: number } | undefined;
  const renew = () => {
    const output = run(exec, infoOf(exec, target), { signal: signalOfRun(), timeout: timeoutMs });
    const next = { status: output.then(statusOf), expiry: Number.POSITIVE_INFINITY };
    last = next;
    next.status.then(
      (status) => {
        next.expiry = Date.parse(textAt(status, ['expirationTimestamp']) ?? '') || Number.POSITIVE_INFINITY;
      },
      () => {
        if (last === next) last = undefined;
      },
    );
    return next;
  };
  return {
    isAuthProvider: ({ authProvider }: User) => authProvider?.name === EXEC_PLUGIN,
    async applyAuthentication(_: User, options: { headers?: unknown }): Promise<void> {
      const status = await (last && Date.now() < last.expiry - MARGIN_MS ? last : renew()).status;
      const token = textAt(status, ['token']);
      const cert = textAt(status, ['clientCertificateData']);
      const key = textAt(status, ['clientKeyData']);
      if (cert && key) Object.assign(options, { cert, key });
      if (token) options.headers = { ...(options.headers as object), Authorization: `Bearer ${token}` };
    },
  };
}

/** Returns the content of KUBERNETES_EXEC_INFO. */
function infoOf({ apiVersion = DEFAULT_API, provideClusterInfo }: ExecConfig, { cluster, config }: PluginCluster) {
  const shown = {
    server: cluster.server,
    'tls-server-name': cluster.tlsServerName,
    'insecure-skip-tls-verify': cluster.skipTLSVerify || undefined,
    'certificate-authority-data': cluster.caData,
    'proxy-url': cluster.proxyUrl,
    config,
  };
  const spec = { interactive: false, ...(provideClusterInfo && { cluster: shown }) };
  return JSON.stringify({ apiVersion, kind: 'ExecCredential', spec });
}

/**
 * Returns what may be the path of a file on the plugin's command line and in its environment: the program, unless PATH
 * leads to it, and each argument and variable, also behind a `=`.
 * @param config an `ExecConfig`, or what a kubeconfig has in its place
 */
export function pathsIn(config: unknown): readonly string[] {
  const exec = config as Json | undefined;
  const program = textAt(exec, ['command']) ?? '';
  const args = listAt(exec, ['args']).flatMap((arg) => textOf(arg) ?? []);
  const variables = listAt(exec, ['env']).flatMap((variable) => textAt(variable, ['value']) ?? []);
  return [...(program.includes(sep) ? [program] : []), ...[...args, ...variables].map(withoutName)];
}

const withoutName = (text: string) => namedPath(text)?.path ?? text;

interface CallLimits {
  readonly signal: AbortSignal;
  /** Milliseconds. */
  readonly timeout: number;
}

function run({ command, args, env }: ExecConfig, info: string, limits: CallLimits): Promise<string> {
  const own = Object.fromEntries((env ?? []).map(({ name, value }) => [name, value]));
  const options = {
    env: { ...process.env, ...own, KUBERNETES_EXEC_INFO: info },
    ...limits,
    // A program may ignore SIGTERM, and this process would wait for it.
    killSignal: 'SIGKILL' as const,
    maxBuffer: MOST_BYTES,
    windowsHide: true,
  };
  return new Promise((resolve, reject) => {
    const child = execFile(command, args ?? [], options, (error, stdout) => (error ? reject(error) : resolve(stdout)));
    // `execFile` does not pass `killSignal` on for the signal that aborts.
    child.once('error', () => child.kill('SIGKILL'));
    // No input: nobody is there to type. A plugin that does not read its input may close the pipe early.
    child.stdin?.on('error', () => {}).end();
  });
}

/**
 * Returns the status with the credential. @throws if there is none: the API server would take the user for anonymous
 */
function statusOf(stdout: string): JsonObject {
  const status = at(JSON.parse(stdout) as Json, ['status']);
  const has = (name: string) => Boolean(textAt(status, [name]));
  if (isObject(status) && (has('token') || (has('clientCertificateData') && has('clientKeyData')))) return status;
  throw new Error('the plugin printed no credential');
}
