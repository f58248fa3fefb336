import { expect, test } from '@jest/globals';
import { tlsOptions } from '../../../src/certificates/server-options.ts';

test('the least version is named: OpenSSL refuses TLS 1.1 by its security level, which a machine may lower', () => {
  expect(tlsOptions(undefined).minVersion).toBe('TLSv1.2');
});
