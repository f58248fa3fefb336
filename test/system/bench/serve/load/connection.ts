/** One connection as the API server holds it: TLS with its preferred cipher, kept alive, one request in flight. */
import { connect, type ConnectionOptions as TlsOptions } from 'node:tls';

export interface Connection {
  /** Sends a request; the answer comes to `onAnswer`. Only when none is in flight. */
  send(bytes: Buffer): void;
  close(): void;
}

export interface ConnectionOptions {
  readonly port: number;
  readonly ca: string;
  onAnswer(answer: Answer): void;
  /** The connection broke; it is of no more use. */
  onEnd(why: string): void;
}

/** Go prefers these, in this order, where the processor knows AES. */
const CIPHERS = 'TLS_AES_128_GCM_SHA256:TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256';
/** Of `net`, and passed on by `tls`, whose types do not tell. */
interface OnRead {
  readonly onread: { readonly buffer: Buffer; callback(length: number, buffer: Uint8Array): boolean };
}
const READ_BYTES = 64 * 1024;

export function open(options: ConnectionOptions): Promise<Connection> {
  const { port, ca, onAnswer, onEnd } = options;
  return new Promise((resolve, reject) => {
    let text = '';
    const received = (length: number, buffer: Uint8Array): boolean => {
      text += (buffer as Buffer).toString('latin1', 0, length);
      const answer = readAnswer(text);
      if (answer === undefined) return true;
      text = '';
      onAnswer(answer);
      return true;
    };
    const tls: TlsOptions & OnRead = {
      host: '127.0.0.1',
      port,
      ca,
      servername: 'localhost',
      ciphers: CIPHERS,
      // The stream's own way of reading allocates for each piece; this one does not.
      onread: { buffer: Buffer.allocUnsafe(READ_BYTES), callback: received },
    };
    const socket = connect(tls);
    socket.setNoDelay(true);
    socket.once('error', (error) => {
      reject(error);
      onEnd(error.message);
    });
    socket.once('close', () => onEnd('the server closed the connection'));
    socket.once('secureConnect', () => {
      // Copied where it has to wait: the next request of the same kind is written into the same bytes.
      const send = (bytes: Buffer) => void socket.write(socket.writableLength === 0 ? bytes : Buffer.from(bytes));
      resolve({ send, close: () => socket.destroy() });
    });
  });
}

export interface Answer {
  readonly status: number;
  readonly body: string;
}

const END_OF_HEAD = '\r\n\r\n';
const LENGTH = /\r\ncontent-length: *(\d+)/i;
const CHUNKED = /\r\ntransfer-encoding: *chunked/i;

/** The answer that a text holds, once it holds all of it. */
function readAnswer(text: string): Answer | undefined {
  const head = text.indexOf(END_OF_HEAD);
  if (head < 0) return undefined;
  const status = Number(text.slice(9, 12));
  const body = text.slice(head + END_OF_HEAD.length);
  const [, length] = LENGTH.exec(text) ?? [];
  if (length !== undefined) return body.length >= Number(length) ? { status, body } : undefined;
  if (!CHUNKED.test(text.slice(0, head))) throw new Error(`an answer of unknown length: ${text.slice(0, head)}`);
  return body.endsWith('0\r\n\r\n') ? { status, body } : undefined;
}
