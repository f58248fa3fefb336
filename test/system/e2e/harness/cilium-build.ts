/**
 * `npm run e2e:cilium-build`: builds Cilium's operator and clustermesh-apiserver into the cache of the end-to-end tests
 * (a quarter of an hour of two cores, once for each version), and prints their paths.
 */
import { ensureCilium } from './assets.ts';

for (const entry of Object.entries(await ensureCilium())) process.stdout.write(`${entry.join(' ')}\n`);
