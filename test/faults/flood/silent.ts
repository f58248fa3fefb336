/** Floods of connections that say nothing, or nothing whole: what they cost is the room they take. */
import { randomBytes } from 'node:crypto';
import { clientHello } from './hello.ts';
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
