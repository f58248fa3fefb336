import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { loadClientCa } from '../../../src/certificates/load-certificate.ts';
import { callerCa, period } from '../../support/callers.ts';
import { newFolder } from '../../support/folder.ts';

const ca = callerCa();
const other = callerCa();
const old = callerCa(period(-3, -1));
const half = (pem: string) => pem.slice(0, pem.length / 2);
const junk = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n';
const intermediate = ca.under('callers below').pem;

test.each([
  ['one CA', ca.pem],
  ['several', ca.pem + other.pem],
  ['an intermediate with its root', intermediate + ca.pem],
  ['an expired one beside a good one', old.pem + ca.pem],
])('%s is loaded', async (_, text) => {
  const folder = newFolder().path;
  const file = join(folder, 'ca.crt');
  await writeFile(file, `# callers\n${text}`);
  expect((await loadClientCa(file)).pem.replaceAll('\n\n', '\n')).toBe(text);
});

test.each<[string, string | undefined, RegExp]>([
  ['a file that is not there', undefined, /does not exist; check the path$/],
  ['an empty file', '\n', /is empty; /],
  ['text', 'rubbish', / needs whole /],
  ['one cut off', ca.pem + half(ca.pem), / needs whole /],
  ['a block that is no certificate', junk, / has a PEM block /],
  ["a caller's certificate", ca.issue('kube-apiserver').cert, /: its certificate 1 is not a CA; /],
  ['an intermediate alone', intermediate, /: its certificate 1 is an intermediate /],
  ['all expired', old.pem, / has no CA in date, the last expired at \S+Z; /],
])('%s is refused with its remedy', async (_, text, message) => {
  const folder = newFolder().path;
  const file = join(folder, 'ca.crt');
  if (text !== undefined) await writeFile(file, text);
  await expect(loadClientCa(file)).rejects.toThrow(message);
  await expect(loadClientCa(file)).rejects.toThrow(/^client CA file \/[^\n]+$/);
});
