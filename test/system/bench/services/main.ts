/**
 * `npm run bench:services`: what `muster check` takes to compare the exports of 50 clusters, 1,000 in each with their
 * Services, and what exports cost a repository that has none: 10,000 Services, beside the same ones as ConfigMaps.
 * What it finds is noted in test/system/bench/serve/files-and-scans.md, by hand.
 *
 *     npm run bench:services -- [--clusters 50] [--exports 1000] [--rounds 3]
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { countProblem, flagsOf } from '../../../support/flags.ts';
import { newFolder } from '../../../support/folder.ts';
import { buildCommand } from '../../../support/main.ts';
import { measure } from '../check/measure.ts';

const values = flagsOf(
  {
    clusters: { type: 'string', default: '50' },
    exports: { type: 'string', default: '1000' },
    rounds: { type: 'string', default: '3' },
  },
  ({ clusters, exports, rounds }) => countProblem({ clusters, exports, rounds }),
);
const clusters = Number(values.clusters);
const exports = Number(values.exports);
const rounds = Number(values.rounds);

/** Of a folder, in files of so many documents. */
const DOCUMENTS = 200;
/** The name of every fiftieth Service has another port in the last cluster. */
const EVERY = 50;

const folder = newFolder().path;
const program = buildCommand(folder);
const check = (...args: readonly string[]) => ({ args: [program, 'check', '-q', ...args], codes: [0, 1] });
for (let index = 0; index < clusters; index += 1) {
  const documents = Array.from({ length: exports }, (_, number) => {
    const port = index === clusters - 1 && number % EVERY === 0 ? 8080 : 80;
    return [serviceOf(number, port), exportOf(number)];
  });
  write(join(folder, 'fleet', `cluster-${index}`), documents.flat());
}
const services = Array.from({ length: 10_000 }, (_, number) => serviceOf(number, 80 + number));
write(join(folder, 'services'), services);
const others = services.map((text) => text.replace('kind: Service', 'kind: ConfigMap'));
write(join(folder, 'others'), others);
const [fleet, plain, other] = measure(
  [check('--clusters', join(folder, 'fleet/*')), check(join(folder, 'services')), check(join(folder, 'others'))],
  rounds,
  folder,
);
const seconds = (fleet.wallMs / 1000).toFixed(1);
print(`${clusters} clusters with ${exports} exports each: ${seconds} s, ${fleet.peakMiB.toFixed(0)} MiB`);
print(`10,000 Services without an export: ${(plain.cpuMs / other.cpuMs).toFixed(2)} x the time of other objects`);

function serviceOf(number: number, port: number): string {
  return `apiVersion: v1
kind: Service
metadata:
  name: service-${number}
  namespace: shop-${number % 20}
  labels: { app: service-${number} }
spec:
  selector: { app: service-${number} }
  ports:
  - name: http
    port: ${port}
    targetPort: 8080
`;
}

function exportOf(number: number): string {
  return `apiVersion: multicluster.x-k8s.io/v1beta1
kind: ServiceExport
metadata:
  name: service-${number}
  namespace: shop-${number % 20}
`;
}

function write(into: string, documents: readonly string[]): void {
  mkdirSync(into, { recursive: true });
  for (let from = 0; from < documents.length; from += DOCUMENTS)
    writeFileSync(join(into, `${from}.yaml`), documents.slice(from, from + DOCUMENTS).join('---\n'));
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
