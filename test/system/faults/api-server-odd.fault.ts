/**
 * The API server, or something in front of it, answers faultily: nothing is allowed because of it, and no answer comes
 * too late.
 */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  type Asker,
  askerOf,
  type ControlPlane,
  grantAccess,
  type Muster,
  startControlPlane,
  startMuster,
} from '../e2e/harness/index.ts';
import { tokenOf } from '../e2e/harness/users.ts';
import { type Calls, FAULTY, type FaultyAnswer, redirection } from './api-server-odd/faulty-answers.ts';
import { type FaultyProxy, startFaultyProxy } from './api-server-odd/proxy.ts';
import {
  type Answer,
  createQuestions,
  isWronglyAllowed,
  type Question,
  type Questions,
} from './api-server-odd/questions.ts';
import { byFile, byKubeconfig, byPlugin, rotate } from './api-server-odd/tokens.ts';
import { byForm, limitMs, record } from './figures.ts';

/** The timeout of the registration. */
const TIMEOUT_SECONDS = 5;
const ROUNDS = byForm(1, 2);
const ROTATIONS = byForm(5, 50);

let controlPlane: ControlPlane;
let proxy: FaultyProxy;
let muster: Muster;
let asker: Asker;
let questions: Questions;
/** Where redirections lead to. */
let elsewhere: Server;
let redirected = 0;

beforeAll(async () => {
  controlPlane = await startControlPlane();
  await grantAccess(controlPlane);
  proxy = await startFaultyProxy(controlPlane);
  const config = { rules: { 'claim/clusterset-requires-id': 'deny' } };
  muster = await startMuster({ args: proxy.flags(proxy.kubeconfig({ token: tokenOf('muster') })), config });
  asker = askerOf(muster, { timeout: `${TIMEOUT_SECONDS}s` });
  questions = await createQuestions(controlPlane);
  elsewhere = createServer((_, response) => {
    redirected += 1;
    response.end('{}');
  });
  await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  asker?.close();
  elsewhere?.close();
  await muster?.stop();
  await proxy?.close();
  await controlPlane?.stop();
});

interface Case extends FaultyAnswer {
  readonly calls: Calls;
}

/** Every faulty answer for every kind of call; in the short form for one kind, a different one each time. */
function cases(): readonly Case[] {
  const to = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/`;
  const kinds: readonly Calls[] = ['any', 'lease-get', 'claims', 'lease-put'];
  return [...FAULTY, ...[301, 307].map((code) => redirection(code, to))].flatMap((one, index) => {
    const all = one.only === undefined ? kinds : [one.only];
    return byForm([all[index % all.length] as Calls], all).map((calls) => ({ ...one, calls }));
  });
}

function begin({ fault, calls }: Case): void {
  proxy.fault = ({ method = '', url = '' }) => {
    const kind: Calls = !url.includes('/leases/') ? 'claims' : method === 'PUT' ? 'lease-put' : 'lease-get';
    return calls === 'any' || calls === kind ? fault : undefined;
  };
}

function end(): void {
  proxy.fault = () => undefined;
}

/** A verdict that needs no faulty answer may be given; a faulty one may make it indeterminate and nothing else. */
function isAcceptable({ harmless }: FaultyAnswer, { question, code }: Answer): boolean {
  if (question.identity && code === 503) return true;
  return code === question.right && (!question.identity || question.right !== 200 || harmless === true);
}

const slowest = (answers: readonly Answer[]) =>
  Math.round(Math.max(...answers.map(({ milliseconds }) => milliseconds)));

test('no faulty answer lets a write pass, delays a verdict beyond its deadline, or has lasting effects', async () => {
  const all = cases();
  const [during, after, wrong]: [Answer[], Answer[], string[]] = [[], [], []];
  for (let round = 0; round < ROUNDS; round++)
    for (const one of all) {
      begin(one);
      const faulty = await questions.ask(asker);
      end();
      const healed = await questions.ask(asker);
      during.push(...faulty);
      after.push(...healed);
      const bad = [
        ...faulty.filter((answer) => !isAcceptable(one, answer)),
        ...healed.filter(({ question, code }) => code !== question.right),
      ];
      wrong.push(
        ...bad.map(({ question, code, message }) => `${one.what} (${one.calls}): ${question.what}: ${code} ${message}`),
      );
    }
  const allowed = [...during, ...after].filter(isWronglyAllowed);
  const memory = Number(/^process_resident_memory_bytes (\S+)$/m.exec(await muster.metrics())?.[1]) / 2 ** 20;
  record(
    'api-server-odd',
    'odd answers',
    `${during.length} verdicts under ${all.length} faults (${proxy.faulty} calls): allowed wrongly ${allowed.length}, slowest ${slowest(during)} ms of ${TIMEOUT_SECONDS} s; ` +
      `right again at once ${after.filter(({ question, code }) => code === question.right).length} of ${after.length}; redirections followed ${redirected}; memory ${memory.toFixed(0)} MiB`,
    `${wrong.length} wrong of ${during.length} verdicts under ${all.length} faults, the slowest ${(slowest(during) / 1000).toFixed(1)} s of ${TIMEOUT_SECONDS} s`,
  );
  expect(wrong).toEqual([]);
  expect(allowed).toEqual([]);
  expect(slowest(during)).toBeLessThan(limitMs(TIMEOUT_SECONDS * 1000));
  expect(redirected).toBe(0);
  expect(proxy.faulty).toBeGreaterThan(all.length);
  expect(memory).toBeLessThan(512);
  expect(muster.log()).not.toMatch(/a bug in muster|an uncaught exception/);
});

test('a renewed token is used at once, however muster gets it', async () => {
  const [question] = questions.all as [Question];
  const sources = {
    'a file': byFile(controlPlane),
    'the kubeconfig': byKubeconfig(),
    'a plugin': byPlugin(controlPlane),
  };
  const found = await Promise.all(
    Object.entries(sources).map(async ([name, source]) => ({
      name,
      ...(await rotate(controlPlane, source, question, ROTATIONS)),
    })),
  );
  const parts = found.map(
    (one) =>
      `in ${one.name} ${one.reviews} reviews, wrong ${one.wrong}, 401s ${one.unauthorized}, lasting ${one.lasting}`,
  );
  const lasting = found.reduce((sum, one) => sum + one.lasting, 0);
  record('api-server-odd', 'tokens renewed', `${ROTATIONS} times each: ${parts.join('; ')}`, `${lasting} lasting 401s`);
  // Each is read again only after a 401.
  for (const { name, wrong, unauthorized, lasting: left } of found)
    expect({ name, wrong, left, refused: unauthorized > 0 }).toEqual({ name, wrong: 0, left: 0, refused: true });
});
