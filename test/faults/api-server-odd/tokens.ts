/** Short-lived tokens of muster's account: asked of the API server, bound to a Secret, and over when that is deleted. */
import { mkdtempSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ControlPlane, type Json, startMuster } from '../../e2e/harness/index.ts';
import { askerOf } from '../../e2e/races/ask.ts';
import { type OddProxy, startOddProxy } from './proxy.ts';
import type { Question } from './worlds.ts';

export interface IssuedToken {
  readonly token: string;
  /** The API server goes on to take it for some seconds: it remembers what it has checked. */
  end(): Promise<void>;
}

let issued = 0;

export async function issueToken({ api }: ControlPlane): Promise<IssuedToken> {
  const admin = api('admin');
  const name = `token-${++issued}`;
  const secrets = '/api/v1/namespaces/muster-system/secrets';
  await expectDone(admin.call('POST', secrets, { metadata: { name } }));
  const path = '/api/v1/namespaces/muster-system/serviceaccounts/muster/token';
  const boundObjectRef = { kind: 'Secret', apiVersion: 'v1', name };
  const { status } = await expectDone(admin.call('POST', path, { spec: { expirationSeconds: 600, boundObjectRef } }));
  return { token: status.token, end: async () => void (await expectDone(admin.call('DELETE', `${secrets}/${name}`))) };
}

async function expectDone(call: ReturnType<ReturnType<ControlPlane['api']>['call']>) {
  const { status, body } = await call;
  if (status > 299) throw new Error(`${status} ${body.message}`);
  return body;
}

/** A way to give muster a token: what stands in the kubeconfig, and how a new one is handed over. */
export interface Way {
  /** Writes the kubeconfig, with the first token; returns its path. */
  kubeconfig(proxy: OddProxy, token: string): string;
  renew(token: string): void;
}

/** As a kubelet does: the file is swapped by a link beside it. */
export function byFile({ folder }: ControlPlane): Way {
  const mount = mkdtempSync(join(folder, 'token-'));
  const renew = (token: string) => {
    const data = mkdtempSync(join(mount, '..data-'));
    writeFileSync(join(data, 'token'), token);
    symlinkSync(data, join(mount, '..data_tmp'));
    renameSync(join(mount, '..data_tmp'), join(mount, '..data'));
  };
  return {
    renew,
    kubeconfig(proxy, token) {
      renew(token);
      symlinkSync(join('..data', 'token'), join(mount, 'token'));
      return proxy.kubeconfig({ tokenFile: join(mount, 'token') });
    },
  };
}

export function byKubeconfig(): Way {
  let renew: Way['renew'] = () => {};
  return {
    renew: (token) => renew(token),
    kubeconfig(proxy, token) {
      const file = proxy.kubeconfig({ token });
      renew = (next) => void proxy.kubeconfig({ token: next }, file);
      return file;
    },
  };
}

/** By a program that prints it, and does not say until when it is good. */
export function byPlugin({ folder }: ControlPlane): Way {
  const file = join(mkdtempSync(join(folder, 'plugin-')), 'credential.json');
  const apiVersion = 'client.authentication.k8s.io/v1';
  const renew = (token: string) =>
    writeFileSync(file, JSON.stringify({ apiVersion, kind: 'ExecCredential', status: { token } }));
  return {
    renew,
    kubeconfig(proxy, token) {
      renew(token);
      return proxy.kubeconfig({ exec: { apiVersion, command: 'cat', args: [file], interactiveMode: 'Never' } });
    },
  };
}

export interface Rotated {
  readonly asked: number;
  /** Answers that were not the right one. */
  readonly wrong: number;
  readonly unauthorized: number;
  /** Of these, in the calls after the last rotation had been noticed. */
  readonly lasting: number;
}

/** Renews the token so many times while a write is asked about; the one before ends at the same moment. */
export async function rotate(
  controlPlane: ControlPlane,
  way: Way,
  { write, right }: Question,
  times: number,
): Promise<Rotated> {
  const proxy = await startOddProxy(controlPlane);
  const over = new Set<string>();
  proxy.token = (authorization) => (over.has(authorization) ? undefined : authorization);
  let current = await issueToken(controlPlane);
  const muster = await startMuster({ args: ['--kubeconfig', way.kubeconfig(proxy, current.token)] });
  const asker = askerOf(muster);
  const codes: number[] = [];
  const ask = async () => void codes.push(codeOf(await asker.ask(write)));
  try {
    for (let time = 0; time < times; time++) {
      await ask();
      const next = await issueToken(controlPlane);
      const answer = ask();
      way.renew(next.token);
      over.add(`Bearer ${current.token}`);
      await Promise.all([answer, ask(), ask(), current.end()]);
      current = next;
    }
    await ask();
    const before = proxy.unauthorized;
    for (let again = 0; again < 10; again++) await ask();
    const { unauthorized } = proxy;
    const wrong = codes.filter((code) => code !== right).length;
    return { asked: codes.length, wrong, unauthorized, lasting: unauthorized - before };
  } finally {
    asker.close();
    await muster.stop();
    await proxy.close();
  }
}

export function codeOf(response: Json): number {
  return response.allowed ? 200 : response.status.code;
}
