/** A connection as Go's HTTP client keeps it: TLS, one HTTP/1.1 request at a time, none ever repeated. */
import { once } from 'node:events';
import { connect } from 'node:tls';

export interface Connection {
  /** Sends a body, and resolves to the status. @throws Error `EOF` if the server ended the connection instead */
  post(path: string, body: string): Promise<number>;
  close(): void;
}

export async function openConnection(port: number, ca: string): Promise<Connection> {
  const socket = connect({ host: '127.0.0.1', port, ca, ALPNProtocols: ['http/1.1'] });
  await once(socket, 'secureConnect');
  socket.on('error', () => {});
  const post: Connection['post'] = (path, body) =>
    new Promise((resolve, reject) => {
      let text = '';
      const settle = (how: () => void) => {
        socket.off('data', read).off('end', fail).off('close', fail);
        how();
      };
      const fail = () => settle(() => reject(new Error('EOF')));
      const read = (chunk: Buffer) => {
        text += chunk.toString('latin1');
        const [, length] = /^content-length: (\d+)\r$/im.exec(text) ?? [];
        const start = text.indexOf('\r\n\r\n') + 4;
        if (length === undefined || start < 4 || text.length < start + Number(length)) return;
        settle(() => resolve(Number(text.slice(9, 12))));
      };
      if (socket.destroyed || socket.readableEnded) return fail();
      socket.on('data', read).once('end', fail).once('close', fail);
      const head = [`POST ${path} HTTP/1.1`, 'Host: muster', 'Content-Type: application/json'];
      socket.write([...head, `Content-Length: ${Buffer.byteLength(body)}`, '', body].join('\r\n'));
    });
  return { post, close: () => void socket.destroy() };
}
