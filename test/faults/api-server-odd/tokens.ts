/** Short-lived tokens of muster's service account, bound to a Secret each, so that they end when it is deleted. */
import { mkdtempSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { askerOf, type ControlPlane, codeOf, type Json, startMuster } from '../../e2e/harness/index.ts';
import { type FaultyProxy, startFaultyProxy } from './proxy.ts';
import type { Question } from './questions.ts';

interface IssuedToken {
  readonly token: string;
  /** Ends it. The API server accepts it for some more seconds from its cache. */
  end(): Promise<void>;
}

let issued = 0;

async function issueToken({ api }: ControlPlane): Promise<IssuedToken> {
  const call = async (method: string, path: string, body?: object): Promise<Json> => {
    const answer = await api('admin').call(method, path, body);
    if (answer.status > 299) throw new Error(`${answer.status} ${answer.body.message}`);
    return answer.body;
  };
  const name = `token-${++issued}`;
  const secrets = '/api/v1/namespaces/muster-system/secrets';
  await call('POST', secrets, { metadata: { name } });
  const boundObjectRef = { kind: 'Secret', apiVersion: 'v1', name };
  const path = '/api/v1/namespaces/muster-system/serviceaccounts/muster/token';
  const { status } = await call('POST', path, { spec: { expirationSeconds: 600, boundObjectRef } });
  return { token: status.token, end: () => call('DELETE', `${secrets}/${name}`) };
}

/** How muster gets its token. */
export interface TokenSource {
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

/** Starts a muster that gets its token from this source, and runs `use` with it. */
async function withMuster<T>(
  controlPlane: ControlPlane,
  source: TokenSource,
  use: (proxy: FaultyProxy, first: IssuedToken, ask: (question: Question) => Promise<Json>) => Promise<T>,
): Promise<T> {
  const proxy = await startFaultyProxy(controlPlane);
  const first = await issueToken(controlPlane);
  const muster = await startMuster({ args: ['--kubeconfig', source.kubeconfig(proxy, first.token)] });
  const asker = askerOf(muster);
  try {
    return await use(proxy, first, ({ write }) => asker.ask(write));
  } finally {
    asker.close();
    await muster.stop();
    await proxy.close();
  }
}

export interface Rotated {
  readonly reviews: number;
  /** Verdicts that were not the right one. */
  readonly wrong: number;
  readonly unauthorized: number;
  /** Answers of 401 after the last rotation was noticed. */
  readonly lasting: number;
}

/** Renews the token so many times during reviews. The one before ends at the same moment. */
export function rotate(
  controlPlane: ControlPlane,
  source: TokenSource,
  question: Question,
  times: number,
): Promise<Rotated> {
  return withMuster(controlPlane, source, async (proxy, first, ask) => {
    const ended = new Set<string>();
    proxy.token = (authorization) => (ended.has(authorization) ? undefined : authorization);
    let current = first;
    const codes: number[] = [];
    const review = async () => void codes.push(codeOf(await ask(question)));
    for (let time = 0; time < times; time++) {
      await review();
      const next = await issueToken(controlPlane);
      const pending = review();
      source.renew(next.token);
      ended.add(`Bearer ${current.token}`);
      await Promise.all([pending, review(), review(), current.end()]);
      current = next;
    }
    await review();
    const before = proxy.unauthorized;
    for (let again = 0; again < 10; again++) await review();
    const { unauthorized } = proxy;
    const wrong = codes.filter((code) => code !== question.right).length;
    return { reviews: codes.length, wrong, unauthorized, lasting: unauthorized - before };
  });
}

export interface Ended {
  /** Milliseconds from the end of the token until a verdict was 503, and that answer. */
  readonly took: number;
  readonly answer: Json;
  /** The verdict, then, on a write that needs no other object. */
  readonly alone: number;
  /** Answers of 401 until the token was renewed, and after that. */
  readonly refused: number;
  readonly lasting: number;
  /** Verdicts after the renewal. */
  readonly codes: readonly number[];
}

/** Ends a token that the API server itself no longer accepts, and renews it. */
export function endToken(controlPlane: ControlPlane, question: Question, alone: Question): Promise<Ended> {
  const source = byFile(controlPlane);
  return withMuster(controlPlane, source, async (proxy, token, ask) => {
    await ask(question);
    await token.end();
    const began = performance.now();
    let answer = await ask(question);
    for (; codeOf(answer) !== 503 && performance.now() - began < 60_000; await sleep(200)) answer = await ask(question);
    const took = performance.now() - began;
    const without = codeOf(await ask(alone));
    const refused = proxy.unauthorized;
    source.renew((await issueToken(controlPlane)).token);
    const codes: number[] = [];
    for (let time = 0; time < 10; time++) codes.push(codeOf(await ask(question)));
    return { took, answer, alone: without, refused, lasting: proxy.unauthorized - refused, codes };
  });
}
