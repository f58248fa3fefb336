/** What the server really presents, where it can be reached from here; else what the probes tell. */
import type { X509Certificate } from 'node:crypto';
import { inPod } from '../../cluster/live/in-pod.ts';
import { textAt } from '../../rules/json.ts';
import type { JsonObject } from '../../rules/rule.ts';
import { moment } from '../../tls/load.ts';
import { isDueForRenewal, refusalOf } from './certificates.ts';
import { certs, type Examination } from './examination.ts';
import { type Address, shakeHands } from './handshake.ts';
import { about, type Check, type Verdicts } from './report.ts';
import { serverName } from './secret.ts';

export interface Served {
  /** What the API server trusts, where that is known. */
  readonly roots: readonly X509Certificate[] | undefined;
  /** The Service, where it could be read. */
  readonly service: JsonObject | undefined;
  /** Whether a probe brought an answer of muster: the API server accepts what it is presented. */
  readonly answered: boolean;
}

/** Undefined where only a probe could tell, and none did. */
export async function checkServed(examination: Examination, served: Served): Promise<Check | undefined> {
  const name = serverName(examination);
  const verdicts = about('certificate/served', `certificate that ${name} presents`);
  const address = addressOf(examination, served.service);
  const accepted = served.answered ? verdicts.ok('the API server accepts it: a probe was answered') : undefined;
  if (address === undefined) return accepted;
  const handshake = await shakeHands(address);
  if (handshake.kind === 'failed') {
    if (accepted !== undefined) return accepted;
    const message = `${address.host}:${address.port} can't be reached from here: ${handshake.reason}`;
    return verdicts.fail(message, 'see that the server runs and listens there: muster serve; then its /readyz?verbose');
  }
  if (served.roots === undefined) {
    if (handshake.publiclyTrusted) return verdicts.ok('a public CA vouches for it');
    return accepted ?? verdicts.fail('no CA that is trusted vouches for it', certs(examination));
  }
  return judge(verdicts, examination, handshake.chain, served.roots);
}

function judge(
  verdicts: Verdicts,
  examination: Examination,
  chain: readonly X509Certificate[],
  roots: readonly X509Certificate[],
): Check {
  const now = examination.clock();
  const refused = refusalOf(chain, roots, serverName(examination), now);
  const [leaf] = chain;
  if (refused !== undefined || leaf === undefined) {
    return verdicts.fail(`the API server refuses it: ${refused}`, certs(examination));
  }
  const message = `good until ${moment(leaf.validToDate)}`;
  return isDueForRenewal(leaf, now)
    ? verdicts.warn(`${message}: rotation is due`, certs(examination))
    : verdicts.ok(message);
}

/** Where to knock. A Service's own name means something in a pod only; an ExternalName is dialled as it is. */
function addressOf(examination: Examination, service: JsonObject | undefined): Address | undefined {
  const { target } = examination;
  if (target === undefined) return undefined;
  const name = serverName(examination);
  if ('url' in target) {
    const { port } = new URL(target.url);
    return { host: name, port: port === '' ? 443 : Number(port), name };
  }
  const external = textAt(service, ['spec', 'externalName']);
  const reachable = external ?? (inPod() ? name : undefined);
  if (reachable === undefined) return undefined;
  return { host: reachable, port: target.service.port, name };
}
