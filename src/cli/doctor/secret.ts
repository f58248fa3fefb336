/** The Secret that the server mounts: what is in it, and whether the API server would accept it. Key material is never shown. */
import { createPrivateKey, type X509Certificate } from 'node:crypto';
import { textAt } from '../../rules/json.ts';
import type { JsonObject } from '../../rules/rule.ts';
import { moment } from '../../tls/load.ts';
import { isDueForRenewal, isSame, readBase64Pem, refusalOf } from './certificates.ts';
import { certs, type Examination } from './examination.ts';
import { look } from './look.ts';
import { about, type Check, type Verdicts } from './report.ts';

/**
 * Undefined for a server behind a URL: it has its certificate in files, whatever a Secret of that name holds.
 * @param roots what the API server trusts, where that is known
 */
export async function checkSecret(
  examination: Examination,
  roots: readonly X509Certificate[] | undefined,
): Promise<Check | undefined> {
  const { client, namespace, secret, target } = examination;
  if (target !== undefined && 'url' in target) return undefined;
  const verdicts = about('certificate/secret', `Secret ${namespace}/${secret}`);
  const path = `/api/v1/namespaces/${namespace}/secrets/${secret}`;
  const sight = await look(client, { path, right: `get secrets ${secret} in ${namespace}` });
  if (sight.kind === 'unknown') return verdicts.unknown(sight.reason, sight.remedy);
  if (sight.kind === 'missing')
    return verdicts.fail('is not there: the server can have no certificate', certs(examination));
  const broken = brokenPart(sight.body);
  if (broken !== undefined) return verdicts.fail(broken, certs(examination));
  return judge(verdicts, examination, sight.body, roots);
}

/** What makes it unusable whoever reads it. */
function brokenPart(secret: JsonObject): string | undefined {
  for (const name of ['tls.crt', 'tls.key']) if (partOf(secret, name) === '') return `has no ${name}`;
  for (const name of ['tls.crt', 'ca.crt']) {
    const { problem } = readBase64Pem(partOf(secret, name));
    // Without a CA of its own it may still do: caBundle is what counts.
    if (problem !== undefined && partOf(secret, name) !== '') return `${name} ${problem}`;
  }
  const [leaf] = readBase64Pem(partOf(secret, 'tls.crt')).certificates;
  const key = keyOf(secret);
  if (key === undefined) return 'tls.key holds no PEM key that can be read';
  return leaf?.checkPrivateKey(key) ? undefined : 'tls.key is not the key of tls.crt';
}

function keyOf(secret: JsonObject) {
  try {
    return createPrivateKey(Buffer.from(partOf(secret, 'tls.key'), 'base64').toString('utf8'));
  } catch {
    // Whatever it was, an error's text may quote it.
    return undefined;
  }
}

function judge(
  verdicts: Verdicts,
  examination: Examination,
  secret: JsonObject,
  roots: readonly X509Certificate[] | undefined,
): Check {
  const chain = readBase64Pem(partOf(secret, 'tls.crt')).certificates;
  const own = readBase64Pem(partOf(secret, 'ca.crt')).certificates;
  const now = examination.clock();
  const name = serverName(examination);
  const trusted = roots ?? own;
  const refused = refusalOf(chain, trusted, name, now);
  if (refused !== undefined)
    return verdicts.fail(`the API server would refuse its certificate: ${refused}`, certs(examination));
  const absent = own.filter((each) => !trusted.some((root) => isSame(root, each)));
  if (absent.length > 0) {
    return verdicts.fail(`ca.crt has ${absent.length} of ${own.length} CAs that caBundle lacks`, certs(examination));
  }
  const [leaf] = chain;
  const until = leaf === undefined ? '' : moment(leaf.validToDate);
  if (leaf !== undefined && isDueForRenewal(leaf, now)) {
    return verdicts.warn(`good until ${until}: rotation is due`, certs(examination));
  }
  return verdicts.ok(`good until ${until}`);
}

/** The name by which the API server calls a Service. */
export function serverName({ target, namespace }: Pick<Examination, 'target' | 'namespace'>): string {
  if (target === undefined) return `muster.${namespace}.svc`;
  if ('service' in target) return `${target.service.name}.${target.service.namespace}.svc`;
  return new URL(target.url).hostname.replace(/^\[|\]$/g, '');
}

function partOf(secret: JsonObject, name: string): string {
  return textAt(secret, ['data', name]) ?? '';
}
