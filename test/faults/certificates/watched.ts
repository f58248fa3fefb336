/** A server that watches the files of a folder: its certificate, the CA of its callers and its configuration. */
import { join } from 'node:path';
import { type Muster, startMuster } from '../../e2e/harness/index.ts';
import { type Caller, type CallerCa, callerCa } from '../../tls/callers.ts';
import { issuePair } from './pair.ts';
import { codeOf, type Probe, probe } from './probe.ts';
import { configuration, RESERVED } from './reserved.ts';
import { put } from './spoil.ts';

export interface Watched {
  readonly folder: string;
  readonly muster: Muster;
  readonly callers: CallerCa;
  /** A caller that gets in. */
  readonly me: Caller;
  /** PEM of every CA that what is shown may be under. */
  trusted: string;
  /** The verdict on `RESERVED`, under the configuration in use. */
  expected: 403 | 200;
}

export async function startWatched(folder: string): Promise<Watched> {
  const callers = callerCa();
  const { files, ca } = await issuePair();
  put(folder, { ...files, 'callers.crt': callers.pem, 'muster.yaml': configuration('deny'), 'ca.crt': ca });
  const args = ['--client-ca-file', join(folder, 'callers.crt')];
  const muster = await startMuster({ certs: folder, config: join(folder, 'muster.yaml'), args });
  return { folder, muster, callers, me: callers.issue('me'), trusted: ca, expected: 403 };
}

/** Asks about `RESERVED` as this caller, or as a stranger. */
export function ask({ muster, trusted }: Watched, caller?: Caller): Promise<Probe> {
  return probe(muster.port, trusted, RESERVED, caller);
}

export async function isLetIn(watched: Watched, caller?: Caller): Promise<boolean> {
  return ask(watched, caller).then(
    () => true,
    () => false,
  );
}

/** A handshake with a review; answers the certificate that was shown. @throws Error on any verdict but the two there are */
export async function call(watched: Watched): Promise<string> {
  const { shown, response } = await ask(watched, watched.me);
  if (![403, 200].includes(codeOf(response))) throw new Error(`a verdict of ${codeOf(response)}`);
  return shown;
}

/** Files that it has read and told to be bad, so far. */
export async function refusals({ muster }: Watched): Promise<number> {
  const text = await muster.metrics();
  const counts = [...text.matchAll(/^muster_\w+_reloads_total\{outcome="refused"\} (\d+)/gm)];
  return counts.reduce((sum, [, count]) => sum + Number(count), 0);
}
