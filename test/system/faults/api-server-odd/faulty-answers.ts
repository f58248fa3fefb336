/** Faulty answers of an API server, or of a proxy in front of it. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Json } from '../../e2e/harness/index.ts';
import { type Exchange, type Fault, pass, type Upstream } from './proxy.ts';

/** The calls of muster that get a faulty answer. */
export type Calls = 'any' | 'claims' | 'lease-get' | 'lease-put';

export interface FaultyAnswer {
  readonly what: string;
  readonly fault: Fault;
  /** The right verdict may still follow. With all others nothing may be allowed that depends on the answer. */
  readonly harmless?: boolean;
  /** Makes sense for these calls only; default: any. */
  readonly only?: Calls;
}

const MIB = 1024 * 1024;

export const FAULTY: readonly FaultyAnswer[] = [
  { what: 'answers after 1 s', harmless: true, fault: later(1000) },
  { what: 'answers after 6 s', fault: later(6000) },
  { what: 'never answers', fault: () => {} },
  { what: 'never ends an answer', fault: async ({ response, upstream }) => part(response, await upstream(), 0.5) },
  { what: 'drips an answer', fault: drip },
  { what: 'resets before the answer', fault: ({ request }) => request.socket.destroy() },
  { what: 'resets within the answer', fault: resetWithin },
  { what: 'cuts the JSON off', fault: changed((text) => text.slice(0, text.length / 2)) },
  { what: 'a content length that is too short', fault: wrongLength(-10) },
  { what: 'a content length that is too long', fault: wrongLength(10) },
  { what: '429 with Retry-After', fault: status(429, { 'retry-after': '1' }) },
  { what: '429 with a Retry-After of an hour', fault: status(429, { 'retry-after': '3600' }) },
  { what: '500', fault: status(500) },
  { what: '401', fault: status(401) },
  { what: '403', fault: status(403) },
  { what: '200 in HTML', fault: plainly(200, 'text/html', '<html><body>Welcome</body></html>') },
  { what: '502 in HTML', fault: plainly(502, 'text/html', '<html><body>Bad Gateway</body></html>') },
  { what: '404 of another object', fault: plainly(404, 'application/json', JSON.stringify(absent('another'))) },
  { what: '204', fault: ({ response }) => response.writeHead(204).end() },
  { what: '100 MB in one', fault: ({ response }) => huge(response, true) },
  { what: '100 MB in pieces', fault: ({ response }) => huge(response, false) },
  { what: 'no HTTP', fault: ({ request }) => request.socket.end('SSH-2.0-OpenSSH_9.9\r\n') },
  { what: 'an empty object', fault: changed(() => '{}') },
  { what: 'null', fault: changed(() => 'null') },
  { what: 'a Status of success', fault: changed(() => '{"kind":"Status","apiVersion":"v1","status":"Success"}') },
  { what: 'another kind', fault: object((one) => ({ ...one, kind: 'ConfigMap', apiVersion: 'v1' })) },
  { what: "another object's name", fault: object((one) => named(one, 'another')) },
  { what: 'a list of it', fault: object((one) => ({ kind: 'List', apiVersion: 'v1', items: [one] })) },
  { what: 'the write is done, and the connection reset', only: 'lease-put', fault: doneAndReset },
  { what: 'the write is done, and no answer comes', only: 'lease-put', fault: ({ upstream }) => upstream() },
  { what: 'the write is done, and 500 answered', only: 'lease-put', fault: doneAnd500 },
  { what: 'nothing is written, and what was sent comes back', only: 'lease-put', fault: echo },
];

/** A redirection to another server. */
export function redirection(code: number, to: string): FaultyAnswer {
  return { what: `a redirection (${code})`, fault: status(code, { location: to }) };
}

function later(milliseconds: number): Fault {
  return async ({ response, upstream }) => {
    await sleep(milliseconds, undefined, { ref: false });
    pass(response, await upstream());
  };
}

function status(code: number, headers: object = {}): Fault {
  const text = JSON.stringify({
    kind: 'Status',
    apiVersion: 'v1',
    status: 'Failure',
    code,
    message: 'as the test has it',
  });
  return ({ response }) => response.writeHead(code, { 'content-type': 'application/json', ...headers }).end(text);
}

function plainly(code: number, type: string, text: string): Fault {
  return ({ response }) => response.writeHead(code, { 'content-type': type }).end(text);
}

function changed(change: (text: string) => string): Fault {
  return async ({ response, upstream }) => {
    const answer = await upstream();
    pass(response, { ...answer, status: 200, body: Buffer.from(change(answer.body.toString())) });
  };
}

function object(change: (one: Json) => Json): Fault {
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

function wrongLength(by: number): Fault {
  return async ({ request, upstream }) => {
    const { body } = await upstream();
    const head = ['HTTP/1.1 200 OK', 'Content-Type: application/json', `Date: ${new Date().toUTCString()}`];
    request.socket.write([...head, `Content-Length: ${body.length + by}`, '', body.toString()].join('\r\n'));
  };
}

function huge(response: Exchange['response'], withLength: boolean): void {
  const piece = Buffer.alloc(MIB, ' ');
  response.writeHead(200, withLength ? { 'content-length': 100 * MIB } : {});
  let left = 100;
  const more = () => {
    while (left-- > 0 && !response.destroyed) if (!response.write(piece)) return void response.once('drain', more);
    if (!response.destroyed) response.end();
  };
  more();
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
