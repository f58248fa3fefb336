/**
 * Changes of the certificate's files, as the server follows them. test/system/e2e/certs.e2e.ts rotates them under load.
 */
import { expect, test } from '@jest/globals';
import { issueCertificates } from '../../../src/certificates/issue.ts';
import { loadCertificate, loadClientCa } from '../../../src/certificates/load-certificate.ts';
import { loadUnlessInUse, watchCertificate } from '../../../src/cli/serve/certificate.ts';
import { callerCa, period } from '../../support/callers.ts';
import { newFolder } from '../../support/folder.ts';
import { until } from '../../support/until.ts';
import { mountPair } from './fixtures.ts';

test('a pair that expires while it is in use is no refused change; another expired one is', async () => {
  const folder = newFolder().path;
  const past = new Date(Date.now() - 100 * 24 * 3_600_000);
  const pair = await mountPair(folder, await issueCertificates({ names: ['localhost'], now: past }));
  const current = await loadCertificate(pair, past);
  const errors: string[] = [];
  let asked = 0;
  const inUse = () => {
    asked++;
    return current;
  };
  const watch = watchCertificate(pair, {
    inUse,
    current,
    onChange: () => errors.push('a change'),
    onError: ({ message }) => errors.push(message),
    pollMs: 20,
  });
  // Looked at, twice for sure.
  await until(() => asked > 2);
  expect([errors, watch.problem]).toEqual([[], undefined]);
  await mountPair(folder, await issueCertificates({ names: ['localhost'], now: past }));
  await until(() => errors.length > 0);
  expect(errors).toEqual([expect.stringContaining(' expired at ')]);
  expect(watch.problem?.message).toBe(errors[0]);
  watch.close();
});

test('a client CA that expires while it is in use stays in use; another expired one is refused', async () => {
  const folder = newFolder();
  const [ending, other] = [callerCa(period(-3, -1)).pem, callerCa(period(-3, -1)).pem];
  const file = folder.put('ca.crt', ending);
  const inUse = await loadClientCa(file, new Date(Date.now() - 2 * 24 * 3_600_000));
  const load = () =>
    loadUnlessInUse(
      (now) => loadClientCa(file, now),
      ({ pem }) => pem,
      inUse,
    );
  expect(await load()).toBe(inUse);
  folder.put('ca.crt', other);
  await expect(load()).rejects.toThrow(' expired at ');
});
