/** Checks the CA bundle that the API server trusts, the Secret of the certificate, and the Job that makes both. */

import type { X509Certificate } from 'node:crypto';
import { type JsonObject, textAt } from '../../base/json.ts';
import { formatTime } from '../../base/syntax.ts';
import { certificatesIn, KEYS, type Pair, pairOf } from '../../certificates/keyring.ts';
import { renewalOf } from '../../certificates/secret-rotation.ts';
import { bundleAt } from '../certs/ca-bundles.ts';
import { secretText } from '../certs/cluster-secret.ts';
import { webhooksOf } from './installed.ts';
import { certsRemedy, type DoctorContext } from './remedies.ts';
import { type PossibleResults, resultsOf, type UnlinkedCheck } from './report.ts';
import { conditionOf, itemsOf, read } from './stored-objects.ts';

/** The checks on which the trust of the API server depends. */
const MADE_BY = ['certificate/job', 'installation/certs'] as const;

/**
 * Checks `caBundle` of all webhooks, then the Secret, then the Job that makes both.
 * @param isUntrusted whether a call of the API server showed that it does not know the CA
 */
export async function checkCertificates(
  context: DoctorContext,
  isUntrusted: boolean,
): Promise<readonly UnlinkedCheck[]> {
  const { check, roots } = checkBundle(context, webhooksOf(context.registration), isUntrusted);
  const made = [check, await checkSecret(context, roots)].filter((one) => one !== undefined);
  const isWell = made.every(({ status }) => status === 'ok' || status === 'unknown');
  return [...made, ...(await checkJob(context, isWell))];
}

/**
 * Checks `caBundle` of all webhooks; without webhooks there is no check. `roots` is what every webhook trusts;
 * undefined if they differ, or trust the API server's own roots.
 */
export function checkBundle(
  context: DoctorContext,
  webhooks: readonly JsonObject[],
  isUntrusted = false,
): { readonly check?: UnlinkedCheck; readonly roots?: readonly X509Certificate[] } {
  const results = resultsOf('certificate/bundle', 'caBundle of the webhooks');
  const fail = (message: string) => ({ check: results.fail(message, certsRemedy(context), { after: MADE_BY }) });
  const [first, ...others] = webhooks.map((webhook) => ({
    name: textAt(webhook, ['name']) ?? '',
    pem: bundleAt(webhook),
  }));
  if (first === undefined) return {};
  const differing = others.filter(({ pem }) => pem !== first.pem).map(({ name }) => name);
  if (differing.length > 0) return fail(`is not the same everywhere: ${differing.join(', ')} and ${first.name} differ`);
  const roots = certificatesIn(first.pem);
  if (roots.length > 0) {
    const check = checkRoots(results, context, roots);
    if (!isUntrusted || check.status === 'fail') return { check, roots };
    return { ...fail("does not contain the CA of the server's certificate"), roots };
  }
  if (first.pem.trim() !== '') return fail('has no PEM certificate');
  // A server behind a URL may have a certificate of a public CA.
  if (context.way.kind !== 'url') return fail('is empty');
  if (isUntrusted)
    return fail("is empty, and the API server's own roots do not contain the CA of the server's certificate");
  return { check: results.ok("empty: the API server's own roots apply") };
}

function checkRoots(
  results: PossibleResults,
  context: DoctorContext,
  roots: readonly X509Certificate[],
): UnlinkedCheck {
  const now = context.clock();
  const valid = roots.filter((root) => root.validFromDate.getTime() <= now && now <= root.validToDate.getTime());
  if (valid.length === 0) {
    const dates = roots.map((root) => `${formatTime(root.validFromDate)} to ${formatTime(root.validToDate)}`);
    const message = `has no CA that is valid now: ${dates.join(', ')}`;
    return results.fail(message, certsRemedy(context), { after: MADE_BY });
  }
  const latest = new Date(Math.max(...valid.map(({ validToDate }) => validToDate.getTime())));
  const message = `${roots.length === 1 ? 'one CA' : `${roots.length} CAs`}, until ${formatTime(latest)}`;
  const pairs = valid.map((root) => ({ leaf: root, issuer: root }));
  return dueOrOk(results, context, message, pairs);
}

/**
 * Checks the Secret that the server mounts, with the CAs that the API server trusts (default: its own). A server behind
 * a URL has its certificate in files: then there is no check.
 */
export async function checkSecret(
  context: DoctorContext,
  roots: readonly X509Certificate[] | undefined,
): Promise<UnlinkedCheck | undefined> {
  const { client, namespace, names, service, way } = context;
  if (way.kind === 'url') return undefined;
  const results = resultsOf('certificate/secret', `Secret ${namespace}/${names.secret}`);
  const secret = await read(client, { apiVersion: 'v1', plural: 'secrets', namespace, name: names.secret });
  if (secret.kind === 'unknown') return results.unknown(secret.reason, secret.remedy);
  const fail = (message: string) =>
    results.fail(message, certsRemedy(context), { after: ['certificate/bundle', ...MADE_BY] });
  if (secret.kind === 'missing') return fail('is missing: the server has no certificate');
  const { data } = secretText(secret.body);
  const own = certificatesIn(data[KEYS.ca] ?? '');
  const trusted = roots ?? own;
  const [, ...intermediates] = certificatesIn(data[KEYS.cert] ?? '');
  const pair = pairOf([data[KEYS.cert], data[KEYS.key]], [...trusted, ...intermediates], {
    names: [`${service.name}.${service.namespace}.svc`],
    now: new Date(context.clock()),
    caName: roots === undefined ? KEYS.ca : 'caBundle',
  });
  if ('fault' in pair) return fail(`has no certificate that works: ${pair.fault}`);
  const fingerprints = trusted.map(({ fingerprint256 }) => fingerprint256);
  if (own.some(({ fingerprint256 }) => !fingerprints.includes(fingerprint256)))
    return fail('ca.crt has a CA that caBundle lacks');
  return dueOrOk(results, context, `valid until ${formatTime(pair.leaf.validToDate)}`, [pair]);
}

/** Warns if two thirds of the life of all pairs are over. */
function dueOrOk(
  results: PossibleResults,
  context: DoctorContext,
  message: string,
  pairs: readonly Pair[],
): UnlinkedCheck {
  if (pairs.some((pair) => context.clock() <= renewalOf(pair).getTime())) return results.ok(message);
  return results.warn(`${message}: rotation is due`, certsRemedy(context));
}

/** Checks the newest Job that makes certificates. @param isWell whether all that it makes is there */
async function checkJob(
  { client, namespace, way, programs: { kubectl } }: DoctorContext,
  isWell: boolean,
): Promise<readonly UnlinkedCheck[]> {
  if (way.kind === 'url') return [];
  const query = '?labelSelector=app.kubernetes.io%2Fcomponent%3Dcerts';
  const list = await read(client, { apiVersion: 'batch/v1', plural: 'jobs', namespace }, query);
  if (list.kind === 'unknown')
    return [resultsOf('certificate/job', 'Job of certificates').unknown(list.reason, list.remedy)];
  const created = (job: JsonObject) => textAt(job, ['metadata', 'creationTimestamp']) ?? '';
  const [newest] = itemsOf(list).toSorted((a, b) => created(b).localeCompare(created(a)));
  const name = textAt(newest, ['metadata', 'name']);
  if (name === undefined) return [];
  const results = resultsOf('certificate/job', `Job ${namespace}/${name}`);
  const failed = conditionOf(newest, 'Failed');
  if (textAt(failed, ['status']) === 'True') {
    const message = `failed: ${textAt(failed, ['message']) ?? 'without a reason'}`;
    const remedy = `see why: ${kubectl} -n ${namespace} logs job/${name}`;
    return [isWell ? results.warn(message, remedy) : results.fail(message, remedy)];
  }
  if (textAt(conditionOf(newest, 'Complete'), ['status']) === 'True') return [results.ok('complete')];
  if (isWell) return [results.ok('runs')];
  const wait = `${kubectl} -n ${namespace} wait --for=condition=complete job/${name} --timeout=10m`;
  return [results.wait('runs: it makes the certificate and writes its CA into caBundle', `wait for it: ${wait}`)];
}
