/** Spans that are sent to a collector: a real HTTP server, or none. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import { createTraceExport } from '../../../../src/server/tracing/export.ts';

const cleanups: (() => void)[] = [];
afterEach(() => {
  for (const clean of cleanups.splice(0)) clean();
});

/** A collector that answers with this status; 0: with 200, but only once it is released. */
async function collector(status: number) {
  let isHeld = status === 0;
  const held: (() => void)[] = [];
  const received: { path: string; spans: number }[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = JSON.parse(Buffer.concat(chunks).toString());
    received.push({ path: request.url ?? '', spans: body.resourceSpans[0].scopeSpans[0].spans.length });
    const answer = () => void response.writeHead(status || 200, { 'content-type': 'application/json' }).end('{}');
    if (isHeld) held.push(answer);
    else answer();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanups.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const release = () => {
    isHeld = false;
    for (const answer of held) answer();
  };
  return { received, release, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

function exportTo(endpoint: string) {
  const counts: Record<string, number> = {};
  const onSpans = (outcome: string, count: number) => {
    counts[outcome] = (counts[outcome] ?? 0) + count;
  };
  const made = createTraceExport({ endpoint, ratio: 1, version: '1.2.3', instance: 'one', onSpans });
  const end = (spans: number) => {
    for (let n = 0; n < spans; n++) made.tracer.startSpan('a').end();
  };
  return { ...made, counts, end };
}

test.each([
  ['', '/v1/traces'],
  ['/', '/v1/traces'],
  ['/otlp/v1/traces', '/otlp/v1/traces'],
])('a close sends what waits; the path "%s" becomes %s', async (path, expected) => {
  const { url, received } = await collector(200);
  const { end, close, counts, bound } = exportTo(url + path);
  end(3);
  expect(bound()).toEqual({ name: 'trace_spans', held: 3, limit: 2048 });
  await close(10_000);
  expect(received).toEqual([{ path: expected, spans: 3 }]);
  expect([counts, bound().held]).toEqual([{ exported: 3 }, 0]);
});

test('a collector that refuses: failed', async () => {
  const { url } = await collector(400);
  const { end, close, counts } = exportTo(url);
  end(2);
  await close(10_000);
  expect(counts).toEqual({ failed: 2 });
});

test('a collector that never answers: the queue has a limit, and a close ends in time', async () => {
  const { url, release } = await collector(0);
  const { end, close, counts, bound } = exportTo(url);
  end(3000);
  expect([bound().held, counts]).toEqual([2048, { dropped: 952 }]);
  await close(100);
  expect(counts).toEqual({ dropped: 952 });
  release();
  await close(10_000);
  expect(counts).toEqual({ dropped: 952, exported: 2048 });
});
