/** What a Service is to several replicas: each new connection goes to the next of them. */
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface RoundRobin {
  readonly url: string;
  /** Connections made to each target, in their order. */
  readonly connections: readonly number[];
  close(): Promise<void>;
}

export async function startRoundRobin(ports: readonly number[]): Promise<RoundRobin> {
  const connections = ports.map(() => 0);
  const open = new Set<Socket>();
  let next = 0;
  const server = createServer((from) => {
    const index = next++ % ports.length;
    connections[index] = (connections[index] ?? 0) + 1;
    const to = connect(ports[index] ?? 0, '127.0.0.1');
    for (const [one, other] of [
      [from, to],
      [to, from],
    ] as const) {
      open.add(one);
      one.pipe(other);
      one.on('error', () => other.destroy());
      one.once('close', () => {
        open.delete(one);
        other.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    connections,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of open) socket.destroy();
      await closed;
    },
  };
}
