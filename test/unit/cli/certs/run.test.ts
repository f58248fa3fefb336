import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { runInCluster, type SecretFlags } from '../../../../src/cli/certs/run.ts';
import type { ApiClient } from '../../../../src/cluster/live/client.ts';
import { ClusterError, type ClusterErrorCode } from '../../../../src/cluster/live/errors.ts';
import { musterHere } from '../../../support/in-process.ts';
import { newStore } from './store.ts';

let streams: Readonly<Record<'out' | 'err', string[]>>;
beforeEach(() => {
  streams = { out: [], err: [] };
  jest.spyOn(process.stdout, 'write').mockImplementation((text) => streams.out.push(String(text)) > 0);
  jest.spyOn(process.stderr, 'write').mockImplementation((text) => streams.err.push(String(text)) > 0);
});
afterEach(() => {
  jest.restoreAllMocks();
  process.exitCode = 0;
});

const FLAGS = {
  secret: 'muster-system/muster-tls',
  service: 'muster-system/muster',
  webhook: 'muster',
  overlap: 3_600_000,
};

test.each(['', 'a', 'a/', '/b', 'a/b/c', 'A/b', 'a/B', 'a.b/c', 'a/..', 'a/-b', '../x/y', 'a/b?c', 'a/b\n'])(
  '--secret %j is refused: it becomes a part of a path',
  async (secret) => {
    await expect(runWith({ ...FLAGS, secret })).rejects.toThrow(/^--secret takes NAMESPACE\/NAME/);
    await expect(runWith({ ...FLAGS, service: secret })).rejects.toThrow(/^--service takes NAMESPACE\/NAME/);
    const webhook = secret === 'a' ? 'a/b' : secret;
    await expect(runWith({ ...FLAGS, webhook })).rejects.toThrow(/^--webhook takes the name/);
  },
);

describe('a run', () => {
  test('writes its lines, and ends with 0', async () => {
    const { code, out, err } = await run(newStore(Date.now()).client);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out.split('\n')).toHaveLength(7);
  });

  test('that ends with its output, between two steps, ends with 1: a later run takes the next', async () => {
    const codes: unknown[] = [];
    jest.spyOn(process.stdout, 'write').mockImplementation(() => codes.push(process.exitCode) > 0);
    expect((await run(newStore(Date.now()).client)).code).toBe(0);
    expect(new Set(codes)).toEqual(new Set([1]));
  });

  test.each<[ClusterErrorCode, number, RegExp]>([
    [
      'forbidden',
      2,
      /^error: no; grant get and update on Secret muster-system\/muster-tls .* "muster"; if the Secret was deleted, .*\n$/,
    ],
    ['unauthorized', 2, /^error: no\n$/],
    ['unreachable', 2, /^error: no\n$/],
    ['invalid', 2, /^error: no\n$/],
    // A later run may find it.
    ['unavailable', 1, /^error: no\n$/],
    ['timeout', 1, /^error: no\n$/],
  ])('%s: exit %d', async (failure, code, text) => {
    const before = () => Promise.reject(new ClusterError(failure, 'no'));
    const answer = await run(newStore(Date.now()).clientWith({ before }));
    expect(answer).toEqual({ code, out: '', err: expect.stringMatching(text) });
  });

  test('no way to a cluster is an error', async () => {
    const run = runWith({ ...FLAGS, kubeconfig: '/nowhere' });
    await expect(run).rejects.toThrow(/^--kubeconfig \/nowhere can't be read/);
  });

  test('put off: exit 1', async () => {
    const { code, err } = await run(newStore(Date.now() - 3_600_000).client);
    expect([code, err]).toEqual([1, expect.stringMatching(/^error: this machine's clock is 60 minutes ahead/)]);
  });

  test('what the API server says can forge no line', async () => {
    const before = () => Promise.reject(new ClusterError('invalid', 'a\nerror: b\u001b[2J'));
    expect((await run(newStore(Date.now()).clientWith({ before }))).err).toBe('error: a\\u000aerror: b\\u001b[2J\n');
  });

  test('our own mistakes are not hidden behind an exit code', async () => {
    const before = () => Promise.reject(new TypeError('a bug'));
    await expect(run(newStore(Date.now()).clientWith({ before }))).rejects.toThrow(TypeError);
  });
});

test.each<[string[], RegExp]>([
  [['--secret', 'a/b', '--dir', 'x'], /'--secret <ns\/name>' cannot be used with option '--dir <folder>'/],
  [['--secret', 'a/b', '--force'], /'--secret <ns\/name>' cannot be used with option '--force'/],
  [['--secret', 'a/b', '--webhook', 'c'], /^error: --secret needs --service/],
  [['--secret', 'a/b', '--service', 'c/d'], /^error: --secret needs --webhook/],
  [['--secret', 'a/b', '--overlap', '169h'], /It takes a time from 1s to 168h/],
])('muster certs %j is refused', async (args, message) => {
  const { code, err } = await musterHere(['certs', ...args], { cwd: '.' });
  expect([code, err]).toEqual([2, expect.stringMatching(message)]);
});

function run(api: ApiClient) {
  return runWith(FLAGS, async () => api);
}

async function runWith(flags: SecretFlags, open?: Parameters<typeof runInCluster>[1]) {
  process.exitCode = 0;
  await runInCluster(flags, open);
  return { code: process.exitCode, out: streams.out.join(''), err: streams.err.join('') };
}
