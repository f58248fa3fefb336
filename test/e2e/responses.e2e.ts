/** What the API server makes of odd answers, so that what muster relies on is known and not believed. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { type ApiAnswer, type ControlPlane, type Json, startControlPlane } from './harness/index.ts';
import { mark, type Path, type Policy, registerScripted } from './responses/registration.ts';
import { review, type ScriptedWebhook, startScriptedWebhook } from './responses/scripted-webhook.ts';
import { answers, type Outcome } from './responses/table.ts';

jest.setTimeout(60_000);

const audit = mkdtempSync(join(tmpdir(), 'muster-e2e-audit-'));
const auditLog = join(audit, 'log');
let controlPlane: ControlPlane;
let webhook: ScriptedWebhook;
let count = 0;

beforeAll(async () => {
  const policy = { apiVersion: 'audit.k8s.io/v1', kind: 'Policy', rules: [{ level: 'Metadata' }] };
  writeFileSync(join(audit, 'policy'), JSON.stringify(policy));
  const apiServerFlags = [`--audit-policy-file=${join(audit, 'policy')}`, `--audit-log-path=${auditLog}`];
  controlPlane = await startControlPlane({ crds: 'none', apiServerFlags });
  webhook = await startScriptedWebhook();
  await registerScripted(controlPlane, webhook);
}, 120_000);
afterAll(async () => {
  await controlPlane?.stop();
  await webhook?.stop();
  rmSync(audit, { recursive: true, force: true });
});

function configMap(path: Path, policy: Policy): Json {
  count += 1;
  const metadata = { name: `odd-${count}`, namespace: 'default', labels: mark(path, policy) };
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata };
}

async function create(path: Path, policy: Policy): Promise<ApiAnswer & { stored: boolean }> {
  const api = controlPlane.api('admin');
  const object = configMap(path, policy);
  const answer = await api.call('POST', '/api/v1/namespaces/default/configmaps', object);
  const { status } = await api.call('GET', `/api/v1/namespaces/default/configmaps/${object.metadata.name}`);
  return { ...answer, stored: status === 200 };
}

describe.each(answers)('$title', ({ path = 'validate', script, fail, ignore = fail }) => {
  test.each([
    ['Fail', fail],
    ['Ignore', ignore],
  ] as const)('under %s', async (policy, wanted) => {
    webhook.follow(script);
    const { status, body, warnings, stored } = await create(path, policy);
    expect({ status, warnings, calls: webhook.calls.length, stored, ...said(body, wanted) }).toEqual({
      status: wanted.status,
      warnings: wanted.warnings ?? [],
      calls: wanted.calls ?? 1,
      stored: wanted.status === 201,
      ...expected(wanted, policy),
    });
  });
});

/** Of a refusal, what the table speaks about. */
function said(body: Json, { message, reason, details }: Outcome): Json {
  return {
    ...(message === undefined ? {} : { message: body.message }),
    ...(reason === undefined ? {} : { reason: body.reason }),
    ...(details === undefined ? {} : { details: body.details }),
  };
}

function expected({ message, reason, details }: Outcome, policy: Policy): Json {
  const text = typeof message === 'string' ? message.replace('POLICY', policy.toLowerCase()) : message;
  return {
    ...(text === undefined ? {} : { message: text instanceof RegExp ? expect.stringMatching(text) : text }),
    ...(reason === undefined ? {} : { reason }),
    ...(details === undefined ? {} : { details }),
  };
}

test('what was admitted because the webhook failed is counted by the API server', async () => {
  webhook.follow((_, response) => void response.destroy());
  await create('validate', 'Ignore');
  const { body } = await controlPlane.api('admin').call('GET', '/metrics');
  expect(body).toMatch(/^apiserver_admission_webhook_fail_open_count\{name="ignore\.validate\.script"\S* [1-9]/m);
});

test('the call: HTTP/1.1, its timeout in the query', async () => {
  webhook.follow(review({ allowed: true }));
  await create('validate', 'Fail');
  expect(webhook.calls).toMatchObject([{ httpVersion: '1.1', url: '/validate?timeout=3s' }]);
});

test('on 422 kubectl prints the causes and drops the message', async () => {
  const causes = [
    { reason: 'FieldValueInvalid', field: 'spec.a', message: '[rule/one] first cause' },
    { reason: 'FieldValueInvalid', field: 'spec.b', message: '[rule/two] second cause' },
  ];
  const { stderr } = await refusedTo({ code: 422, reason: 'Invalid', message: 'the message', details: { causes } });
  expect(stderr).toContain('[rule/one] first cause');
  expect(stderr).toContain('[rule/two] second cause');
  expect(stderr).not.toContain('the message');
});

test('on 403 kubectl prints the message', async () => {
  const causes = [{ reason: 'FieldValueForbidden', field: 'spec.a', message: 'a cause' }];
  const { stderr } = await refusedTo({
    code: 403,
    reason: 'Forbidden',
    message: 'line one\nline two',
    details: { causes },
  });
  expect(stderr).toContain('denied the request: line one\nline two');
  expect(stderr).not.toContain('a cause');
});

test('a 503 verdict with retryAfterSeconds: kubectl asks again by itself, and says nothing of it', async () => {
  const details = { retryAfterSeconds: 1 };
  const refusal = review({
    allowed: false,
    status: { code: 503, reason: 'ServiceUnavailable', message: 'later', details },
  });
  webhook.follow((call, response) => (call.count <= 2 ? refusal : review({ allowed: true }))(call, response));
  const { code, stderr } = await controlPlane.kubectl('admin', ['create', '-f', '-'], configMap('validate', 'Ignore'));
  expect({ code, stderr, calls: webhook.calls.length }).toEqual({ code: 0, stderr: '', calls: 3 });
});

test('audit annotations: a good key is written, a bad one alone is left out', async () => {
  webhook.follow(
    review({ allowed: true, auditAnnotations: { decision: 'allowed', 'a b': 'x', [`k${'y'.repeat(63)}`]: 'long' } }),
  );
  const { stored } = await create('validate', 'Fail');
  expect(stored).toBe(true);
  const name = `odd-${count}`;
  const line = readFileSync(auditLog, 'utf8')
    .split('\n')
    .find((text) => text.includes(`"name":"${name}"`) && text.includes('"verb":"create"'));
  const { annotations } = JSON.parse(line ?? '{}');
  expect(Object.keys(annotations).filter((key) => key.startsWith('fail.validate.script/'))).toEqual([
    'fail.validate.script/decision',
  ]);
});

async function refusedTo(status: Json): Promise<{ stderr: string }> {
  webhook.follow(review({ allowed: false, status }));
  const outcome = await controlPlane.kubectl('admin', ['create', '-f', '-'], configMap('validate', 'Ignore'));
  expect(outcome.code).toBe(1);
  return outcome;
}
