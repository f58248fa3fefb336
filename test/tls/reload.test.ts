import { execFileSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { mkdtemp, rename, rm, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createServer } from 'node:tls';
import { describe, expect, test } from '@jest/globals';
import { type LoadedCertificate, loadCertificate } from '../../src/tls/load.ts';
import { applyCertificate, type WatchOptions, watchCertificate } from '../../src/tls/reload.ts';
import { DAY, echo, echoServer, handshake, inFolder, issue, mountPair, pairIn, until, writePair } from './world.ts';

// Longer than any test: what is noticed nevertheless, is noticed by an event.
const EVENTS_ONLY = 3_600_000;
const OFTEN = 20;

const [first, second, third] = await Promise.all([issue(), issue(), issue()]);
const fingerprintOf = ({ cert }: { cert: string }) => new X509Certificate(cert).fingerprint256;

describe('watchCertificate', () => {
  test('hands over what it finds first, unless that is in use already', async () => {
    await inFolder(async (folder) => {
      const pair = await writePair(folder, first);
      const current = await loadCertificate(pair);
      const fresh = observe({ ...pair, pollMs: OFTEN });
      const using = observe({ ...pair, current, pollMs: OFTEN });
      await until(() => fresh.seen.length === 1);
      await writePair(folder, second);
      await until(() => fresh.seen.length === 2 && using.seen.length === 1);
      expect(fresh.seen).toEqual([fingerprintOf(first), fingerprintOf(second)]);
      expect(using.seen).toEqual([fingerprintOf(second)]);
      fresh.close();
      using.close();
    });
  });

  test.each([
    ['a symlink swapped', mountPair],
    ['files replaced', replacePair],
    ['files overwritten', writePair],
  ])('notices by an event: %s', async (_, change) => {
    await inFolder(async (folder) => {
      const pair = await change(folder, first);
      const watched = observe({ ...pair, pollMs: EVENTS_ONLY });
      await until(() => watched.seen.length === 1);
      for (const next of [second, third]) {
        const before = watched.seen.length;
        await change(folder, next);
        await until(() => watched.seen.length > before);
        expect(watched.seen.at(-1)).toBe(fingerprintOf(next));
      }
      watched.close();
    });
  });

  test('notices by looking when the folder itself was replaced, or came late', async () => {
    await inFolder(async (parent) => {
      const folder = join(parent, 'certs');
      const watched = observe({ ...pairIn(folder), pollMs: OFTEN });
      await until(() => watched.problems.length === 1);
      expect(watched.problems[0]).toMatchObject({ code: 'unreadable' });
      for (const next of [first, second]) {
        await rm(folder, { recursive: true, force: true });
        await mountFresh(parent, next);
        await until(() => watched.seen.at(-1) === fingerprintOf(next));
      }
      watched.close();
    });
  });

  test('takes a new key file in a folder of its own', async () => {
    await inFolder(async (folder) => {
      const keyFolder = await mountFresh(folder, first);
      const certFile = join(folder, 'server.pem');
      await writeFile(certFile, first.cert);
      const keyFile = join(keyFolder, 'tls.key');
      const watched = observe({ certFile, keyFile, pollMs: EVENTS_ONLY });
      await until(() => watched.seen.length === 1);
      await writeFile(certFile, second.cert);
      await until(() => watched.problems.length === 1);
      await mountPair(keyFolder, second);
      await until(() => watched.seen.length === 2);
      expect(watched.problems[0]).toMatchObject({ code: 'key-mismatch' });
      watched.close();
    });
  });

  test('opens no pipe, where it would wait for ever, and heals', async () => {
    await inFolder(async (folder) => {
      const pair = await writePair(folder, first);
      const watched = observe({ ...pair, pollMs: OFTEN });
      await until(() => watched.seen.length === 1);
      await unlink(pair.certFile);
      execFileSync('mkfifo', [pair.certFile]);
      await until(() => watched.problems.some(({ message }) => message.includes('is a pipe')));
      await unlink(pair.certFile);
      await writePair(folder, second);
      await until(() => watched.seen.length === 2);
      watched.close();
    });
  });

  test('reports each distinct problem once, keeps quiet, and heals', async () => {
    await inFolder(async (folder) => {
      const pair = await writePair(folder, first);
      const watched = observe({ ...pair, pollMs: OFTEN });
      await until(() => watched.seen.length === 1);
      await writeFile(`${pair.certFile}.new`, second.cert);
      await rename(`${pair.certFile}.new`, pair.certFile); // half-way: the key is still the first's
      await until(() => watched.problems.length === 1);
      await watched.looks(5);
      await writeFile(pair.keyFile, '');
      await until(() => watched.problems.length === 2);
      await watched.looks(5);
      expect(watched.problems.map(({ code }) => code)).toEqual(['key-mismatch', 'empty']);
      expect(watched.seen).toHaveLength(1);
      await writeFile(pair.keyFile, second.key);
      await until(() => watched.seen.length === 2);
      await writeFile(pair.keyFile, ''); // the same problem as before, but new again
      await until(() => watched.problems.length === 3);
      watched.close();
    });
  });

  test('reports a replacement that has expired, and does not hand it over', async () => {
    await inFolder(async (folder) => {
      const pair = await writePair(folder, first);
      const watched = observe({ ...pair, pollMs: OFTEN });
      await until(() => watched.seen.length === 1);
      await writePair(folder, await issue(new Date(Date.now() - 100 * DAY)));
      await until(() => watched.problems.some(({ code }) => code === 'expired'));
      await watched.looks(5);
      expect(watched.problems.filter(({ code }) => code === 'expired')).toHaveLength(1);
      expect(watched.seen).toEqual([fingerprintOf(first)]);
      watched.close();
    });
  });

  test('a change during a look is not lost', async () => {
    await inFolder(async (folder) => {
      const pair = await writePair(folder, first);
      const seen: string[] = [];
      const changing: WatchOptions['load'] = async (files) => {
        const loaded = await loadCertificate(files);
        if (seen.length > 0 || changed) return loaded;
        changed = true;
        const other = observe({ ...pair, pollMs: EVENTS_ONLY });
        await until(() => other.seen.length === 1);
        await writePair(folder, second);
        await until(() => other.seen.length === 2); // its event is ours, too, and came while we looked
        other.close();
        return loaded;
      };
      let changed = false;
      const onChange = ({ fingerprint }: LoadedCertificate) => seen.push(fingerprint);
      const watched = watchCertificate({ ...pair, pollMs: EVENTS_ONLY, load: changing, onChange, onError: () => {} });
      await until(() => seen.length === 2);
      expect(seen).toEqual([fingerprintOf(first), fingerprintOf(second)]);
      watched.close();
    });
  });

  test('reports what the receiver throws, and offers the same again', async () => {
    await inFolder(async (folder) => {
      const pair = await writePair(folder, first);
      let offers = 0;
      const problems: string[] = [];
      const onChange = () => {
        offers++;
        if (offers < 3) throw new Error('not now');
      };
      const onError = (error: Error) => problems.push(error.message);
      const watched = watchCertificate({ ...pair, pollMs: OFTEN, onChange, onError });
      await until(() => offers === 3);
      expect(problems).toEqual(['not now']);
      watched.close();
    });
  });

  test('says nothing after it was closed', async () => {
    await inFolder(async (folder) => {
      const pair = await writePair(folder, first);
      const closed = observe({ ...pair, pollMs: OFTEN });
      const witness = observe({ ...pair, pollMs: OFTEN });
      await until(() => closed.seen.length === 1 && witness.seen.length === 1);
      closed.close();
      await writePair(folder, second);
      await until(() => witness.seen.length === 2);
      await unlink(pair.keyFile);
      await until(() => witness.problems.length > 0);
      await witness.looks(3);
      expect(closed.seen).toHaveLength(1);
      expect(closed.problems).toEqual([]);
      witness.close();

      const atOnce = observe({ ...pair, pollMs: OFTEN });
      atOnce.close();
      atOnce.close();
      const later = observe({ ...pair, pollMs: OFTEN });
      await later.looks(3);
      expect(atOnce.problems).toEqual([]);
      later.close();
    });
  });
});

describe('applyCertificate', () => {
  test('20 rotations break no living connection, and each new one meets the new certificate', async () => {
    await inFolder(async (folder) => {
      const pair = await mountPair(folder, first);
      const { server, port, close } = await echoServer(await loadCertificate(pair));
      const seen: string[] = [];
      const watched = watchCertificate({
        ...pair,
        current: await loadCertificate(pair),
        onChange: (loaded) => {
          applyCertificate(server, loaded);
          seen.push(loaded.fingerprint);
        },
        onError: () => {}, // caught between two reads, it heals
      });
      const alive = [await handshake(port, first.ca)];
      for (let rotation = 1; rotation <= 20; rotation++) {
        const next = await issue();
        await mountPair(folder, next);
        await until(() => seen.length === rotation);
        const socket = await handshake(port, next.ca);
        expect(socket.getPeerX509Certificate()?.fingerprint256).toBe(fingerprintOf(next));
        alive.push(socket);
        for (const [index, old] of alive.entries())
          expect(await echo(old, `${rotation}/${index}`)).toBe(`${rotation}/${index}`);
      }
      watched.close();
      for (const socket of alive) socket.destroy();
      await close();
    });
  }, 30_000);

  test('keeps the rest of the context: clients must still show a certificate of the same CA', async () => {
    const context = { ca: second.ca, minVersion: 'TLSv1.3' } as const;
    const { server, port, close } = await echoServer({
      ...first,
      ...context,
      requestCert: true,
      rejectUnauthorized: false,
    });
    const verdicts: unknown[] = [];
    server.on('secureConnection', (socket) => verdicts.push(socket.authorizationError));
    applyCertificate(server, third, context);
    // A server's certificate: refused for its purpose, and so not for an unknown CA.
    const socket = await handshake(port, third.ca, { servername: 'localhost', cert: second.cert, key: second.key });
    expect(await echo(socket, 'x')).toBe('x');
    expect(verdicts).toEqual(['INVALID_PURPOSE']);
    socket.destroy();
    await expect(handshake(port, third.ca, { servername: 'localhost', maxVersion: 'TLSv1.2' })).rejects.toThrow();
    await close();
  });

  test.each([
    ['no certificate', { cert: '', key: first.key }],
    ['a blank key', { cert: first.cert, key: '\n' }],
    ['nothing', {} as LoadedCertificate],
  ])('refuses %s, and the old one stays', async (_, bad) => {
    const { server, port, close } = await echoServer(first);
    expect(() => applyCertificate(server, bad)).toThrow(expect.objectContaining({ code: 'empty' }));
    const socket = await handshake(port, first.ca);
    expect(await echo(socket, 'still')).toBe('still');
    socket.destroy();
    await close();
  });

  test('passes on the refusal of a mismatched pair', () => {
    const server = createServer(first);
    expect(() => applyCertificate(server, { cert: second.cert, key: third.key })).toThrow(/mismatch/i);
  });
});

/** A watch with a record of what it said, and a way to wait until it has looked some more. */
function observe(options: Omit<WatchOptions, 'onChange' | 'onError' | 'load'>) {
  const seen: string[] = [];
  const problems: (Error & { code?: string })[] = [];
  let begun = 0;
  const watch = watchCertificate({
    ...options,
    load: (files) => {
      begun++;
      return loadCertificate(files);
    },
    onChange: ({ fingerprint }) => seen.push(fingerprint),
    onError: (error) => problems.push(error),
  });
  const looks = (count: number) => {
    const enough = begun + count;
    return until(() => begun >= enough);
  };
  return { seen, problems, looks, close: () => watch.close() };
}

/** A folder `certs` that appears with all its content. */
async function mountFresh(parent: string, content: { cert: string; key: string }): Promise<string> {
  const draft = await mkdtemp(join(parent, 'draft-'));
  await mountPair(draft, content);
  await rename(draft, join(parent, 'certs'));
  return join(parent, 'certs');
}

/** As `mv` does it, file by file. */
async function replacePair(folder: string, content: { cert: string; key: string }) {
  const pair = pairIn(folder);
  await writeFile(`${pair.certFile}.new`, content.cert);
  await writeFile(`${pair.keyFile}.new`, content.key);
  await rename(`${pair.certFile}.new`, pair.certFile);
  await rename(`${pair.keyFile}.new`, pair.keyFile);
  return pair;
}
