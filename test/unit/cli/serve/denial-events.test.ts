/** Events of denied writes, with an API server in memory that only records the calls. */
import { expect, test } from '@jest/globals';
import { BETWEEN_REPEATS, createDenialEvents } from '../../../../src/cli/serve/denial-events.ts';
import type { ApiRequest } from '../../../../src/cluster/live/client.ts';
import { ClusterError } from '../../../../src/cluster/live/errors.ts';
import { type Fields, requestOf } from '../../../support/reviews.ts';
import { decisionOf, finding, verdict, warning } from '../../server/verdicts.ts';

const FOUND = verdict({ outcome: 'denied', findings: [finding({ message: 'got "a\u202eb"' }), warning()] });
const denied = (sent: Fields = {}) => decisionOf(requestOf(sent), { outcome: 'denied', verdict: FOUND });

/** The object of a decision. */
function named(name: string): Fields {
  return { name, object: { apiVersion: 'multicluster.x-k8s.io/v1alpha1', metadata: { name } } };
}

/** `fail` may throw in place of an answer. `repeat` ends the pauses after which an Event may be written again. */
function events(fail: (call: ApiRequest) => void = () => {}) {
  const calls: ApiRequest[] = [];
  const outcomes: string[] = [];
  const lines: string[] = [];
  const repeats: (() => void)[] = [];
  const decided = createDenialEvents({
    client: {
      call: async (call) => {
        calls.push(call);
        fail(call);
        return { body: {}, date: undefined };
      },
    },
    metrics: { event: (outcome) => void outcomes.push(outcome) },
    log: { warn: (line) => void lines.push(line) },
    instance: 'muster-0',
    pause: (milliseconds) =>
      milliseconds === BETWEEN_REPEATS ? new Promise((resolve) => repeats.push(resolve)) : Promise.resolve(),
  });
  const repeat = async () => {
    for (const end of repeats.splice(0)) end();
    await settled();
  };
  return { calls, outcomes, lines, decided, repeat };
}

/** All promises that can settle have: nothing here waits for a timer. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

test('a denial becomes an Event, in which no text is raw; the next ones raise its count', async () => {
  const { calls, outcomes, decided, repeat } = events();
  for (let n = 0; n < 5; n++) decided(denied());
  await settled();
  expect(calls).toHaveLength(1);
  await repeat();
  const [first, second] = calls;
  expect(first).toMatchObject({ method: 'POST', path: '/api/v1/namespaces/default/events' });
  const name = expect.stringMatching(/^muster\.[0-9a-f]{16}$/);
  const involvedObject = {
    apiVersion: 'multicluster.x-k8s.io/v1alpha1',
    kind: 'ClusterClaim',
    name: 'zone.example.com',
  };
  const message = expect.stringMatching(/^CREATE denied: \[claim\/id-syntax\] [^[]*\\u202e[^[]*$/);
  const about = { reason: 'WriteDenied', action: 'CREATE', type: 'Warning', count: 1, involvedObject, message };
  expect(first?.body).toMatchObject({
    ...about,
    metadata: { name, namespace: 'default' },
    reportingInstance: 'muster-0',
  });
  expect(second).toMatchObject({
    method: 'PATCH',
    path: expect.stringContaining('/events/muster.'),
    body: { count: 5 },
  });
  // What is written already is not written again.
  await repeat();
  await repeat();
  expect(outcomes).toEqual(['written', 'written']);
});

test('the version of a forged review is escaped, and kept at no length', async () => {
  const { calls, decided } = events();
  const kind = { group: 'multicluster.x-k8s.io', version: `v1\u001b${'9'.repeat(10_000)}`, kind: 'ClusterClaim' };
  decided(denied({ kind }));
  await settled();
  const apiVersion = expect.stringMatching(/^multicluster\.x-k8s\.io\/v1\\u001b9{249}…$/);
  expect(calls[0]?.body).toMatchObject({ involvedObject: { apiVersion } });
});

test('what can not be written is counted and logged once, and the next denial tries again', async () => {
  const refused = new ClusterError('forbidden', 'the API server at https://x refuses');
  const { outcomes, lines, decided, repeat } = events(() => {
    throw refused;
  });
  for (const count of [1, 2]) {
    decided(denied());
    await repeat();
    await repeat();
    expect(outcomes).toHaveLength(count);
  }
  expect([outcomes, lines.length]).toEqual([['failed', 'failed'], 1]);
  expect(lines[0]).toContain('muster manifests --events');
});

test('an Event from before a restart of the server is updated', async () => {
  const { calls, outcomes, decided } = events(({ method }) => {
    if (method === 'POST') throw new ClusterError('conflict', 'already exists');
  });
  decided(denied());
  await settled();
  expect([calls.map(({ method }) => method), outcomes]).toEqual([['POST', 'PATCH'], ['written']]);
});

test('an Event that is gone is written anew, with its count', async () => {
  const { calls, decided, repeat } = events(({ method }) => {
    if (method === 'PATCH') throw new ClusterError('not-found', 'gone');
  });
  decided(denied());
  decided(denied());
  await settled();
  await repeat();
  expect(calls.map(({ method }) => method)).toEqual(['POST', 'PATCH', 'POST']);
  expect(calls.at(-1)?.body).toMatchObject({ count: 2, firstTimestamp: expect.any(String) });
});

test('no more than a hundred wait', () => {
  const { outcomes, decided } = events();
  for (let n = 0; n < 150; n++) decided(denied(named(`n-${n}`)));
  expect(outcomes.filter((outcome) => outcome === 'dropped')).toHaveLength(49);
});
