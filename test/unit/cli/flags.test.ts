/** Flags and their variables, of all commands: duplicates, contradictions, and variables of other commands. */
import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { Command, Option } from 'commander';
import { createProgram } from '../../../src/cli/program.ts';
import { claim, muster as musterIn, yaml } from '../../support/command-line.ts';
import { newFolder } from '../../support/folder.ts';

// A process takes a quarter of a second; on a busy machine many times that.
jest.setTimeout(60_000);

const folder = newFolder();
let program: Command;
beforeAll(async () => {
  folder.put('good.yaml', yaml(claim('id.k8s.io', 'one')));
  program = await createProgram();
});

const muster = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  musterIn(args, { cwd: folder.path, env });

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

type Variables = Readonly<Record<string, string>>;
/** `message` is on standard output with code 0, else it is the one line on standard error. */
type Call = readonly [title: string, args: string, env: Variables, code: number, message: string | RegExp];

const ONE_CERTIFICATE = (flag: string) =>
  `error: option '--cert-dir <folder>' cannot be used with option '${flag} <file>': a server has one certificate`;
const FOR_CHECK = ['junit', 'sarif=report.sarif', 'text,github'].map((output) => ({ MUSTER_OUTPUT: output }));
const BOTH_STATES = { MUSTER_STATE: 'good.yaml', MUSTER_LIVE: 'true' };

const CALLS: readonly Call[] = [
  [
    'a flag given twice is one line',
    'check good.yaml --context a --context b --live',
    {},
    2,
    'is given twice: give it',
  ],
  ['a flag beats its variable', 'check good.yaml --fail-on warning', { MUSTER_FAIL_ON: 'denied' }, 0, /^1 evaluated/],
  ...FOR_CHECK.map((env): Call => ['formats of check are ignored', 'manifests --only leases', env, 0, /^---\n/]),
  ...FOR_CHECK.map((env): Call => ['formats of check are ignored', 'rules', env, 0, /^RULE/]),
  ['a format of its own is used', 'manifests --only leases', { MUSTER_OUTPUT: 'junit,json' }, 0, '"kind": "List"'],
  ['a format of others is ignored', 'check good.yaml', { MUSTER_OUTPUT: 'yaml' }, 0, /^1 evaluated/],
  ['a format of no command is an error', 'check good.yaml', { MUSTER_OUTPUT: 'jsn' }, 2, 'unknown output "jsn"'],
  ['as a flag, a format of others is an error', 'manifests -o junit', {}, 2, 'yaml, json'],
  ['the error names the formats', 'rules -o junit', {}, 2, 'text or json'],
  ['--state beats MUSTER_LIVE', 'scan --state good.yaml', { MUSTER_LIVE: 'true' }, 0, /evaluated/],
  ['--state beats MUSTER_LIVE', 'check good.yaml --state good.yaml', { MUSTER_LIVE: 'true' }, 0, /evaluated/],
  ['two variables exclude each other', 'scan', BOTH_STATES, 2, '--live and --state'],
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
  ['also by variable', 'scan --state good.yaml', { MUSTER_NAMESPACE: '../x' }, 2, "from env 'MUSTER_NAMESPACE' is inv"],
];

test.each(CALLS)('%s: %s %j', async (_title, args, env, code, message) => {
  const ended = await muster(args.split(' '), env);
  const matching = typeof message === 'string' ? expect.stringContaining(message) : expect.stringMatching(message);
  if (code === 0) expect(ended).toEqual({ code, out: matching, err: '' });
  else expect({ ...ended, lines: ended.err.split('\n').length - 1 }).toMatchObject({ code, err: matching, lines: 1 });
});
