/** A JSON client of the API server for tests: connections are kept, and every status is an answer. */
import type { IncomingHttpHeaders } from 'node:http';
import { Agent, request } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';

/** JSON as it comes; a test says what it expects in it. */
// biome-ignore lint/suspicious/noExplicitAny: a test reads the fields it is about, and fails where they are not.
export type Json = any;

export interface ApiAnswer {
  readonly status: number;
  /** The body as JSON, or as text where it is none. */
  readonly body: Json;
  readonly headers: IncomingHttpHeaders;
  /** Texts of the `Warning` headers. */
  readonly warnings: readonly string[];
}

interface CallOptions {
  /** Default: `application/json`, and merge patch for PATCH. */
  readonly contentType?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Api {
  /**
   * Resolves with any status; rejects only where there was no answer. A string body goes as it is. As in all clients of
   * Kubernetes, a 429 with `Retry-After` is no answer: the API server asks to come again, as it does for a moment after
   * each change of a CRD.
   */
  call(method: string, path: string, body?: unknown, options?: CallOptions): Promise<ApiAnswer>;
  close(): void;
}

/** A user of that token; without one, nobody in particular. */
export function createApi(origin: string, ca: string, token: string | undefined): Api {
  const agent = new Agent({ keepAlive: true, ca, scheduling: 'lifo', maxSockets: 256 });
  return {
    async call(method, path, body, options) {
      for (;;) {
        const answer = await call({ origin, agent, token }, method, path, body, options);
        const { 'retry-after': seconds } = answer.headers;
        if (answer.status !== 429 || seconds === undefined) return answer;
        await sleep(Number(seconds) * 1000);
      }
    },
    close: () => agent.destroy(),
  };
}

function call(
  { origin, agent, token }: { origin: string; agent: Agent; token: string | undefined },
  method: string,
  path: string,
  body?: unknown,
  { contentType, headers }: CallOptions = {},
): Promise<ApiAnswer> {
  return new Promise((resolve, reject) => {
    const type = contentType ?? (method === 'PATCH' ? 'application/merge-patch+json' : 'application/json');
    const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
    const sent = request(`${origin}${path}`, {
      method,
      agent,
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        accept: 'application/json',
        ...(text === undefined ? {} : { 'content-type': type, 'content-length': Buffer.byteLength(text) }),
        ...headers,
      },
    });
    sent.once('error', reject);
    sent.once('response', (message) => {
      const chunks: Buffer[] = [];
      message.on('data', (chunk: Buffer) => chunks.push(chunk));
      message.once('error', reject);
      message.once('end', () => {
        const answer = { status: message.statusCode ?? 0, body: parsed(Buffer.concat(chunks).toString()) };
        resolve({ ...answer, headers: message.headers, warnings: warningsOf(message.rawHeaders) });
      });
    });
    sent.end(text);
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** `299 - "text"`, one header each, in UTF-8, with `\"` and `\\` escaped. */
function warningsOf(raw: readonly string[]): string[] {
  const values = raw.filter((_, index) => index % 2 === 1 && raw[index - 1]?.toLowerCase() === 'warning');
  const texts = values.map((value) => Buffer.from(value, 'latin1').toString('utf8'));
  return texts.map((value) => /^299 - "(.*)"$/s.exec(value)?.[1]?.replace(/\\(.)/g, '$1') ?? value);
}
