/** `node test/e2e/harness/assets-main.ts`: finds or builds the programs of a control plane, and says where they are. */
import { ensureAssets } from './assets.ts';

try {
  const assets = await ensureAssets((line) => process.stderr.write(`${line}\n`));
  for (const [name, path] of Object.entries(assets)) process.stdout.write(`${name} ${path}\n`);
} catch (error) {
  process.stderr.write(`error: ${(error as Error).message}\n`);
  process.exitCode = 1;
}
