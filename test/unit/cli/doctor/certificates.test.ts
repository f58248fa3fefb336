/** The CA bundle and the Secret with the server's certificate, as doctor reports them. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { type IssuedCertificates, issueCertificates } from '../../../../src/certificates/issue.ts';
import { certificatesIn } from '../../../../src/certificates/keyring.ts';
import { checkBundle, checkCertificates, checkSecret } from '../../../../src/cli/doctor/certificates.ts';
import type { DoctorContext } from '../../../../src/cli/doctor/remedies.ts';
import type { ApiClient } from '../../../../src/cluster/live/client.ts';
import { contextOf, SERVICE } from './context.ts';

const DAY = 86_400_000;
const base64 = (text: string) => Buffer.from(text).toString('base64');

let issued: IssuedCertificates;
let other: IssuedCertificates;
let others: readonly IssuedCertificates[];
beforeAll(async () => {
  const names = ['muster.muster-system.svc'];
  const all = Array.from({ length: 7 }, () => issueCertificates({ names }));
  [issued, other, ...others] = (await Promise.all(all)) as [IssuedCertificates, IssuedCertificates];
});

function holding(data: Readonly<Record<string, string>>, days = 0, service = SERVICE): DoctorContext {
  const entries = Object.entries(data).map(([key, text]) => [key, base64(text)]);
  const body = { data: Object.fromEntries(entries) };
  const client = { call: async () => ({ body, date: undefined }) } as unknown as ApiClient;
  const clock = () => Date.now() + days * DAY;
  return contextOf({ client, clock, service });
}

describe('the Secret', () => {
  const secretOf = ({ cert, key, ca }: IssuedCertificates) => ({ 'tls.crt': cert, 'tls.key': key, 'ca.crt': ca });
  const trusting = (...issuers: readonly IssuedCertificates[]) => certificatesIn(issuers.map(({ ca }) => ca).join(''));
  const good = () => secretOf(issued);
  const twoCas = () => ({ ...good(), 'ca.crt': issued.ca + other.ca });

  test.each([
    ['a certificate of the trusted CA works', () => [holding(good()), trusting(issued)], 'ok', /valid until/],
    ['one of several trusted CAs is enough', () => [holding(good()), trusting(other, issued)], 'ok', /valid until/],
    ['any number of trusted CAs', () => [holding(good()), trusting(issued, ...others)], 'ok', /valid until/],
    ['two thirds of its life are over', () => [holding(good(), 61), trusting(issued)], 'warn', /rotation is due/],
    ['another name', () => [holding(good(), 0, { ...SERVICE, name: 'b' }), trusting(issued)], 'fail', /not for b\./],
    ['an expired certificate', () => [holding(good(), 91), trusting(issued)], 'fail', /expired at/],
    ['another CA', () => [holding(good()), trusting(other)], 'fail', /works: caBundle lacks its CA/],
    ['no CA, without webhooks', () => [holding({ ...good(), 'ca.crt': '' })], 'fail', /works: ca\.crt lacks its CA/],
    ['another key', () => [holding({ ...good(), 'tls.key': other.key }), trusting(issued)], 'fail', /not the key of/],
    ['no certificate', () => [holding({}), trusting(issued)], 'fail', /no certificate yet/],
    ['a CA that the API server does not trust', () => [holding(twoCas()), trusting(issued)], 'fail', /caBundle lacks/],
  ] as const)('%s', async (_, inputs, status, message) => {
    const [context, roots] = inputs() as [DoctorContext, ReturnType<typeof trusting>];
    expect(await checkSecret(context, roots)).toMatchObject({ status, message: expect.stringMatching(message) });
  });
});

describe('the bundle', () => {
  const check = (bundles: readonly string[], days = 0, isUntrusted = false) => {
    const webhooks = bundles.map((pem, index) => ({ name: `w${index}`, clientConfig: { caBundle: base64(pem) } }));
    return checkBundle(holding({}, days), webhooks, isUntrusted).check;
  };

  test.each([
    ['the same everywhere', () => check([issued.ca, issued.ca]), 'ok', /one CA, until/],
    ['different', () => check([issued.ca, other.ca]), 'fail', /w1 and w0 differ/],
    ['empty, for a Service', () => check(['']), 'fail', /is empty/],
    ['text', () => check(['rubbish']), 'fail', /no PEM certificate/],
    ['without the CA that a call met', () => check([issued.ca], 0, true), 'fail', /does not contain the CA/],
    ['expired', () => check([issued.ca], 4000), 'fail', /no CA that is valid now/],
  ] as const)('%s', (_, result, status, message) => {
    expect(result()).toMatchObject({ status, message: expect.stringMatching(message) });
  });
});

describe('the Job', () => {
  const condition = (type: string) => ({ status: { conditions: [{ type, status: 'True', message: 'why' }] } });
  const old = { metadata: { name: 'old', creationTimestamp: '2026-01-01T00:00:00Z' }, ...condition('Failed') };
  const jobOf = (state: object) => ({ metadata: { name: 'new', creationTimestamp: '2026-01-02T00:00:00Z' }, ...state });

  test.each([
    ['runs, and the certificate is missing', {}, {}, 'wait', /^runs: it makes/],
    ['failed, and the certificate is missing', condition('Failed'), {}, 'fail', /^failed: why/],
    ['complete, and the certificate is missing', condition('Complete'), {}, 'ok', /^complete/],
    ['runs, as it does each hour', {}, undefined, 'ok', /^runs/],
    ['failed, as it may in an hour', condition('Failed'), undefined, 'warn', /^failed: why/],
  ] as const)('%s', async (_, state, data, status, message) => {
    const good = { 'tls.crt': issued.cert, 'tls.key': issued.key, 'ca.crt': issued.ca };
    const context = holding(data ?? good);
    const client = {
      call: async (request: { path: string }) =>
        request.path.includes('/jobs?')
          ? { body: { items: [old, jobOf(state)] } }
          : context.client.call(request as never),
    } as unknown as ApiClient;
    const checks = await checkCertificates({ ...context, client }, false);
    const { title, ...job } = checks.find(({ id }) => id === 'certificate/job') ?? { title: '' };
    expect(job).toMatchObject({ status, message: expect.stringMatching(message) });
    expect(title).toMatch(/\/new$/);
  });
});
