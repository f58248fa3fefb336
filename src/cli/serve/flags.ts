/** `muster serve`: its flags. What they start is assembled in run.ts, which is imported only when it runs. */
import { type Command, InvalidArgumentError } from 'commander';
import { contextFlag, Flag, listed, listedPaths, namespaceName, numberIn, refuseIdle } from '../flags.ts';
import { LOG_LEVELS, readsCluster, type ServeFlags } from './options.ts';

const KUBECONFIG = "read other objects from this cluster (default: in a pod, the pod's cluster; else files)";
const NAMESPACE = "the namespace of muster's Leases (default: the pod's or the context's)";
const VIEW = `
Other objects come from files (--state; without it, none are known), or from a cluster: with --kubeconfig or
--context, and in a pod. The variable KUBECONFIG alone chooses no cluster. With --context or in a pod it names the file,
before the pod's service account and the default file.`;

/**
 * Adds `serve` to the program. It ends with exit code 0 after a clean stop, 1 on a failure at run time, and 2, with one
 * clear line on stderr, when a flag, the configuration, a certificate or a port can't be used.
 */
export function registerServe(program: Command): void {
  const port = numberIn(0, 65_535);
  program
    .command('serve')
    .summary('run the admission webhook server')
    .description(
      'Serves POST /validate and /mutate over HTTPS, and /livez, /readyz and /metrics on a plain port of its own.',
    )
    .option('--config <file>', 'a MusterConfiguration; watched')
    .option('--host <host>', 'address to listen on (default: "::"; "localhost" with development certificates)')
    .option('--port <port>', 'HTTPS port; 0 picks a free one', port, 8443)
    .option('--ops-port <port>', 'plain HTTP port; 0 picks a free one', port, 8080)
    .addOption(
      listedPaths('--state <path...>', 'files or folders of the objects that exist; an empty folder: none').excluding(
        ['--kubeconfig', '--context'],
        'other objects are read from files or from a cluster',
      ),
    )
    .addOption(new Flag('--kubeconfig <file>', KUBECONFIG))
    .addOption(contextFlag())
    .addOption(new Flag('--namespace <name>', NAMESPACE).argParser(namespaceName))
    .option('--tls-cert-file <file>', 'certificate, with its chain; watched')
    .option('--tls-private-key-file <file>', 'its key; watched')
    .addOption(
      new Flag('--cert-dir <folder>', 'development certificates, made when missing')
        .default('certs')
        .excluding(['--tls-cert-file', '--tls-private-key-file'], 'a server has one certificate'),
    )
    .option('--client-ca-file <file>', 'callers must show a certificate of these CAs; watched')
    .addOption(
      listed('--client-name <name>', 'callers must show a certificate with one of these common or alternative names'),
    )
    .option('--drain-seconds <seconds>', 'how long to continue serving after SIGTERM', seconds, 15)
    .addOption(new Flag('--log-level <level>', 'the lowest level that is logged').choices(LOG_LEVELS).default('info'))
    .option('--events', 'write an Event on each object of which a write is denied')
    .option('--tracing-endpoint <url>', 'send OpenTelemetry traces to this collector (OTLP over HTTP)')
    .option('--tracing-ratio <ratio>', 'share of requests without a parent span to trace (default: 1)', ratio)
    .addHelpText(
      'after',
      `${VIEW}\n` +
        '\nExample:\n  muster serve --config muster.yaml --state objects/\n' +
        '  muster serve --kubeconfig ~/.kube/config --namespace muster-system\n' +
        '  curl http://localhost:8080/readyz?verbose' +
        "\n\nExit codes: 0 after a clean stop, 1 a failure at run time, 2 a flag, file or port that can't be used.",
    )
    .action(async (flags: ServeFlags, command: Command) => {
      if (flags.tracingEndpoint === undefined)
        refuseIdle(command, ['--tracing-ratio'], 'needs --tracing-endpoint: without it no traces are sent');
      if (!readsCluster(flags))
        refuseIdle(
          command,
          ['--namespace'],
          'needs a cluster to keep Leases in: name one with --kubeconfig or --context',
        );
      const { startServing } = await import('./run.ts');
      const { announcement } = await startServing(flags);
      // A report that is not whole is a failure; a server that can't print where it listens continues.
      process.stdout.removeAllListeners('error').on('error', () => {});
      process.stdout.write(announcement);
    });
}

function ratio(text: string): number {
  const value = Number(text);
  // Helm writes a small number as 1e-05.
  if (/^\d(\.\d{1,9})?(e-\d{1,2})?$/.test(text) && value <= 1) return value;
  throw new InvalidArgumentError('It takes a number from 0 to 1, such as 0.01.');
}

function seconds(text: string): number {
  const value = Number(text);
  if (/^\d{1,4}(\.\d{1,3})?$/.test(text) && value <= 3600) return value;
  throw new InvalidArgumentError('It takes seconds, from 0 to 3600.');
}
