/** What is taken of a ClusterProfile's access data, and what a provider file allows. */
import { expect, test } from '@jest/globals';
import type { JsonObject } from '../../../../src/base/json.ts';
import { accessDataOf } from '../../../../src/cli/scan/fleet/access-data.ts';
import { type Provider, readProviderFile } from '../../../../src/cli/scan/fleet/provider-file.ts';
import { newFolder } from '../../../support/folder.ts';

const folder = newFolder();

const SERVER = 'https://api.example.com:6443';
const provider = (more: Partial<Provider> = {}): Provider => ({
  name: 'p',
  execConfig: { command: 'plugin', args: ['own'], env: [{ name: 'A', value: 'own' }] },
  ...more,
});
const profile = (cluster: JsonObject, list = 'accessProviders') => ({
  status: {
    [list]: [
      { name: 'other', cluster: {} },
      { name: 'p', cluster: { server: SERVER, ...cluster } },
    ],
  },
});
const asking = (
  what: string,
  extension: JsonObject | readonly string[],
  prefix = 'clusterprofiles.multicluster.x-k8s.io/exec',
) => profile({ extensions: [{ name: `${prefix}/additional-${what}`, extension: extension as JsonObject }] });
const execOf = (object: JsonObject, of: Provider = provider()) => {
  const { exec, ignored } = accessDataOf(object, [of]);
  return {
    args: exec.args,
    env: Object.fromEntries((exec.env ?? []).map(({ name, value }) => [name, value])),
    ignored,
  };
};
const OWN = { args: ['own'], env: { A: 'own' } };

test.each<[string, JsonObject, Provider, object]>([
  ['nothing asked for', profile({}), provider(), { ...OWN, ignored: [] }],
  ['arguments are ignored', asking('args', ['x']), provider(), { ...OWN, ignored: ['arguments'] }],
  ['variables are ignored', asking('envs', { B: 'x' }), provider(), { ...OWN, ignored: ['environment'] }],
  [
    'arguments by their older name are ignored',
    asking('args', ['x'], 'multicluster.x-k8s.io/clusterprofiles/auth/exec'),
    provider(),
    { ignored: ['arguments'] },
  ],
  [
    'arguments are appended',
    asking('args', ['x']),
    provider({ profileSourcedCLIArgsPolicy: 'Append' }),
    { args: ['own', 'x'], ignored: [] },
  ],
  [
    'variables are added',
    asking('envs', { A: 'x', B: 'x' }),
    provider({ profileSourcedEnvVarsPolicy: 'AppendIfNotExists' }),
    { env: { A: 'own', B: 'x' } },
  ],
  [
    'variables are replaced',
    asking('envs', { A: 'x' }),
    provider({ profileSourcedEnvVarsPolicy: 'Replace' }),
    { env: { A: 'x' } },
  ],
  [
    'the older flag allows both',
    asking('envs', { A: 'x' }),
    provider({ additionalCLIArgEnvVarExtensionFlag: 1 }),
    { env: { A: 'x' } },
  ],
  [
    'the newer policy has precedence',
    asking('args', ['x']),
    provider({ additionalCLIArgEnvVarExtensionFlag: 1, profileSourcedCLIArgsPolicy: 'Ignore' }),
    OWN,
  ],
])('%s', (_, object, of, expected) => {
  expect(execOf(object, of)).toMatchObject(expected);
});

test('the older list is read; of several providers the first of the file counts', () => {
  expect(accessDataOf(profile({ 'tls-server-name': 's' }, 'credentialProviders'), [provider()])).toMatchObject({
    server: SERVER,
    tlsServerName: 's',
  });
  const names = ['absent', 'p', 'other'].map((name) => provider({ name, execConfig: { command: name } }));
  expect(accessDataOf(profile({}), names).exec.command).toBe('p');
});

test.each<[string, JsonObject, Provider]>([
  ['names no access providers', {}, provider()],
  ['none of its access providers is in --provider-file: "other", "p"', profile({}), provider({ name: 'q' })],
  ['insecure-skip-tls-verify', profile({ 'insecure-skip-tls-verify': true }), provider()],
  ['proxy-url', profile({ 'proxy-url': 'http://proxy' }), provider()],
  ['not an address', profile({ server: 'http://api.example.com' }), provider()],
  ['not an address', profile({ server: 'https://user:pass@api.example.com' }), provider()],
  ['not a list of strings', asking('args', { a: 'b' }), provider({ profileSourcedCLIArgsPolicy: 'Append' })],
  ['not a map of strings', asking('envs', ['a']), provider({ profileSourcedEnvVarsPolicy: 'Replace' })],
  [
    'LD_PRELOAD, which decides what a program loads',
    asking('envs', { LD_PRELOAD: 'x' }),
    provider({ profileSourcedEnvVarsPolicy: 'Replace' }),
  ],
  [
    '"LD_PRELOAD=/x.so:", which is no name of a variable',
    asking('envs', { 'LD_PRELOAD=/x.so:': 'x' }),
    provider({ profileSourcedEnvVarsPolicy: 'AppendIfNotExists' }),
  ],
])('is refused: %s', (problem, object, of) => {
  expect(() => accessDataOf(object, [of])).toThrow(problem);
});

const readText = (text: string) => readProviderFile(folder.put('providers', text));

test.each([
  ['JSON', JSON.stringify({ providers: [provider()] })],
  ['YAML', 'providers:\n- name: p\n  execConfig: { command: plugin, args: [own], env: [{ name: A, value: own }] }\n'],
])('a provider file is %s', async (_, text) => {
  expect(await readText(text)).toEqual([provider()]);
});

test.each([
  ['1:1: empty; expected a map with the key providers', ''],
  ['providers: missing', '{}'],
  ['an empty list; name the plugins that may run', 'providers: []'],
  ['providers[0].execConfig.command: missing', 'providers: [{ name: p, execConfig: {} }]'],
  [
    'did you mean "profileSourcedCLIArgsPolicy"',
    'providers: [{ name: p, execConfig: { command: c }, profileSourcedCliArgsPolicy: Append }]',
  ],
  [
    'expected Ignore or Append',
    'providers: [{ name: p, execConfig: { command: c }, profileSourcedCLIArgsPolicy: Allow }]',
  ],
  [
    'a provider of this name is above',
    'providers: [{ name: p, execConfig: { command: c } }, { name: p, execConfig: { command: c } }]',
  ],
])('a provider file is refused: %s', async (problem, text) => {
  await expect(readText(text)).rejects.toThrow(problem);
});
