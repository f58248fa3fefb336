/**
 * What each server adds to a create through a real API server: one writer, claims that are alike but for a label by
 * which a webhook of its own is chosen; whose turn it is changes from create to create. The servers are warm.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { median } from '../../../support/figures.ts';
import { whyNoAssets } from '../../e2e/harness/assets.ts';
import { type ControlPlane, startControlPlane } from '../../e2e/harness/control-plane.ts';
import type { Contender } from './contenders.ts';
import type { Plan } from './plan.ts';
import type { Asked, Medians } from './results.ts';
import { type Log, warmUp } from './rounds.ts';
import { type Server, type Site, startServer } from './server.ts';

/** Undefined where no API server can be had. */
export async function addedToCreates(
  contenders: readonly Contender[],
  plan: Plan,
  site: Site,
  log: Log,
): Promise<Medians | undefined> {
  const reason = whyNoAssets();
  if (reason !== undefined) {
    log(`not through an API server: ${reason}`);
    return undefined;
  }
  log(`${plan.creates} creates of each kind through a real API server`);
  const servers: Server[] = [];
  const plane = await startControlPlane();
  try {
    for (const contender of contenders) {
      const flags = contender.id === 'bare' ? ['--uid'] : [];
      servers.push(await startServer(contender, site, { flags, ownCore: false }));
    }
    await register(plane, servers, site);
    const kinds: readonly Asked[] = ['none', ...contenders.map(({ id }) => id)];
    for (const server of servers) await warmUp(server, plan, site);
    const medians = await createAll(plane, kinds, plan.creates);
    await confirm(plane, kinds, BEFORE + plan.creates);
    return medians;
  } finally {
    for (const server of servers) await server.stop();
    await plane.stop();
  }
}

const LABEL = 'asked';
const CLAIMS = '/apis/multicluster.x-k8s.io/v1alpha1/clusterclaims';
/** Creates before those that count, of each kind. */
const BEFORE = 100;
/** Until a new registration is in effect everywhere in an API server; what it called is counted afterwards. */
const SETTLING_MS = 4000;

async function register(plane: ControlPlane, servers: readonly Server[], { certs }: Site): Promise<void> {
  const caBundle = readFileSync(join(certs, 'ca.crt')).toString('base64');
  const rule = { apiGroups: ['multicluster.x-k8s.io'], apiVersions: ['v1alpha1'], resources: ['clusterclaims'] };
  const webhooks = servers.map(({ contender, port }) => ({
    name: webhookName(contender.id),
    clientConfig: { url: `https://127.0.0.1:${port}/validate`, caBundle },
    objectSelector: { matchLabels: { [LABEL]: contender.id } },
    rules: [{ ...rule, operations: ['CREATE'], scope: '*' }],
    failurePolicy: 'Fail',
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
    timeoutSeconds: 5,
  }));
  await plane.apply({
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingWebhookConfiguration',
    metadata: { name: 'bench' },
    webhooks,
  });
  await sleep(SETTLING_MS);
}

async function createAll(plane: ControlPlane, kinds: readonly Asked[], count: number): Promise<Medians> {
  const times = new Map<Asked, number[]>(kinds.map((kind) => [kind, []]));
  for (let turn = 0; turn < BEFORE + count; turn += 1)
    for (const [place, kind] of kinds.entries()) {
      // Who comes first changes, since a create may pay for the one before it.
      const asked = kinds[(place + turn) % kinds.length] ?? kind;
      const taken = await create(plane, asked, turn);
      if (turn >= BEFORE) times.get(asked)?.push(taken);
    }
  return Object.fromEntries([...times].map(([kind, taken]) => [kind, median(taken)]));
}

async function create(plane: ControlPlane, asked: string, turn: number): Promise<number> {
  const body = {
    apiVersion: 'multicluster.x-k8s.io/v1alpha1',
    kind: 'ClusterClaim',
    metadata: { name: `${asked}-${turn}.harbour.example`, labels: { [LABEL]: asked } },
    spec: { value: `berth ${turn}` },
  };
  const began = performance.now();
  const { status, body: answer } = await plane.api('admin').call('POST', CLAIMS, body);
  const taken = performance.now() - began;
  if (status !== 201) throw new Error(`a create for ${asked} was answered ${status}: ${JSON.stringify(answer)}`);
  return taken;
}

/** Each webhook was asked about each of its creates, and about no other. */
async function confirm(plane: ControlPlane, kinds: readonly string[], count: number): Promise<void> {
  const { body } = await plane.api('admin').call('GET', '/metrics');
  for (const kind of kinds.filter((each) => each !== 'none')) {
    const series = new RegExp(
      `^apiserver_admission_webhook_request_total\\{[^}]*name="${webhookName(kind)}"[^}]*\\} (\\d+)`,
      'gm',
    );
    const calls = [...String(body).matchAll(series)].reduce((sum, [, calls]) => sum + Number(calls), 0);
    if (calls !== count) throw new Error(`${kind} was asked ${calls} times about ${count} creates`);
  }
}

function webhookName(id: string): string {
  return `${id}.bench.example.com`;
}
