/** Floods of requests that never end: heads and bodies a byte a second. */
import type { Socket } from 'node:net';
import { type Flood, keepUp, tls } from './sockets.ts';

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
