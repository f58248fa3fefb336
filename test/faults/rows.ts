/** The fault matrix: what is done to muster, and what it has to hold. One entry a row of docs/reliability.md, in its order. */

export interface Row {
  readonly id: string;
  readonly fault: string;
  readonly how: string;
  readonly target: string;
}

export const ROWS = [
  {
    id: 'broken-inside',
    fault: 'a rule throws, the event loop stalls for 2 s, a schema meets a hostile value',
    how: 'fault injection',
    target: 'admitted 0; a verdict each',
  },
  {
    id: 'rolling-restart',
    fault: 'rolling restart of two replicas behind a lagging TCP proxy, 50 times, under load',
    how: 'SIGTERM',
    target: 'failed 0',
  },
  {
    id: 'killed',
    fault: 'one of two replicas is killed under load',
    how: 'SIGKILL',
    target: 'only requests in flight fail; their count, and the recovery in ms',
  },
  {
    id: 'keep-alive',
    fault: 'connections reused at the 90 s boundary',
    how: 'gaps of 85 to 105 s',
    target: 'broken connections 0',
  },
  { id: 'frozen', fault: 'a replica freezes under load', how: 'SIGSTOP', target: "bounded by the caller's timeout" },
  {
    id: 'abandoned-lock',
    fault: 'a crash while an intent is held',
    how: 'SIGKILL after taking it',
    target: 'blocked no longer than its lifetime',
  },
  {
    id: 'away',
    fault: 'a write while the webhook is away',
    how: 'stopped under Fail; registration deleted; policies alone',
    target: 'refused; reported by scan; refused by the floor',
  },
  {
    id: 'api-server-gone',
    fault: 'the API server is gone for 5 minutes; it comes back with an old etcd snapshot',
    how: 'stop, restore',
    target: 'object-only verdicts throughout, others 503; recovers alone',
  },
  {
    id: 'api-server-odd',
    fault: 'the API server answers slowly, resets, truncates, 429, 500, 401 (a token expires)',
    how: 'a proxy; a short-lived token',
    target: 'indeterminate within the deadline; lasting 401s 0',
  },
  {
    id: 'certificates',
    fault: 'certificate files corrupt, empty, mismatched, expired; the clock 30 minutes off, either way',
    how: 'writes; a shifted clock',
    target: 'the old one kept; healed; failed handshakes 0',
  },
  {
    id: 'bodies',
    fault: 'a body of 3.1 MB of `<`, of 18 MB; a depth of 200 to 10,000; `__proto__`; int64',
    how: 'through a real API server',
    target: 'decided or refused; crashes 0; stored values unchanged',
  },
  {
    id: 'worst-cases',
    fault: 'the worst case of every regular expression and of `uniqueItems`',
    how: 'crafted values',
    target: 'added event-loop lag under 50 ms',
  },
  {
    id: 'flood',
    fault: '10,000 connections, slow senders, half-open connections',
    how: 'a flood on this machine',
    target: "the API server's calls: p99 under 1 s; memory bounded",
  },
  {
    id: 'fuzz',
    fault: 'random input to the decoder, every rule, the configuration and YAML',
    how: 'fast-check, and a fuzzer guided by coverage: 20,000 executions in CI, 1,000,000 in the scheduled run',
    target: 'a verdict each; crashes 0',
  },
  {
    id: 'soak',
    fault: 'a long run, reconnecting every 30 s',
    how: 'a proxy; 30 minutes, 2 hours in the scheduled run',
    target: 'descriptors and heap flat: their slopes',
  },
  {
    id: 'no-room-no-rights',
    fault: 'a full disk, a read-only root, no permission on Leases',
    how: 'mounts, RBAC',
    target: 'named; object-only rules go on',
  },
] as const satisfies readonly Row[];

export type RowId = (typeof ROWS)[number]['id'];
