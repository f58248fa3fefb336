/** Keeps the client of the hub of a running server, which changes with the configuration and the kubeconfig file. */
import type { ApiClient } from '../../cluster/live/client.ts';
import { observeCalls } from '../../cluster/live/client-wrappers.ts';
import { ROUND_LIMIT_MS } from '../../cluster/registrar/loop.ts';
import type { Log } from '../../server/log/log.ts';
import type { Metrics } from '../../server/ops/metrics.ts';
import { type FileWatch, watchFiles } from '../../watch/watch-files.ts';
import { type HubAccess, readHubFile } from '../hub.ts';

/** A connection, with what `create` makes of its client. */
export interface HubConnection<T> {
  /** Returns what was made with the newest usable credentials; undefined while no registrar is configured. */
  current(): T | undefined;
  /** Replaces the hub by that of a new configuration. */
  use(access: HubAccess | undefined): void;
  /** Returns why the kubeconfig on disk is refused; undefined while it is the one in use. */
  problem(): string | undefined;
  /** Resolves once a read of the kubeconfig under way has ended. */
  close(): Promise<void>;
}

/**
 * Connects to nothing yet. A changed kubeconfig is used for the next call; while the file can't be used, the previous
 * content stays in force.
 * @param create makes what uses a client; called again for each new client, such as that of a changed kubeconfig
 */
export function connectHub<T>(
  first: HubAccess | undefined,
  log: Log,
  metrics: Pick<Metrics, 'registrar'>,
  create: (client: ApiClient) => T,
): HubConnection<T> {
  let client: ApiClient | undefined;
  let current: T | undefined;
  let watch: FileWatch | undefined;
  const replace = (access: HubAccess | undefined) => {
    const previous = client;
    const opened = access && observeCalls(access.client, metrics.registrar().call);
    current = opened && create(opened);
    client = opened;
    // A round may use it to its end. A join takes less.
    if (previous) setTimeout(previous.close, ROUND_LIMIT_MS).unref();
  };
  const use = (access: HubAccess | undefined) => {
    replace(access);
    void watch?.close();
    watch = access && follow(access);
  };
  const follow = (access: HubAccess) => {
    const { settings, file } = access;
    return watchFiles({
      files: [file],
      load: () => readHubFile(settings, file),
      key: ({ text }) => text,
      current: access,
      onChange: (changed) => {
        replace(changed);
        metrics.registrar().kubeconfigReload('applied');
        log.info('a new kubeconfig of the hub is in use', { file });
      },
      onError: ({ message }) => {
        metrics.registrar().kubeconfigReload('refused');
        log.error(`the changed kubeconfig of the hub is refused, the previous one stays in use: ${message}`);
      },
    });
  };
  use(first);
  return {
    current: () => current,
    use,
    problem: () =>
      watch?.problem &&
      `the hub's kubeconfig on disk is refused, the previous one stays in use: ${watch.problem.message}`,
    async close() {
      client?.close();
      await watch?.close();
    },
  };
}
