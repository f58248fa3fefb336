/**
 * Bodies that are large, deep or odd: through a real API server under Ignore, where a webhook that fails lets the write
 * pass; and directly, what an API server would not send.
 */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { bytesOf, inventory, inventoryRequest, reviewWith, UID } from '../../support/reviews.ts';
import { exchange } from '../../support/test-server.ts';
import { type ControlPlane, type Muster, register, startControlPlane, startMuster } from '../e2e/harness/index.ts';
import { COLLECTION, holds, nested, ODD_VALUES, objectWith } from './bodies/odd-objects.ts';
import { record } from './figures.ts';

let controlPlane: ControlPlane;
let muster: Muster;
let count = 0;

beforeAll(async () => {
  controlPlane = await startControlPlane({ crds: 'loose' });
  muster = await startMuster();
  await register(controlPlane, muster, { timeoutSeconds: 'printed', failurePolicy: 'Ignore' });
});
afterAll(async () => {
  await muster?.stop();
  await controlPlane?.stop();
});

const object = (spec: string, label = 'm') => objectWith(`body-${++count}`, spec, label);
const api = () => controlPlane.api('jane');
const isStored = async (name: string) => (await api().call('GET', `${COLLECTION}/${name}`)).status === 200;
const stored = async (name: string) =>
  (await controlPlane.kubectl('jane', ['get', '--raw', `${COLLECTION}/${name}`])).stdout;
/** muster's own failures, whatever kind they are counted as. */
async function crashes(): Promise<number> {
  const lines = (await muster.metrics()).match(/^muster_(crashes|internal_errors)\w*_total\{.*\} (\d+)/gm) ?? [];
  return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
}

/** Who refused: a verdict of muster, the API server itself before it asked, or nobody. */
async function refusedBy(text: string, name: string): Promise<string> {
  const { status, body } = await api().call('POST', COLLECTION, text);
  if (status === 201) return 'nobody';
  if (await isStored(name)) return `nobody, and ${status}`;
  return /denied the request/.test(String(body.message)) ? 'a verdict' : `the API server (${status})`;
}

test('odd values, patched on the way, are stored as they were sent, and rules still refuse', async () => {
  const changed: string[] = [];
  for (const [about, members] of ODD_VALUES) {
    const { name, text } = object(members.join(','), '');
    const { status } = await api().call('POST', COLLECTION, text);
    const kept = status === 201 ? await stored(name) : '{}';
    if (JSON.parse(kept).metadata?.labels?.['x-k8s.io/cluster-manager'] !== 'm')
      changed.push(`${about}: not patched (${status})`);
    changed.push(
      ...members.filter((member) => !holds(kept, member)).map((member) => `${about}: ${member.slice(0, 80)}`),
    );
    const wrong = await api().call('POST', COLLECTION, object(members.join(','), 'other').text);
    if (wrong.status !== 422) changed.push(`${about}: a wrong label was answered with ${wrong.status}`);
    const update = await api().call('PATCH', `${COLLECTION}/${name}`, { metadata: { annotations: { a: 'b' } } });
    const after = await stored(name);
    changed.push(
      ...members
        .filter((member) => update.status !== 200 || !holds(after, member))
        .map(() => `${about}: after an update (${update.status})`),
    );
  }
  const values = ODD_VALUES.flatMap(([, members]) => members).length;
  record(
    'bodies',
    'values',
    `${values} odd values (int64, \`__proto__\`, 1.4 MB, 240,000 times \`<\`) created, patched and updated; changed ${changed.length}, crashes ${await crashes()}`,
    `${changed.length} of ${values} values changed`,
  );
  expect(changed).toEqual([]);
  expect(await crashes()).toBe(0);
});

test('large and deep bodies are refused through the API server, by a verdict if muster is called', async () => {
  const bodies: Readonly<Record<string, string>> = {
    '1.4 MB of `<` (8.4 MB in a review)': `"note":"${'<'.repeat(1_400_000)}"`,
    '3.1 MB of `<` (18 MB in a review)': `"note":"${'<'.repeat(3_100_000)}"`,
    '3.1 MB of plain text': `"note":"${'x'.repeat(3_100_000)}"`,
    ...Object.fromEntries(
      [200, 250, 500, 1000, 2000, 5000, 9000, 10_000].map((depth) => [`a depth of ${depth}`, nested(depth)]),
    ),
  };
  const by = new Map<string, string[]>();
  for (const [about, spec] of Object.entries(bodies)) {
    const { name, text } = object(spec);
    const who = await refusedBy(text, name);
    by.set(who, [...(by.get(who) ?? []), about]);
  }
  const refused = [...by].map(([who, of]) => `${of.length} by ${who}`).join(', ');
  record(
    'bodies',
    'large and deep, under Ignore',
    `${Object.keys(bodies).length} bodies of up to 18 MB and 10,000 levels: refused ${refused}; crashes ${await crashes()}`,
  );
  expect([...by.keys()].filter((who) => who.startsWith('nobody'))).toEqual([]);
  expect(by.get('a verdict')).toEqual(
    expect.arrayContaining(['1.4 MB of `<` (8.4 MB in a review)', 'a depth of 200', 'a depth of 9000']),
  );
  expect(await crashes()).toBe(0);
});

test('directly, whatever no API server sends gets a verdict with its uid, and so does the next review', async () => {
  const review = bytesOf(reviewWith(inventoryRequest()));
  const at = review.indexOf('"object"');
  const filled = (member: string) =>
    Buffer.concat([review.subarray(0, at), Buffer.from(`${member},`), review.subarray(at)]);
  const bodies: readonly [string, Buffer, boolean][] = [
    ['3.1 MB of <', Buffer.from('<'.repeat(3_100_000)), false],
    ['18 MB of <', Buffer.from('<'.repeat(18_000_000)), false],
    ['a review with 18 MB of < in it', filled(`"note":"${'<'.repeat(18_000_000)}"`), true],
    ['a review with 18 MB of \\u003c in it', filled(`"note":"${'\\u003c'.repeat(3_000_000)}"`), true],
    ...[200, 1000, 5000, 10_000, 100_000].map((depth): [string, Buffer, boolean] => [
      `a depth of ${depth}`,
      filled(nested(depth)),
      true,
    ]),
    ['__proto__ in the request', filled('"__proto__":{"kind":{"kind":"Pod"}}'), true],
    ['a body that ends in the middle', review.subarray(0, review.length - 20), true],
  ];
  const wrong: string[] = [];
  const ca = readFileSync(muster.caFile);
  for (const [about, body, named] of bodies) {
    const { status, text } = await exchange({ port: muster.port, ca, path: '/validate?timeout=5s' }, body);
    const { response } = JSON.parse(text) as { response: { uid: string; allowed: boolean; status?: { code: number } } };
    const decided = response.allowed ? 'allowed' : response.status?.code;
    const expected = about.startsWith('__proto__') ? 'allowed' : 400;
    if (status !== 200 || decided !== expected || (named && response.uid !== UID))
      wrong.push(`${about}: ${status} ${decided} ${response.uid}`);
    const next = await exchange({ port: muster.port, ca }, bytesOf(reviewWith(inventoryRequest(inventory))));
    if (!next.text.includes('"allowed":true')) wrong.push(`${about}: the next review got ${next.text.slice(0, 200)}`);
  }
  record(
    'bodies',
    'straight to muster',
    `${bodies.length} bodies of up to 18 MB and 100,000 levels: ${bodies.length - wrong.length} right verdicts, crashes ${await crashes()}`,
    `${bodies.length - wrong.length} of ${bodies.length} verdicts right, ${await crashes()} crashes`,
  );
  expect(wrong).toEqual([]);
  expect(await crashes()).toBe(0);
});
