/** What a server prints when it starts. */
import { expect, test } from '@jest/globals';
import { announce } from '../../../../src/cli/serve/announce.ts';

const at = { host: 'localhost', port: 8443 };
const dir = 'a\n::error::b';
const server = { at, opsPort: 8081, source: 'files' };

test('the names of files begin no line', () => {
  const files = { certFile: `${dir}/tls.crt`, keyFile: `${dir}/tls.key` };
  const ofDevelopment = { ...files, caFile: `${dir}/ca.crt` };
  const development = announce({ ...server, files: ofDevelopment, clientCaFile: undefined }).split('\n');
  expect(development).toEqual([
    expect.stringMatching(/^muster listens on .*; CA: a\\u000a::error::b\/ca\.crt$/),
    expect.stringMatching(/^Try: curl -sS --cacert 'a\\u000a::error::b\/ca\.crt' /),
    '',
  ]);
  const own = announce({ ...server, files, clientCaFile: `${dir}/callers.crt` });
  expect(own).toMatch(
    /^muster .* issued a\\u000a::error::b\/tls\.crt; callers: certificates under a\\u000a.*callers\.crt\n$/,
  );
});
