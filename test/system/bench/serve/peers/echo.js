/**
 * What one would write in an afternoon: fastify as it is, the review parsed, allowed under its own uid. `node echo.js
 * PORT CERT KEY`
 */
import { readFileSync } from 'node:fs';
import { fastify } from 'fastify';

const [port, cert, key] = process.argv.slice(2);
const app = fastify({ https: { cert: readFileSync(cert), key: readFileSync(key) } });

app.post('/validate', async ({ body }) => ({
  apiVersion: 'admission.k8s.io/v1',
  kind: 'AdmissionReview',
  response: { uid: body.request.uid, allowed: true },
}));
await app.listen({ host: '127.0.0.1', port: Number(port) });
