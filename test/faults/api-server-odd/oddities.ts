/** What an API server, or whatever stands before it, may answer that it should not. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Json } from '../../e2e/harness/index.ts';
import { type Exchange, handOn, type Oddity, type Upstream } from './proxy.ts';

/** Which calls of muster's an oddity concerns. */
export type Met = 'any' | 'claims' | 'lease-get' | 'lease-put';

export interface OddCase {
  readonly what: string;
  readonly oddity: Oddity;
  /** A right answer may still come of it: then an intent that stands is a right one. Else nothing may be allowed where it is met. */
  readonly harmless?: boolean;
  /** Concerns these calls alone; default: any. */
  readonly only?: Met;
}

const MIB = 1024 * 1024;

export const ODD: readonly OddCase[] = [
  { what: 'answers after 1 s', harmless: true, oddity: later(1000) },
  { what: 'answers after 6 s', oddity: later(6000) },
  { what: 'never answers', oddity: () => {} },
  { what: 'never ends an answer', oddity: async ({ response, upstream }) => part(response, await upstream(), 0.5) },
  { what: 'drips an answer', oddity: drip },
  { what: 'resets before the answer', oddity: ({ request }) => request.socket.destroy() },
  { what: 'resets within the answer', oddity: resetWithin },
  { what: 'cuts the JSON off', oddity: changed((text) => text.slice(0, text.length / 2)) },
  { what: 'tells too short a length', oddity: wrongLength(-10) },
  { what: 'tells too great a length', oddity: wrongLength(10) },
  { what: '429 with Retry-After', oddity: status(429, { 'retry-after': '1' }) },
  { what: '429 with a Retry-After of an hour', oddity: status(429, { 'retry-after': '3600' }) },
  { what: '429 without', oddity: status(429) },
  { what: '500', oddity: status(500) },
  { what: '503', oddity: status(503) },
  { what: '401', oddity: status(401) },
  { what: '403', oddity: status(403) },
  { what: '200 in HTML', oddity: plainly(200, 'text/html', '<html><body>Welcome</body></html>') },
  { what: '502 in HTML', oddity: plainly(502, 'text/html', '<html><body>Bad Gateway</body></html>') },
  { what: '404 in HTML', oddity: plainly(404, 'text/html', '<html><body>Not here</body></html>') },
  { what: '404 of another object', oddity: plainly(404, 'application/json', JSON.stringify(absent('another'))) },
  { what: '204', oddity: ({ response }) => response.writeHead(204).end() },
  { what: '100 MB in one', oddity: ({ response }) => huge(response, true) },
  { what: '100 MB in pieces', oddity: ({ response }) => huge(response, false) },
  { what: 'a header of 1 MB', oddity: hugeHeader },
  { what: 'no HTTP', oddity: ({ request }) => request.socket.end('SSH-2.0-OpenSSH_9.9\r\n') },
  { what: 'an empty object', oddity: changed(() => '{}') },
  { what: 'an empty list', oddity: changed(() => '[]') },
  { what: 'null', oddity: changed(() => 'null') },
  { what: 'a Status of success', oddity: changed(() => '{"kind":"Status","apiVersion":"v1","status":"Success"}') },
  { what: 'another kind', oddity: object((one) => ({ ...one, kind: 'ConfigMap', apiVersion: 'v1' })) },
  { what: "another object's name", oddity: object((one) => named(one, 'another')) },
  { what: 'a list of it', oddity: object((one) => ({ kind: 'List', apiVersion: 'v1', items: [one] })) },
  { what: 'no Date', only: 'lease-get', oddity: undated },
  { what: 'the write is done, and the connection reset', only: 'lease-put', oddity: doneAndReset },
  { what: 'the write is done, and no answer comes', only: 'lease-put', oddity: ({ upstream }) => upstream() },
  { what: 'the write is done, and 500 is said', only: 'lease-put', oddity: doneAnd500 },
  { what: 'nothing is written, and what was sent comes back', only: 'lease-put', oddity: echo },
];

/** A redirection to somewhere else. */
export function redirection(code: number, to: string): OddCase {
  return { what: `a redirection (${code})`, oddity: status(code, { location: to }) };
}

function later(milliseconds: number): Oddity {
  return async ({ response, upstream }) => {
    await sleep(milliseconds, undefined, { ref: false });
    handOn(response, await upstream());
  };
}

function status(code: number, headers: object = {}): Oddity {
  const text = JSON.stringify({
    kind: 'Status',
    apiVersion: 'v1',
    status: 'Failure',
    code,
    message: 'as the test has it',
  });
  return ({ response }) => response.writeHead(code, { 'content-type': 'application/json', ...headers }).end(text);
}

function plainly(code: number, type: string, text: string): Oddity {
  return ({ response }) => response.writeHead(code, { 'content-type': type }).end(text);
}

function changed(change: (text: string) => string): Oddity {
  return async ({ response, upstream }) => {
    const answer = await upstream();
    handOn(response, { ...answer, status: 200, body: Buffer.from(change(answer.body.toString())) });
  };
}

function object(change: (one: Json) => Json): Oddity {
  return changed((text) => JSON.stringify(change(JSON.parse(text))));
}

function named(one: Json, name: string): Json {
  return { ...one, metadata: { ...one.metadata, name } };
}

function absent(name: string): Json {
  return { kind: 'Status', apiVersion: 'v1', status: 'Failure', code: 404, reason: 'NotFound', details: { name } };
}

function part(response: Exchange['response'], { status: code, headers, body }: Upstream, share: number): void {
  const { 'transfer-encoding': _, connection: __, ...rest } = headers;
  response.writeHead(code, { ...rest, 'content-length': body.length }).write(body.subarray(0, body.length * share));
}

async function drip({ response, upstream }: Exchange): Promise<void> {
  const { status: code, body } = await upstream();
  response.writeHead(code, { 'content-length': body.length });
  for (const byte of body) {
    if (response.destroyed) return;
    response.write(Buffer.of(byte));
    await sleep(50, undefined, { ref: false });
  }
}

async function resetWithin({ request, response, upstream }: Exchange): Promise<void> {
  part(response, await upstream(), 0.5);
  setTimeout(() => request.socket.destroy(), 20);
}

function wrongLength(by: number): Oddity {
  return async ({ request, upstream }) => {
    const { body } = await upstream();
    const head = ['HTTP/1.1 200 OK', 'Content-Type: application/json', `Date: ${new Date().toUTCString()}`];
    request.socket.write([...head, `Content-Length: ${body.length + by}`, '', body.toString()].join('\r\n'));
  };
}

function huge(response: Exchange['response'], told: boolean): void {
  const piece = Buffer.alloc(MIB, ' ');
  response.writeHead(200, told ? { 'content-length': 100 * MIB } : {});
  let left = 100;
  const more = () => {
    while (left-- > 0 && !response.destroyed) if (!response.write(piece)) return void response.once('drain', more);
    if (!response.destroyed) response.end();
  };
  more();
}

async function hugeHeader({ response, upstream }: Exchange): Promise<void> {
  const answer = await upstream();
  handOn(response, { ...answer, headers: { ...answer.headers, 'x-odd': 'x'.repeat(MIB) } });
}

async function undated({ response, upstream }: Exchange): Promise<void> {
  response.sendDate = false;
  const { headers, ...answer } = await upstream();
  const { date: _, ...rest } = headers;
  handOn(response, { ...answer, headers: rest });
}

async function doneAndReset({ request, upstream }: Exchange): Promise<void> {
  await upstream();
  request.socket.destroy();
}

async function doneAnd500({ upstream, ...rest }: Exchange): Promise<void> {
  await upstream();
  status(500)({ ...rest, upstream });
}

function echo({ response, body }: Exchange): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(body);
}
