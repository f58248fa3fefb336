import { spawnSync } from 'node:child_process';
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { checkServerIdentity } from 'node:tls';
import { describe, expect, test } from '@jest/globals';
import { issueCertificates } from '../../../src/certificates/issue.ts';
import { newFolder } from '../../support/folder.ts';
import { DAY, echo, echoServer, handshake, issue } from './fixtures.ts';

const NOW = new Date('2026-03-01T12:34:56.789Z');

describe('issueCertificates', () => {
  test('signs a leaf that Node verifies in a real handshake, by name and by address', async () => {
    const { ca, cert, key } = await issue();
    const { port, close } = await echoServer({ cert, key });
    const byName = await handshake(port, ca);
    const byAddress = await handshake(port, ca, {});
    expect(await echo(byName, 'name')).toBe('name');
    expect(await echo(byAddress, 'address')).toBe('address');
    expect(checkServerIdentity('::1', byName.getPeerCertificate())).toBeUndefined();
    await expect(handshake(port, ca, { servername: 'elsewhere.example' })).rejects.toMatchObject({
      code: 'ERR_TLS_CERT_ALTNAME_INVALID',
    });
    await expect(handshake(port, (await issue()).ca)).rejects.toThrow(/verify|self-signed|issuer|signature/i);
    byName.destroy();
    byAddress.destroy();
    await close();
  });

  test('dates the leaf an hour back and 90 days ahead, and the CA around it', async () => {
    const { ca, cert, notBefore, notAfter } = await issue(NOW);
    const root = new X509Certificate(ca);
    const leaf = new X509Certificate(cert);
    expect(leaf.validFromDate).toEqual(new Date('2026-03-01T11:34:56Z'));
    expect(leaf.validToDate).toEqual(new Date('2026-05-30T12:34:56Z'));
    expect({ notBefore, notAfter }).toEqual({ notBefore: leaf.validFromDate, notAfter: leaf.validToDate });
    expect(root.validFromDate < leaf.validFromDate).toBe(true);
    expect(root.validToDate > leaf.validToDate).toBe(true);
    expect(root.validToDate.getTime() - leaf.validToDate.getTime()).toBeLessThanOrEqual(2 * DAY);
  });

  test('writes dates from 2050 on with four digits of a year', async () => {
    const { cert } = await issue(new Date('2049-12-01T00:00:00Z'));
    const leaf = new X509Certificate(cert);
    expect(leaf.validFromDate).toEqual(new Date('2049-11-30T23:00:00Z'));
    expect(leaf.validToDate).toEqual(new Date('2050-03-01T00:00:00Z'));
  });

  test('makes EC P-256 keys, and another CA, key and serial each time', async () => {
    const made = await Promise.all([issue(), issue(), issue()]);
    for (const { key } of made) {
      expect(createPrivateKey(key)).toMatchObject({
        asymmetricKeyType: 'ec',
        asymmetricKeyDetails: { namedCurve: 'prime256v1' },
      });
    }
    const leaves = made.map(({ cert }) => new X509Certificate(cert));
    expect(new Set(made.map(({ key }) => key)).size).toBe(3);
    expect(new Set(leaves.map(({ issuer }) => issuer)).size).toBe(3);
    expect(new Set(leaves.map(({ serialNumber }) => serialNumber)).size).toBe(3);
    for (const { serialNumber } of leaves) expect(serialNumber).toMatch(/^[4-7][0-9A-F]{31}$/);
  });

  test('is accepted by openssl in strict mode, and OpenSSL sees the extensions that strict verifiers want', async () => {
    const folder = newFolder().path;
    const { ca, cert } = await issue();
    await writeFile(join(folder, 'ca.crt'), ca);
    await writeFile(join(folder, 'tls.crt'), cert);
    const strict = ['verify', '-x509_strict', '-purpose', 'sslserver', '-CAfile', 'ca.crt'];
    const run = spawnSync('openssl', [...strict, '-verify_hostname', 'localhost', 'tls.crt'], { cwd: folder });
    // Without openssl the bytes below are the proof.
    const missing = (run.error as NodeJS.ErrnoException | undefined)?.code === 'ENOENT';
    expect(missing ? 'tls.crt: OK' : `${run.stdout}${run.stderr}`.trim()).toBe('tls.crt: OK');
    const root = hex(ca);
    const leaf = hex(cert);
    expect(root).toContain('0603551d130101ff040530030101ff'); // basicConstraints: CA
    expect(root).toContain('0603551d0f0101ff040403020204'); // keyUsage: keyCertSign
    expect(leaf).toContain('0603551d25040c300a06082b06010505070301'); // extKeyUsage: serverAuth
    expect(leaf).toContain(`0603551d23041830168014${/0603551d0e04160414([0-9a-f]{40})/.exec(root)?.[1]}`); // authorityKeyIdentifier
  });

  test.each([
    ['::', '::'],
    ['1::', '1::'],
    ['fe80::12:0:1', 'fe80::12:0:1'],
    ['2001:DB8:1:2:3:4:5:6', '2001:db8:1:2:3:4:5:6'],
    ['::ffff:1.2.3.4', '::ffff:102:304'],
    ['10.0.0.255', '10.0.0.255'],
  ])('writes the address %s', async (name, asked) => {
    const { cert } = await issueCertificates({ names: [name] });
    expect(new X509Certificate(cert).checkIP(asked)).toBe(asked);
  });
});

function hex(pem: string): string {
  return new X509Certificate(pem).raw.toString('hex');
}
