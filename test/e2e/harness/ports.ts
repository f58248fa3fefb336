/** Ports for programs that must be told theirs. */
import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** A loopback port that is free now, below those the system itself hands out, so that it stays ours over a restart. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(15_000, 32_000);
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
