/**
 * The limits of the admission server, each with its reason. Together they fit into the 512 MB that the manifests allow.
 * Memory at worst: 160 MB of the server itself; 1,024 connections of 66 kB, twice that when they come and go (135 MB);
 * 64 MiB of bodies; and 96 MiB of decoded bodies (`permits`), most of it for a moment only.
 */
export const defaultLimits = {
  /**
   * Open connections. An API server has 200 writes in flight by default, and each may be a call: room for five that
   * send all of them here.
   */
  connections: 1024,
  /** Milliseconds until the first byte of a connection: the API server sends one at once. */
  silentMs: 5000,
  /**
   * Milliseconds for a TLS handshake, for a request's head, and for all of a request: slow senders are cut off. The API
   * server sends each at once, and by default gives up after 10 s.
   */
  handshakeMs: 10_000,
  headMs: 10_000,
  requestMs: 10_000,
  /**
   * The API server keeps idle connections for 90 s and does not repeat a POST on one that was just closed: ours must
   * stay longer.
   */
  keepAliveMs: 120_000,
  /** Requests of one connection without an answer. HTTP/1.1 clients send one at a time, the API server among them. */
  pipelined: 4,
  /** Bytes of all bodies, from the first that is read until the answer. */
  bodyBytes: 64 * 1024 * 1024,
  /**
   * Bytes of one body that are kept and evaluated. An UPDATE carries two objects of up to 1.5 MiB as stored, and
   * escaping makes them larger (`<` is six bytes). No object is stored from a review of more than 8 MiB.
   */
  bodyLimit: 8 * 1024 * 1024,
  /**
   * Bytes of a body that are read, kept or not: a caller that is still sending when the answer comes sees a broken
   * connection instead of the verdict.
   */
  readBytes: 64 * 1024 * 1024,
  /**
   * Permits for evaluations that wait for a cluster; each takes one for every begun `PERMIT_BYTES` of its cost. An
   * identity write waits for reads, at most 4.5 s of the 5 s of its webhook's timeout. One address gets 256 of 512
   * permits: 57 such writes a second while the API server hangs, though a cluster has one identity only. A write
   * that reads nothing holds no permit, but gets 503, too, while fewer are left than a review of its size would take.
   */
  permits: 512,
};

export type Limits = Readonly<typeof defaultLimits>;

/** What is counted against a limit, for the help texts of the two metrics of each. */
export const boundHelp = {
  connections: 'connections to the HTTPS port',
  waiting_handshakes: 'connections that wait for their TLS handshake',
  concurrent_evaluations: 'evaluations that wait for a live cluster',
  body_bytes: 'bytes of bodies that are read or evaluated',
  ops_connections: 'connections to the operations port',
  cluster_connections: 'connections to the API server of a live cluster',
  trace_spans: 'spans that wait for the collector of traces',
  log_buffer_bytes: 'bytes of log lines that wait to be written',
  heap_bytes: 'bytes of the JavaScript heap',
  memory_bytes: "bytes of resident memory; the limit is the container's, or the machine's memory",
} as const;

/** How much of a limit is in use. */
export interface Bound {
  readonly name: keyof typeof boundHelp;
  readonly held: number;
  readonly limit: number;
}
