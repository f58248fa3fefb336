/** The first bytes of a TLS handshake. Sent again and again they cost the sender nothing, and the server a signature each time. */
import { Duplex } from 'node:stream';
import { connect } from 'node:tls';

/** A whole ClientHello, as Node writes it. */
export function clientHello(): Promise<Buffer> {
  return new Promise((resolve) => {
    const wire = new Duplex({
      read() {},
      write(chunk: Buffer, _encoding, done) {
        resolve(chunk);
        done();
      },
    });
    connect({ socket: wire, servername: 'localhost' }).on('error', () => {});
  });
}
