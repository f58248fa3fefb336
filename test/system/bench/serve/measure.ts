/** All parts of the benchmark, one after the other. */
import { arch, cpus, platform, release } from 'node:os';
import type { Contender } from './contenders.ts';
import { addedToCreates } from './creates.ts';
import { identityWrites } from './identity-writes.ts';
import { memoryAfter } from './memory.ts';
import { canPin, stepAside } from './pin.ts';
import type { Plan } from './plan.ts';
import type { Machine, Memory, Results, ServerId, ServerResult } from './results.ts';
import { closedRounds, coldStarts, type Log, openRounds, warmUp } from './rounds.ts';
import { type Server, type Site, startServer } from './server.ts';

/** @throws Error where a server fell silent, broke a connection or gave a wrong answer */
export async function measure(contenders: readonly Contender[], plan: Plan, site: Site, log: Log): Promise<Results> {
  const comeBack = stepAside();
  const starts = await coldStarts(contenders, plan, site);
  const { closed, open } = await underLoad(contenders, plan, site, log);
  const memory = new Map<string, Memory | undefined>();
  for (const contender of contenders) {
    log(`${plan.requests} requests to ${contender.id}, for its memory`);
    memory.set(contender.id, await memoryAfter(contender, plan, site));
  }
  comeBack();
  const result = ({ id, label }: Contender): [ServerId, ServerResult] => {
    const byConnections = plan.concurrencies.map((each) => [each, closed.get(`${id} ${each}`) ?? []]);
    const loads = { closed: Object.fromEntries(byConnections), open: open.get(id) ?? [] };
    return [id, { label, ...loads, coldStartMs: starts.get(id) ?? [], memory: memory.get(id) }];
  };
  const servers = Object.fromEntries(contenders.map(result));
  const creates = plan.creates === 0 ? undefined : await addedToCreates(contenders, plan, site, log);
  const writes = plan.identityWrites === 0 ? undefined : await identityWrites(plan.identityWrites, log);
  const { form, rate } = plan;
  const date = new Date().toISOString().slice(0, 10);
  return {
    date,
    form,
    rate,
    machine: machine(),
    servers,
    ...(creates === undefined ? {} : { creates }),
    ...(writes === undefined ? {} : { identityWrites: writes }),
  };
}

async function underLoad(contenders: readonly Contender[], plan: Plan, site: Site, log: Log) {
  const servers: Server[] = [];
  try {
    for (const contender of contenders) servers.push(await startServer(contender, site));
    for (const server of servers) await warmUp(server, plan, site);
    const closed = await closedRounds(servers, plan, site, log);
    const paced = servers.filter(({ contender }) => plan.openServers.includes(contender.id));
    return { closed, open: await openRounds(paced, plan, site, log) };
  } finally {
    for (const server of servers) await server.stop();
  }
}

export function machine(): Machine {
  return {
    processor: cpus()[0]?.model.trim() ?? 'unknown',
    cores: cpus().length,
    system: `${platform()} ${release()} ${arch()}`,
    node: process.version,
    pinned: canPin,
  };
}
