/**
 * Signs a file with a new key, and verifies the signature: with cosign if COSIGN names it, else with Node's Ed25519.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { generateKeyPairSync, sign, verify } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Returns what verified the signature. Throws if it does not verify, or if that of a changed file does. Keys are
 * written to `folder`.
 */
export function signAndVerify(file, folder) {
  mkdirSync(folder, { recursive: true });
  const changed = join(folder, 'changed');
  writeFileSync(changed, Buffer.concat([readFileSync(file), Buffer.from('\n')]));
  const verifies = process.env.COSIGN ? withCosign(process.env.COSIGN, file, folder) : withNode(file);
  if (!verifies(file)) throw new Error(`the signature of ${file} does not verify`);
  if (verifies(changed)) throw new Error('the signature of a changed file verifies');
  return process.env.COSIGN
    ? 'cosign, with a key and without the public log'
    : "Node's Ed25519; set COSIGN to try cosign";
}

function withNode(file) {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const signature = sign(null, readFileSync(file), privateKey);
  return (path) => verify(null, readFileSync(path), publicKey, signature);
}

/**
 * A release is signed without a key, by the identity of the workflow, and written to the public log; both need the
 * network.
 */
function withCosign(cosign, file, folder) {
  const options = { cwd: folder, env: { ...process.env, HOME: folder, COSIGN_PASSWORD: '' }, stdio: 'pipe' };
  const bundle = join(folder, 'bundle.json');
  execFileSync(cosign, ['generate-key-pair'], options);
  const local = ['--use-signing-config=false', '--tlog-upload=false'];
  execFileSync(cosign, ['sign-blob', '--yes', '--key', 'cosign.key', ...local, '--bundle', bundle, file], options);
  // Without a file of trusted certificates, cosign fetches them. A key needs none.
  const root = join(folder, 'root.json');
  writeFileSync(root, JSON.stringify({ mediaType: 'application/vnd.dev.sigstore.trustedroot+json;version=0.1' }));
  const trust = ['--key', 'cosign.pub', '--insecure-ignore-tlog', '--trusted-root', root];
  const check = ['verify-blob', ...trust, '--bundle', bundle];
  return (path) => spawnSync(cosign, [...check, path], options).status === 0;
}
