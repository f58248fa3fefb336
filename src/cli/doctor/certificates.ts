/** Checks the CA bundle that the API server trusts, and the Secret with the server's certificate. The probes show what the server presents. */
import type { X509Certificate } from 'node:crypto';
import { type JsonObject, textAt } from '../../base/json.ts';
import { SERVER, TLS_SECRET } from '../../manifests/names.ts';
import { certificatesIn, KEYS, readKeyring } from '../../tls/keyring.ts';
import { moment } from '../../tls/load-certificate.ts';
import { renewalOf } from '../../tls/secret-rotation.ts';
import { certsRemedy, type DoctorContext } from './context.ts';
import { read } from './read.ts';
import { type Check, type CheckResults, resultsOf } from './report.ts';

/**
 * Checks `caBundle` of all webhooks; without webhooks there is no check. `roots` is what every webhook trusts; undefined if they
 * differ, or trust the API server's own roots.
 */
export function checkBundle(
  context: DoctorContext,
  webhooks: readonly JsonObject[],
): { readonly check?: Check; readonly roots?: readonly X509Certificate[] } {
  const results = resultsOf('certificate/bundle', 'caBundle of the webhooks');
  const fail = (message: string) => ({ check: results.fail(message, certsRemedy(context)) });
  const [first, ...others] = webhooks.map((webhook) => ({
    name: textAt(webhook, ['name']) ?? '',
    pem: fromBase64(textAt(webhook, ['clientConfig', 'caBundle'])),
  }));
  if (first === undefined) return {};
  const differing = others.filter(({ pem }) => pem !== first.pem).map(({ name }) => name);
  if (differing.length > 0) return fail(`is not the same everywhere: ${differing.join(', ')} and ${first.name} differ`);
  const roots = certificatesIn(first.pem);
  if (roots.length > 0) return { check: checkRoots(results, context, roots), roots };
  if (first.pem.trim() !== '') return fail('has no PEM certificate');
  // A server behind a URL may have a certificate of a public CA.
  const isUrl = context.target !== undefined && 'url' in context.target;
  return isUrl ? { check: results.ok("empty: the API server's own roots apply") } : fail('is empty');
}

function fromBase64(text: string | undefined): string {
  return Buffer.from(text ?? '', 'base64').toString('utf8');
}

function checkRoots(results: CheckResults, context: DoctorContext, roots: readonly X509Certificate[]): Check {
  const now = context.clock();
  const valid = roots.filter((root) => root.validFromDate.getTime() <= now && now <= root.validToDate.getTime());
  if (valid.length === 0) {
    const dates = roots.map((root) => `${moment(root.validFromDate)} to ${moment(root.validToDate)}`);
    return results.fail(`has no CA that is valid now: ${dates.join(', ')}`, certsRemedy(context));
  }
  const latest = new Date(Math.max(...valid.map(({ validToDate }) => validToDate.getTime())));
  const message = `${roots.length === 1 ? 'one CA' : `${roots.length} CAs`}, until ${moment(latest)}`;
  if (valid.some((root) => now <= renewalOf({ leaf: root, issuer: root }).getTime())) return results.ok(message);
  return results.warn(`${message}: rotation is due`, certsRemedy(context));
}

/**
 * Checks the Secret that the server mounts, with the CAs that the API server trusts (default: its own). A server behind a URL has
 * its certificate in files: then there is no check.
 */
export async function checkSecret(
  context: DoctorContext,
  roots: readonly X509Certificate[] | undefined,
): Promise<Check | readonly []> {
  const { client, namespace, target } = context;
  if (target !== undefined && 'url' in target) return [];
  const results = resultsOf('certificate/secret', `Secret ${namespace}/${TLS_SECRET}`);
  const secret = await read(client, { apiVersion: 'v1', plural: 'secrets', namespace, name: TLS_SECRET });
  if (secret.kind === 'unknown') return results.unknown(secret.reason, secret.remedy);
  if (secret.kind === 'missing') return results.fail('is missing: the server has no certificate', certsRemedy(context));
  const data = (key: string) => fromBase64(textAt(secret.body, ['data', key]));
  const own = certificatesIn(data(KEYS.ca));
  const trusted = roots ?? own;
  const [, ...intermediates] = certificatesIn(data(KEYS.cert));
  const service = target?.service ?? { name: SERVER, namespace };
  const chain = [...trusted, ...intermediates].join('');
  const { current, fault } = readKeyring({
    secret: {
      data: { [KEYS.cert]: data(KEYS.cert), [KEYS.key]: data(KEYS.key), [KEYS.ca]: chain },
      since: undefined,
    },
    bundles: [],
    names: [`${service.name}.${service.namespace}.svc`],
    now: new Date(context.clock()),
  });
  if (current === undefined) return results.fail(`has no certificate that works: ${fault}`, certsRemedy(context));
  const fingerprints = trusted.map(({ fingerprint256 }) => fingerprint256);
  if (own.some(({ fingerprint256 }) => !fingerprints.includes(fingerprint256)))
    return results.fail('ca.crt has a CA that caBundle lacks', certsRemedy(context));
  const message = `valid until ${moment(current.leaf.validToDate)}`;
  if (context.clock() <= renewalOf(current).getTime()) return results.ok(message);
  return results.warn(`${message}: rotation is due`, certsRemedy(context));
}
