/** Connections as Go's HTTP client keeps them: TLS 1.3, one request of HTTP/1.1 at a time, none ever repeated. */
import { once } from 'node:events';
import { connect, type TLSSocket } from 'node:tls';

export interface GoConnection {
  /** Sends a review and resolves to its status. @throws Error `EOF` where the server ended it instead */
  post(path: string, body: string): Promise<number>;
  readonly ended: () => boolean;
  close(): void;
}

export async function openConnection(port: number, ca: string): Promise<GoConnection> {
  const socket = connect({ host: '127.0.0.1', port, ca, ALPNProtocols: ['http/1.1'] });
  await once(socket, 'secureConnect');
  let ended = false;
  socket.on('error', () => {});
  for (const event of ['end', 'close']) {
    socket.on(event, () => {
      ended = true;
    });
  }
  return { post: (path, body) => post(socket, path, body), ended: () => ended, close: () => socket.destroy() };
}

function post(socket: TLSSocket, path: string, body: string): Promise<number> {
  const head = `POST ${path} HTTP/1.1\r\nHost: muster\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n`;
  return new Promise((resolve, reject) => {
    let text = '';
    const done = (settle: () => void) => {
      socket.off('data', hear).off('end', fail).off('close', fail);
      settle();
    };
    const fail = () => done(() => reject(new Error('EOF')));
    const hear = (chunk: Buffer) => {
      text += chunk.toString('latin1');
      const [, length] = /^content-length: (\d+)\r$/im.exec(text) ?? [];
      const start = text.indexOf('\r\n\r\n') + 4;
      if (length === undefined || start < 4 || text.length < start + Number(length)) return;
      done(() => resolve(Number(text.slice(9, 12))));
    };
    socket.on('data', hear).once('end', fail).once('close', fail);
    socket.write(head + body);
  });
}
