/**
 * The floods of the row, as data. `node floods.ts NAME PORT ADDRESS…` is one of them, in a process of its own, until it
 * is stopped; its counts go to stdout every 200 ms.
 */
import { randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { connect } from 'node:tls';
import { fileURLToPath } from 'node:url';
import type { JsonObject } from '../../../../src/base/json.ts';
import { claim } from '../../../support/objects.ts';
import { reviewOf } from '../../../support/writes.ts';
import { type Flood, keepOpen, newCounts, openTcp, openTls } from './sockets.ts';

export interface Attack {
  /** As docs/reliability-figures.md has it. */
  readonly title: string;
  readonly begin: (flood: Flood) => void;
  /** Connections it keeps open: what the server ends is opened again. */
  readonly count: number;
  /** Connections it opens a second: a machine that only opens connections answers nobody, whatever the server. */
  readonly perSecond: number;
}

const HEAD = 'POST /validate?timeout=30s HTTP/1.1\r\nhost: muster\r\ncontent-type: application/json\r\n';
const ANNOUNCED = 8 * 1024 * 1024;
const announced = Buffer.from(`${HEAD}content-length: ${ANNOUNCED}\r\n\r\n`);

export const ATTACKS = {
  idle: {
    title: '10,000 TCP connections that send nothing',
    begin: (flood) => keepOpen(flood, openTcp),
    count: 10_000,
    perSecond: 3000,
  },
  silent: {
    title: '10,000 TLS handshakes, and then nothing',
    begin: (flood) => keepOpen(flood, (each) => openTls(each).resume()),
    count: 10_000,
    perSecond: 800,
  },
  'half-open': { title: '10,000 handshakes begun and left', begin: halfOpen, count: 10_000, perSecond: 1000 },
  storm: { title: 'handshakes begun and broken off, 1,000 a second', begin: storm, count: 1000, perSecond: 1000 },
  'slow-head': {
    title: '2,000 heads, a byte a second',
    begin: (flood) => drip(flood, Buffer.from(`${HEAD}x-filler: `)),
    count: 2000,
    perSecond: 500,
  },
  'slow-body': {
    title: '2,000 bodies of 8 MiB, a byte a second',
    begin: (flood) => drip(flood, announced),
    count: 2000,
    perSecond: 500,
  },
  'heavy-body': {
    title: '200 bodies of 8 MiB that stop half-way',
    begin: (flood) => drip(flood, Buffer.concat([announced, Buffer.alloc(ANNOUNCED / 2, ' ')])),
    count: 200,
    perSecond: 20,
  },
  reviews: {
    title: 'valid reviews of 4 MiB on 16 connections, pipelined',
    begin: largeReviews,
    count: 16,
    perSecond: 20,
  },
  deaf: { title: 'reviews on 64 connections that read no answer', begin: unreadAnswers, count: 64, perSecond: 20 },
  garbage: { title: 'noise and clear text instead of TLS, 500 a second', begin: garbage, count: 1000, perSecond: 500 },
} as const satisfies Readonly<Record<string, Attack>>;

export type AttackName = keyof typeof ATTACKS;

/** Half a ClientHello, or a whole one whose answer is not used; in turns. */
async function halfOpen(flood: Flood): Promise<void> {
  const hello = await clientHello();
  let turn = 0;
  keepOpen(flood, (each) => {
    const socket = openTcp(each);
    turn += 1;
    socket.write(turn % 2 === 0 ? hello : hello.subarray(0, hello.length / 2));
    return socket.resume();
  });
}

/** The server has to sign, and is left: without a farewell, which would keep the port for a minute. */
async function storm(flood: Flood): Promise<void> {
  const hello = await clientHello();
  keepOpen(flood, (each) => {
    const socket = openTcp(each);
    socket.write(hello);
    return socket.once('data', () => socket.resetAndDestroy());
  });
}

/** No TLS at all: noise, or HTTP in the clear, in turns. */
function garbage(flood: Flood): void {
  let turn = 0;
  keepOpen(flood, (each) => {
    const socket = openTcp(each);
    turn += 1;
    socket.write(turn % 2 === 0 ? randomBytes(512) : 'POST /validate HTTP/1.1\r\nhost: muster\r\n\r\n');
    return socket.resume();
  });
}

/** A beginning at once, and then a byte a second. */
function drip(flood: Flood, beginning: Buffer): void {
  const dripping = new Set<Socket>();
  keepOpen(flood, (each) => {
    const socket = openTls(each).resume();
    socket.once('secureConnect', () => {
      socket.write(beginning);
      dripping.add(socket);
    });
    return socket.once('close', () => dripping.delete(socket));
  });
  setInterval(() => {
    for (const socket of dripping) if (socket.writableLength === 0) socket.write('x');
  }, 1000);
}

/** Four requests before the first answer; then the next one for each answer. */
function largeReviews(flood: Flood): void {
  const annotations = Object.fromEntries(
    Array.from({ length: 2 ** 16 }, (_, n) => [`example.com/${n}`, 'x'.repeat(40)]),
  );
  const request = requestOf(claim('flood.example.com', 'a value', { annotations }));
  keepOpen(flood, (each) => {
    const socket = openTls(each);
    const send = () => void (socket.writable && socket.write(request));
    socket.once('secureConnect', () => {
      for (let count = 0; count < 4; count += 1) send();
    });
    return socket.on('data', (chunk: Buffer) => {
      // A status line may be split over two chunks; then it is not counted.
      for (const [status] of chunk.toString('latin1').matchAll(/(?<=HTTP\/1\.1 )\d{3}/g)) {
        each.counts.answers[status] = (each.counts.answers[status] ?? 0) + 1;
        // A pause between answer and next request: the flood is to cost muster its time, not the machine.
        setTimeout(send, 5);
      }
    });
  });
}

/** Small reviews without end, with findings, so that the answers are long; none is read. */
function unreadAnswers(flood: Flood): void {
  const many = Buffer.concat(Array.from({ length: 64 }, () => requestOf(claim('Flood', 'x'.repeat(2000)))));
  keepOpen(flood, (each) => {
    const socket = openTls(each).pause();
    const send = () => {
      while (socket.write(many));
    };
    return socket.once('secureConnect', send).on('drain', send);
  });
}

/** A request of a stranger. */
function requestOf(object: JsonObject): Buffer {
  const body = JSON.stringify(reviewOf({ operation: 'CREATE', user: { username: 'stranger' }, object }));
  return Buffer.from(`${HEAD}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
}

/**
 * A whole ClientHello, as Node writes it: sent again and again it costs the sender nothing, and the server a signature
 * each time.
 */
function clientHello(): Promise<Buffer> {
  return new Promise((resolve) => {
    const wire = new Duplex({
      read() {},
      write(chunk: Buffer, _encoding, done) {
        resolve(chunk);
        done();
      },
    });
    connect({ socket: wire, servername: 'localhost' }).on('error', () => {});
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [name = '', port, ...from] = process.argv.slice(2);
  const { begin, count, perSecond } = ATTACKS[name as AttackName];
  const counts = newCounts();
  setInterval(() => process.stdout.write(`${JSON.stringify(counts)}\n`), 200);
  begin({ port: Number(port), from, count, perSecond, counts });
}
