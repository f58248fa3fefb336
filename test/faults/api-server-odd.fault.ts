/** The API server answers oddly, or something in between does: nothing is allowed for it, and no answer comes too late. */
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
import { type Elsewhere, startElsewhere } from './api-server-odd/elsewhere.ts';
import { endToken } from './api-server-odd/ended-token.ts';
import { LOST, loseAnswers } from './api-server-odd/lost-answer.ts';
import { meetEach, meetings } from './api-server-odd/meeting.ts';
import { type OddProxy, startOddProxy } from './api-server-odd/proxy.ts';
import { writeThrough } from './api-server-odd/through.ts';
import { byFile, byKubeconfig, byPlugin, rotate } from './api-server-odd/tokens.ts';
import { createWorlds, isWronglyAllowed, slowest, type Worlds } from './api-server-odd/worlds.ts';
import { byForm, record } from './figure.ts';

/** What muster is given for an answer, as it is registered. */
const TIMEOUT_SECONDS = 5;
const ROUNDS = byForm({ short: 1, full: 2, scheduled: 2 });

let controlPlane: ControlPlane;
let proxy: OddProxy;
let muster: Muster;
let asker: Asker;
let worlds: Worlds;
let elsewhere: Elsewhere;

beforeAll(async () => {
  controlPlane = await startControlPlane();
  await grantAccess(controlPlane);
  proxy = await startOddProxy(controlPlane);
  const kubeconfig = proxy.kubeconfig({ token: tokenOf('muster') });
  const config = { rules: { 'claim/clusterset-requires-id': 'deny' } };
  muster = await startMuster({ args: ['--kubeconfig', kubeconfig], config });
  asker = askerOf(muster, { timeout: `${TIMEOUT_SECONDS}s` });
  worlds = await createWorlds(controlPlane);
  elsewhere = await startElsewhere();
}, 120_000);
afterAll(async () => {
  asker?.close();
  await muster?.stop();
  await proxy?.close();
  elsewhere?.close();
  await controlPlane?.stop();
});

test('all is well: each question has its right answer', async () => {
  const answers = await worlds.ask(asker);
  expect(answers.map(({ code }) => code)).toEqual(worlds.questions.map(({ right }) => right));
  expect(answers.filter(isWronglyAllowed)).toEqual([]);
});

test('no oddity lets a write pass, holds an answer up, or stays', async () => {
  const all = meetings(elsewhere.url);
  const rounds = Array<typeof all>(ROUNDS).fill(all).flat();
  const { odd, well, complaints } = await meetEach(rounds, proxy, worlds, asker);
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
      `redirections followed ${elsewhere.led}; memory at the end ${resident.toFixed(0)} MiB`,
  );
  expect(complaints).toEqual([]);
  expect(wrong).toEqual([]);
  expect(Number(slowest(identity))).toBeLessThan(TIMEOUT_SECONDS * 1000);
  expect(elsewhere.led).toBe(0);
  expect(proxy.odd).toBeGreaterThan(all.length);
  expect(resident).toBeLessThan(512);
  expect(() => process.kill(muster.pid, 0)).not.toThrow();
  expect(muster.log()).not.toMatch(/a bug in muster|"a failure nobody caught/);
}, 900_000);

test('a write of the Lease whose answer is lost: it is taken after all, or given back, so that a rival need not wait', async () => {
  const [, , change] = worlds.questions;
  if (change === undefined) throw new Error('no such question');
  const theirs = askerOf(muster, { user: 'bob' });
  const found = await loseAnswers(controlPlane, proxy, { mine: asker, theirs }, change).finally(() => theirs.close());
  record(
    'api-server-odd',
    'a lost answer',
    `of a write of the Lease, ${found.length} times; verdicts on it and on its rival: ${found.join(', ')}`,
  );
  expect(LOST).toHaveLength(2);
  // Asked again on a connection that had been idle, it finds its own intent, and holds it; else it is given back.
  for (const pair of found) expect(['503 200', '200 503']).toContain(pair);
});

test('through the API server: what is stored stays right, and what needs no other object goes on', async () => {
  await register(controlPlane, muster, { timeoutSeconds: TIMEOUT_SECONDS });
  const { member, empty } = worlds;
  const odd = byForm({ short: 6, full: 1, scheduled: 1 });
  const chosen = meetings(elsewhere.url).filter((_, index) => index % odd === 0);
  const { longest, ...tally } = await writeThrough(controlPlane, proxy, worlds, chosen);
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
  const ended = await endToken(controlPlane, question, alone);
  const { refused, lasting } = ended;
  expect(ended.before).toBe(question.right);
  expect(ended.answer.status.message).toContain("does not know muster's credentials");
  expect(ended.alone).toBe(alone.right);
  record(
    'api-server-odd',
    'a token ended by the API server',
    `refused after ${(ended.took / 1000).toFixed(0)} s (it remembers tokens), ${refused} 401s; lasting after the file was renewed ${lasting}`,
  );
  expect(ended.codes).toEqual(Array(10).fill(question.right));
  expect(refused).toBeGreaterThan(0);
  expect(lasting).toBe(0);
}, 120_000);
