/** Memory after many requests, of a fresh process. */
import type { Contender } from './contenders.ts';
import { residentBytes } from './load/cpu.ts';
import type { Plan } from './plan.ts';
import type { Memory } from './results.ts';
import { LONGEST_MS, load } from './rounds.ts';
import { type Site, startServer } from './server.ts';

/** Returns undefined where the system does not show another process's memory. */
export async function memoryAfter(contender: Contender, plan: Plan, site: Site): Promise<Memory | undefined> {
  const { requests } = plan;
  const server = await startServer(contender, site);
  try {
    await load(server, site, { connections: 16, warmUpMs: 0, measureMs: LONGEST_MS, requests });
    const bytes = residentBytes(server.pid);
    return bytes === undefined ? undefined : { requests, residentBytes: bytes };
  } finally {
    await server.stop();
  }
}
