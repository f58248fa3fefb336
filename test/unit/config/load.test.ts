import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { ConfigError, configurationOf, fingerprintOf, loadConfiguration } from '../../../src/config/load.ts';
import { defaultPolicy } from '../../../src/engine/policy.ts';
import { HEAD } from '../../support/configuration.ts';
import { newFolder } from '../../support/folder.ts';

const RULES = new Set(['claim/value', 'claim/reserved-name']);
const NOW = Date.UTC(2026, 5, 1);

function refusal(text: string): ConfigError {
  try {
    configurationOf(text, 'muster.yaml', RULES, NOW);
  } catch (error) {
    if (error instanceof ConfigError) return error;
    throw error;
  }
  throw new Error('was accepted');
}

test('a fingerprint sees a change at the end of a long text', () => {
  const long = `${HEAD}${'# a comment\n'.repeat(80_000)}`;
  expect(fingerprintOf(`${long}mode: warn\n`)).not.toBe(fingerprintOf(`${long}mode: deny\n`));
});

describe('a text', () => {
  test('becomes a policy, warnings with the file and a fingerprint', () => {
    const text = `${HEAD}mode: warn\nexemptions: { users: ["a*"] }\n`;
    expect(configurationOf(text, 'muster.yaml', RULES, NOW)).toEqual({
      policy: { ...defaultPolicy, mode: 'warn', exemptions: { ...defaultPolicy.exemptions, users: new Set(['a*']) } },
      text,
      value: expect.objectContaining({ mode: 'warn', exemptions: { users: ['a*'] } }),
      clusters: [],
      charts: [],
      locate: expect.any(Function),
      refusal: expect.any(Function),
      warnings: ['muster.yaml:4:23: exemptions.users[0]: "a*" is taken literally; "*" is not a wildcard here'],
      fingerprint: fingerprintOf(text),
    });
  });

  test('has its warnings in the order of the file', () => {
    const text = `${HEAD}exemptions:\n  groups:\n    - system:authenticated\nclaims: { allowedReservedNames: ["*.k8s.io"] }\n`;
    expect(configurationOf(text, 'muster.yaml', RULES, NOW).warnings).toEqual([
      expect.stringMatching(/^muster\.yaml:5:7: exemptions\.groups\[0\]: /),
      expect.stringMatching(/^muster\.yaml:6:34: claims\.allowedReservedNames\[0\]: /),
    ]);
  });

  test('may be JSON', () => {
    const text = '{ "apiVersion": "muster/v1alpha1", "kind": "MusterConfiguration", "mode": "audit" }';
    expect(configurationOf(text, 'muster.json', RULES, NOW).policy.mode).toBe('audit');
  });

  test('keeps a date without quotes as text', () => {
    const text = `${HEAD}exceptions:\n- {rules: [claim/value], apiGroup: about.k8s.io, kind: ClusterProperty, name: a, expires: 2027-01-31, reason: r}\n`;
    expect(configurationOf(text, 'muster.yaml', RULES, NOW).policy.exceptions[0]?.expires).toBe(Date.UTC(2027, 1, 1));
  });

  test.each<[string, string, string[]]>([
    ['nothing', '', ['1:1: empty; expected a MusterConfiguration']],
    ['comments only', '# one\n---\n# two\n', ['1:1: empty; expected a MusterConfiguration']],
    ['a list', '- a\n', ['1:1: expected a MusterConfiguration (a map), found a list']],
    ['two documents', `${HEAD}---\n# more\n${HEAD}`, ['5:1: a second document; the file must hold exactly one']],
    [
      'problems in the order of the file, missing keys at what should hold them',
      [
        'exceptions:',
        '- rules: [claim/value, claim/vlue]',
        '  apiGroup: about.k8s.io',
        '  kind: ClusterProperty',
        '  reason: r',
        'mode: off',
        'kind: MusterConfiguration',
        'rules: { claim/value: dney, "claim/nope": warn }',
      ].join('\n'),
      [
        '1:1: apiVersion: missing; expected "muster/v1alpha1"',
        '2:3: exceptions[0].name: missing; expected the name of one object (lower case, no wildcard)',
        '2:3: exceptions[0].expires: missing; expected a date such as 2027-01-31, or an RFC 3339 date-time with its zone such as 2027-01-31T18:00:00Z',
        '2:24: exceptions[0].rules[1]: no rule "claim/vlue"; did you mean "claim/value"?',
        '6:7: mode: expected enforce, warn or audit, found false',
        '8:23: rules[claim/value]: expected deny, warn, audit or ignore, or a map of webhook, check and scan, found "dney"; did you mean "deny"?',
        '8:29: rules[claim/nope]: no rule "claim/nope"; muster rules lists them',
      ],
    ],
    [
      'unknown keys at the key, wherever the value stands',
      `${HEAD}ruels:\n  # far\n\n  claim/value: warn\n"modes" : x\nclaims: {names: [], x: !!str y}\n`,
      [
        '3:1: ruels: unknown key; did you mean "rules"?',
        '7:1: modes: unknown key; did you mean "mode"?',
        '8:10: claims.names: unknown key; known here: allowedReservedNames, membershipManagers',
        '8:21: claims.x: unknown key; known here: allowedReservedNames, membershipManagers',
      ],
    ],
    [
      'unknown keys of JSON at the key',
      '{\n  "apiVersion": "muster/v1alpha1", "kind": "MusterConfiguration",\n  "ruels":\n    { "a": 1 }\n}',
      ['3:3: ruels: unknown key; did you mean "rules"?'],
    ],
  ])('of %s is refused', (_, text, problems) => {
    expect(refusal(text).problems).toEqual(problems.map((problem) => `muster.yaml:${problem}`));
  });

  test('that is no YAML is refused at its line, with all other problems', () => {
    const error = refusal(`${HEAD}mode: off\n---\na: [\n`);
    expect(error.code).toBe('CONFIG_INVALID');
    expect(error.problems).toEqual([
      'muster.yaml:3:7: mode: expected enforce, warn or audit, found false',
      expect.stringMatching(/^muster\.yaml:5:\d+: ./),
    ]);
    expect(error.message).toBe(error.problems.join('\n'));
  });

  test('of a file whose name could forge a line is refused in one line', () => {
    const named = () => configurationOf('', 'a\n::error::b', RULES, NOW);
    expect(named).toThrow(/^a\\u000a::error::b:1:1: empty/);
  });

  test('with a key twice is refused', () => {
    expect(refusal(`${HEAD}mode: warn\nmode: audit\n`).problems).toEqual([
      expect.stringMatching(/^muster\.yaml:4:1: .*mode/),
    ]);
  });
});

describe('a file', () => {
  let folder: string;
  beforeEach(() => {
    folder = newFolder().path;
  });

  function file(content: string | Uint8Array): string {
    const path = join(folder, 'muster.yaml');
    writeFileSync(path, content);
    return path;
  }
  const loading = (path: string) => loadConfiguration(path, RULES, NOW);

  test('is loaded', async () => {
    const { policy, warnings } = await loading(file(`\ufeff${HEAD}mode: warn\r\n`));
    expect([policy.mode, warnings]).toEqual(['warn', []]);
  });

  test('is refused with its path', async () => {
    const path = file(`${HEAD}mode: x\n`);
    await expect(loading(path)).rejects.toMatchObject({
      name: 'ConfigError',
      code: 'CONFIG_INVALID',
      problems: [`${path}:3:7: mode: expected enforce, warn or audit, found "x"`],
    });
  });

  test('that is missing, or is a folder, is refused', async () => {
    const missing = join(folder, 'no.yaml');
    await expect(loading(missing)).rejects.toMatchObject({
      code: 'CONFIG_UNREADABLE',
      problems: [`${missing}: cannot be read: no such file or folder`],
      cause: { code: 'ENOENT' },
    });
    await expect(loading(folder)).rejects.toMatchObject({
      code: 'CONFIG_UNREADABLE',
      problems: [`${folder}: cannot be read: it is a folder; name the file in it`],
    });
  });

  test('that is no text is refused', async () => {
    const path = file(new Uint8Array([0x6d, 0xff, 0xfe]));
    await expect(loading(path)).rejects.toMatchObject({
      problems: [`${path}: is not UTF-8 text; is this the right file?`],
    });
  });

  test('of a MiB is read, of a byte more it is not', async () => {
    const full = `${HEAD}#`.padEnd(1024 * 1024, '#');
    expect((await loading(file(full))).policy).toEqual(defaultPolicy);
    const path = file(`${full}#`);
    await expect(loading(path)).rejects.toMatchObject({
      code: 'CONFIG_UNREADABLE',
      problems: [`${path}: is longer than 1 MiB; is this the right file?`],
    });
  });

  test('without end is refused', async () => {
    await expect(loading('/dev/zero')).rejects.toMatchObject({
      problems: ['/dev/zero: is longer than 1 MiB; is this the right file?'],
    });
  });
});
