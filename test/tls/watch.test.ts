/** A server takes a renewed certificate without a break. */
import { X509Certificate } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { loadCertificate } from '../../src/tls/load.ts';
import { watchFiles } from '../../src/watch/files.ts';
import { echo, echoServer, handshake, inFolder, issue, mountPair, until } from './world.ts';

test('5 rotations break no living connection, and each new one meets the new certificate', async () => {
  await inFolder(async (folder) => {
    const first = await issue();
    const pair = await mountPair(folder, first);
    const { server, port, close } = await echoServer(await loadCertificate(pair));
    let applied = 0;
    const watch = watchFiles({
      files: [pair.certFile, pair.keyFile],
      load: () => loadCertificate(pair),
      key: ({ cert }) => cert,
      current: await loadCertificate(pair),
      onChange: (loaded) => {
        server.setSecureContext(loaded);
        applied++;
      },
      onError: () => {}, // read between two files, it is good at the next look
    });
    const alive = [await handshake(port, first.ca)];
    for (let rotation = 1; rotation <= 5; rotation++) {
      const next = await issue();
      await mountPair(folder, next);
      await until(() => applied === rotation);
      const socket = await handshake(port, next.ca);
      expect(socket.getPeerX509Certificate()?.fingerprint256).toBe(new X509Certificate(next.cert).fingerprint256);
      alive.push(socket);
      for (const [index, old] of alive.entries())
        expect(await echo(old, `${rotation}/${index}`)).toBe(`${rotation}/${index}`);
    }
    watch.close();
    for (const socket of alive) socket.destroy();
    await close();
  });
}, 30_000);
