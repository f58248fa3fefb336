/** A second API server on the etcd of a control plane, as in a highly available cluster. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createApi } from './api.ts';
import { prepareApiServer } from './api-server.ts';
import { ensureAssets } from './assets.ts';
import type { ControlPlane } from './control-plane.ts';
import { tokenOf, USERS, writeKubeconfig } from './users.ts';

/** Returns the control plane as one sees it through the second API server, with the usual users. */
export async function startSecondApiServer(controlPlane: ControlPlane): Promise<ControlPlane> {
  const folder = join(controlPlane.folder, 'second');
  mkdirSync(folder);
  const program = (await ensureAssets())['kube-apiserver'];
  const server = await prepareApiServer(program, { folder, etcdUrl: controlPlane.etcd.url, users: USERS });
  await server.start();
  const { url, ca, caFile } = server;
  const clients = new Map(Object.keys(USERS).map((user) => [user, createApi(url, ca, tokenOf(user))]));
  return {
    ...controlPlane,
    url,
    caFile,
    folder,
    api(user) {
      const client = clients.get(user);
      if (client === undefined) throw new Error(`the second API server has no user "${user}"`);
      return client;
    },
    kubeconfig: (user, options) =>
      writeKubeconfig(join(folder, `${user}.kubeconfig`), user, { url, caFile, ...options }),
    apiServerPid: server.pid,
    startApiServer: server.start,
    stopApiServer: server.stop,
    async stop() {
      for (const client of clients.values()) client.close();
      await server.stop('SIGKILL');
    },
  };
}
