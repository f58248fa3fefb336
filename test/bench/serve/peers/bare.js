/** The floor: `node:https`, one constant answer, nothing read. `node bare.js PORT CERT KEY` */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';

const [port, cert, key] = process.argv.slice(2);
const ANSWER = JSON.stringify({
  apiVersion: 'admission.k8s.io/v1',
  kind: 'AdmissionReview',
  response: { uid: '00000000-0000-4000-8000-000000000000', allowed: true },
});
const HEADERS = { 'Content-Type': 'application/json', 'Content-Length': String(Buffer.byteLength(ANSWER)) };

const server = createServer({ cert: readFileSync(cert), key: readFileSync(key) }, (request, response) => {
  request.resume();
  request.once('end', () => response.writeHead(200, HEADERS).end(ANSWER));
});
server.listen(Number(port), '127.0.0.1');
