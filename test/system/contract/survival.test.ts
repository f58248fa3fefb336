import { afterEach, describe, expect, test } from '@jest/globals';
import { endChildren, sampleOf, serveChild, startChild } from '../../support/child.ts';
import { reviewWith } from '../../support/reviews.ts';
import { exchange } from '../../support/test-server.ts';
import { until } from '../../support/until.ts';

afterEach(endChildren);

/** On each SIGUSR2 the next of these happens where nobody catches it. */
const FAULTS = `
const faults = [
  () => { throw new Error('first\\n    second line of secret-marker ' + 'x'.repeat(1_000_000)); },
  () => { Promise.reject(new Error('nobody waited')); },
  () => { throw Object.create(null); },
  () => { Promise.reject({ token: 'secret-marker' }); },
  () => { throw undefined; },
  () => { for (let n = 0; n < 12; n++) setTimeout(() => { throw new Error('again ' + n); }); },
];
process.on('SIGUSR2', () => { const fault = faults.shift(); if (fault) setTimeout(fault); });
`;

describe('a failure that nobody caught', () => {
  test('is logged, counted, shown while it repeats, and ends nothing', async () => {
    const served = await serveChild({ preload: FAULTS });
    const counted = async () => {
      const of = (source: string) => sampleOf(served, `muster_internal_errors_total{source="${source}"}`);
      return [await of('exception'), await of('rejection')];
    };
    expect(await counted()).toEqual([0, 0]);
    const steps = [
      [1, 0],
      [1, 1],
      [2, 1],
      [2, 2],
      [3, 2],
    ];
    for (const step of steps) {
      served.signal('SIGUSR2');
      await until(async () => JSON.stringify(await counted()) === JSON.stringify(step));
      expect(await served.allows()).toBe(true);
    }
    expect(await served.ops('/readyz?verbose')).toContain('[+]internal-errors ok');
    served.signal('SIGUSR2');
    await until(async () => JSON.stringify(await counted()) === '[15,2]');
    expect(await served.ops('/readyz?verbose')).toContain(
      '[!]internal-errors advisory: 17 internal errors in the last minute',
    );
    expect((await fetch(`http://127.0.0.1:${served.opsPort}/readyz`)).status).toBe(200);
    expect(await served.allows()).toBe(true);
    served.signal('SIGINT');
    expect((await served.ended).code).toBe(0);
    const lines = served
      .log()
      .split('\n')
      .filter((line) => line.includes('the server goes on'));
    // One of each kind; the others within ten seconds are counted, not logged.
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({
        level: 'error',
        reference: expect.stringMatching(/^[0-9a-z]{8}$/),
        error: expect.stringMatching(/^first\\u000a {4}second line.*…$/),
        stack: expect.stringMatching(/^at /),
      }),
      expect.objectContaining({ level: 'error', error: 'nobody waited' }),
    ]);
    await until(() => served.log().includes('internal errors in the last minute'));
    expect(served.log().length).toBeLessThan(20_000);
  });

  test('before it serves ends it, with one line that says so', async () => {
    const pod = { KUBERNETES_SERVICE_HOST: '10.0.0.1' };
    const args = [
      '--host',
      '127.0.0.1',
      '--tls-cert-file',
      'no.crt',
      '--tls-private-key-file',
      'no.key',
      '--state',
      '/dev/null',
    ];
    const child = startChild({ args, env: pod, preload: FAULTS });
    await until(() => child.log().includes('waiting for one'), 20_000);
    child.signal('SIGUSR2');
    expect((await child.ended).code).toBe(1);
    expect(child.log()).toMatch(/^error: a bug in muster: Error: first/m);
  });
});

describe('a log that can’t be written', () => {
  const post = async (served: Awaited<ReturnType<typeof serveChild>>, times: number) => {
    for (let n = 0; n < times; n++) if (!(await served.allows())) throw new Error('refused');
  };

  test('that nobody reads: it is held to its bound, and holds up neither verdicts nor the end', async () => {
    const served = await serveChild({ stderr: 'unread' });
    // Each character is logged as six, so that a line has some 10 kB.
    const noise = '\u0001'.repeat(256);
    const loud = JSON.stringify(
      reviewWith({ uid: noise, name: noise, namespace: noise, userInfo: { username: noise } }),
    );
    for (let n = 0; n < 450; n++) await exchange({ port: served.port, ca: served.ca }, loud);
    await until(async () => Number(await sampleOf(served, 'muster_log_lines_dropped_total')) > 0);
    const held = await sampleOf(served, 'muster_log_buffer_bytes');
    const limit = await sampleOf(served, 'muster_log_buffer_limit_bytes');
    expect(Number(held)).toBeGreaterThan(1_000_000);
    expect(Number(held)).toBeLessThanOrEqual(Number(limit));
    await post(served, 20);
    served.signal('SIGINT');
    const { code, after } = await served.ended;
    expect(code).toBe(0);
    expect(after).toBeLessThan(6000);
  });

  test('whose reader is gone: the lines of each failed write are counted, and verdicts go on', async () => {
    const served = await serveChild({ stderr: 'unread' });
    served.process.stderr?.destroy();
    const dropped = async () => Number(await sampleOf(served, 'muster_log_lines_dropped_total'));
    for (const lines of [1, 2]) {
      await post(served, 1);
      await until(async () => (await dropped()) >= lines);
    }
    served.signal('SIGINT');
    expect((await served.ended).code).toBe(0);
  });
});
