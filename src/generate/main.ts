/** `npm run generate`: writes what is generated. With `--check` it writes nothing and fails where anything is stale. */
import { fileURLToPath } from 'node:url';
import { rules } from '../rules/index.ts';
import { differences, write } from './artifact.ts';
import { collect } from './artifacts.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const artifacts = collect(root, rules);

if (process.argv.includes('--check')) {
  const stale = differences(root, artifacts);
  for (const { path, state } of stale) process.stderr.write(`${path} is ${state}\n`);
  if (stale.length > 0) {
    process.stderr.write('Run `npm run generate` and commit what it writes.\n');
    process.exitCode = 1;
  }
} else {
  const changes = write(root, artifacts);
  for (const { path, state } of changes) {
    process.stdout.write(`${state === 'extra' ? 'removed' : 'wrote'} ${path}\n`);
  }
  process.stdout.write(`${artifacts.length} generated files, ${changes.length} changed\n`);
}
