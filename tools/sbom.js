/**
 * `npm run sbom`: writes a bill of materials in CycloneDX JSON to standard output: the packages whose code is in the
 * bundle. (`npm sbom` would list the development tools too.)
 */
import { readFileSync } from 'node:fs';
import { bundle } from './generate/bundle.ts';

const { name, version } = JSON.parse(readFileSync('package.json', 'utf8'));
const lock = JSON.parse(readFileSync('package-lock.json', 'utf8'));
const { packages } = await bundle();

const bill = {
  bomFormat: 'CycloneDX',
  specVersion: '1.5',
  version: 1,
  metadata: { component: { type: 'application', name, version } },
  components: packages.map(({ path, name, version, license }) => ({
    type: 'library',
    name,
    version,
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
    licenses: [license.includes(' ') ? { expression: license } : { license: { id: license } }],
    hashes: [{ alg: 'SHA-512', content: hexOf(lock.packages[path].integrity) }],
  })),
};
process.stdout.write(`${JSON.stringify(bill, null, 2)}\n`);

function hexOf(integrity) {
  return Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex');
}
