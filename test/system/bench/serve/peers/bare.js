/**
 * The lower bound: `node:https`, one constant answer, nothing read. `node bare.js PORT CERT KEY [--uid]`; with `--uid`
 * the answer is under the request's, cut out of the bytes, without which an API server takes none.
 */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';

const [port, cert, key, flag] = process.argv.slice(2);
const NO_UID = '00000000-0000-4000-8000-000000000000';
const ANSWER = JSON.stringify({
  apiVersion: 'admission.k8s.io/v1',
  kind: 'AdmissionReview',
  response: { uid: NO_UID, allowed: true },
});
const HEADERS = { 'Content-Type': 'application/json', 'Content-Length': String(Buffer.byteLength(ANSWER)) };

const server = createServer({ cert: readFileSync(cert), key: readFileSync(key) }, (request, response) => {
  let uid = NO_UID;
  if (flag === '--uid') request.on('data', (chunk) => (uid = uidIn(chunk) ?? uid));
  else request.resume();
  request.once('end', () =>
    response.writeHead(200, HEADERS).end(uid === NO_UID ? ANSWER : ANSWER.replace(NO_UID, uid)),
  );
});
server.listen(Number(port), '127.0.0.1');

function uidIn(chunk) {
  return /"request":\{"uid":"([^"]{36})"/.exec(chunk.toString('latin1'))?.[1];
}
