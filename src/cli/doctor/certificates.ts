/** Checks the CA bundle that the API server trusts, and the Secret with the server's certificate. The probes show what the server presents. */
import { X509Certificate } from 'node:crypto';
import { CERTS, SERVER } from '../../manifests/names.ts';
import { textAt } from '../../rules/json.ts';
import type { JsonObject } from '../../rules/rule.ts';
import { KEYS, readKeyring } from '../../tls/keyring.ts';
import { CERTIFICATE_BLOCK, moment } from '../../tls/load.ts';
import { renewalOf } from '../../tls/rotation.ts';
import { certsRemedy, type DoctorContext, deleteCommand } from './context.ts';
import { read } from './read.ts';
import { type Check, type CheckResults, resultsOf } from './report.ts';

/** Reads the certificates of a PEM text; `problem` says why it can't be used as it is. */
export function readBundle(pem: string): {
  readonly certificates: readonly X509Certificate[];
  readonly problem?: string;
} {
  const blocks = pem.match(CERTIFICATE_BLOCK) ?? [];
  if (blocks.length === 0) {
    return { certificates: [], problem: pem.trim() === '' ? 'is empty' : 'has no PEM certificate' };
  }
  const certificates: X509Certificate[] = [];
  for (const block of blocks) {
    try {
      certificates.push(new X509Certificate(block));
    } catch {
      return { certificates, problem: `has no X.509 certificate in its PEM block ${certificates.length + 1}` };
    }
  }
  return { certificates };
}

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
  const bundles = webhooks.map((webhook) => ({
    name: textAt(webhook, ['name']) ?? '',
    bundle: readBundle(fromBase64(textAt(webhook, ['clientConfig', 'caBundle']))),
  }));
  const [first, ...others] = bundles;
  if (first === undefined) return {};
  // A server behind a URL may have a certificate of a public CA.
  const mayBeEmpty = context.target !== undefined && 'url' in context.target;
  for (const { name, bundle } of bundles) {
    if (bundle.problem === undefined || (mayBeEmpty && bundle.problem === 'is empty')) continue;
    return fail(`of ${name} ${bundle.problem}`);
  }
  const { certificates } = first.bundle;
  const differing = others.filter(({ bundle }) => !isSameSet(certificates, bundle.certificates));
  if (differing.length > 0) {
    return fail(`is not the same everywhere: ${differing.map(({ name }) => name).join(', ')} and ${first.name} differ`);
  }
  if (certificates.length > 0) return { check: checkRoots(results, context, certificates), roots: certificates };
  return { check: results.ok("empty: the API server's own roots apply") };
}

function fromBase64(text: string | undefined): string {
  return Buffer.from(text ?? '', 'base64').toString('utf8');
}

function isSubset(some: readonly X509Certificate[], all: readonly X509Certificate[]): boolean {
  const fingerprints = all.map(({ fingerprint256 }) => fingerprint256);
  return some.every(({ fingerprint256 }) => fingerprints.includes(fingerprint256));
}

function isSameSet(some: readonly X509Certificate[], others: readonly X509Certificate[]): boolean {
  return isSubset(some, others) && isSubset(others, some);
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
): Promise<Check | undefined> {
  const { client, namespace, secret: name, target } = context;
  if (target !== undefined && 'url' in target) return undefined;
  const results = resultsOf('certificate/secret', `Secret ${namespace}/${name}`);
  const path = `/api/v1/namespaces/${namespace}/secrets/${name}`;
  const secret = await read(client, path, `get secrets ${name} in ${namespace}`);
  if (secret.kind === 'unknown') return results.unknown(secret.reason, secret.remedy);
  if (secret.kind === 'missing') return results.fail('is missing: the server has no certificate', certsRemedy(context));
  const [cert = '', key = '', ca = ''] = [KEYS.cert, KEYS.key, KEYS.ca].map((each) =>
    fromBase64(textAt(secret.body, ['data', each])),
  );
  const own = readBundle(ca).certificates;
  const trusted = roots ?? own;
  const [, ...intermediates] = readBundle(cert).certificates;
  const chain = [...trusted, ...intermediates].join('');
  const service = target?.service ?? { name: SERVER, namespace };
  const { current, fault } = readKeyring({
    secret: { data: { [KEYS.cert]: cert, [KEYS.key]: key, [KEYS.ca]: chain }, since: undefined },
    bundles: [],
    names: [`${service.name}.${service.namespace}.svc`],
    now: new Date(context.clock()),
  });
  if (current === undefined) return results.fail(`has no certificate that works: ${fault}`, certsRemedy(context));
  if (!isSubset(own, trusted)) return results.fail('ca.crt has a CA that caBundle lacks', certsRemedy(context));
  const message = `valid until ${moment(current.leaf.validToDate)}`;
  if (context.clock() <= renewalOf(current).getTime()) return results.ok(message);
  return results.warn(`${message}: rotation is due`, certsRemedy(context));
}

/** Finds the CronJob that renews the certificates of a server in the cluster: it would overwrite the CA of one behind a URL. */
export async function checkRenewal(context: DoctorContext): Promise<Check | undefined> {
  const { client, namespace, target } = context;
  if (target === undefined || !('url' in target)) return undefined;
  const results = resultsOf('certificate/renewal', `CronJob ${namespace}/${CERTS}`);
  const path = `/apis/batch/v1/namespaces/${namespace}/cronjobs/${CERTS}`;
  const job = await read(client, path, `get cronjobs.batch ${CERTS} in ${namespace}`);
  if (job.kind === 'missing') return undefined;
  if (job.kind === 'unknown') return results.unknown(job.reason, job.remedy);
  const message =
    'was left by a server in the cluster: it overwrites caBundle with a CA that is not the one of this URL';
  return results.warn(message, `delete it, with its account and its Secret: ${deleteCommand(context, 'certs')}`);
}
