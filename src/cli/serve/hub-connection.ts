/** Keeps the client of the hub of a running server, which changes with the configuration and the kubeconfig file. */
import { type ApiClient, observeCalls } from '../../cluster/live/client.ts';
import type { Log } from '../../server/log/log.ts';
import type { Metrics } from '../../server/ops/metrics.ts';
import { type FileWatch, watchFiles } from '../../watch/watch-files.ts';
import { type HubAccess, readHubFile } from '../hub.ts';

export interface HubConnection<Member> {
  /** Returns what uses the client with the newest usable credentials; undefined while no registrar is configured. */
  member(): Member | undefined;
  /** Replaces the hub by that of a new configuration. */
  use(access: HubAccess | undefined): void;
  /** Returns why the kubeconfig on disk is refused; undefined while it is the one in use. */
  problem(): string | undefined;
  /** Resolves once a read of the kubeconfig under way has ended. */
  close(): Promise<void>;
}

/** The most milliseconds of a call to an API server: so long, a replaced client may still be in use. */
const LONGEST_CALL_MS = 10_000;

/**
 * Connects to nothing yet. A changed kubeconfig is used for the next call; while the file can't be used, the previous
 * content stays in force.
 * @param join makes what uses a client; called anew for each, such as that of a new kubeconfig
 */
export function connectHub<Member>(
  first: HubAccess | undefined,
  log: Log,
  metrics: Pick<Metrics, 'registrar'>,
  join: (client: ApiClient) => Member,
): HubConnection<Member> {
  let client: ApiClient | undefined;
  let member: Member | undefined;
  let watch: FileWatch | undefined;
  const replace = (access: HubAccess | undefined) => {
    const previous = client;
    client = access && observeCalls(access.open(), metrics.registrar().call);
    member = client && join(client);
    if (previous) setTimeout(previous.close, LONGEST_CALL_MS).unref();
  };
  const use = (access: HubAccess | undefined) => {
    void watch?.close();
    replace(access);
    watch = access && follow(access);
  };
  const follow = (current: HubAccess) => {
    const { settings, file } = current;
    return watchFiles({
      files: [file],
      load: () => readHubFile(settings, file),
      key: ({ text }) => text,
      current,
      onChange: (access) => {
        replace(access);
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
    member: () => member,
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
