/** Floods of connections that send nothing, nothing whole, or a byte a second: what they cost is memory and descriptors. */
import { randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { connect } from 'node:tls';
import { type Flood, giveUp, keepUp, tcp, tls } from './sockets.ts';

/** TCP connections on which nothing is ever said. */
export async function idle(flood: Flood): Promise<void> {
  keepUp(flood, tcp);
}

/** Handshakes done, and then nothing. */
export async function silent(flood: Flood): Promise<void> {
  keepUp(flood, (each) => tls(each).resume());
}

/** Half a ClientHello, or a whole one whose answer is never taken up; in turns. */
export async function halfOpen(flood: Flood): Promise<void> {
  const hello = await clientHello();
  let turn = 0;
  keepUp(flood, (each) => {
    const socket = tcp(each);
    turn += 1;
    socket.write(turn % 2 === 0 ? hello : hello.subarray(0, hello.length / 2));
    return socket.resume();
  });
}

/** The server is made to sign, and left. */
export async function storm(flood: Flood): Promise<void> {
  const hello = await clientHello();
  keepUp(flood, (each) => {
    const socket = tcp(each);
    socket.write(hello);
    socket.once('data', () => giveUp(socket));
    return socket;
  });
}

/** No TLS at all: noise, or HTTP in the clear, in turns. */
export async function garbage(flood: Flood): Promise<void> {
  let turn = 0;
  keepUp(flood, (each) => {
    const socket = tcp(each);
    turn += 1;
    socket.write(turn % 2 === 0 ? randomBytes(512) : 'POST /validate HTTP/1.1\r\nhost: muster\r\n\r\n');
    return socket.resume();
  });
}

const HEAD = 'POST /validate?timeout=30s HTTP/1.1\r\nhost: muster\r\ncontent-type: application/json\r\n';
const ANNOUNCED = 8 * 1024 * 1024;
/** Half of what is announced, at once: what a server keeps of it is its own loss. */
const BEGINNING = Buffer.alloc(ANNOUNCED / 2, ' ');

/** The head of a request, a byte a second. */
export async function slowHead(flood: Flood): Promise<void> {
  drip(flood, `${HEAD}x-filler: `);
}

/** A body of 8 MiB is announced, and comes a byte a second. */
export async function slowBody(flood: Flood): Promise<void> {
  drip(flood, `${HEAD}content-length: ${ANNOUNCED}\r\n\r\n`);
}

/** Half of it comes at once, and then a byte a second. */
export async function heavyBody(flood: Flood): Promise<void> {
  drip(flood, Buffer.concat([Buffer.from(`${HEAD}content-length: ${ANNOUNCED}\r\n\r\n`), BEGINNING]));
}

function drip(flood: Flood, beginning: string | Buffer): void {
  const dripping = new Set<Socket>();
  keepUp(flood, (each) => {
    const socket = tls(each).resume();
    socket.once('secureConnect', () => {
      socket.write(beginning);
      dripping.add(socket);
    });
    socket.once('close', () => dripping.delete(socket));
    return socket;
  });
  setInterval(() => {
    for (const socket of dripping) if (socket.writableLength === 0) socket.write('x');
  }, 1000);
}

/** A whole ClientHello, as Node writes it: sent again and again it costs the sender nothing, and the server a signature each time. */
export function clientHello(): Promise<Buffer> {
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
