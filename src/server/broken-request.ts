/** Requests that HTTP itself can't read, or that take too long to come: answered in a line, and the connection is closed. */
import type { Socket } from 'node:net';

const ANSWERS: Readonly<Record<string, string>> = {
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
};

/** Answers what came of a connection, and closes it. `slow` hears of a request that took too long. */
export function answerBroken(error: NodeJS.ErrnoException, socket: Socket, slow: () => void): void {
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') slow();
  if (error.code !== 'ECONNRESET' && socket.writable) {
    const status = ANSWERS[error.code ?? ''] ?? '400 Bad Request';
    socket.write(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
  }
  socket.destroySoon();
}
