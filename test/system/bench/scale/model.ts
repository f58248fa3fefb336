/**
 * What a fleet costs: a simulation of scans and identity writes, with what was measured on a few API servers as its
 * parameters.
 */
import { dialects } from '../../../../src/api/dialects.ts';

/** Measured by `npm run bench:scale`, or taken from docs/performance.md. Times in milliseconds. */
export interface Parameters {
  readonly measured: string;
  /** Of a scan that does nothing: Node, the command, the configuration. */
  readonly startMs: number;
  readonly baseMiB: number;
  /** Processor time of muster for each cluster, and for each object. */
  readonly cpuMsPerCluster: number;
  readonly cpuMsPerObject: number;
  /** How long an API server takes for the calls of a small cluster, and for each object. */
  readonly waitMsPerCluster: number;
  readonly waitMsPerObject: number;
  /** What is kept of each object and each cluster. */
  readonly kibPerObject: number;
  readonly kibPerCluster: number;
  /** Of the kinds of identity writes: calls to the API server, and time as the user sees it. */
  readonly identityWrites: Readonly<Record<string, { readonly calls: number; readonly milliseconds: number }>>;
}

export interface Fleet {
  readonly clusters: number;
  readonly objectsPerCluster: number;
  /** As `--parallel`. */
  readonly parallel: number;
  /** One cluster in so many does not answer; 0: all do. */
  readonly oneDeadIn: number;
  /** As `--timeout`. */
  readonly timeoutMs: number;
}

export interface ScanCost {
  readonly calls: number;
  readonly cpuSeconds: number;
  readonly wallSeconds: number;
  readonly memoryMiB: number;
}

/** Objects of a page where there are several clusters. */
const PAGE = 200;

/** Calls to one API server for a scan: for each kind its group, its known versions, and the pages. */
export function callsPerCluster(objects: number): number {
  const pages = Math.max(dialects.length, Math.ceil(objects / PAGE));
  return dialects.reduce((sum, { versions }) => sum + 1 + versions.length, 0) + pages;
}

/**
 * Simulates one scan: clusters are begun in order, by the first of the parallel readers that is free; one processor
 * evaluates.
 */
export function simulate(fleet: Fleet, at: Parameters): ScanCost {
  const { clusters, objectsPerCluster: objects, parallel, oneDeadIn, timeoutMs } = fleet;
  const cpuMs = at.cpuMsPerCluster + objects * at.cpuMsPerObject;
  const waitMs = at.waitMsPerCluster + objects * at.waitMsPerObject;
  const readers = new Float64Array(Math.min(parallel, clusters));
  let processorFree = 0;
  let dead = 0;
  for (let cluster = 0; cluster < clusters; cluster += 1) {
    const reader = readers.indexOf(Math.min(...readers));
    const begun = readers[reader] ?? 0;
    if (oneDeadIn > 0 && cluster % oneDeadIn === oneDeadIn - 1) {
      readers[reader] = begun + timeoutMs;
      dead += 1;
      continue;
    }
    processorFree = Math.max(processorFree, begun) + cpuMs;
    readers[reader] = Math.max(begun + waitMs + cpuMs, processorFree);
  }
  const read = clusters - dead;
  return {
    calls: read * callsPerCluster(objects) + dead,
    cpuSeconds: (at.startMs + read * cpuMs) / 1000,
    wallSeconds: (at.startMs + Math.max(...readers)) / 1000,
    memoryMiB: at.baseMiB + (clusters * at.kibPerCluster + read * objects * at.kibPerObject) / 1024,
  };
}
