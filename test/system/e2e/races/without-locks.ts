/** A server that reads consistently and takes no locks: the tests of races must see it fail. */
import { join } from 'node:path';
import { openCluster } from '../../../../src/cluster/live/client.ts';
import { createLiveView } from '../../../../src/cluster/live/live-view.ts';
import { createEngine } from '../../../../src/engine/index.ts';
import { readAdmissionReview } from '../../../../src/engine/review.ts';
import { type ControlPlane, type ScriptedWebhook, startWebhook } from '../harness/index.ts';

export async function serveWithoutLocks(controlPlane: ControlPlane): Promise<ScriptedWebhook> {
  const client = await openCluster({ kubeconfig: controlPlane.kubeconfig('muster') });
  const engine = createEngine({ point: 'webhook', live: true });
  const server = await startWebhook(join(controlPlane.folder, 'without-locks'), async ({ review }, response) => {
    const reading = readAdmissionReview(review);
    if (reading.kind !== 'evaluate') throw new Error(`not evaluated: ${JSON.stringify(review)}`);
    const deadline = { at: Date.now() + 5000, signal: new AbortController().signal };
    const verdict = await engine.evaluate(reading.subject, createLiveView({ client, deadline }));
    const allowed = verdict.outcome === 'allowed';
    const { apiVersion, kind, request } = review;
    response.end(JSON.stringify({ apiVersion, kind, response: { uid: request.uid, allowed, status: { code: 403 } } }));
  });
  return {
    ...server,
    close() {
      server.close();
      client.close();
    },
  };
}
