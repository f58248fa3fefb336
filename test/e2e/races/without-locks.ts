/** A server that reads consistently and takes no locks: the tests of races must see it fail. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openCluster } from '../../../src/cluster/live/client.ts';
import { createLiveView, noObserver } from '../../../src/cluster/live/view.ts';
import { createEngine } from '../../../src/engine/index.ts';
import { createApp } from '../../../src/server/app.ts';
import { listen } from '../../../src/server/lifecycle/listen.ts';
import { issueCertificates } from '../../../src/tls/issue.ts';
import type { ControlPlane } from '../harness/index.ts';

export interface PlainServer {
  readonly url: string;
  readonly caFile: string;
  close(): Promise<void>;
}

export async function serveWithoutLocks(controlPlane: ControlPlane): Promise<PlainServer> {
  const client = await openCluster({ kubeconfig: controlPlane.kubeconfig('muster') });
  const tls = await issueCertificates({ names: ['127.0.0.1'] });
  const engine = createEngine({ point: 'webhook', live: true });
  const app = createApp({
    tls,
    current: { engine },
    clusterState: {
      evaluate: (subject, given, deadline) =>
        given.evaluate(subject, createLiveView({ client, observer: noObserver, deadline })),
    },
    metrics: { requestStarted: () => {}, requestEnded: () => {}, decided: () => {} },
    log: { decision: () => {} },
    observer: {
      evaluationsCrashed: () => {},
      rejected: () => {},
      connectionClosed: () => {},
      internalError: () => {},
      handshakeFailed: () => {},
      callerRejected: () => {},
    },
  });
  const listening = await listen(app, { host: '127.0.0.1', port: 0 });
  const caFile = join(controlPlane.folder, 'without-locks.crt');
  writeFileSync(caFile, tls.ca);
  return {
    url: `https://127.0.0.1:${listening.port}`,
    caFile,
    async close() {
      await listening.close(0);
      client.close();
    },
  };
}
