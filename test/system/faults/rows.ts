/**
 * The fault matrix: what is done to muster, and what has to hold. One entry for each row of docs/reliability.md, in its
 * order.
 */

export interface Row {
  readonly id: string;
  readonly fault: string;
  readonly target: string;
}

export const ROWS = [
  {
    id: 'broken-inside',
    fault: 'A rule throws, the event loop stalls for 2 s, a schema gets a hostile value (fault injection)',
    target: 'nothing forbidden is admitted; every request gets a verdict',
  },
  {
    id: 'rolling-restart',
    fault: 'Rolling restart of two replicas under load, 50 times, behind a Service that lags 1 s (SIGTERM)',
    target: 'no write fails',
  },
  { id: 'killed', fault: 'One of two replicas is killed under load (SIGKILL)', target: 'only in-flight requests fail' },
  {
    id: 'keep-alive',
    fault: "Connections are reused around the API server's idle limit of 90 s (gaps of 85 to 105 s)",
    target: 'no connection breaks',
  },
  {
    id: 'frozen',
    fault: 'A replica freezes under load (SIGSTOP)',
    target: "every write ends within the caller's timeout",
  },
  {
    id: 'abandoned-lock',
    fault: 'A replica is killed while it holds the lock of an identity write (SIGKILL)',
    target: "other writers wait no longer than the lock's lifetime of 60 s",
  },
  {
    id: 'registrar',
    fault:
      'The hub of the registrar is killed between review and storing, or restored from an old backup; muster is killed with a reservation',
    target: 'never two members with one id; leaving never waits; an id is free again after 120 s and one round',
  },
  {
    id: 'away',
    fault: 'Writes while no replica runs, while the registration is deleted, and with the fallback policies alone',
    target: 'refused with `Fail`; stored and reported by `muster scan` without a registration; refused by the policies',
  },
  {
    id: 'api-server-gone',
    fault: 'The API server hangs or is stopped for 5 minutes, and returns with an old etcd snapshot',
    target: 'rules that read only the object still decide, others answer 503; no restart is needed afterwards',
  },
  {
    id: 'api-server-odd',
    fault: 'The API server answers slowly, resets, truncates, or answers 429, 500 or 401 (a token expires)',
    target: 'no wrong verdict, each within the deadline; no 401 once the token is renewed',
  },
  {
    id: 'certificates',
    fault:
      'Certificate, CA and configuration files are corrupt, empty, mismatched or expired; the clock is 30 minutes off',
    target: 'the last valid files stay in use; new valid files are used; no handshake fails',
  },
  {
    id: 'bodies',
    fault: 'Bodies of 3.1 MB and 18 MB, a depth of 200 to 100,000, `__proto__`, int64',
    target: 'each body is decided or refused; no crash; stored values do not change',
  },
  {
    id: 'worst-cases',
    fault: 'The worst input for every regular expression, for unique lists and for long lists',
    target:
      'no regular expression blocks the event loop longer than JSON.parse of an 8 MiB body, and no review twice as long',
  },
  {
    id: 'flood',
    fault: '10,000 connections, slow senders, half-open connections, large reviews',
    target: "99 % of the API server's calls within 1 s; memory under its limit",
  },
  {
    id: 'fuzz',
    fault:
      'Random input to the decoder, every rule, the configuration and YAML (fast-check and a coverage-guided fuzzer)',
    target: 'each input gets a verdict; no crash',
  },
  {
    id: 'soak',
    fault: 'A long run under load; all connections are reset every 30 s',
    target: 'heap and descriptors do not grow',
  },
  {
    id: 'no-room-no-rights',
    fault: 'A full disk, a read-only root, no permission on Leases (mounts, RBAC)',
    target: 'the log names the cause; rules that read only the object still decide',
  },
] as const satisfies readonly Row[];

export type RowId = (typeof ROWS)[number]['id'];
