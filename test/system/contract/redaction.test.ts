/**
 * What the process writes (log, standard output, metrics, readiness) holds no secret and no object, and no text of a
 * user's that is raw or as long as its author pleases: markers are planted, every way is gone, and everything written
 * is searched.
 */
import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, test } from '@jest/globals';
import { json, kubeconfigOf, startApiStub } from '../../support/api-stub.ts';
import { endChildren, type Served, serveChild, startChild } from '../../support/child.ts';
import { newFolder } from '../../support/folder.ts';
import { SOURCE_MAIN } from '../../support/main.ts';
import { claim, type Fields, reviewWith } from '../../support/reviews.ts';
import { exchange } from '../../support/test-server.ts';
import { until } from '../../support/until.ts';
import { changeOfId } from './raw.ts';

const { replace: write } = newFolder();
const open: { close(): unknown }[] = [];
afterEach(() => {
  endChildren();
  for (const opened of open.splice(0)) opened.close();
});

/** Whatever has this in it must not be written anywhere. */
const SECRET = 'SECRETMARKER';
/** Of an object: not in the log, the metrics, readiness. */
const VALUE = 'valuemarker';

const id = { ...claim, metadata: { name: 'id.k8s.io' } };

async function post(served: Served, body: string | Buffer, path = '/validate?timeout=5s'): Promise<string> {
  const headers = { authorization: `Bearer ${SECRET}`, cookie: `session=${SECRET}` };
  return (await exchange({ port: served.port, ca: served.ca, path, headers }, body)).text;
}

async function written(served: Served): Promise<string> {
  const pages = await Promise.all(['/readyz?verbose', '/metrics', `/${SECRET}`].map((path) => served.ops(path)));
  served.signal('SIGINT');
  await served.ended;
  return [...pages, served.out(), served.log()].join('\n');
}

/** Where a text stands, with what is around it: an empty list is what is wanted. */
function found(text: string, marker: string): string[] {
  return [...text.matchAll(new RegExp(`.{0,60}${marker}.{0,20}`, 'g'))].map(([around]) => around);
}

/** Controls, and what reorders or hides text. */
const RAW = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

describe('of requests', () => {
  const evil = `\u001b[31m${VALUE}\u202e\n{"level":"info","msg":"forged"}\r\u2028${'x'.repeat(1_000_000)}`;
  const objects: [string, Fields][] = [
    [
      'allowed',
      {
        object: { ...claim, metadata: { name: 'a.example.org', annotations: { note: VALUE } }, spec: { value: VALUE } },
      },
    ],
    ['denied', { object: { ...claim, spec: { value: VALUE.repeat(20_000), [VALUE]: 1 } } }],
    ['of a kind without rules', { kind: { group: VALUE, version: 'v1', kind: 'X' }, object: { data: VALUE } }],
    ['indeterminate', { ...changeOfId, object: { ...id, spec: { value: VALUE } } }],
  ];

  test('allowed, denied, unreadable, forged: nothing of an object, nothing raw, nothing endless', async () => {
    const served = await serveChild();
    for (const [, fields] of objects) await post(served, JSON.stringify(reviewWith(fields)));
    const names = { name: `n${evil}`, namespace: `n${evil}`, userInfo: { username: `u${evil}`, groups: [VALUE] } };
    for (const over of [
      names,
      { uid: evil },
      { operation: evil },
      { subResource: evil },
      { kind: { group: evil, version: evil, kind: evil } },
    ]) {
      await post(served, JSON.stringify(reviewWith({ ...over, object: claim })));
      await post(served, JSON.stringify(reviewWith({ ...over, ...changeOfId })));
    }
    await post(served, `{"request":{"uid":"${VALUE}`);
    await post(served, Buffer.from([0xff, 0xfe]));
    await post(served, '{}', `/${SECRET}?token=${SECRET}`);
    await post(served, '{}', `/validate?timeout=${SECRET}`);
    const text = await written(served);
    expect(text).toContain('"outcome":"denied"');
    expect(found(text, SECRET)).toEqual([]);
    // Names of a request are logged; they are this marker's only way into the log, shortened and in one piece.
    const lines = served
      .log()
      .split('\n')
      .filter((line) => line !== '');
    for (const line of lines) {
      const { uid, name, namespace, user, kind, operation, subresource, problem, ...rest } = JSON.parse(line);
      expect(found(JSON.stringify(rest), VALUE)).toEqual([]);
      expect(line.length).toBeLessThan(8000);
      for (const logged of [uid, name, namespace, user, kind, operation, subresource, problem])
        expect(String(logged)).not.toMatch(RAW);
    }
    expect(lines.some((line) => line.startsWith('{"level":"info","msg":"forged"'))).toBe(false);
    expect(text.replaceAll(/[\t\n]/g, ' ')).not.toMatch(RAW);
  });

  test('a rule that crashes with the value in its message: shortened and escaped', async () => {
    const preload = `
      import { registerHooks } from 'node:module';
      registerHooks({
        load(url, context, next) {
          const loaded = next(url, context);
          if (!url.endsWith('/rules/claim/id-syntax.ts')) return loaded;
          const crash = "throw new Error('crashed on ' + context.object.spec.value);";
          const source = String(loaded.source).replace(/ check\\(context\\)[^{]*{/, (head) => head + crash);
          return { ...loaded, source };
        },
      });`;
    const served = await serveChild({ preload, main: SOURCE_MAIN });
    const answer = await post(
      served,
      JSON.stringify(reviewWith({ object: { ...id, spec: { value: `${evil.slice(0, 100_000)}${VALUE}end` } } })),
    );
    expect(answer).toContain('"code":500');
    expect(answer).not.toContain(VALUE);
    const text = await written(served);
    expect(text).toContain('muster_crashes_total{rule="claim/id-syntax"} 1');
    const crash =
      served
        .log()
        .split('\n')
        .find((line) => line.includes('a rule crashed')) ?? '{}';
    expect(JSON.parse(crash)).toMatchObject({
      error: expect.stringMatching(/^crashed on \\u001b\[31mvaluemarker\\u202e\\u000a.*…$/),
    });
    expect(crash.length).toBeLessThan(6000);
    expect(text).not.toContain(`${VALUE}end`);
    expect(text.replaceAll(/[\t\n]/g, ' ')).not.toMatch(RAW);
  });
});

describe('of credentials', () => {
  const kubeconfig = (name: string, user: Fields, cluster: Fields = {}, server = 'https://127.0.0.1:1') =>
    write(name, kubeconfigOf(server, user, cluster));
  const exec = (command: string, rest: Fields = {}): Fields => ({
    exec: { apiVersion: 'client.authentication.k8s.io/v1', command, interactiveMode: 'Never', ...rest },
  });
  const plugin = (name: string, script: string) => exec(write(name, `#!/bin/sh\n${script}\n`, 0o700));
  const token = { token: SECRET };
  const key = `-----BEGIN EC PRIVATE KEY-----\n${SECRET}\n-----END EC PRIVATE KEY-----\n`;
  const pem = Buffer.from(key).toString('base64');

  const serving: [what: string, user: Fields, cluster?: Fields, server?: string][] = [
    ['a token, and nothing listens', token],
    ['a password', { username: 'jane', password: SECRET }],
    ['an address with a password', {}, {}, `https://jane:${SECRET}@127.0.0.1:1`],
    ['a proxy with a password', token, { 'proxy-url': `http://jane:${SECRET}@127.0.0.1:1` }],
    ['a proxy that is none', token, { 'proxy-url': `junk://jane:${SECRET}@127.0.0.1:1` }],
    ['a token with a line break', { token: `${SECRET}\n${SECRET}` }],
    ['a key that is none', { 'client-key-data': pem, 'client-certificate-data': pem }],
    ['a CA that is none', token, { 'certificate-authority-data': pem }],
    ['a plugin that prints junk', plugin('junk.sh', `echo "${SECRET}"`)],
    ['a plugin that prints half', plugin('half.sh', `printf '{"status":{"token":"${SECRET}'`)],
    ['a plugin that fails', plugin('fails.sh', `echo "no: ${SECRET}" >&2; exit 1`)],
    ['a plugin that is missing', exec('/nowhere/plugin', { args: [SECRET], env: [{ name: 'T', value: SECRET }] })],
  ];

  test.each([0, 2, 4, 6, 8, 10])(
    'which fail while it serves (from %s on)',
    async (from) => {
      const cases = serving.slice(from, from + 2);
      const texts = await Promise.all(
        cases.map(([what, ...rest]) => textWith(kubeconfig(what.replaceAll(' ', '-'), ...rest))),
      );
      expect(cases.map(([what], n) => [what, found(texts[n] ?? '', SECRET)])).toEqual(
        cases.map(([what]) => [what, []]),
      );
    },
    90_000,
  );

  test('which the API server refuses', async () => {
    const api = await startApiStub(newFolder().path);
    open.push(api);
    api.answer = (_, response) =>
      json(response, 401, { kind: 'Status', code: 401, reason: 'Unauthorized', message: 'Unauthorized' });
    const [{ cluster }] = JSON.parse(readFileSync(api.kubeconfig, 'utf8')).clusters;
    const text = await textWith(kubeconfig('refused', token, cluster, cluster.server));
    expect(api.requests.map((request) => request.token)).toContain(`Bearer ${SECRET}`);
    expect(text).toContain('does not know muster');
    expect(found(text, SECRET)).toEqual([]);
  });

  test.each<[string, readonly string[]]>([
    ['a kubeconfig that is no YAML', ['--kubeconfig', write('no-yaml', `users: [{ token: ${SECRET}`)]],
    ['a kubeconfig that is something else', ['--kubeconfig', write('text', SECRET)]],
    ['an address that is none', ['--kubeconfig', kubeconfig('no-address', {}, {}, `jane:${SECRET}@host`)]],
    ['an address of another kind', ['--kubeconfig', kubeconfig('ftp', {}, {}, `ftp://jane:${SECRET}@host`)]],
    [
      'a key that is none',
      ['--tls-cert-file', write('tls.crt', SECRET), '--tls-private-key-file', write('tls.key', key)],
    ],
  ])('which are refused at the start: %s', async (_, args) => {
    const child = startChild({ args });
    expect((await child.ended).code).toBe(2);
    await until(() => child.log() !== '');
    expect(found(child.out() + child.log(), SECRET)).toEqual([]);
  });

  async function textWith(kubeconfig: string): Promise<string> {
    const served = await serveChild({ args: ['--kubeconfig', kubeconfig, '--namespace', 'fleet'] });
    const answer = await post(served, JSON.stringify(reviewWith(changeOfId)));
    expect(answer).toContain('"code":503');
    await until(() => served.log().includes('the cluster: '), 20_000);
    return `${await written(served)}\n${answer}`;
  }
});
