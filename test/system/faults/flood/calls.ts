/**
 * The API server's own calls during a flood: steady writers on connections it has, bursts for which it must open more,
 * and a registration that changes its CA bundle again and again, so that it must open all of them anew.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { WEBHOOKS } from '../../../../src/manifests/names.ts';
import type { Api, ControlPlane } from '../../e2e/harness/index.ts';
import { send, startLoad, type Write } from '../fleet/load.ts';
import { steps as kinds } from '../fleet/steps.ts';

/** More than the 25 idle connections that the API server keeps to a host. */
const AT_ONCE = 40;
const BURST_EVERY_MS = 1000;
/** Seldom: what it leaves behind each time is open for 90 s more, and a real API server leaves nothing behind. */
const ANEW_EVERY_MS = 10_000;
const FIRST_ANEW_MS = 1500;

/** Writes by jane until stopped; that resolves to all writes, once those under way are answered. */
export async function startCalls(controlPlane: ControlPlane): Promise<{ stop(): Promise<readonly Write[]> }> {
  const api = controlPlane.api('jane');
  await noIdentity(api);
  const steady = startLoad(api, { writers: 3, pauseMs: 50 });
  const identity = startLoad(api, { writers: 1, kinds: [kinds.identity], pauseMs: 100 });
  const bursts: Write[] = [];
  const repeated = [
    repeat(0, BURST_EVERY_MS, async () => void bursts.push(...(await burst(api)))),
    repeat(FIRST_ANEW_MS, ANEW_EVERY_MS, () => connectAnew(controlPlane)),
  ];
  return {
    async stop() {
      const ends = await Promise.all([...repeated.map((each) => each.stop()), steady.stop(), identity.stop()]);
      return [...bursts, ...ends.flatMap((writes) => writes ?? [])];
    },
  };
}

/** What a flood before this one may have left behind, a lock included. */
async function noIdentity(api: Api): Promise<void> {
  const steps = kinds.identity('').filter(({ method }) => method === 'DELETE');
  const gone = ({ status }: Write) => status === 200 || status === 404;
  for (const step of steps) {
    for (let left = 70; left > 0 && !gone(await send(api, step)); left -= 1) await sleep(1000);
  }
}

let bursts = 0;

/** So many creates at the same moment, and when all are answered, as many deletes. */
async function burst(api: Api): Promise<Write[]> {
  bursts += 1;
  const steps = Array.from({ length: AT_ONCE }, (_, nth) => kinds.claim(`load-${process.pid}-${bursts}-${nth}`));
  const writes = await Promise.all(steps.map(([create]) => create && send(api, create)));
  const made = steps.filter((_, nth) => writes[nth]?.result === 'expected').map((each) => each.at(-1));
  const deletes = await Promise.all(made.map((last) => last && send(api, last)));
  return [...writes, ...deletes].filter((write) => write !== undefined);
}

let blankLines = 0;

/**
 * The API server keeps connections by URL and CA bundle: a bundle with another number of blank lines at its end is
 * another, and trusts the same.
 */
async function connectAnew(controlPlane: ControlPlane): Promise<void> {
  const path = `/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/${WEBHOOKS}`;
  const admin = controlPlane.api('admin');
  const { body } = await admin.call('GET', path);
  blankLines += 1;
  const changed = body.webhooks.map(({ clientConfig }: { clientConfig: { caBundle: string } }, index: number) => {
    const bundle = Buffer.from(clientConfig.caBundle, 'base64').toString().trimEnd();
    const value = Buffer.from(bundle + '\n'.repeat(1 + (blankLines % 100))).toString('base64');
    return { op: 'replace', path: `/webhooks/${index}/clientConfig/caBundle`, value };
  });
  const { status } = await admin.call('PATCH', path, changed, { contentType: 'application/json-patch+json' });
  if (status !== 200) throw new Error(`the CA bundle could not be changed: ${status}`);
}

/** Repeats work, first after `firstMs`; a new time begins `everyMs` after the last began, or when that has ended. */
function repeat(firstMs: number, everyMs: number, work: () => Promise<void>): { stop(): Promise<void> } {
  const stopped = new AbortController();
  const wait = (ms: number) => sleep(Math.max(0, ms), undefined, { signal: stopped.signal }).catch(() => {});
  const running = (async () => {
    for (await wait(firstMs); !stopped.signal.aborted; ) {
      const began = performance.now();
      await work();
      await wait(everyMs - (performance.now() - began));
    }
  })();
  return {
    stop: () => {
      stopped.abort();
      return running;
    },
  };
}
