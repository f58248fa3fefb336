/**
 * Preloaded: writes the names of the packages that a process has loaded into the file that LOADED_PACKAGES names, as it
 * ends.
 */
import { writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';

const packages = new Set();
registerHooks({
  load(url, context, next) {
    const [, name] = /^file:.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url) ?? [];
    if (name !== undefined) packages.add(name);
    return next(url, context);
  },
});
process.once('exit', () => writeFileSync(process.env.LOADED_PACKAGES, JSON.stringify([...packages])));
