import { EventEmitter } from 'node:events';
import { Socket } from 'node:net';
import { expect, jest, test } from '@jest/globals';
import type { FastifyReply } from 'fastify';
import {
  createHandler,
  OVERDUE,
  RequestDeadline,
  type RouteOptions,
  timeBudget,
} from '../../../../src/server/admission/handler.ts';
import { ConnectionLimiter } from '../../../../src/server/connections/connection-limiter.ts';
import { LoadLimiter } from '../../../../src/server/load/load-limiter.ts';

test.each<[string | string[] | undefined, number]>([
  [undefined, 9500],
  ['5s', 4500],
  ['500ms', 450],
  ['1m', 29_500],
  ['100000s', 29_500],
  [['1s', '2s'], 900],
  [['junk', '2s'], 1800],
  ['-5s', 9500],
  ['0s', 9500],
  ['10', 9500],
  ['1e3s', 9500],
  ['%zz', 9500],
  ['', 9500],
])('a timeout of %j leaves %d ms', (timeout, budget) => {
  expect(timeBudget(timeout === undefined ? {} : { timeout })).toBe(budget);
});

const never = new Promise<string>(() => {});

function responseOf(destroyed = false) {
  return Object.assign(new EventEmitter(), { destroyed });
}

test('work that is done in time settles as it does', async () => {
  expect(await new RequestDeadline(60_000, responseOf()).wait(Promise.resolve('done'))).toBe('done');
  const failing = new RequestDeadline(60_000, responseOf()).wait(Promise.reject(new Error('broken')));
  await expect(failing).rejects.toThrow('broken');
});

test.each<[string, number, ReturnType<typeof responseOf>]>([
  ['the deadline passes', 5, responseOf()],
  ['no time was left', -5, responseOf()],
  ['the caller left before', 60_000, responseOf(true)],
])('where %s the work is overdue, and its reads are aborted', async (_, budget, response) => {
  const deadline = new RequestDeadline(budget, response);
  expect(await deadline.wait(never)).toBe(OVERDUE);
  expect(deadline.signal.aborted).toBe(true);
});

test('a caller that leaves ends the wait', async () => {
  const response = responseOf();
  const deadline = new RequestDeadline(60_000, response);
  const waiting = deadline.wait(never);
  expect(deadline.signal.aborted).toBe(false);
  response.emit('close');
  expect(await waiting).toBe(OVERDUE);
});

test('reads that have begun are aborted when the deadline passes, and stay until the work is done otherwise', async () => {
  const late = new RequestDeadline(5, responseOf());
  const read = late.signal;
  expect(await late.wait(never)).toBe(OVERDUE);
  expect(read.aborted).toBe(true);
  const inTime = new RequestDeadline(60_000, responseOf());
  const other = inTime.signal;
  let isAbortedDuring: boolean | undefined;
  await inTime.wait(
    Promise.resolve().then(() => {
      isAbortedDuring = other.aborted;
    }),
  );
  expect([isAbortedDuring, other.aborted]).toEqual([false, true]);
});

test('a large body, which may take many milliseconds, is evaluated after the small ones that came with it', () => {
  // A turn ends after some milliseconds, so the clock stands still.
  jest.spyOn(performance, 'now').mockReturnValue(0);
  const limiter = new LoadLimiter({ bodyBytes: 2 ** 20, bodyLimit: 2 ** 20, permits: 8 });
  const answered: string[] = [];
  const nothing = () => {};
  const handler = createHandler({
    limiter,
    connections: new ConnectionLimiter(10),
    metrics: { decided: nothing },
    log: { decision: nothing },
    observer: {},
    closing: { begun: false },
  } as unknown as RouteOptions);
  const send = (name: string, bytes: number) => {
    const body = limiter.newBody('a');
    body.add(Buffer.alloc(bytes, 'x'));
    body.complete();
    const request = { query: {}, headers: {}, raw: { socket: new Socket() } };
    const reply = { request, raw: responseOf(), header: () => reply, send: () => answered.push(name) };
    handler.handle('validate', reply as unknown as FastifyReply, body);
  };
  send('large', 64 * 1024 + 1);
  send('first small', 64 * 1024);
  send('second small', 1);
  handler.flush();
  expect(answered).toEqual(['first small', 'second small', 'large']);
});
