/** Flags and their variables, of all commands: what is given twice, what contradicts, and what is meant for another command. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { Command, Option } from 'commander';
import { programOf } from '../../src/cli/program.ts';
import { claim, type Folder, newFolder, yaml } from './world.ts';

const MAIN = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url));
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

function muster(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('MUSTER_'));
  const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN, ...args], {
    cwd: folder.path,
    env: { ...Object.fromEntries(inherited), ...env },
    encoding: 'utf8',
    timeout: 30_000,
  });
  return { code: status, out: stdout, err: stderr };
}

/** A value that the flag takes. */
function sampleOf(option: Option): string {
  if (option.argChoices) return option.argChoices[0] ?? '';
  return typeof option.defaultValue === 'number' ? String(option.defaultValue) : 'a';
}

describe('a flag that takes one value', () => {
  test('given twice is refused, by every command; one that is repeatable is not', async () => {
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

  test('is one line and exit code 2; a flag beside its variable is no second one', () => {
    const twice = muster(['check', 'good.yaml', '--context', 'a', '--context', 'b', '--live']);
    expect(twice).toEqual({ code: 2, out: '', err: "error: option '--context <name>' is given twice: give it once\n" });
    expect(muster(['check', 'good.yaml', '--fail-on', 'warning'], { MUSTER_FAIL_ON: 'denied' }).code).toBe(0);
  });
});

describe('a variable that is meant for another command', () => {
  test.each(['junit', 'sarif=report.sarif', 'text,github'])(
    'MUSTER_OUTPUT=%s leaves manifests and rules alone',
    (output) => {
      const manifests = muster(['manifests', '--only', 'leases'], { MUSTER_OUTPUT: output });
      expect(manifests).toMatchObject({ code: 0, out: expect.stringMatching(/^---\n/), err: '' });
      const rules = muster(['rules'], { MUSTER_OUTPUT: output });
      expect(rules).toMatchObject({ code: 0, out: expect.stringMatching(/^\S+ .*\n/), err: '' });
    },
  );

  test('what a command can write it does write, and what nobody can is an error', () => {
    expect(JSON.parse(muster(['manifests', '--only', 'leases'], { MUSTER_OUTPUT: 'junit,json' }).out).kind).toBe(
      'List',
    );
    expect(muster(['check', 'good.yaml'], { MUSTER_OUTPUT: 'yaml' })).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^1 judged/),
    });
    expect(muster(['check', 'good.yaml'], { MUSTER_OUTPUT: 'jsn' })).toMatchObject({
      code: 2,
      err: expect.stringContaining('unknown output "jsn"'),
    });
    expect(muster(['manifests', '-o', 'junit'])).toMatchObject({ code: 2, err: expect.stringContaining('yaml, json') });
    expect(muster(['rules', '-o', 'junit'])).toMatchObject({ code: 2, err: expect.stringContaining('text or json') });
  });

  test('yields to a flag that it would contradict; two variables do not yield to each other', () => {
    expect(muster(['scan', '--state', 'good.yaml'], { MUSTER_LIVE: 'true' }).code).toBe(0);
    expect(muster(['check', 'good.yaml', '--state', 'good.yaml'], { MUSTER_LIVE: 'true' }).code).toBe(0);
    expect(muster(['scan'], { MUSTER_STATE: 'good.yaml', MUSTER_LIVE: 'true' })).toMatchObject({
      code: 2,
      err: expect.stringContaining('--live and --state'),
    });
  });
});

describe('flags that contradict each other', () => {
  test.each(['--tls-cert-file', '--tls-private-key-file'])('serve --cert-dir beside %s', (flag) => {
    const { code, err } = muster(['serve', '--cert-dir', 'certs', flag, 'a.pem']);
    expect({ code, err }).toEqual({
      code: 2,
      err: `error: option '--cert-dir <folder>' cannot be used with option '${flag} <file>': a server has one certificate\n`,
    });
  });

  test('certs --secret beside --dir', () => {
    const { code, err } = muster(['certs', '--secret', 'a/b', '--dir', 'certs']);
    expect({ code, err }).toEqual({
      code: 2,
      err: "error: option '--secret <ns/name>' cannot be used with option '--dir <folder>': certificates go into a folder or into a Secret\n",
    });
  });
});

describe('the name of a namespace', () => {
  test.each(['serve', 'scan', 'doctor', 'certs', 'manifests'])('%s refuses what is none', (command) => {
    const { code, err } = muster([command, '--namespace', '../x']);
    expect({ code, err }).toEqual({ code: 2, err: expect.stringMatching(/^error: .*--namespace.*\n$/) });
  });

  test('is a DNS label', async () => {
    for (const [name, isOne] of [
      ['muster-system', true],
      ['0', true],
      ['a'.repeat(63), true],
      ['a'.repeat(64), false],
      ['A', false],
      ['a.b', false],
      ['-a', false],
      ['a\n', false],
      ['', false],
    ] as const) {
      const scan = (await programOf(['scan'])).commands[0] as Command;
      scan.exitOverride().configureOutput({ writeErr: () => {}, outputError: () => {} });
      const parse = () => scan.parseOptions([`--namespace=${name}`]);
      if (isOne) expect(parse).not.toThrow();
      else expect(parse).toThrow('is invalid');
    }
  });

  test('a variable, and the namespace of a Secret', () => {
    expect(muster(['scan', '--state', 'good.yaml'], { MUSTER_NAMESPACE: '../x' })).toMatchObject({
      code: 2,
      err: expect.stringContaining("from env 'MUSTER_NAMESPACE' is invalid"),
    });
    for (const name of ['../x', '../x/y']) {
      const { code, err } = muster(['certs', '--secret', name, '--service', 'a/b', '--webhook', 'c']);
      expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining('--secret takes NAMESPACE/NAME') });
    }
  });
});
