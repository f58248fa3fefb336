/**
 * Writes the tables of docs/scale.md from the parameters of the simulation. The text around them is written by hand.
 */
import { table } from '../../../support/figures.ts';
import { callsPerCluster, type Fleet, type Parameters, type ScanCost, simulate } from './model.ts';

export const PAGE = 'docs/scale.md';
export const PARAMETERS = 'test/system/bench/scale/parameters.json';

const SIZES = [10, 1000, 10_000];
const FLEET: Omit<Fleet, 'clusters'> = { objectsPerCluster: 100, parallel: 4, oneDeadIn: 0, timeoutMs: 60_000 };

/** Returns the page with its tables made anew. */
export function pageOf(page: string, at: Parameters): string {
  const tables: Readonly<Record<string, string>> = {
    parameters: parameterTable(at),
    scans: scanTable(at),
    dead: deadTable(at),
    shards: shardTable(at),
    writes: writeTable(at),
  };
  return page.replace(/(<!-- table (\w+) -->\n)[\s\S]*?(<!-- end -->)/g, (_, begin, name, end) => {
    return `${begin}\n${tables[name]}\n\n${end}`;
  });
}

function parameterTable(at: Parameters): string {
  const rows = [
    ['when, and on what', at.measured],
    ['start of a scan', `${at.startMs} ms, ${at.baseMiB} MiB`],
    [
      'a cluster: processor time of muster; time in which it waits',
      `${at.cpuMsPerCluster} ms; ${at.waitMsPerCluster} ms`,
    ],
    ['an object: the same', `${micros(at.cpuMsPerObject)}; ${micros(at.waitMsPerObject)}`],
    ['memory that stays: a cluster; an object', `${at.kibPerCluster.toFixed(0)} KiB; ${at.kibPerObject} KiB`],
    ['calls to a cluster of 100 objects', String(callsPerCluster(FLEET.objectsPerCluster))],
  ];
  return table(['parameter', 'value'], rows);
}

function scanTable(at: Parameters): string {
  const rows = SIZES.flatMap((clusters) =>
    [4, 64].map((parallel) => [
      amount(clusters),
      String(parallel),
      ...costs(simulate({ ...FLEET, clusters, parallel }, at)),
    ]),
  );
  return table(['clusters', '`--parallel`', 'calls', 'processor', 'wall', 'memory'], rows);
}

function deadTable(at: Parameters): string {
  const rows = SIZES.flatMap((clusters) =>
    [600_000, 30_000].map((timeoutMs) => {
      const [, , wall] = costs(simulate({ ...FLEET, clusters, parallel: 64, oneDeadIn: 20, timeoutMs }, at));
      return [amount(clusters), seconds(timeoutMs / 1000), wall ?? ''];
    }),
  );
  return table(['clusters', '`--timeout`', 'wall'], rows);
}

function shardTable(at: Parameters): string {
  const rows = [1, 10, 50].map((shards) => {
    const clusters = Math.ceil(10_000 / shards);
    const [, cpu, wall, memory] = costs(
      simulate({ ...FLEET, clusters, parallel: 64, oneDeadIn: 20, timeoutMs: 30_000 }, at),
    );
    return [String(shards), amount(clusters), cpu ?? '', wall ?? '', memory ?? ''];
  });
  return table(['jobs', 'clusters of each', 'processor of each', 'wall', 'memory of each'], rows);
}

function writeTable({ identityWrites }: Parameters): string {
  const rows = Object.entries(identityWrites).map(([kind, { calls, milliseconds }]) => [
    kind,
    String(calls),
    `${milliseconds.toFixed(1)} ms`,
  ]);
  return table(['write of an identity', 'calls to the API server, with the Lease', 'p50 as the user sees it'], rows);
}

function costs({ calls, cpuSeconds, wallSeconds, memoryMiB }: ScanCost): string[] {
  return [amount(calls), seconds(cpuSeconds), seconds(wallSeconds), `${amount(Math.round(memoryMiB))} MiB`];
}

function amount(count: number): string {
  return count.toLocaleString('en');
}

function micros(milliseconds: number): string {
  return `${(milliseconds * 1000).toFixed(0)} µs`;
}

function seconds(value: number): string {
  if (value < 60) return `${value.toFixed(1)} s`;
  return value < 5400 ? `${(value / 60).toFixed(1)} min` : `${(value / 3600).toFixed(1)} h`;
}
