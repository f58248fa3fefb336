/** Where redirections lead: a server that counts who comes, and answers as if all were well. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Elsewhere {
  readonly url: string;
  /** Calls that came. */
  readonly led: number;
  close(): void;
}

export async function startElsewhere(): Promise<Elsewhere> {
  let led = 0;
  const server = createServer((_, response) => {
    led += 1;
    response.end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    get led() {
      return led;
    },
    close: () => void server.close(),
  };
}
