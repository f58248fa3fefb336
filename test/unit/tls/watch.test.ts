/** A server takes a renewed certificate without a break. */
import { X509Certificate } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { watchCertificate } from '../../../src/cli/serve/certificate.ts';
import { issueCertificates } from '../../../src/tls/issue.ts';
import { loadCertificate } from '../../../src/tls/load-certificate.ts';
import { watchFiles } from '../../../src/watch/watch-files.ts';
import { until } from '../../support/until.ts';
import { echo, echoServer, handshake, inFolder, issue, mountPair } from './world.ts';

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
});

test('a pair that expires while it is in use is no refused change; another expired one is', async () => {
  await inFolder(async (folder) => {
    const past = new Date(Date.now() - 100 * 24 * 3_600_000);
    const pair = await mountPair(folder, await issueCertificates({ names: ['localhost'], now: past }));
    const current = await loadCertificate(pair, past);
    const errors: string[] = [];
    let asked = 0;
    const inUse = () => {
      asked++;
      return current;
    };
    const watch = watchCertificate(pair, {
      inUse,
      current,
      onChange: () => errors.push('a change'),
      onError: ({ message }) => errors.push(message),
      pollMs: 20,
    });
    // Looked at, twice for sure.
    await until(() => asked > 2);
    expect([errors, watch.problem]).toEqual([[], undefined]);
    await mountPair(folder, await issueCertificates({ names: ['localhost'], now: past }));
    await until(() => errors.length > 0);
    expect(errors).toEqual([expect.stringContaining(' expired at ')]);
    expect(watch.problem?.message).toBe(errors[0]);
    watch.close();
  });
});
