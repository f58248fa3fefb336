/** The API server answers oddly, or something in between does: nothing is allowed for it, and no answer comes too late. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  type ControlPlane,
  grantAccess,
  type Muster,
  register,
  startControlPlane,
  startMuster,
} from '../e2e/harness/index.ts';
import { tokenOf } from '../e2e/harness/users.ts';
import { type Asker, askerOf } from '../e2e/races/ask.ts';
import { begin, complaintsOf, end, meetings } from './api-server-odd/meeting.ts';
import { ODD } from './api-server-odd/oddities.ts';
import { type OddProxy, startOddProxy } from './api-server-odd/proxy.ts';
import { byFile, byKubeconfig, byPlugin, codeOf, issueToken, rotate } from './api-server-odd/tokens.ts';
import { type Answer, createWorlds, isWronglyAllowed, type Worlds } from './api-server-odd/worlds.ts';
import { byForm, record } from './figure.ts';

/** What muster is given for an answer, as it is registered. */
const TIMEOUT_SECONDS = 5;
const ROUNDS = byForm({ short: 1, full: 2, scheduled: 2 });

let controlPlane: ControlPlane;
let proxy: OddProxy;
let muster: Muster;
let asker: Asker;
let worlds: Worlds;
const elsewhere = createServer((_, response) => {
  led += 1;
  response.end('{}');
});
/** Calls that came where a redirection led. */
let led = 0;

beforeAll(async () => {
  controlPlane = await startControlPlane();
  await grantAccess(controlPlane);
  proxy = await startOddProxy(controlPlane);
  const kubeconfig = proxy.kubeconfig({ token: tokenOf('muster') });
  const config = { rules: { 'claim/clusterset-requires-id': 'deny' } };
  muster = await startMuster({ args: ['--kubeconfig', kubeconfig], config });
  asker = askerOf(muster, { timeout: `${TIMEOUT_SECONDS}s` });
  worlds = await createWorlds(controlPlane);
  await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve));
}, 120_000);
afterAll(async () => {
  asker?.close();
  await muster?.stop();
  await proxy?.close();
  elsewhere.close();
  await controlPlane?.stop();
});

test('all is well: each question has its right answer', async () => {
  const answers = await worlds.ask(asker);
  expect(answers.map(({ code }) => code)).toEqual(worlds.questions.map(({ right }) => right));
  expect(answers.filter(isWronglyAllowed)).toEqual([]);
});

test('no oddity lets a write pass, holds an answer up, or stays', async () => {
  const odd: Answer[] = [];
  const well: Answer[] = [];
  const complaints: string[] = [];
  const all = meetings(whereElse());
  for (let round = 0; round < ROUNDS; round++) {
    for (const one of all) {
      begin(proxy, one);
      const during = await worlds.ask(asker);
      end(proxy);
      const after = await worlds.ask(asker);
      odd.push(...during);
      well.push(...after);
      complaints.push(...complaintsOf(one, during, after));
    }
  }
  const identity = odd.filter(({ question }) => question.identity);
  const alone = odd.filter(({ question }) => !question.identity);
  const wrong = [...odd, ...well].filter(isWronglyAllowed);
  const resident = Number(/^process_resident_memory_bytes (\S+)$/m.exec(await muster.metrics())?.[1]) / 2 ** 20;
  record(
    'api-server-odd',
    'odd answers',
    `${identity.length} identity writes under ${all.length} oddities (${proxy.odd} calls met them): admitted wrongly ${wrong.length}, ` +
      `slowest answer ${slowest(identity)} ms of ${TIMEOUT_SECONDS} s; ${alone.length} object-only writes: all decided, slowest ${slowest(alone)} ms; ` +
      `after each the first answer right: ${well.filter(({ code, question }) => code === question.right).length} of ${well.length}, slowest ${slowest(well)} ms; ` +
      `redirections followed ${led}; memory at the end ${resident.toFixed(0)} MiB`,
  );
  expect(complaints).toEqual([]);
  expect(wrong).toEqual([]);
  expect(Number(slowest(identity))).toBeLessThan(TIMEOUT_SECONDS * 1000);
  expect(led).toBe(0);
  expect(proxy.odd).toBeGreaterThan(all.length);
  expect(resident).toBeLessThan(512);
  expect(() => process.kill(muster.pid, 0)).not.toThrow();
  expect(muster.log()).not.toMatch(/a bug in muster|"a failure nobody caught/);
}, 900_000);

const whereElse = () => `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/`;

function slowest(answers: readonly Answer[]): string {
  return Math.max(...answers.map(({ milliseconds }) => milliseconds)).toFixed(0);
}

test('a write of the Lease whose answer is lost: it is taken after all, or given back, so that a rival need not wait', async () => {
  const rival = askerOf(muster, { user: 'bob' });
  const [, , change] = worlds.questions;
  if (change === undefined) throw new Error('no such question');
  const lost = ODD.filter(
    ({ what }) => what.startsWith('the write is done, and the connection') || what.includes('500 is'),
  );
  const found: string[] = [];
  try {
    await settle(controlPlane);
    for (const one of lost) {
      let met = 0;
      proxy.oddity = ({ method, url = '' }) =>
        method === 'PUT' && !url.includes('dryRun') && met++ === 0 ? one.oddity : undefined;
      const mine = await asker.ask(change.write);
      const theirs = await rival.ask({ ...change.write, object: { ...change.write.object, spec: { value: 'three' } } });
      found.push(`${mine.allowed ? 200 : mine.status.code} ${theirs.allowed ? 200 : theirs.status.code}`);
      await settle(controlPlane);
    }
  } finally {
    end(proxy);
    rival.close();
  }
  record(
    'api-server-odd',
    'a lost answer',
    `of a write of the Lease, ${found.length} times; verdicts on it and on its rival: ${found.join(', ')}`,
  );
  expect(lost).toHaveLength(2);
  // Asked again on a connection that had been idle, it finds its own intent, and holds it; else it is given back.
  for (const pair of found) expect(['503 200', '200 503']).toContain(pair);
});

/** Lets go of what stands in the Leases, as a person would. */
async function settle({ api }: ControlPlane): Promise<void> {
  const path = '/apis/coordination.k8s.io/v1/namespaces/muster-system/leases/muster-cluster-property';
  expect(await api('admin').call('PATCH', path, { spec: { holderIdentity: null } })).toMatchObject({ status: 200 });
}

test('through the API server: what is stored stays right, and what needs no other object goes on', async () => {
  await register(controlPlane, muster, { timeoutSeconds: TIMEOUT_SECONDS });
  const { member, empty } = worlds;
  const jane = controlPlane.api('jane');
  const claims = '/apis/multicluster.x-k8s.io/v1alpha1/clusterclaims';
  const custom = {
    apiVersion: 'multicluster.x-k8s.io/v1alpha1',
    kind: 'ClusterClaim',
    metadata: { name: 'zone.example.com' },
  };
  const tally = { refused: 0, passed: 0, own: 0 };
  let longest = 0;
  const odd = byForm({ short: 6, full: 1, scheduled: 1 });
  const chosen = meetings(whereElse()).filter((_, index) => index % odd === 0);
  for (const one of chosen) {
    begin(proxy, { ...one, met: 'any' });
    const began = performance.now();
    const answers = await Promise.all([member.changeId('never'), empty.join()]);
    longest = Math.max(longest, performance.now() - began);
    for (const { status } of answers) {
      if (status === 403 || status === 503) tally.refused += 1;
      else tally.passed += 1;
    }
    const made = await jane.call('POST', claims, { ...custom, spec: { value: 'apac' } });
    const gone = await jane.call('DELETE', `${claims}/zone.example.com`);
    tally.own += made.status === 201 && gone.status === 200 ? 1 : 0;
  }
  end(proxy);
  const stored = {
    id: (await member.id()).body.spec.value,
    member: (await member.membership()).status,
    joined: (await empty.membership()).status,
  };
  record(
    'api-server-odd',
    'through the API server',
    `${tally.refused + tally.passed} forbidden identity writes: refused ${tally.refused}, stored ${tally.passed}, slowest ${longest.toFixed(0)} ms; ` +
      `object-only writes stored ${tally.own} of ${chosen.length}`,
  );
  expect(tally).toEqual({ refused: chosen.length * 2, passed: 0, own: chosen.length });
  expect(stored).toEqual({ id: 'one', member: 200, joined: 404 });
  expect(await member.changeId('never')).toMatchObject({ status: 403 });
}, 900_000);

const ROTATIONS = byForm({ short: 5, full: 50, scheduled: 50 });

test('tokens end: a renewed one is in use at once, however it is given', async () => {
  const [question] = worlds.questions;
  if (question === undefined) throw new Error('no such question');
  const ways = { 'a file': byFile(controlPlane), 'the kubeconfig': byKubeconfig(), 'a plugin': byPlugin(controlPlane) };
  const found = await Promise.all(
    Object.entries(ways).map(async ([name, way]) => ({
      name,
      ...(await rotate(controlPlane, way, question, ROTATIONS)),
    })),
  );
  const told = found.map(
    ({ name, asked, wrong, unauthorized, lasting }) =>
      `in ${name} ${asked} writes, not decided ${wrong}, 401s ${unauthorized}, lasting ${lasting}`,
  );
  record('api-server-odd', 'tokens renewed', `${ROTATIONS} times each under writes: ${told.join('; ')}`);
  for (const { wrong, lasting, name, unauthorized } of found) {
    expect({ name, wrong, lasting }).toEqual({ name, wrong: 0, lasting: 0 });
    if (name === 'a file') expect(unauthorized).toBe(0);
    else expect(unauthorized).toBeGreaterThan(0);
  }
}, 300_000);

test('a token that the API server itself takes no longer: said, and well with the first call after it is renewed', async () => {
  const [question, , , alone] = worlds.questions;
  if (question === undefined || alone === undefined) throw new Error('no such question');
  const through = await startOddProxy(controlPlane);
  const way = byFile(controlPlane);
  const old = await issueToken(controlPlane);
  const own = await startMuster({ args: ['--kubeconfig', way.kubeconfig(through, old.token)] });
  const ask = askerOf(own);
  try {
    expect(codeOf(await ask.ask(question.write))).toBe(question.right);
    await old.end();
    const began = performance.now();
    let answer = await ask.ask(question.write);
    for (; codeOf(answer) !== 503 && performance.now() - began < 60_000; await sleep(200))
      answer = await ask.ask(question.write);
    const took = performance.now() - began;
    expect(answer.status.message).toContain("does not know muster's credentials");
    expect(codeOf(await ask.ask(alone.write))).toBe(alone.right);
    const refused = through.unauthorized;
    way.renew((await issueToken(controlPlane)).token);
    const codes: number[] = [];
    for (let time = 0; time < 10; time++) codes.push(codeOf(await ask.ask(question.write)));
    const lasting = through.unauthorized - refused;
    record(
      'api-server-odd',
      'a token ended by the API server',
      `refused after ${(took / 1000).toFixed(0)} s (it remembers tokens), ${refused} 401s; lasting after the file was renewed ${lasting}`,
    );
    expect(codes).toEqual(Array(10).fill(question.right));
    expect(refused).toBeGreaterThan(0);
    expect(lasting).toBe(0);
  } finally {
    ask.close();
    await own.stop();
    await through.close();
  }
}, 120_000);
