/** A way from the API server to muster on which answers can be held back: the server has decided, and nobody hears of it. */
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface Gate {
  readonly url: string;
  /** Where new connections lead to. */
  lead(port: number): void;
  /** From now on no answer comes through; handshakes do. */
  hold(): void;
  /** Ends what was held, and holds no more. */
  release(): void;
  close(): Promise<void>;
}

export async function startGate(port: number): Promise<Gate> {
  let target = port;
  let holding = false;
  const open = new Set<Socket>();
  const server = createServer({ noDelay: true }, (front) => {
    const back = connect({ port: target, host: '127.0.0.1', noDelay: true });
    // The caller's second turn has its request in it; what the server says before is the handshake.
    let turns = 0;
    let callerSpoke = false;
    front.on('data', (bytes) => {
      if (!callerSpoke) turns += 1;
      callerSpoke = true;
      back.write(bytes);
    });
    back.on('data', (bytes) => {
      callerSpoke = false;
      if (!holding || turns < 2) front.write(bytes);
    });
    for (const [one, other] of [
      [front, back],
      [back, front],
    ] as const) {
      open.add(one);
      one.on('error', () => other.resetAndDestroy());
      one.once('close', () => {
        open.delete(one);
        other.destroy();
      });
    }
  });
  const cutAll = () => {
    for (const socket of open) socket.resetAndDestroy();
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    lead(next) {
      target = next;
    },
    hold() {
      holding = true;
    },
    release() {
      cutAll();
      holding = false;
    },
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      cutAll();
      await closed;
    },
  };
}
