/** Requests that HTTP itself can't read, or that take too long to come: answered in a line, and the connection is closed. */
import type { Socket } from 'node:net';

const ANSWERS: Readonly<Record<string, string>> = {
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
};

/** Milliseconds for an answer of a line to be written. */
const PATIENCE_MS = 1000;

/**
 * Answers what came of a connection, and closes it; `slow` hears of a request that took too long. Where nothing came at all, the connection stays:
 * the API server dials one more than it needs whenever another becomes free meanwhile, and keeps it for later like any that is idle, while Node counts
 * the time of a first request from the handshake on.
 */
export function answerBroken(error: NodeJS.ErrnoException, socket: Socket, slow: () => void): void {
  const late = error.code === 'ERR_HTTP_REQUEST_TIMEOUT';
  if (late && socket.bytesRead === 0) return;
  if (late) slow();
  if (error.code !== 'ECONNRESET' && socket.writable) {
    const status = ANSWERS[error.code ?? ''] ?? '400 Bad Request';
    socket.write(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
  }
  socket.destroySoon();
  // Of a connection that was reset meanwhile, Node does not always hear that what was written has ended: it would stay for good.
  const last = setTimeout(() => socket.destroy(), PATIENCE_MS).unref();
  socket.once('close', () => clearTimeout(last));
}
