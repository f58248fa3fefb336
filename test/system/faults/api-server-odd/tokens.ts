/** Tokens of muster's service account, in all the ways in which muster gets one, and their renewal. */
import { mkdtempSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { askerOf, type ControlPlane, codeOf, done, startMuster } from '../../e2e/harness/index.ts';
import { type FaultyProxy, startFaultyProxy } from './proxy.ts';
import type { Question } from './questions.ts';

async function issueToken({ api }: ControlPlane): Promise<string> {
  const path = '/api/v1/namespaces/muster-system/serviceaccounts/muster/token';
  const answer = await api('admin').call('POST', path, { spec: { expirationSeconds: 600 } });
  done(answer);
  return answer.body.status.token;
}

/** How muster gets its token. */
interface TokenSource {
  /** Writes the kubeconfig with the first token; returns its path. */
  kubeconfig(proxy: FaultyProxy, token: string): string;
  renew(token: string): void;
}

/** In a file that is replaced by a link, as a kubelet does. */
export function byFile({ folder }: ControlPlane): TokenSource {
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

export function byKubeconfig(): TokenSource {
  let renew: TokenSource['renew'] = () => {};
  return {
    renew: (token) => renew(token),
    kubeconfig(proxy, token) {
      const file = proxy.kubeconfig({ token });
      renew = (next) => void proxy.kubeconfig({ token: next }, file);
      return file;
    },
  };
}

/** By a plugin that prints it without an expiry time. */
export function byPlugin({ folder }: ControlPlane): TokenSource {
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

/**
 * Renews the token so many times during reviews. The one before ends at the same moment. Returns the number of reviews,
 * of verdicts that were not the right one, of answers of 401, and of those after the last rotation was noticed.
 */
export async function rotate(controlPlane: ControlPlane, source: TokenSource, question: Question, times: number) {
  const proxy = await startFaultyProxy(controlPlane);
  let current = await issueToken(controlPlane);
  const muster = await startMuster({ args: proxy.flags(source.kubeconfig(proxy, current)) });
  const asker = askerOf(muster);
  const ended = new Set<string>();
  proxy.token = (authorization) => (ended.has(authorization) ? undefined : authorization);
  const codes: number[] = [];
  const review = async () => void codes.push(codeOf(await asker.ask(question.write)));
  try {
    for (let time = 0; time < times; time++) {
      await review();
      const next = await issueToken(controlPlane);
      const pending = review();
      source.renew(next);
      ended.add(`Bearer ${current}`);
      await Promise.all([pending, review(), review()]);
      current = next;
    }
    await review();
    const before = proxy.unauthorized;
    for (let again = 0; again < 10; again++) await review();
    const { unauthorized } = proxy;
    const wrong = codes.filter((code) => code !== question.right).length;
    return { reviews: codes.length, wrong, unauthorized, lasting: unauthorized - before };
  } finally {
    asker.close();
    await muster.stop();
    await proxy.close();
  }
}
