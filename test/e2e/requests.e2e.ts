/**
 * Odd requests through the API server: muster answers each with a verdict, and changes no value that it does not own.
 * All under `failurePolicy: Ignore`, where a webhook that fails is a bypass: only a verdict refuses here.
 */
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import {
  type ControlPlane,
  type Json,
  type Muster,
  register,
  startControlPlane,
  startMuster,
} from './harness/index.ts';
import { COLLECTION, holds, objectWith as named, nested, ODD_VALUES } from './requests/odd-objects.ts';

jest.setTimeout(60_000);

let controlPlane: ControlPlane;
let muster: Muster;
let count = 0;

beforeAll(async () => {
  controlPlane = await startControlPlane({ crds: 'loose' });
  muster = await startMuster();
  await register(controlPlane, muster, { failurePolicy: 'Ignore' });
}, 120_000);
afterAll(async () => {
  await muster?.stop();
  await controlPlane?.stop();
});

const objectWith = (spec: string, label = '') => {
  count += 1;
  return named(`odd-${count}`, spec, label);
};

const create = (text: string) => controlPlane.api('jane').call('POST', COLLECTION, text);
/** As the API server has it, not as JSON.parse reads it. */
const stored = async (name: string) =>
  (await controlPlane.kubectl('jane', ['get', '--raw', `${COLLECTION}/${name}`])).stdout;

test.each(ODD_VALUES)('%s: allowed, labelled, and stored as it was', async (_, members) => {
  const { name, text } = objectWith(members.join(','));
  const { status, body } = await create(text);
  expect({ status, message: status === 201 ? '' : body.message }).toEqual({ status: 201, message: '' });
  const kept = await stored(name);
  expect(JSON.parse(kept).metadata.labels).toEqual({ 'x-k8s.io/cluster-manager': 'm' });
  expect(members.filter((member) => !holds(kept, member))).toEqual([]);
});

test.each(ODD_VALUES)('%s: a write that breaks a rule is refused by it, new and changed', async (_, members) => {
  const spec = members.join(',');
  const wrong = objectWith(spec, 'other');
  expect(await create(wrong.text)).toMatchObject({
    status: 422,
    body: { message: expect.stringContaining('inventory/cluster-manager-label') },
  });
  const { name, text } = objectWith(spec, 'm');
  expect((await create(text)).status).toBe(201);
  const change = { metadata: { labels: { 'x-k8s.io/cluster-manager': 'other' } } };
  const { status, body } = await controlPlane.api('jane').call('PATCH', `${COLLECTION}/${name}`, change);
  expect({ status, message: body.message }).toEqual({
    status: 403,
    message: expect.stringContaining('inventory/cluster-manager-label'),
  });
  expect(JSON.parse(await stored(name)).metadata.labels).toEqual({ 'x-k8s.io/cluster-manager': 'm' });
});

test.each([250, 1000, 4000, 9000])('a nesting of %i: a verdict says that it is too deep', async (depth) => {
  const { name, text } = objectWith(nested(depth), 'm');
  const { status, body } = await create(text);
  expect({ status, message: body.message }).toEqual({
    status: 400,
    message: expect.stringMatching(/denied the request: .*(deep|nest)/),
  });
  expect((await controlPlane.api('jane').call('GET', `${COLLECTION}/${name}`)).status).toBe(404);
});

test('1.4 MB of `<`, which is 8.4 MB in a review and more than can be stored: a verdict', async () => {
  const { name, text } = objectWith(`"note":"${'<'.repeat(1_400_000)}"`, 'other');
  const { status, body } = await create(text);
  expect({ status, message: body.message }).toEqual({
    status: 400,
    message: expect.stringContaining('denied the request'),
  });
  expect((await controlPlane.api('jane').call('GET', `${COLLECTION}/${name}`)).status).toBe(404);
});

test('the API server counted no failure of the webhook, and muster no bug', async () => {
  const { body } = await controlPlane.api('admin').call('GET', '/metrics');
  const failures = String(body as Json).match(/^apiserver_admission_webhook_fail_open_count\{.*/gm);
  expect(failures ?? []).toEqual([]);
  const outcomes = (await muster.metrics()).match(/(?<=^muster_decisions\S*outcome=")\w+/gm);
  expect([...new Set(outcomes)].sort()).toEqual(['allowed', 'denied', 'patched', 'unreadable']);
});
