/**
 * Receivers of spans: OTLP over gRPC, which API servers send, and OTLP over HTTP as JSON, which muster sends. An
 * OpenTelemetry Collector would take minutes to build. These decide nothing: they only record ids and names.
 */
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { createServer as createHttp2Server, type ServerHttp2Stream } from 'node:http2';
import type { AddressInfo } from 'node:net';

/** The ids are in hexadecimal; of a span without a parent, `parentId` is empty. */
export interface ReceivedSpan {
  readonly traceId: string;
  readonly id: string;
  readonly parentId: string;
  readonly name: string;
  /** Ids of spans that it links to, as TRACE/SPAN. */
  readonly links: readonly string[];
}

export interface SpanReceiver {
  /** HOST:PORT */
  readonly address: string;
  readonly spans: readonly ReceivedSpan[];
  close(): void;
}

/** Receives what `--tracing-config-file` of an API server sends. */
export async function receiveGrpc(): Promise<SpanReceiver> {
  const spans: ReceivedSpan[] = [];
  const server = createHttp2Server();
  const sessions = new Set<{ destroy(): void }>();
  server.on('session', (session) => sessions.add(session));
  server.on('stream', async (stream: ServerHttp2Stream) => {
    const body = await bytesOf(stream);
    // Five bytes before the message: whether it is compressed, and its length.
    spans.push(...spansOf(body.subarray(5)));
    stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
    stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
    stream.end(Buffer.alloc(5));
  });
  const address = await listening(server as unknown as Server);
  const close = () => {
    for (const session of sessions) session.destroy();
    server.close();
  };
  return { address, spans, close };
}

/** Receives what `--tracing-endpoint` of muster sends. */
export async function receiveJson(): Promise<SpanReceiver> {
  const spans: ReceivedSpan[] = [];
  const server = createServer(async (request, response) => {
    const { resourceSpans } = JSON.parse((await bytesOf(request)).toString());
    for (const { scopeSpans } of resourceSpans) {
      for (const span of scopeSpans.flatMap((scope: { spans: unknown[] }) => scope.spans)) {
        const { traceId, spanId: id, parentSpanId: parentId = '', name } = span;
        spans.push({ traceId, id, parentId, name, links: [] });
      }
    }
    response.setHeader('content-type', 'application/json').end('{}');
  });
  const address = await listening(server);
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { address, spans, close };
}

async function bytesOf(stream: IncomingMessage | ServerHttp2Stream): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

async function listening(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Numbers of the fields in `opentelemetry/proto/trace/v1/trace.proto`. */
function spansOf(request: Buffer): readonly ReceivedSpan[] {
  const scopes = fields(request, 1).flatMap((resource) => fields(resource, 2));
  return scopes
    .flatMap((scope) => fields(scope, 2))
    .map((span) => {
      const hex = (from: Buffer, field: number) => fields(from, field)[0]?.toString('hex') ?? '';
      const links = fields(span, 13).map((link) => `${hex(link, 1)}/${hex(link, 2)}`);
      const name = fields(span, 5)[0]?.toString() ?? '';
      return { traceId: hex(span, 1), id: hex(span, 2), parentId: hex(span, 4), name, links };
    });
}

/** Returns the values of one field of a message of protocol buffers, if they are bytes, text or messages. */
function fields(message: Buffer, wanted: number): readonly Buffer[] {
  const found: Buffer[] = [];
  let at = 0;
  const varint = () => {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = message[at++] ?? 0;
      value += (byte & 127) * factor;
      if (byte < 128) return value;
    }
  };
  while (at < message.length) {
    const key = varint();
    const field = Math.floor(key / 8);
    const type = key % 8;
    if (type === 0) varint();
    else if (type === 1) at += 8;
    else if (type === 5) at += 4;
    else {
      const length = varint();
      if (field === wanted) found.push(message.subarray(at, at + length));
      at += length;
    }
  }
  return found;
}
