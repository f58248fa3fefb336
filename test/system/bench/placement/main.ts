/**
 * `npm run bench:placement`: what muster adds to the creation of a PlacementDecision with 0, 10 and 100 references, on
 * a real API server with the CRDs of cluster-inventory-api, and what becomes of a scheduler's writes at a fixed rate.
 * What it finds is noted in test/system/bench/serve/files-and-scans.md, by hand.
 *
 *     npm run bench:placement -- [--count 100] [--rate 50] [--seconds 20]
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { median, quantile } from '../../../support/figures.ts';
import { countProblem, flagsOf } from '../../../support/flags.ts';
import { labelled, managed, newNamespace, olderProfile, placementDecision } from '../../../support/objects.ts';
import { whyNoAssets } from '../../e2e/harness/assets.ts';
import {
  type Api,
  type ControlPlane,
  grantAccess,
  register,
  startControlPlane,
  startMuster,
} from '../../e2e/harness/index.ts';
import { upstreamDefinitions } from '../../e2e/upstream/index.ts';

const values = flagsOf(
  {
    count: { type: 'string', default: '100' },
    rate: { type: 'string', default: '50' },
    seconds: { type: 'string', default: '20' },
  },
  ({ count, rate, seconds }) => countProblem({ count, rate, seconds }),
);
const count = Number(values.count);
const rate = Number(values.rate);
const seconds = Number(values.seconds);

const NAMESPACE = 'fleet';
const MOST = 100;
const GROUP = `/apis/multicluster.x-k8s.io/v1alpha1/namespaces/${NAMESPACE}`;
let created = 0;
let refused = 0;

const reason = whyNoAssets();
if (reason !== undefined) throw new Error(`no API server to write to: ${reason}`);
const plane = await startControlPlane({ crds: 'none' });
try {
  await prepare(plane);
  const api = plane.api('jane');
  const alone = await sizes(api);
  const steadyAlone = await atRate(api, () => decisionOf(MOST));
  const muster = await startMuster({ controlPlane: plane });
  try {
    await register(plane, muster);
    const guarded = await sizes(api);
    const rows = [0, 10, MOST].map((size) => [`${size} references`, alone.get(size), guarded.get(size)]);
    for (const [what, before, after] of rows) print(`${what}: p50 ${before} ms without muster, ${after} ms with it`);
    const before = await readsOf(muster);
    const steady = await atRate(api, () => decisionOf(MOST));
    const { read, silent } = differences(before, await readsOf(muster));
    const writes = rate * seconds;
    print(`${rate} writes a second of ${MOST} references, for ${seconds} s:`);
    print(`without muster ${figures(steadyAlone)}; with it ${figures(steady)}`);
    print(
      `${(read / writes).toFixed(1)} reads a write, ${silent} writes with references that could not be read in time, ${refused} refused`,
    );
  } finally {
    await muster.stop();
  }
} finally {
  await plane.stop();
}

async function prepare(controlPlane: ControlPlane): Promise<void> {
  await controlPlane.apply(...upstreamDefinitions());
  await grantAccess(controlPlane);
  await controlPlane.apply(newNamespace(NAMESPACE));
  for (let index = 0; index < MOST; index++) {
    const metadata = { namespace: NAMESPACE, ...labelled('bench') };
    await controlPlane.apply(olderProfile(`p-${index}`, managed('bench'), metadata));
  }
}

function decisionOf(size: number): object {
  const decisions = Array.from({ length: size }, (_, index) => ({ clusterProfileRef: { name: `p-${index}` } }));
  return placementDecision(`d-${created++}`, { decisions }, { namespace: NAMESPACE });
}

/** The median of creations one after the other, in milliseconds, by the number of references. */
async function sizes(api: Api): Promise<ReadonlyMap<number, string>> {
  const found = new Map<number, string>();
  for (const size of [0, 10, MOST]) {
    const taken: number[] = [];
    for (let index = 0; index < count; index++) taken.push(await timed(api, decisionOf(size)));
    found.set(size, median(taken).toFixed(1));
  }
  return found;
}

/** Times run from the moment at which a write was due. */
async function atRate(api: Api, next: () => object): Promise<readonly number[]> {
  const start = performance.now();
  const writes: Promise<number>[] = [];
  for (let index = 0; index < rate * seconds; index++) {
    const due = start + (index * 1000) / rate;
    await sleep(Math.max(0, due - performance.now()));
    writes.push(timed(api, next(), due));
  }
  return Promise.all(writes);
}

async function timed(api: Api, body: object, start = performance.now()): Promise<number> {
  const { status, body: answer } = await api.call('POST', `${GROUP}/placementdecisions`, body);
  if (status !== 201 && refused++ === 0) print(`a write was refused: ${JSON.stringify(answer)}`);
  return performance.now() - start;
}

async function readsOf(muster: { metrics(): Promise<string> }): Promise<ReadonlyMap<string, number>> {
  const lines = (await muster.metrics()).matchAll(/^muster_(cluster_reads|unknowns)\w*_total\{(.*)\} (\d+)$/gm);
  return new Map([...lines].map(([, name, labels, value]) => [`${name} ${labels}`, Number(value)]));
}

function differences(before: ReadonlyMap<string, number>, after: ReadonlyMap<string, number>) {
  const sum = (prefix: string) =>
    [...after].reduce((all, [key, value]) => all + (key.startsWith(prefix) ? value - (before.get(key) ?? 0) : 0), 0);
  return { read: sum('cluster_reads'), silent: sum('unknowns') };
}

function figures(taken: readonly number[]): string {
  const sorted = taken.toSorted((a, b) => a - b);
  const at = (part: number) => quantile(sorted, part).toFixed(1);
  return `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, longest ${at(1)} ms`;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
