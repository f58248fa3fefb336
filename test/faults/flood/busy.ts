/** Floods of whole requests: as many as a few connections carry, each sending its next when answered. */
import type { Socket } from 'node:net';
import { type Flood, keepUp, tls } from './sockets.ts';
import type { Tally } from './tally.ts';

/** Requests on their way on one connection, before the first answer. */
const PIPELINED = 4;

/** Valid reviews of 4 MiB each, pipelined. */
export async function bigReviews(flood: Flood): Promise<void> {
  const request = post('/validate?timeout=5s', review(4 * 1024 * 1024));
  keepUp(flood, (each) => conversation(each, () => request, PIPELINED));
}

/** Small reviews without end, whose answers are never read. */
export async function deaf(flood: Flood): Promise<void> {
  const many = Buffer.concat(Array.from({ length: 64 }, () => post('/validate?timeout=5s', faulty())));
  keepUp(flood, (each) => {
    const socket = tls(each).pause();
    const send = () => {
      do each.tally.requests += 64;
      while (socket.write(many));
    };
    socket.once('secureConnect', send);
    socket.on('drain', send);
    return socket;
  });
}

/** Paths and methods that are not served. */
export async function wrongPaths(flood: Flood): Promise<void> {
  const requests = [
    Buffer.from('GET /validate HTTP/1.1\r\nhost: muster\r\n\r\n'),
    post('/', Buffer.from('{}')),
    Buffer.from('DELETE /mutate HTTP/1.1\r\nhost: muster\r\n\r\n'),
    Buffer.from(`GET /${'x'.repeat(8000)} HTTP/1.1\r\nhost: muster\r\n\r\n`),
  ];
  let turn = 0;
  const next = () => requests[turn++ % requests.length] ?? Buffer.alloc(0);
  keepUp(flood, (each) => conversation(each, next, PIPELINED));
}

/** Sends the next request when an answer begins; `ahead` of them are under way. */
function conversation(flood: Flood, next: () => Buffer, ahead: number): Socket {
  const socket = tls(flood);
  const send = () => {
    if (!socket.writable) return;
    flood.tally.requests += 1;
    socket.write(next());
  };
  socket.once('secureConnect', () => {
    for (let count = 0; count < ahead; count += 1) send();
  });
  socket.on('data', (chunk: Buffer) => {
    for (const status of statusesIn(chunk)) {
      count(flood.tally, status);
      // A pause between answer and next request: the flood is to cost muster its time, not the machine.
      setTimeout(send, 5);
    }
  });
  return socket;
}

/** A status line may be split over two chunks; then it is not counted. */
function statusesIn(chunk: Buffer): string[] {
  return chunk.toString('latin1').match(/(?<=HTTP\/1\.1 )\d{3}/g) ?? [];
}

function count(tally: Tally, status: string): void {
  tally.answers[status] = (tally.answers[status] ?? 0) + 1;
}

function post(path: string, body: Buffer): Buffer {
  const head = `POST ${path} HTTP/1.1\r\nhost: muster\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), body]);
}

/** A valid review of about so many bytes: a claim with annotations, of which JSON has much to make. */
function review(bytes: number): Buffer {
  const annotations = Object.fromEntries(
    Array.from({ length: bytes / 64 }, (_, n) => [`example.com/${n}`, 'x'.repeat(40)]),
  );
  return reviewOf({ name: 'flood.example.com', annotations }, 'a value');
}

/** One that earns findings: its answer is longer than most. */
function faulty(): Buffer {
  return reviewOf({ name: 'Flood' }, 'x'.repeat(2000));
}

function reviewOf(metadata: object, value: string): Buffer {
  const request = {
    uid: 'sent-by-a-stranger',
    kind: { group: 'multicluster.x-k8s.io', version: 'v1alpha1', kind: 'ClusterClaim' },
    resource: { group: 'multicluster.x-k8s.io', version: 'v1alpha1', resource: 'clusterclaims' },
    operation: 'CREATE',
    userInfo: { username: 'stranger', groups: [] },
    object: { apiVersion: 'multicluster.x-k8s.io/v1alpha1', kind: 'ClusterClaim', metadata, spec: { value } },
    oldObject: null,
  };
  return Buffer.from(JSON.stringify({ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', request }));
}
