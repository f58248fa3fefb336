/** What the tests of this folder share: pairs on disk and real handshakes. */
import { once } from 'node:events';
import { mkdir, rename, symlink, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type ConnectionOptions, connect, createServer, type TLSSocket, type TlsOptions } from 'node:tls';
import { type IssuedCertificates, issueCertificates } from '../../../src/certificates/issue.ts';

export const DAY = 24 * 3_600_000;

export const issue = (now = new Date()): Promise<IssuedCertificates> =>
  issueCertificates({ names: ['localhost', '127.0.0.1', '::1'], now });

export interface Pair {
  readonly certFile: string;
  readonly keyFile: string;
}

const pairIn = (folder: string): Pair => ({
  certFile: join(folder, 'tls.crt'),
  keyFile: join(folder, 'tls.key'),
});

export async function writePair(folder: string, { cert, key }: { cert: string; key: string }): Promise<Pair> {
  const pair = pairIn(folder);
  await writeFile(pair.certFile, cert);
  await writeFile(pair.keyFile, key);
  return pair;
}

/** As a kubelet mounts a Secret: the files are links through `..data`, and only that link ever changes. */
export async function mountPair(folder: string, content: { cert: string; key: string }): Promise<Pair> {
  const version = `..${process.hrtime.bigint()}`;
  await mkdir(join(folder, version));
  await writePair(join(folder, version), content);
  await symlink(version, join(folder, '..data_tmp'));
  await rename(join(folder, '..data_tmp'), join(folder, '..data'));
  for (const name of ['tls.crt', 'tls.key']) {
    await symlink(join('..data', name), join(folder, name)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  }
  return pairIn(folder);
}

/** A TLS server on loopback that sends back what it gets. */
export async function echoServer(options: TlsOptions) {
  const sockets = new Set<TLSSocket>();
  const server = createServer(options, (socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.pipe(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const close = async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, 'close');
  };
  return { server, port, close };
}

/** A connection whose handshake was verified under `ca`, and nothing else, for that name. */
export async function handshake(port: number, ca: string, more: ConnectionOptions = { servername: 'localhost' }) {
  const socket = connect({ host: '127.0.0.1', port, ca, ...more });
  await once(socket, 'secureConnect');
  return socket;
}

export async function echo(socket: TLSSocket, text: string): Promise<string> {
  socket.write(text);
  const [data] = await once(socket, 'data');
  return String(data);
}
