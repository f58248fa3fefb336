import { execFileSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { mkdtemp, rename, rm, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { type LoadedCertificate, loadCertificate } from '../../src/tls/load.ts';
import { watchLoaded } from '../../src/tls/watch.ts';
import {
  echo,
  echoServer,
  handshake,
  inFolder,
  issue,
  mountPair,
  type Pair,
  pairIn,
  until,
  writePair,
} from './world.ts';

// Longer than any test: what is noticed nevertheless, is noticed by an event.
const EVENTS_ONLY = 3_600_000;
const OFTEN = 20;

const [first, second, third] = await Promise.all([issue(), issue(), issue()]);
const fingerprintOf = ({ cert }: { cert: string }) => new X509Certificate(cert).fingerprint256;

/** A watch, with a record of its callbacks and a way to wait for some more looks. */
function observe(pair: Pair, pollMs: number, current?: LoadedCertificate) {
  const seen: string[] = [];
  const problems: (Error & { code?: string })[] = [];
  let looked = 0;
  const { close } = watchLoaded({
    files: [pair.certFile, pair.keyFile],
    load: () => {
      looked++;
      return loadCertificate(pair);
    },
    key: ({ cert, key }) => `${cert}${key}`,
    current,
    pollMs,
    onChange: (loaded) => seen.push(fingerprintOf(loaded)),
    onError: (error) => problems.push(error),
  });
  const looks = (count: number) => {
    const enough = looked + count;
    return until(() => looked >= enough);
  };
  return { seen, problems, looks, close };
}

/** Runs with a pair on disk and a watch of it that has seen that pair. */
function watched(work: (pair: Pair, watch: ReturnType<typeof observe>, folder: string) => Promise<unknown>) {
  return inFolder(async (folder) => {
    const pair = await writePair(folder, first);
    const watch = observe(pair, OFTEN);
    await until(() => watch.seen.length === 1);
    await work(pair, watch, folder);
    watch.close();
  });
}

describe('a change on disk', () => {
  test('is handed over; so is what is there first, unless it is in use', async () => {
    await inFolder(async (folder) => {
      const pair = await writePair(folder, first);
      const [fresh, using] = [observe(pair, OFTEN), observe(pair, OFTEN, await loadCertificate(pair))];
      await until(() => fresh.seen.length === 1);
      await writePair(folder, second);
      await until(() => fresh.seen.length === 2 && using.seen.length === 1);
      expect([fresh.seen, using.seen]).toEqual([[first, second].map(fingerprintOf), [fingerprintOf(second)]]);
      fresh.close();
      using.close();
    });
  });

  test.each([
    ['a symlink swapped, as a kubelet does', mountPair],
    ['files replaced by a rename', replacePair],
    ['files overwritten', writePair],
  ])('is noticed by an event: %s', async (_, change) => {
    await inFolder(async (folder) => {
      const watch = observe(await change(folder, first), EVENTS_ONLY);
      await until(() => watch.seen.length === 1);
      for (const next of [second, third]) {
        await change(folder, next);
        await until(() => watch.seen.at(-1) === fingerprintOf(next));
      }
      watch.close();
    });
  });

  test('is noticed at the next look where the folder itself was replaced, or came late', async () => {
    await inFolder(async (parent) => {
      const folder = join(parent, 'certs');
      const watch = observe(pairIn(folder), OFTEN);
      await until(() => watch.problems.length === 1);
      expect(watch.problems[0]).toMatchObject({ code: 'unreadable' });
      for (const next of [first, second]) {
        await rm(folder, { recursive: true, force: true });
        const draft = await mkdtemp(join(parent, 'draft-'));
        await mountPair(draft, next);
        await rename(draft, folder);
        await until(() => watch.seen.at(-1) === fingerprintOf(next));
      }
      watch.close();
    });
  });
});

describe('a bad change', () => {
  test('is reported once for each distinct problem, and a good one after it is handed over', async () => {
    await watched(async (pair, watch) => {
      await writeFile(`${pair.certFile}.new`, second.cert);
      await rename(`${pair.certFile}.new`, pair.certFile); // half-way: the key is still the first's
      await until(() => watch.problems.length === 1);
      await watch.looks(5);
      await writeFile(pair.keyFile, '');
      await until(() => watch.problems.length === 2);
      await watch.looks(5);
      expect(watch.problems.map(({ code }) => code)).toEqual(['key-mismatch', 'empty']);
      expect(watch.seen).toHaveLength(1);
      await writeFile(pair.keyFile, second.key);
      await until(() => watch.seen.length === 2);
      await writeFile(pair.keyFile, ''); // the same problem as before, but new again
      await until(() => watch.problems.length === 3);
    });
  });

  test('to a pipe is not opened, which would wait for ever', async () => {
    await watched(async (pair, watch, folder) => {
      await unlink(pair.certFile);
      execFileSync('mkfifo', [pair.certFile]);
      await until(() => watch.problems.some(({ message }) => message.includes('is a pipe')));
      await unlink(pair.certFile);
      await writePair(folder, second);
      await until(() => watch.seen.length === 2);
    });
  });
});

test('an error of the receiver is reported, and the same content is handed over again', async () => {
  let offers = 0;
  const problems: string[] = [];
  const { close } = watchLoaded({
    files: ['a'],
    load: async () => 'text',
    key: (text) => text,
    current: undefined,
    pollMs: OFTEN,
    onChange: () => {
      if (++offers < 3) throw new Error('not now');
    },
    onError: ({ message }) => problems.push(message),
  });
  await until(() => offers === 3);
  expect(problems).toEqual(['not now']);
  close();
});

test('nothing is called after it was closed', async () => {
  await watched(async (pair, watch, folder) => {
    const witness = observe(pair, OFTEN);
    await until(() => witness.seen.length === 1);
    watch.close();
    await writePair(folder, second);
    await until(() => witness.seen.length === 2);
    await unlink(pair.keyFile);
    await until(() => witness.problems.length > 0);
    expect([watch.seen.length, watch.problems]).toEqual([1, []]);
    witness.close();
  });
});

test('20 rotations break no living connection, and each new one meets the new certificate', async () => {
  await inFolder(async (folder) => {
    const pair = await mountPair(folder, first);
    const { server, port, close } = await echoServer(await loadCertificate(pair));
    let applied = 0;
    const watch = watchLoaded({
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
    for (let rotation = 1; rotation <= 20; rotation++) {
      const next = await issue();
      await mountPair(folder, next);
      await until(() => applied === rotation);
      const socket = await handshake(port, next.ca);
      expect(socket.getPeerX509Certificate()?.fingerprint256).toBe(fingerprintOf(next));
      alive.push(socket);
      for (const [index, old] of alive.entries())
        expect(await echo(old, `${rotation}/${index}`)).toBe(`${rotation}/${index}`);
    }
    watch.close();
    for (const socket of alive) socket.destroy();
    await close();
  });
}, 30_000);

/** As `mv` does it, file by file. */
async function replacePair(folder: string, content: { cert: string; key: string }): Promise<Pair> {
  const pair = pairIn(folder);
  await writeFile(`${pair.certFile}.new`, content.cert);
  await writeFile(`${pair.keyFile}.new`, content.key);
  await rename(`${pair.certFile}.new`, pair.certFile);
  await rename(`${pair.keyFile}.new`, pair.keyFile);
  return pair;
}
