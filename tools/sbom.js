/**
 * `npm run sbom`: a bill of materials of what is installed with muster, in CycloneDX JSON, on standard output.
 * npm makes it. But `npm sbom --omit dev` of npm 11 leaves out whatever a tool of development needs as well (a fifth of all,
 * commander among them). So npm is shown a project that has no development.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const above = mkdtempSync(join(tmpdir(), 'muster-sbom-'));
// npm names the product after its folder.
const folder = join(above, 'muster');
try {
  mkdirSync(folder);
  const { devDependencies: _tools, ...manifest } = readJson('package.json');
  const lock = readJson('package-lock.json');
  const { devDependencies: _same, ...own } = lock.packages[''];
  const production = Object.entries(lock.packages).filter(([path, { dev }]) => path !== '' && !dev);
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  writeFileSync(
    join(folder, 'package-lock.json'),
    JSON.stringify({ ...lock, packages: { '': own, ...Object.fromEntries(production) } }),
  );
  const flags = ['sbom', '--sbom-format', 'cyclonedx', '--sbom-type', 'application', '--package-lock-only'];
  process.stdout.write(
    execFileSync('npm', flags, { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'], maxBuffer: 1e8 }),
  );
} finally {
  rmSync(above, { recursive: true });
}

function readJson(file) {
  return JSON.parse(readFileSync(file, 'utf8'));
}
