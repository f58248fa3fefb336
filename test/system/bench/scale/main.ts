/**
 * `npm run bench:scale`: measures scans of three real API servers, with one and with forty contexts each, and of these
 * with a larger fourth. Writes the parameters of the simulation, and the tables of docs/scale.md. With `--simulate`
 * only the tables, from the parameters as they are.
 *
 *     npm run bench:scale -- [--simulate] [--rounds 5]
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { countProblem, flagsOf } from '../../../support/flags.ts';
import { newFolder } from '../../../support/folder.ts';
import { buildCommand } from '../../../support/main.ts';
import { type ControlPlane, startControlPlane } from '../../e2e/harness/index.ts';
import { measure, type Taken } from '../check/measure.ts';
import { fill } from '../scan/fill.ts';
import type { Parameters } from './model.ts';
import { PAGE, PARAMETERS, pageOf } from './page.ts';

const flags = { simulate: { type: 'boolean' }, rounds: { type: 'string', default: '5' } } as const;
const values = flagsOf(flags, ({ rounds }) => countProblem({ rounds }));

/** Objects of a cluster, and clusters that are made of one API server. */
const SMALL = 100;
const LARGE = 8000;
const USERS = 40;
/**
 * Of 100,000 objects in three clusters against 33,333 in one (docs/performance.md): smaller scans show V8's heap, not
 * the objects.
 */
const KIB_PER_OBJECT = 0.86;

if (!values.simulate) writeFileSync(PARAMETERS, `${JSON.stringify(await measured(Number(values.rounds)), null, 2)}\n`);
writeFileSync(PAGE, pageOf(readFileSync(PAGE, 'utf8'), JSON.parse(readFileSync(PARAMETERS, 'utf8'))));

async function measured(rounds: number): Promise<Parameters> {
  const folder = newFolder().path;
  const planes: ControlPlane[] = [];
  try {
    const cli = buildCommand(folder);
    const empty = join(folder, 'empty.yaml');
    writeFileSync(empty, '');
    for (const objects of [SMALL, SMALL, SMALL, LARGE]) {
      const plane = await startControlPlane();
      planes.push(plane);
      await fill(plane, objects);
    }
    const scan = (some: readonly ControlPlane[], users: number) => {
      return { args: [cli, 'scan', ...contextsOf(some, users, folder)], codes: [0, 1] };
    };
    const three = planes.slice(0, 3);
    const contenders = [
      { args: [cli, 'scan', '--state', empty], codes: [0] },
      scan(three, 1),
      scan(three, USERS),
      scan(planes, 1),
    ] as const;
    return parametersOf(measure(contenders, rounds, folder, (figures) => Math.min(...figures)));
  } finally {
    for (const plane of planes) await plane.stop();
  }
}

/** Flags for these clusters. A context for each of several users makes several clusters of one API server. */
function contextsOf(planes: readonly ControlPlane[], users: number, folder: string): readonly string[] {
  const configs = planes.map((plane) => JSON.parse(readFileSync(plane.kubeconfig('admin'), 'utf8')));
  const clusters = configs.map(({ clusters: [one] }, index) => ({ ...one, name: `cluster-${index}` }));
  const all = Array.from({ length: users }, (_, index) => ({ ...configs[0].users[0], name: `user-${index}` }));
  const contexts = clusters.flatMap((cluster) =>
    all.map((user) => ({ name: `${cluster.name}-${user.name}`, context: { cluster: cluster.name, user: user.name } })),
  );
  const file = join(folder, `${planes.length}-${users}.kubeconfig`);
  writeFileSync(file, JSON.stringify({ ...configs[0], clusters, users: all, contexts }));
  return ['--kubeconfig', file, '--parallel', '1', ...contexts.flatMap(({ name }) => ['--context', name])];
}

function parametersOf([nothing, few, many, large]: readonly [Taken, Taken, Taken, Taken]): Parameters {
  const rounded = (value: number) => Number(Math.max(0, value).toFixed(3));
  const more = 3 * (USERS - 1);
  const cpuMsPerObject = (large.cpuMs - few.cpuMs) / LARGE;
  const wallMsPerObject = (large.wallMs - few.wallMs) / LARGE;
  const cpuMsPerCluster = (many.cpuMs - few.cpuMs) / more - SMALL * cpuMsPerObject;
  const wallMsPerCluster = (many.wallMs - few.wallMs) / more - SMALL * wallMsPerObject;
  const kibPerCluster = ((many.peakMiB - few.peakMiB) * 1024) / more - SMALL * KIB_PER_OBJECT;
  const processor = `${cpus()[0]?.model.trim()}, ${cpus().length} cores`;
  return {
    measured: `${new Date().toISOString().slice(0, 10)}, ${processor}, Node ${process.version}; the least of some rounds`,
    startMs: Math.round(nothing.wallMs),
    baseMiB: Math.round(few.peakMiB),
    cpuMsPerCluster: rounded(cpuMsPerCluster),
    cpuMsPerObject: rounded(cpuMsPerObject),
    waitMsPerCluster: rounded(wallMsPerCluster - cpuMsPerCluster),
    waitMsPerObject: rounded(wallMsPerObject - cpuMsPerObject),
    kibPerObject: KIB_PER_OBJECT,
    kibPerCluster: Math.round(Math.max(0, kibPerCluster)),
    identityWrites: JSON.parse(readFileSync('test/system/bench/serve/last-run.json', 'utf8')).identityWrites,
  };
}
