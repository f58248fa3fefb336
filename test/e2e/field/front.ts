/** One address in front of the replicas of muster, as a Service is: connections go to the newest; without one nobody listens. */
import { connect, createServer, type Server, type Socket } from 'node:net';
import { freePort } from '../harness/index.ts';

export interface Front {
  readonly url: string;
  /** New connections go to this port; undefined closes the address. */
  lead(port: number | undefined): Promise<void>;
}

export async function openFront(): Promise<Front> {
  const own = await freePort();
  const sockets = new Set<Socket>();
  let target = 0;
  let server: Server | undefined;
  const join = (from: Socket) => {
    const to = connect(target, '127.0.0.1');
    for (const [one, other] of [
      [from, to],
      [to, from],
    ] as const) {
      sockets.add(one);
      one.once('close', () => {
        sockets.delete(one);
        other.destroy();
      });
      one.on('error', () => {});
      one.pipe(other);
    }
  };
  const close = () =>
    new Promise<void>((resolve) => {
      server?.close(() => resolve()) ?? resolve();
      server = undefined;
      for (const socket of sockets) socket.destroy();
    });
  return {
    url: `https://127.0.0.1:${own}`,
    async lead(port) {
      if (port === undefined) return close();
      target = port;
      if (server !== undefined) return;
      const opened = createServer(join);
      server = opened;
      await new Promise<void>((resolve) => opened.listen(own, '127.0.0.1', resolve));
    },
  };
}
