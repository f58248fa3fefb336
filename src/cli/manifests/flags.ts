/** The flags of `muster manifests`. */
import type { Command } from 'commander';
import { ALL_PARTS, CERTIFICATE_PROVIDERS, HUB_NAMESPACE, NAMESPACE, REPLICAS } from '../../manifests/names.ts';
import { MANIFEST_FORMATS } from '../../report/formats.ts';
import { Flag, listed, namespaceName, numberIn, refuseIdle } from '../flags.ts';
import type { ManifestsFlags } from './run.ts';

const EXAMPLES = `
Examples:
  muster manifests --image registry.example.com/kube-muster:0.1.0 | kubectl apply -f -
  muster manifests --url https://muster.example.com:8443 --ca-file ca.crt | kubectl apply -f -
  muster manifests --only crds | kubectl apply -f -
  muster manifests --only webhooks | kubectl delete -f -
  muster manifests --config muster.yaml --output helm-values > muster-values.yaml
  muster manifests --registrar --namespace cluster-ids | kubectl --context hub apply -f -

API servers that must show muster a certificate (muster serve --client-ca-file) read it from a file of their own:
docs/callers.md.

Exit codes: 0 done, 2 bad usage or unreadable input.`;

/** Adds `manifests` to the program. Exit code 2, with one line on standard error, if a flag can't be used. */
export function registerManifests(program: Command): void {
  program
    .command('manifests')
    .summary('print the manifests for a cluster')
    .description(
      'Prints what a cluster needs, in the order to apply it: Leases, access, server, registration, ' +
        'certificates. The definitions of the drafts (ClusterClaim, InventoryCluster, Feature) only with --only ' +
        'crds.',
    )
    .option('--url <url>', 'register a server outside of the cluster, https://HOST:PORT; no workload')
    .addOption(
      new Flag('--certificates <provider>', "who makes the server's certificate: muster's job, or another tool")
        .choices(CERTIFICATE_PROVIDERS)
        .default('muster'),
    )
    .option('--ca-file <file>', "the CA (PEM) of the server's certificate; with --url or --certificates existing")
    .addOption(listed('--only <part>', 'only these parts, also with commas between', { choices: ALL_PARTS }))
    .addOption(
      new Flag(
        '--failure-policy <policy>',
        'the failure policy of every webhook (default: that of each webhook)',
      ).choices(['Fail', 'Ignore']),
    )
    .option('--namespace <name>', 'the namespace to install muster in', namespaceName, NAMESPACE)
    .option(
      '--image <image>',
      'the image of server and jobs, in your registry (default: "kube-muster:VERSION", which no registry holds)',
    )
    .option('--replicas <count>', 'the number of servers', numberIn(1, 100), REPLICAS)
    .option('--config <file>', 'a MusterConfiguration for the server (default: mode enforce)')
    .option('--events', 'the server writes an Event on each object of which a write is denied')
    .option(
      '--policies',
      'print the fallback policies instead: ValidatingAdmissionPolicies that apply while muster is away',
    )
    .option(
      '--registrar',
      'print what the hub of the registrar needs instead, for the namespace of --config, or --namespace ' +
        `(there by default ${HUB_NAMESPACE})`,
    )
    .addOption(
      new Flag('-o, --output <format>', `${MANIFEST_FORMATS.join(', ')} (for the chart); to a file with FORMAT=FILE`)
        .default('yaml')
        .writing(MANIFEST_FORMATS),
    )
    .addHelpText('after', EXAMPLES)
    .action(async (input: Omit<ManifestsFlags, 'output'> & { readonly output: string }, command: Command) => {
      const { registrar, policies } = input;
      const { emit, parseOutputs } = await import('../../report/emit.ts');
      const outputs = parseOutputs([input.output], MANIFEST_FORMATS, [input.config, input.caFile]);
      const output = outputs[0]?.format as ManifestsFlags['output'];
      const address = ['--url', '--ca-file', '--certificates'];
      const aboutServer = ['--only', ...address, '--failure-policy', '--image', '--replicas', '--events'];
      if (registrar) {
        const reason = 'does not go with --registrar: the hub needs no server; leave it out';
        refuseIdle(command, aboutServer, reason);
        refuseIdle(command, ['--policies'], 'does not go with --registrar: each prints something else; give one');
      } else if (output === 'helm-values') {
        const notInChart = ['--only', '--url', '--policies'];
        refuseIdle(command, notInChart, 'does not go with --output helm-values: the chart does not have it');
        if (input.certificates !== 'existing')
          refuseIdle(command, ['--ca-file'], 'needs --certificates existing: otherwise the chart has the CA filled in');
      } else if (policies)
        refuseIdle(command, aboutServer, 'does not go with --policies: they call no server; leave it out');
      if (input.url !== undefined)
        refuseIdle(command, ['--certificates'], 'does not go with --url: it is about a server in the cluster');
      const { manifestsText, warningsOf } = await import('./run.ts');
      const source = command.getOptionValueSource('namespace');
      // The configuration has precedence over the variable.
      const isNamed = source === 'cli' || (source === 'env' && input.config === undefined);
      const flags = { ...input, output, hubNamespace: isNamed ? input.namespace : undefined };
      const text = await manifestsText(flags);
      for (const warning of warningsOf(flags)) process.stderr.write(`warning: ${warning}\n`);
      emit(outputs, { [output]: () => text });
    });
}
