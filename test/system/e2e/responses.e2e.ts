/** What the API server and kubectl make of a webhook's answers: the facts that muster's answers rely on. */
import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newFolder } from '../../support/folder.ts';
import {
  type ControlPlane,
  caBundleOf,
  type Json,
  type ScriptedWebhook,
  settled,
  startControlPlane,
  startWebhook,
} from './harness/index.ts';

/** Answers one call, the first of which has number 1. */
type Script = (request: Json, response: ServerResponse, call: number) => void;

const folder = newFolder().path;
let controlPlane: ControlPlane;
let webhook: ScriptedWebhook;
let script: Script;
let calls = 0;
let count = 0;

beforeAll(async () => {
  controlPlane = await startControlPlane({ crds: 'none' });
  webhook = await startWebhook(folder, ({ request }, response) => {
    calls += 1;
    script(request, response, calls);
  });
  await controlPlane.apply(configuration('mutate'), configuration('validate'));
  await settled(controlPlane);
});
afterAll(async () => {
  await controlPlane?.stop();
  webhook?.close();
});

type Path = 'validate' | 'mutate';
type Policy = 'Fail' | 'Ignore';

function configuration(path: Path): object {
  const webhooks = (['Fail', 'Ignore'] as const).map((failurePolicy) => ({
    name: `${failurePolicy.toLowerCase()}.${path}.script`,
    admissionReviewVersions: ['v1'],
    clientConfig: {
      url: `${webhook.url}/${path}`,
      caBundle: caBundleOf(webhook),
    },
    rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }],
    objectSelector: { matchLabels: { script: `${path}-${failurePolicy}` } },
    failurePolicy,
    timeoutSeconds: 3,
    sideEffects: 'None',
  }));
  const kind = path === 'mutate' ? 'MutatingWebhookConfiguration' : 'ValidatingWebhookConfiguration';
  return { apiVersion: 'admissionregistration.k8s.io/v1', kind, metadata: { name: 'scripted' }, webhooks };
}

function configMap(path: Path, policy: Policy): Json {
  const metadata = { name: `odd-${++count}`, namespace: 'default', labels: { script: `${path}-${policy}` } };
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata };
}

/** Creates a ConfigMap that the script decides about. */
async function create(next: Script, path: Path = 'validate', policy: Policy = 'Fail') {
  [script, calls] = [next, 0];
  return controlPlane.api('admin').call('POST', '/api/v1/namespaces/default/configmaps', configMap(path, policy));
}

/** The same with kubectl. */
function kubectl(next: Script) {
  [script, calls] = [next, 0];
  return controlPlane.kubectl('admin', ['create', '-f', '-'], configMap('validate', 'Ignore'));
}

function send(response: ServerResponse, status: number, body: object | string, headers: object = {}): void {
  response.writeHead(status, { ...headers });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
}

const reviewOf = (response: Json) => ({ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response });
/** Answers with a review that has these fields besides the right uid. */
const review =
  (fields: Json): Script =>
  ({ uid }, response) =>
    send(response, 200, reviewOf({ uid, ...fields }));
const deny = (status: Json, more: Json = {}) => review({ allowed: false, status, ...more });
const warn = (...warnings: string[]) => review({ allowed: true, warnings });
const http =
  (status: number, headers: object = {}): Script =>
  ({ uid }, response) =>
    send(response, status, reviewOf({ uid, allowed: false, status: { code: 403, message: 'no' } }), headers);
const patch = (path: string) => Buffer.from(JSON.stringify([{ op: 'remove', path }])).toString('base64');

describe('what is no verdict is refused under Fail and stored under Ignore', () => {
  const noVerdict: readonly [string, Script, Path?][] = [
    ['another uid', review({ uid: 'other', allowed: true })],
    ['a denial with HTTP 403', http(403)],
    ['a denial with HTTP 503, which is not repeated', http(503)],
    ['a closed connection', (_, response) => void response.destroy()],
    ['no answer in time', () => {}],
    ['a patch of a validating webhook', review({ allowed: true, patchType: 'JSONPatch', patch: patch('/data') })],
    ['a patch without patchType', review({ allowed: true, patch: patch('/data') }), 'mutate'],
  ];
  test.each(noVerdict.map(([title, answer, path = 'validate']) => [title, answer, path] as const))(
    '%s',
    async (_, answer, path) => {
      expect(await create(answer, path)).toMatchObject({ status: 500, body: { reason: 'InternalError' } });
      expect(calls).toBe(1);
      expect((await create(answer, path, 'Ignore')).status).toBe(201);
    },
  );
});

test('a patch that can not be applied is refused even under Ignore', async () => {
  const answer = review({ allowed: true, patchType: 'JSONPatch', patch: patch('/none') });
  expect((await create(answer, 'mutate', 'Ignore')).status).toBe(500);
});

test.each([429, 500, 503])('HTTP %i with Retry-After is repeated', async (status) => {
  const { status: stored } = await create((request, response, call) =>
    (call === 1 ? http(status, { 'retry-after': '1' }) : review({ allowed: true }))(request, response, call),
  );
  expect([stored, calls]).toEqual([201, 2]);
});

test('code, reason and details of a denial are kept, also under Ignore; the message is prefixed', async () => {
  const details = { kind: 'k', causes: [{ field: 'spec.x', message: 'm' }] };
  const answer = deny({ code: 403, reason: 'Forbidden', message: 'a\u001b[31mb\nc', details });
  const { status, body } = await create(answer, 'validate', 'Ignore');
  const message = 'admission webhook "ignore.validate.script" denied the request: a\u001b[31mb\nc';
  expect({ status, body }).toMatchObject({ status: 403, body: { reason: 'Forbidden', message, details } });
});

test.each<[string, Script, readonly string[]]>([
  ['one with a control character is dropped, the others stay', warn('a\u0001b', 'kept'), ['kept']],
  ['all are whole up to 4096 characters', warn('ä'.repeat(1000)), ['ä'.repeat(1000)]],
  [
    'beyond 4096 characters each is cut to 256',
    warn(...['a', 'ä', '…', 'b', 'c'].map((letter) => letter.repeat(1000))),
    ['a', 'ä', '…', 'b', 'c'].map((letter) => letter.repeat(256)),
  ],
  ['they are shown with a denial too', deny({ code: 403 }, { warnings: ['careful'] }), ['careful']],
])('warnings: %s', async (_, answer, shown) => {
  expect((await create(answer)).warnings).toEqual(shown);
});

test('on 422 kubectl prints the causes and drops the message; on 403 it prints the message', async () => {
  const details = { causes: [{ reason: 'FieldValueInvalid', field: 'spec.a', message: '[rule/one] the cause' }] };
  const invalid = await kubectl(deny({ code: 422, reason: 'Invalid', message: 'the message', details }));
  expect(invalid.stderr).toContain('[rule/one] the cause');
  expect(invalid.stderr).not.toContain('the message');
  const forbidden = await kubectl(deny({ code: 403, reason: 'Forbidden', message: 'line one\nline two', details }));
  expect(forbidden.stderr).toContain('denied the request: line one\nline two');
  expect(forbidden.stderr).not.toContain('the cause');
});

test('kubectl repeats a write by itself after a 503 verdict with retryAfterSeconds', async () => {
  const later = deny({ code: 503, reason: 'ServiceUnavailable', message: 'later', details: { retryAfterSeconds: 1 } });
  const { code, stderr } = await kubectl((request, response, call) =>
    (call <= 2 ? later : review({ allowed: true }))(request, response, call),
  );
  expect({ code, stderr, calls }).toEqual({ code: 0, stderr: '', calls: 3 });
});
