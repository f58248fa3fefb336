/** Before all end-to-end tests: the programs are there, so that no test waits for a compiler. */
import { ensureAssets } from './assets.ts';

export default async function setup(): Promise<void> {
  await ensureAssets((line) => process.stderr.write(`${line}\n`));
}
