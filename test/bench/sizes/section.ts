/** "Files and scans" of docs/performance.md: the last runs of `bench:check` and `bench:scan`, and what was learnt on the way. */
import { type CheckRun, lastRunOf, type Pair, type Runs, type ScanRun } from './results.ts';

/** Lines without a blank one at the end. @param runs default: those kept last */
export function filesAndScans(
  { check, scan }: Partial<Runs> = { check: lastRunOf('check'), scan: lastRunOf('scan') } as Partial<Runs>,
): string {
  return [HEAD, ...(check ? [checkTables(check)] : []), ...(scan ? [scanTables(scan)] : []), WORDS].join('\n\n');
}

function checkTables({ date, machine, count, rounds, mebibytes, folder, file, single }: CheckRun): string {
  const [many, size] = [count.toLocaleString('en'), mebibytes.toFixed(1)];
  return [
    `\`npm run bench:check\`, ${date}, ${machine}; ${many} manifests of ${size} MiB, medians of ${rounds} rounds:`,
    '',
    ...figures({ 'a folder': folder, 'one file': file, 'one manifest, beside a Node that does nothing': single }),
    '',
    ...targets([
      ['a folder, to bare `yaml` (processor time)', '≤ 1.3 ×', ratio(folder), ratio(folder) <= 1.3],
      ['its peak beyond bare `yaml`', '≤ 150 MiB', more(folder), more(folder) <= 150],
      ['one manifest beyond a bare start (wall)', '≤ 100 ms', later(single), later(single) <= 100],
    ]),
  ].join('\n');
}

function scanTables({ date, machine, count, rounds, scan }: ScanRun): string {
  const rate = Math.round((count / (scan.muster.cpuMs - scan.bare.cpuMs)) * 1000);
  const peak = Math.round(scan.muster.peakMiB);
  return [
    `\`npm run bench:scan\`, ${date}, ${machine}; ${count.toLocaleString('en')} objects in a real API server, ${rounds === 1 ? 'one round' : `medians of ${rounds} rounds`}:`,
    '',
    ...figures({ 'beside a program that lists and parses them': scan }),
    '',
    ...targets([
      ['peak of a scan', '≤ 200 MiB', peak, peak <= 200],
      ['objects a second, once they are fetched (processor time)', '≥ 5,000', rate, rate >= 5000],
    ]),
  ].join('\n');
}

function figures(pairs: Readonly<Record<string, Pair>>): string[] {
  const rows = Object.entries(pairs).map(([name, { bare, muster }]) => {
    const cells = [muster.wallMs, muster.cpuMs, muster.peakMiB].map((figure) => figure.toFixed(0));
    const beside = [bare.wallMs, bare.cpuMs, bare.peakMiB].map((figure) => figure.toFixed(0));
    return `| ${name} | ${cells.map((cell, index) => `${cell} (${beside[index]})`).join(' | ')} |`;
  });
  return ['| muster (and bare) | wall ms | processor ms | peak MiB |', '|---|---|---|---|', ...rows];
}

function targets(rows: readonly (readonly [string, string, number, boolean])[]): string[] {
  const lines = rows.map(([what, target, found, reached]) => {
    const shown = Number.isInteger(found) ? found.toLocaleString('en') : found.toFixed(2);
    return `| ${what} | ${target} | ${shown} | ${reached ? 'yes' : 'no'} |`;
  });
  return ['| what | target | found | reached |', '|---|---|---|---|', ...lines];
}

const ratio = ({ bare, muster }: Pair) => muster.cpuMs / bare.cpuMs;
const more = ({ bare, muster }: Pair) => Math.round(muster.peakMiB - bare.peakMiB);
const later = ({ bare, muster }: Pair) => Math.round(muster.wallMs - bare.wallMs);

const HEAD = `## Files and scans

What \`muster check\` takes for many manifests, beside bare reading of the same bytes by the package \`yaml\`; and what
\`muster scan --live\` takes for a great number of stored objects, beside a program that lists them page by page and parses them. Each
runs in turn, in a process of its own. The objects are written into etcd, from where the API server lists them. Where others use
the machine, wall times tell of them, and processor time hardly.`;

const WORDS = `What was mended, before and after, of a scan of 100,000 objects:

| step | peak | processor time |
|---|---|---|
| before | 300 to 340 MiB | |
| a kubeconfig is read by two modules of \`@kubernetes/client-node\`; the whole of it, 80 MiB and 0.4 s to load, only for proxies and old auth providers. \`serve\`, \`doctor\` and \`certs\` have it too | 279 to 294 MiB | 5.2 s |
| the objects of a page are parsed one at a time, from its bytes: none outlives its turn. By itself it spares what is old and not yet collected (115 to 50 MiB where the young room is small) | 289 to 297 MiB | 5.2 s |
| what must not be shared is kept as a number beside a short key; V8's room for young objects stays at the 8 MiB of the start, instead of 128 | 177 to 214 MiB | 5.0 to 5.6 s |
| the bytes of a page, and the pieces they came in, are given back when they have been read, not when V8 gets to it | 143 to 147 MiB | 5.2 s |

And of the start of a command, in processor time beyond that of Node (a fastify echo takes 160 ms with it):

| step | \`check\` of one file | \`serve\` to its first answer, with Node |
|---|---|---|
| before: a file for each module of the sources | 115 ms | 360 ms |
| the code is bundled into some hundred pieces, of which \`check\` reads 41; packages are left as they are | 80 ms | 300 ms |
| fastify's compilers of schemas, ajv among them, are not loaded: no route has a schema | | 250 ms |

What was tried and left:

- **Pages of other sizes** (50 to 1,000 objects): from 500 down the peak is the same, and small pages are more calls.
- **A smaller heap by flag**, before the last two steps: \`--max-semi-space-size\` (260 to 307 MiB) and \`--max-old-space-size\` (286 MiB, and six times the
  time) gain nothing; \`--optimize-for-size\` comes to 163 MiB in more than twice the time. And who runs a command gives no flags.
- **Node's compile cache** for \`check\`: 16 ms of processor time of 110 at each start but the first. It is a folder of code that is run as it is
  found; one in the shared temporary folder would be for others to write. Not worth it.
- **The packages in the bundle, too**: 180 ms for \`serve\`, and 20 ms less for \`check\`. The package would be 2.4 MB, and an advisory on one of them could
  not be answered by updating it alone.
- **Fewer and larger pieces** (22 files for \`check\` instead of 41): no difference. **Another bundler**: neither.
- **Workers for \`check\`**: not built, and not measured. It is as quick as bare reading by one thread; what is read knows its places in the text by
  functions, which can't be handed from one thread to another, and pipelines have one core or two.
- **\`--workers N\`** on \`node:cluster\`: not built. It was to come only if it scales 1.7 times on two cores, which can't be shown where the two are server and
  load generator. Replicas scale, without shared fate.`;
