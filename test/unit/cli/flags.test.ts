/** Flags and their variables, of all commands: duplicates, contradictions, and variables of other commands. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Command, Option } from 'commander';
import { createProgram } from '../../../src/cli/program.ts';
import { claim, yaml } from '../../support/command-line.ts';
import { newFolder } from '../../support/folder.ts';
import { musterHere } from '../../support/in-process.ts';

const folder = newFolder();
let program: Command;
beforeAll(async () => {
  folder.put('good.yaml', yaml(claim('id.k8s.io', 'one')));
  program = await createProgram();
});

const SAMPLES: Readonly<Record<string, string>> = {
  '--expose-metrics': ':0',
  '--interval': '1h',
  '--overlap': '1h',
  '--timeout': '1h',
  '--tracing-ratio': '0.5',
};

/** A value that the flag takes. */
function sampleOf(option: Option): string {
  const sample = SAMPLES[option.long ?? ''];
  if (sample !== undefined) return sample;
  if (option.argChoices) return option.argChoices[0] ?? '';
  return typeof option.defaultValue === 'number' ? String(option.defaultValue) : 'a';
}

describe('a flag that takes one value', () => {
  test('is refused if it is given twice, by every command, unless it is repeatable', async () => {
    const seen: string[] = [];
    for (const { name, options } of program.commands.map((one) => ({ name: one.name(), options: one.options }))) {
      for (const option of options.filter((one) => !one.isBoolean())) {
        const fresh = (await createProgram([name])).commands[0] as Command;
        fresh.exitOverride().configureOutput({ writeErr: () => {}, outputError: () => {} });
        const args = [`${option.long}=${sampleOf(option)}`, `${option.long}=${sampleOf(option)}`];
        let problem = '';
        try {
          fresh.parseOptions(args);
        } catch (error) {
          problem = (error as Error).message;
        }
        const isRepeatable = option.description.endsWith('(repeatable)');
        expect(problem).toBe(isRepeatable ? '' : `error: option '${option.flags}' is given twice: give it once`);
        seen.push(`${name} ${option.long}`);
      }
    }
    expect(seen).toEqual(
      expect.arrayContaining(['check --context', 'serve --port', 'scan --expose-metrics', 'certs --dir']),
    );
  });
});

describe('a flag that has no effect beside the others is refused', () => {
  test.each([
    ['check m --as-group g', '--as-group needs --as USER beside it'],
    ['check m --context x', '--context names a cluster to read: give --live beside it'],
    ['check m --live a=b --context x', '--context names one cluster: beside clusters give each its own by --live'],
    ['check m --explain-service a/b --fail-on none', '--fail-on is about a report, and --explain-service prints none'],
    ['scan --live --provider-file f', '--provider-file needs --fleet'],
    ['scan --state s --kubeconfig f', '--kubeconfig is about a cluster: give --live or --context beside it'],
    ['scan --state a=x --timeout 1m', '--timeout is about a cluster: give --live or --context beside it'],
    ['scan --state s --page-size 9', '--page-size is about a cluster: give --live or --context beside it'],
    ['scan --state s --parallel 1', '--parallel is about several clusters: give each a name, as in --state NAME=PATH'],
    ['scan --live --state a', "'--live' cannot be used with option '--state <path>': use one at a time"],
    ['scan --fleet --state a=x', "'--fleet' cannot be used with option '--state <path>': use one at a time"],
    ['scan --live --interval 1h', '--interval needs --expose-metrics'],
    ['scan --live --baseline f --report', "'--baseline <file>' cannot be used with option '--report': a cluster gets"],
    ['test --state s', '--state needs --record: a suite names the state and the user itself'],
    ['test --force', '--force needs --record: nothing is written without it'],
    ['test --record - m --filter x', '--filter has no effect with --record, which runs no tests'],
    ['test --schema --filter x', '--filter has no effect with --schema, which runs no tests'],
    ['test --schema m', '--schema takes no paths'],
    ['test --schema --record -', '--record has no effect with --schema, which runs no tests'],
    ['test --record - m --as-group g', '--as-group needs --as USER beside it'],
    ['rules --config m', '--config needs --exceptions'],
    ['rules --ending-within 3', '--ending-within needs --exceptions'],
    ['certs --service c/d', '--service needs --secret'],
    ['certs --rotate', '--rotate needs --secret'],
    ['registrar list --holder u', '--holder is for muster registrar release and takeover: leave it out of list'],
    ['registrar release x -o json', '--output is for muster registrar list: leave it out of release'],
    ['serve --tracing-ratio 1', '--tracing-ratio needs --tracing-endpoint'],
    ['serve --state examples --namespace x', '--namespace needs a cluster to keep Leases in'],
    ['serve --namespace x', '--namespace needs a cluster to keep Leases in'],
    ['manifests --policies --only crds', '--only does not go with --policies'],
    ['manifests --policies --replicas 3', '--replicas does not go with --policies'],
    ['manifests --registrar --only rbac', '--only does not go with --registrar'],
    ['manifests -o helm-values --url https://a', '--url does not go with --output helm-values'],
    ['manifests -o helm-values --ca-file f', '--ca-file needs --certificates existing'],
  ])('%s', async (line, message) => {
    const { code, err } = await musterHere(line.split(' '), { cwd: folder.path });
    expect([code, err]).toEqual([2, expect.stringContaining(message)]);
  });
});

type Variables = Readonly<Record<string, string>>;
/** `message` is on standard output with code 0, else it is the one line on standard error. */
type Call = readonly [title: string, args: string, env: Variables, code: number, message: string | RegExp];

const ONE_CERTIFICATE = (flag: string) =>
  `error: option '--cert-dir <folder>' cannot be used with option '${flag} <file>': a server has one certificate`;
const FOR_CHECK = ['junit', 'sarif=report.sarif', 'text,github'].map((output) => ({ MUSTER_OUTPUT: output }));
const OUTSIDE = { MUSTER_URL: 'https://a', MUSTER_CA_FILE: 'no.crt' };
const BOTH_STATES = { MUSTER_STATE: 'good.yaml', MUSTER_LIVE: 'true' };

const CALLS: readonly Call[] = [
  ...FOR_CHECK.map((env): Call => ['formats of check are ignored', 'manifests --only leases', env, 0, /^---\n/]),
  ...FOR_CHECK.map((env): Call => ['formats of check are ignored', 'rules', env, 0, /^RULE/]),
  ['a format of its own is used', 'manifests --only leases', { MUSTER_OUTPUT: 'junit,json' }, 0, '"kind": "List"'],
  ['a format of others is ignored', 'check good.yaml', { MUSTER_OUTPUT: 'yaml' }, 0, /^1 evaluated/],
  ['a format of no command is an error', 'check good.yaml', { MUSTER_OUTPUT: 'jsn' }, 2, 'unknown --output "jsn"'],
  [
    'an error names the variable',
    'check good.yaml',
    { MUSTER_OUTPUT: 'jsn' },
    2,
    "(--output is from env 'MUSTER_OUTPUT')",
  ],
  ['also of a glob', 'check', { MUSTER_CLUSTERS: 'no/*' }, 2, "**) (--clusters is from env 'MUSTER_CLUSTERS')"],
  ['and of a file', 'check a.yaml', { MUSTER_CONFIG: 'no' }, 2, /^error: no: .* folder \(--config is from env/],
  ['as a flag, a format of others is an error', 'manifests -o junit', {}, 2, 'yaml, json'],
  ['the error names the formats', 'rules -o junit', {}, 2, 'text or json'],
  ['the address of a server outside is not for the chart', 'manifests -o helm-values', OUTSIDE, 0, '{}\n'],
  ['--state beats MUSTER_LIVE', 'scan --state good.yaml', { MUSTER_LIVE: 'true' }, 0, /evaluated/],
  ['--state beats MUSTER_LIVE', 'check good.yaml --state good.yaml', { MUSTER_LIVE: 'true' }, 0, /evaluated/],
  ...[
    { MUSTER_INTERVAL: '1h', MUSTER_PROVIDER_FILE: 'f' },
    { MUSTER_AS_GROUP: 'g', MUSTER_CONTEXT: 'x' },
  ].map((env): Call => ['what others have an effect for', 'scan --state good.yaml', env, 0, /evaluated/]),
  ['what others have an effect for', 'check good.yaml', { MUSTER_AS_GROUP: 'g', MUSTER_CONTEXT: 'x' }, 0, /evaluated/],
  [
    'two variables exclude each other',
    'scan',
    BOTH_STATES,
    2,
    /'--live' cannot be used with option '--state <path>'.* \(--live is from env 'MUSTER_LIVE', --state is/,
  ],
  ...['--tls-cert-file', '--tls-private-key-file'].map((flag): Call => {
    return ['--cert-dir excludes others', `serve --cert-dir certs ${flag} a.pem`, {}, 2, ONE_CERTIFICATE(flag)];
  }),
  ...['serve', 'scan', 'doctor', 'certs', 'manifests'].map((command): Call => {
    return [
      'a namespace that is no DNS label is refused',
      `${command} --namespace ../x`,
      {},
      2,
      /^error: .*--namespace/,
    ];
  }),
  ['also by variable', 'doctor', { MUSTER_NAMESPACE: '../x' }, 2, "from env 'MUSTER_NAMESPACE' is inv"],
  ['scan has no Leases, and reads all namespaces', 'scan --live --namespace a', {}, 2, "unknown option '--namespace'"],
  ['as a variable for others it is ignored', 'scan --state good.yaml', { MUSTER_NAMESPACE: 'a' }, 0, /evaluated/],
];

test.each(CALLS)('%s: %s %j', async (_title, args, env, code, message) => {
  const ended = await musterHere(args.split(' '), { cwd: folder.path, env });
  const matching = typeof message === 'string' ? expect.stringContaining(message) : expect.stringMatching(message);
  if (code === 0) expect(ended).toEqual({ code, out: matching, err: '' });
  else expect({ ...ended, lines: ended.err.split('\n').length - 1 }).toMatchObject({ code, err: matching, lines: 1 });
});
