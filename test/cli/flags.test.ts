/** Flags and their variables, of all commands: duplicates, contradictions, and variables of other commands. */
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { Command, Option } from 'commander';
import { programOf } from '../../src/cli/program.ts';
import { claim, type Folder, muster as musterIn, newFolder, yaml } from './world.ts';

// A process takes a quarter of a second; on a busy machine many times that.
jest.setTimeout(60_000);

let folder: Folder;
let program: Command;
beforeAll(async () => {
  folder = newFolder();
  folder.put('good.yaml', yaml(claim('id.k8s.io', 'one')));
  program = await programOf();
});
afterAll(() => folder.remove());

const muster = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  musterIn(args, { cwd: folder.path, env });

/** A value that the flag takes. */
function sampleOf(option: Option): string {
  if (option.argChoices) return option.argChoices[0] ?? '';
  return typeof option.defaultValue === 'number' ? String(option.defaultValue) : 'a';
}

describe('a flag that takes one value', () => {
  test('is refused if it is given twice, by every command, unless it is repeatable', async () => {
    const seen: string[] = [];
    for (const { name, options } of program.commands.map((one) => ({ name: one.name(), options: one.options }))) {
      for (const option of options.filter((one) => !one.isBoolean())) {
        const fresh = (await programOf([name])).commands[0] as Command;
        fresh.exitOverride().configureOutput({ writeErr: () => {}, outputError: () => {} });
        const given = [`${option.long}=${sampleOf(option)}`, `${option.long}=${sampleOf(option)}`];
        let problem = '';
        try {
          fresh.parseOptions(given);
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

interface Call {
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly code: number;
  /** On standard output with code 0, else the one line on standard error. */
  readonly says: string | RegExp;
}

const OUTPUTS = ['junit', 'sarif=report.sarif', 'text,github'];

const CALLS: readonly (Call & { readonly title: string })[] = [
  {
    title: 'a flag given twice is one line',
    args: ['check', 'good.yaml', '--context', 'a', '--context', 'b', '--live'],
    code: 2,
    says: "error: option '--context <name>' is given twice: give it once",
  },
  {
    title: 'a flag beside its variable is not given twice',
    args: ['check', 'good.yaml', '--fail-on', 'warning'],
    env: { MUSTER_FAIL_ON: 'denied' },
    code: 0,
    says: /^1 judged/,
  },
  ...OUTPUTS.flatMap((output) => [
    {
      title: `manifests ignores MUSTER_OUTPUT=${output}`,
      args: ['manifests', '--only', 'leases'],
      env: { MUSTER_OUTPUT: output },
      code: 0,
      says: /^---\n/,
    },
    {
      title: `rules ignores MUSTER_OUTPUT=${output}`,
      args: ['rules'],
      env: { MUSTER_OUTPUT: output },
      code: 0,
      says: /^RULE/,
    },
  ]),
  {
    title: 'a command uses the formats that it has',
    args: ['manifests', '--only', 'leases'],
    env: { MUSTER_OUTPUT: 'junit,json' },
    code: 0,
    says: '"kind": "List"',
  },
  {
    title: 'a format of another command is ignored',
    args: ['check', 'good.yaml'],
    env: { MUSTER_OUTPUT: 'yaml' },
    code: 0,
    says: /^1 judged/,
  },
  {
    title: 'a format that no command has is an error',
    args: ['check', 'good.yaml'],
    env: { MUSTER_OUTPUT: 'jsn' },
    code: 2,
    says: 'unknown output "jsn"',
  },
  {
    title: 'as a flag, a format of another command is an error',
    args: ['manifests', '-o', 'junit'],
    code: 2,
    says: 'yaml, json',
  },
  {
    title: 'the error names the formats of the command',
    args: ['rules', '-o', 'junit'],
    code: 2,
    says: 'text or json',
  },
  {
    title: 'scan --state beats MUSTER_LIVE',
    args: ['scan', '--state', 'good.yaml'],
    env: { MUSTER_LIVE: 'true' },
    code: 0,
    says: /judged/,
  },
  {
    title: 'check --state beats MUSTER_LIVE',
    args: ['check', 'good.yaml', '--state', 'good.yaml'],
    env: { MUSTER_LIVE: 'true' },
    code: 0,
    says: /judged/,
  },
  {
    title: 'two variables that exclude each other are an error',
    args: ['scan'],
    env: { MUSTER_STATE: 'good.yaml', MUSTER_LIVE: 'true' },
    code: 2,
    says: '--live and --state',
  },
  ...['--tls-cert-file', '--tls-private-key-file'].map((flag) => ({
    title: `serve --cert-dir excludes ${flag}`,
    args: ['serve', '--cert-dir', 'certs', flag, 'a.pem'],
    code: 2,
    says: `error: option '--cert-dir <folder>' cannot be used with option '${flag} <file>': a server has one certificate`,
  })),
  {
    title: 'certs --secret excludes --dir',
    args: ['certs', '--secret', 'a/b', '--dir', 'certs'],
    code: 2,
    says: "error: option '--secret <ns/name>' cannot be used with option '--dir <folder>'",
  },
  ...['serve', 'scan', 'doctor', 'certs', 'manifests'].map((command) => ({
    title: `${command} refuses a namespace that is no DNS label`,
    args: [command, '--namespace', '../x'],
    code: 2,
    says: /^error: .*--namespace/,
  })),
  {
    title: 'a variable with a bad namespace is refused',
    args: ['scan', '--state', 'good.yaml'],
    env: { MUSTER_NAMESPACE: '../x' },
    code: 2,
    says: "from env 'MUSTER_NAMESPACE' is invalid",
  },
  ...['../x', '../x/y'].map((name) => ({
    title: `certs refuses the Secret ${name}`,
    args: ['certs', '--secret', name, '--service', 'a/b', '--webhook', 'c'],
    code: 2,
    says: '--secret takes NAMESPACE/NAME',
  })),
];

test.each(CALLS)('$title', async ({ args, env = {}, code, says }) => {
  const ended = await muster(args, env);
  const matching = typeof says === 'string' ? expect.stringContaining(says) : expect.stringMatching(says);
  if (code === 0) expect(ended).toEqual({ code, out: matching, err: '' });
  else expect({ ...ended, lines: ended.err.split('\n').length - 1 }).toMatchObject({ code, err: matching, lines: 1 });
});

test.each([
  ['muster-system', true],
  ['a'.repeat(63), true],
  ['a'.repeat(64), false],
  ['A', false],
  ['a.b', false],
  ['-a', false],
  ['a\n', false],
  ['', false],
])('the namespace %j is a DNS label: %s', async (name, isLabel) => {
  const scan = (await programOf(['scan'])).commands[0] as Command;
  scan.exitOverride().configureOutput({ writeErr: () => {}, outputError: () => {} });
  const parse = () => scan.parseOptions([`--namespace=${name}`]);
  if (isLabel) expect(parse).not.toThrow();
  else expect(parse).toThrow('is invalid');
});
