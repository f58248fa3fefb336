/** `muster manifests`: what it prints, and how it refuses flags that can't be used. */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { parseAllDocuments } from 'yaml';
import { issueCertificates } from '../../../../src/certificates/issue.ts';
import { type ManifestsFlags, manifestsText } from '../../../../src/cli/manifests/run.ts';
import { partOf } from '../../../../src/manifests/installation.ts';
import { PARTS } from '../../../../src/manifests/names.ts';
import { HEAD } from '../../../support/configuration.ts';
import { newFolder } from '../../../support/folder.ts';
import { musterHere } from '../../../support/in-process.ts';
import { MAIN } from '../../../support/main.ts';

// biome-ignore lint/suspicious/noExplicitAny: a test reads the fields it is about, and fails where they are not.
type Any = any;
const DEFAULTS: ManifestsFlags = { namespace: 'muster-system', replicas: 2, output: 'yaml' };
const URL_FLAG = 'https://muster.example.com:8443';
const folder = newFolder();
let ca: string;
let caFile: string;

beforeAll(async () => {
  const issued = await issueCertificates({ names: ['localhost'], caName: 'test' });
  ca = issued.ca;
  caFile = folder.put('ca.crt', ca);
  folder.put('with-key.pem', `${issued.key}\n${ca}`);
  folder.put('empty.crt', '');
  folder.put('broken.crt', ca.replace(/\n[A-Za-z0-9+/]{20}/, '\n'));
  const configure = (name: string, text: string) => folder.put(name, `${HEAD}${text}\n`);
  configure('warn.yaml', 'mode: warn # for now');
  configure('open.yaml', 'exemptions:\n  groups: [system:authenticated]');
  configure('bad.yaml', 'mode: loud');
  configure('registrar.yaml', 'registrar: { kubeconfig: /etc/muster/hub.yaml, namespace: ids }');
  configure('mounted.yaml', 'registrar: { kubeconfig: /hub/config, namespace: kube-system }');
  configure(
    'some.yaml',
    'mode: warn\nrules: { claim/value: ignore, claim/id-syntax: audit }\nexemptions: { groups: [a] }',
  );
});

const objects = async (flags: Partial<ManifestsFlags> = {}): Promise<Any[]> =>
  parseAllDocuments(await manifestsText({ ...DEFAULTS, ...flags })).map((document) => document.toJS());
const refused = async (flags: Partial<ManifestsFlags>): Promise<string> => {
  const error = await manifestsText({ ...DEFAULTS, ...flags }).then(
    () => undefined,
    (problem: Error) => problem,
  );
  expect(error?.name).toMatch(/^(UsageError|ConfigError)$/);
  return error?.message ?? '';
};

describe('what is printed', () => {
  test('all parts, in the order to apply them', async () => {
    const { version } = (await import('../../../../package.json', { with: { type: 'json' } })).default;
    expect(await objects()).toEqual(
      JSON.parse(JSON.stringify(PARTS.flatMap((part) => partOf(part, { image: `kube-muster:${version}`, version })))),
    );
  });

  test('the registration of a server outside says its version too, for doctor', async () => {
    const { version } = (await import('../../../../package.json', { with: { type: 'json' } })).default;
    const flags = { url: 'https://h:1', caFile, only: ['webhooks'] };
    const labels = (await objects(flags)).map(({ metadata }) => metadata.labels['app.kubernetes.io/version']);
    expect(labels).toEqual([version, version]);
  });

  test('some parts, in the same order however they are named', async () => {
    const [one, other] = [
      await objects({ only: ['webhooks, leases'] }),
      await objects({ only: ['leases', 'webhooks'] }),
    ];
    expect(one).toEqual(other);
    expect(one.map(({ kind }) => kind)).toEqual([
      ...['Lease', 'Lease', 'Lease'],
      ...['ValidatingWebhookConfiguration', 'MutatingWebhookConfiguration'],
    ]);
  });

  test('flags reach what they are about', async () => {
    const flags = { namespace: 'guards', image: 'registry.example.com/a/muster@sha256:ab', replicas: 5 } as const;
    const printed = await objects({ ...flags, failurePolicy: 'Ignore' });
    const deployment = printed.find(({ kind }) => kind === 'Deployment');
    expect(deployment.spec.replicas).toBe(5);
    expect(deployment.metadata.namespace).toBe('guards');
    expect(deployment.spec.template.spec.containers[0].image).toBe(flags.image);
    const policies = printed.flatMap(({ webhooks = [] }) => webhooks.map((webhook: Any) => webhook.failurePolicy));
    expect(new Set(policies)).toEqual(new Set(['Ignore']));
  });

  test('a configuration, as it was written', async () => {
    const [config] = await objects({ only: ['config'], config: join(folder.path, 'warn.yaml') });
    expect(config.data['muster.yaml']).toContain('mode: warn # for now');
  });

  test('values of the chart: only what the flags set', async () => {
    const values = (flags: Partial<ManifestsFlags>) => objects({ ...flags, output: 'helm-values' });
    expect(await values({})).toEqual([{}]);
    const config = join(folder.path, 'warn.yaml');
    const [found] = await values({ config, image: 'r.example.com:5000/m', replicas: 3, failurePolicy: 'Ignore' });
    expect(found).toEqual({
      image: { repository: 'r.example.com:5000/m', tag: '', digest: '' },
      replicas: 3,
      configuration: { mode: 'warn' },
      webhooks: { failurePolicy: 'Ignore' },
    });
  });

  test('values of the chart have the numbers that a server reads', async () => {
    const config = folder.put('octal.yaml', `${HEAD}features: { clockSkewSeconds: 010 }\n`);
    const [found] = await objects({ config, output: 'helm-values' });
    expect(found).toEqual({ configuration: { features: { clockSkewSeconds: 8 } } });
  });

  test('values of the chart leave out keys without a value, which Helm would refuse', async () => {
    const config = folder.put('empty.yaml', `${HEAD}mode: warn\nrules:\nclaims: { membershipManagers: }\n`);
    const [found] = await objects({ config, output: 'helm-values' });
    expect(found.configuration).toEqual({ mode: 'warn', claims: {} });
  });

  test.each(['hub.yaml', './hub.yaml', '/etc/muster//hub.yaml'])(
    'the kubeconfig %s of a hub is mounted',
    async (file) => {
      const config = folder.put('hub.yaml', `${HEAD}registrar: { kubeconfig: ${file}, namespace: cluster-ids }\n`);
      const printed = await objects({ only: ['workload'], config });
      const { volumes } = printed.find(({ kind }) => kind === 'Deployment')?.spec.template.spec ?? {};
      const items = [{ key: 'hub.yaml', path: 'hub.yaml', mode: 0o440 }];
      const sources = [{ configMap: { name: 'muster-config' } }, { secret: { name: 'muster-hub', items } }];
      expect(volumes[0]).toEqual({ name: 'configuration', projected: { sources } });
    },
  );

  test('a server outside: its address, its CA without the key in the same file, and no workload', async () => {
    const printed = await objects({ url: `${URL_FLAG}/`, caFile: join(folder.path, 'with-key.pem') });
    const configs = printed.flatMap(({ webhooks = [] }) => webhooks.map((webhook: Any) => webhook.clientConfig));
    expect(configs).toHaveLength(14);
    for (const { url, caBundle } of configs) {
      expect(url).toMatch(/^https:\/\/muster\.example\.com:8443\/(validate|mutate)$/);
      expect(Buffer.from(caBundle, 'base64').toString().trim()).toBe(ca.trim());
    }
    expect(printed.map(({ kind }) => kind)).not.toContain('Deployment');
  });

  test.each([
    ['muster', 'Job', {}],
    ['cert-manager', 'Certificate', { annotations: { 'cert-manager.io/inject-ca-from': 'muster-system/muster' } }],
    ['existing', undefined, {}],
  ] as const)(
    'certificates by %s: the CA in the webhooks, and the objects of that way alone',
    async (provider, kind, more) => {
      const trust = provider === 'existing' && { caFile };
      const printed = await objects({ certificates: provider, ...trust });
      const own = ['Job', 'CronJob', 'Certificate', 'Issuer'];
      expect(printed.find((object) => own.includes(object.kind))?.kind).toBe(kind);
      expect(printed.some(({ metadata }) => metadata.name === 'muster-certs')).toBe(provider === 'muster');
      for (const { metadata, webhooks } of await objects({ certificates: provider, ...trust, only: ['webhooks'] })) {
        expect(metadata).toMatchObject(more);
        const bundles = webhooks.map(({ clientConfig }: Any) => clientConfig.caBundle);
        expect(new Set(bundles)).toEqual(new Set([trust ? Buffer.from(ca).toString('base64') : undefined]));
      }
      const [values] = await objects({ certificates: provider, ...trust, output: 'helm-values' });
      const set = { provider, ...(trust && { caBundle: ca }) };
      expect(values).toEqual(provider === 'muster' ? {} : { certificates: set });
    },
  );
});

describe('what is refused, with what to do', () => {
  test.each([
    [{ only: ['webhook'] }, '--only: there is no part "webhook"; the parts are namespace, leases, rbac, config,'],
    [{ only: [',', ''] }, '--only is empty; name some of namespace,'],
    [{ namespace: 'kube-system' }, '--namespace: muster takes a namespace of its own, not kube-system'],
    [{ image: 'a b' }, '--image: "a b" is not the name of an image'],
    [{ image: 'a\nevil: true' }, '--image: "a'],
    [{ url: URL_FLAG }, '--url needs --ca-file'],
    [{ caFile: 'ca.crt' }, '--ca-file needs --url or --certificates existing; otherwise muster certs fills in the CA'],
    [
      { certificates: 'existing', only: ['certs'] },
      '--only: with --certificates existing there is no part "certs"; the',
    ],
    [{ url: URL_FLAG, only: ['workload'] }, '--only: with --url there is no part "workload"; the parts are namespace,'],
  ] as [Partial<ManifestsFlags>, string][])('%j', async (flags, problem) => {
    const message = await refused(flags);
    expect(message.slice(0, problem.length)).toBe(problem);
    expect(message).not.toContain('\n');
  });

  test.each(['http://a', 'a', 'https://a/validate', 'https://u:p@a', 'https://a?b', 'https://a/#b', 'https://a:0', ''])(
    '--url %s',
    async (url) => {
      expect(await refused({ url, caFile })).toMatch(/^--url: expected https:\/\/HOST:PORT without a path, got /);
    },
  );

  test.each([
    ['none.crt', 'cannot be read: no such file or folder'],
    ['empty.crt', 'holds no certificate (PEM)'],
    ['broken.crt', 'holds a certificate that cannot be read'],
  ])('--ca-file %s', async (name, problem) => {
    expect(await refused({ url: URL_FLAG, caFile: join(folder.path, name) })).toBe(
      `--ca-file: ${join(folder.path, name)} ${problem}`,
    );
  });

  test('a CA that has expired, unless another one has not', async () => {
    const long = { days: 1, now: new Date(Date.UTC(2020, 1, 1)) };
    const { ca: old } = await issueCertificates({ names: ['localhost'], caName: 'test', ...long });
    const file = join(folder.path, 'old.crt');
    writeFileSync(file, old);
    expect(await refused({ url: URL_FLAG, caFile: file })).toContain('holds only expired certificates');
    writeFileSync(file, `${old}${readFileSync(caFile, 'utf8')}`);
    expect(await objects({ url: URL_FLAG, caFile: file })).not.toEqual([]);
  });

  test('a configuration the server would not start with', async () => {
    expect(await refused({ config: join(folder.path, 'bad.yaml') })).toContain('loud');
  });
});

test('--policies for a configuration: its mode, actions and exemptions', async () => {
  const printed = await objects({ policies: true, config: join(folder.path, 'some.yaml') });
  const bindings = printed.filter(({ kind }) => kind === 'ValidatingAdmissionPolicyBinding');
  const policies = printed.filter(({ kind }) => kind === 'ValidatingAdmissionPolicy');
  expect(bindings.length + policies.length).toBe(printed.length);
  expect(new Set(bindings.flatMap(({ spec }) => spec.validationActions))).toEqual(new Set(['Audit', 'Warn']));
  expect(policies.filter(({ metadata }) => metadata.name.startsWith('muster-claim-value'))).toEqual([]);
  for (const { spec } of policies) expect(spec.matchConditions.map(({ name }: Any) => name)).toContain('not-exempt-1');
});

describe('the command', () => {
  const run = (...args: string[]) => musterHere(['manifests', ...args], { cwd: folder.path });

  test('warns that no registry holds the default image, and prints the objects', async () => {
    const { code, out, err } = await run();
    expect({ code, out }).toEqual({ code: 0, out: await manifestsText(DEFAULTS) });
    expect(err).toMatch(/^warning: .*\bkube-muster:\d\S*, .*--image REGISTRY\/kube-muster:\S+\n$/);
  });

  test.each([
    [[], true],
    [['--only', 'rbac'], false],
  ])('into the namespace default, with %j: warns %s', async (args, warns) => {
    const { code, err } = await run('--namespace', 'default', '--image', 'r/x:1', ...args);
    expect({ code, warned: /^warning: objects in the namespace of muster are not guarded/.test(err) }).toEqual({
      code: 0,
      warned: warns,
    });
  });

  test.each(['yaml', 'helm-values'])('reads a configuration from a pipe, as %s', (output) => {
    const script = 'cat warn.yaml | "$0" "$1" manifests --image r/x:1 --config /dev/stdin -o "$2"';
    const options = { cwd: folder.path, encoding: 'utf8' } as const;
    const printed = execFileSync('sh', ['-c', script, process.execPath, MAIN, output], options);
    expect(printed).toContain('mode: warn');
  });

  test.each([['--only=config'], ['--policies']])('%s warns of what is doubtful in the configuration', async (flag) => {
    const { code, err } = await run(flag, '--config', 'open.yaml');
    expect(code).toBe(0);
    expect(err).toMatch(/^warning: open\.yaml:4:12: exemptions\.groups\[0\]: "system:authenticated" is .*\n$/);
  });

  test.each([
    [['--failure-policy', 'Maybe'], 'Allowed choices are Fail, Ignore'],
    [['--replicas', '0'], 'It takes a number from 1 to 100'],
  ])('%j ends with 2 and one line', async (args, problem) => {
    const { code, out, err } = await run(...args);
    expect({ code, out, lines: err.trim().split('\n').length }).toEqual({ code: 2, out: '', lines: 1 });
    expect(err).toContain(problem);
  });
});

describe('with a registrar', () => {
  const config = () => join(folder.path, 'registrar.yaml');
  const rights = (all: Any[], kind: string) =>
    all.filter((object) => object.kind === kind).map(({ rules }) => rules[0]);

  test('the hub gets a namespace, and its service accounts the right to the Leases there, and to nothing else', async () => {
    const all = await objects({ registrar: true, config: config() });
    expect(all.map(({ kind, metadata }) => [kind, metadata.name, metadata.namespace])).toEqual([
      ['Namespace', 'ids', undefined],
      ['Role', 'muster-registrar', 'ids'],
      ['RoleBinding', 'muster-registrar', 'ids'],
    ]);
    const verbs = ['get', 'list', 'create', 'update', 'delete'];
    expect(all[1].rules).toEqual([{ apiGroups: ['coordination.k8s.io'], resources: ['leases'], verbs }]);
    const apiGroup = 'rbac.authorization.k8s.io';
    expect(all[2]).toMatchObject({
      roleRef: { apiGroup, kind: 'Role', name: 'muster-registrar' },
      subjects: [{ apiGroup, kind: 'Group', name: 'system:serviceaccounts:ids' }],
    });
  });

  test('it says how to make the kubeconfig of a member; as JSON it is objects alone', async () => {
    const flags = { ...DEFAULTS, registrar: true, hubNamespace: 'ids' };
    const text = await manifestsText(flags);
    expect(text).toContain('kubectl -n ids create token east --duration 8760h');
    expect(JSON.parse(await manifestsText({ ...flags, output: 'json' })).items).toEqual(
      parseAllDocuments(text).map((document) => document.toJS()),
    );
  });

  test.each<[string, Partial<ManifestsFlags>, string]>([
    ['as values of the chart', { output: 'helm-values' }, '-o helm-values does not go with --registrar'],
    [
      'for the namespace of muster',
      { hubNamespace: 'muster-system' },
      'the members could change the Leases of others in muster-system',
    ],
    ['for kube-system, as configured', { config: 'mounted.yaml' }, 'such as cluster-ids'],
    [
      'for another namespace than the configured one',
      { config: 'registrar.yaml', hubNamespace: 'cluster-ids' },
      'is not the namespace of the registrar in',
    ],
    ['for a configuration without one', { config: 'warn.yaml' }, 'has no registrar; add one, or leave --config out'],
  ])('%s it is refused', async (_, { config: file, ...flags }, message) => {
    const named = file === undefined ? {} : { config: join(folder.path, file) };
    expect(await refused({ registrar: true, ...flags, ...named })).toContain(message);
  });

  test('a member may read its uid and write Events', async () => {
    const all = await objects({ config: config() });
    const named = all.filter(({ metadata }) => metadata.name === 'muster-registrar');
    expect(rights(named, 'ClusterRole')).toEqual([
      { apiGroups: [''], resources: ['namespaces'], resourceNames: ['kube-system'], verbs: ['get'] },
    ]);
    expect(rights(named, 'Role')).toEqual([{ apiGroups: [''], resources: ['events'], verbs: ['create', 'patch'] }]);
  });

  test('a kubeconfig elsewhere is mounted by the user', async () => {
    const all = await objects({ config: join(folder.path, 'mounted.yaml'), only: ['workload'] });
    const { volumes } = all.find(({ kind }) => kind === 'Deployment').spec.template.spec;
    const sources = [{ configMap: { name: 'muster-config' } }];
    expect(volumes[0]).toEqual({ name: 'configuration', projected: { sources } });
  });
});
