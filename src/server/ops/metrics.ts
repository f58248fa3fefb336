/** What is counted. The registry is our own; every label is bounded by the catalogue, the dialects or the configuration. */
import { Counter, collectDefaultMetrics, Gauge, type OpenMetricsContentType, Registry } from '@prometheus-io/client';
import { ALLOWED, type Policy } from '../../engine/index.ts';
import { textAt } from '../../rules/json.ts';
import type { AdmissionPath, Decision } from '../admission/observer.ts';
import { atMost, createSelfMetrics, type SelfMetrics, type SelfMetricsOptions } from './self-metrics.ts';
import { createDurations, createTally } from './tally.ts';

export interface MetricsOptions extends SelfMetricsOptions {
  /** The policy that holds now. */
  readonly policy: () => Policy;
  /** When the certificate in use ends, in milliseconds since the epoch. */
  readonly certificateEnd: () => number | undefined;
  /** Whether the cluster last answered as it should; undefined: no cluster is looked at, and nothing of it is told. */
  readonly clusterUp?: () => boolean;
  /** Milliseconds since the epoch. */
  readonly clock?: () => number;
  /** Process metrics (memory, event loop, garbage collection); on unless said otherwise. */
  readonly process?: boolean;
}

export type ReloadOutcome = 'applied' | 'refused';

export interface Metrics extends SelfMetrics {
  readonly contentType: string;
  /** All of it as OpenMetrics text. */
  text(): Promise<string>;
  requestStarted(): void;
  requestEnded(): void;
  decided(decision: Decision, milliseconds: number): void;
  configurationReload(outcome: ReloadOutcome): void;
  certificateReload(outcome: ReloadOutcome): void;
  /** A read of another object, by what came of it. The outcomes are few, and named by who reads. */
  clusterRead(outcome: string): void;
  /** A look for an intent, likewise. */
  intent(outcome: string): void;
}

type OpenRegistry = Registry<OpenMetricsContentType>;

/** Seconds; a decision from the request alone takes a millisecond, one with reads up to the deadline. */
const BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** As many as one configuration may name; what later ones bring beyond that is not counted. */
const MOST_MANAGERS = 1000;

export function createMetrics(options: MetricsOptions): Metrics {
  const registry: OpenRegistry = new Registry(Registry.OPENMETRICS_CONTENT_TYPE);
  if (options.process !== false) collectDefaultMetrics({ register: registry });
  const requests = requestMetrics(registry);
  const rules = ruleMetrics(registry);
  const reloads = reloadMetrics(registry);
  const cluster = clusterMetrics(registry, options.clusterUp);
  const statusWrites = createTally(
    registry,
    'muster_inventory_status_writes',
    'Allowed status writes, by configured manager.',
    ['manager'],
  );
  const managers = atMost(MOST_MANAGERS);
  stateMetrics(registry, options);
  return {
    ...createSelfMetrics(registry, options),
    contentType: registry.contentType,
    text: () => registry.metrics(),
    requestStarted: () => {
      requests.inFlight += 1;
    },
    requestEnded: () => {
      requests.inFlight -= 1;
    },
    configurationReload: (outcome) => reloads.configuration.inc({ outcome }),
    certificateReload: (outcome) => reloads.certificate.inc({ outcome }),
    clusterRead: (outcome) => cluster.reads.inc({ outcome }),
    intent: (outcome) => cluster.intents.inc({ outcome }),
    decided: (decision, milliseconds) => {
      countRequest(requests, decision, milliseconds);
      countRules(rules, decision);
      const manager = writingManager(decision, options.policy);
      if (manager !== undefined && managers(manager)) statusWrites.at(manager).count += 1;
    },
  };
}

function requestMetrics(registry: OpenRegistry) {
  const labels = ['path', 'dialect', 'operation', 'outcome'] as const;
  const decisions = createTally(registry, 'muster_decisions', 'Requests decided.', labels);
  const durations = createDurations(registry, {
    name: 'muster_decision_duration_seconds',
    help: 'Time from the first byte of a request to its answer.',
    label: 'path',
    buckets: BUCKETS,
  });
  const on = (path: AdmissionPath) => ({ decisions: decisions.at(path), durations: durations(path) });
  const requests = { validate: on('validate'), mutate: on('mutate'), inFlight: 0 };
  new Gauge({
    name: 'muster_requests_in_flight',
    help: 'Requests that are being read or judged.',
    registers: [registry],
    collect() {
      this.set(requests.inFlight);
    },
  });
  return requests;
}

function ruleMetrics(registry: OpenRegistry) {
  return {
    findings: createTally(registry, 'muster_findings', 'Findings, by rule and what they led to.', ['rule', 'action']),
    indeterminate: createTally(registry, 'muster_indeterminate', 'Refusals because a rule could not tell.', ['rule']),
    silentUnknowns: createTally(registry, 'muster_silent_unknowns', 'Times a rule could not tell and kept silent.', [
      'rule',
    ]),
    crashes: createTally(registry, 'muster_crashes', 'Failures inside muster; rule "none": outside of any rule.', [
      'rule',
    ]),
  };
}

function reloadMetrics(registry: OpenRegistry) {
  const help = 'Changes seen, by what became of them.';
  return {
    configuration: counter(registry, 'muster_configuration_reloads', `Configuration file: ${help}`, ['outcome']),
    certificate: counter(registry, 'muster_certificate_reloads', `Certificate files: ${help}`, ['outcome']),
  };
}

function clusterMetrics(registry: OpenRegistry, up: MetricsOptions['clusterUp']) {
  if (up !== undefined) {
    new Gauge({
      name: 'muster_cluster_up',
      help: 'Whether the API server, the Leases of intents and the rights to both were in order when last looked at.',
      registers: [registry],
      collect() {
        this.set(up() ? 1 : 0);
      },
    });
  }
  return {
    reads: counter(registry, 'muster_cluster_reads', 'Reads of other objects, by outcome.', ['outcome']),
    intents: counter(registry, 'muster_intents', 'Intents of identity writes, by outcome.', ['outcome']),
  };
}

/** What is read off the server's state whenever someone looks. */
function stateMetrics(registry: OpenRegistry, options: MetricsOptions): void {
  const clock = options.clock ?? Date.now;
  new Gauge({
    name: 'muster_certificate_expiry_timestamp_seconds',
    help: 'When the serving certificate ends.',
    registers: [registry],
    collect() {
      this.set((options.certificateEnd() ?? 0) / 1000);
    },
  });
  new Gauge({
    name: 'muster_expired_exceptions',
    help: 'Exceptions of the configuration that have expired and no longer hold.',
    registers: [registry],
    collect() {
      this.set(options.policy().exceptions.filter(({ expires }) => expires <= clock()).length);
    },
  });
}

function countRequest(requests: ReturnType<typeof requestMetrics>, decision: Decision, milliseconds: number): void {
  const { path, outcome, subject, request } = decision;
  const { decisions, durations } = requests[path];
  const dialect = subject?.dialect.name ?? 'none';
  const operation = request?.operation ?? 'none';
  decisions.at(dialect).at(operation).at(outcome).count += 1;
  durations.observe(milliseconds / 1000);
}

function countRules(rules: ReturnType<typeof ruleMetrics>, { verdict, failure }: Decision): void {
  if (failure !== undefined) rules.crashes.at('none').count += 1;
  // Of most requests nothing was found: four lists that hold nothing.
  if (verdict === undefined || verdict === ALLOWED) return;
  for (const { ruleId, action } of verdict.findings) rules.findings.at(ruleId).at(action).count += 1;
  for (const { ruleId } of verdict.indeterminate) rules.indeterminate.at(ruleId).count += 1;
  for (const rule of verdict.silentUnknowns) rules.silentUnknowns.at(rule).count += 1;
  for (const { ruleId } of verdict.crashes) rules.crashes.at(ruleId).count += 1;
}

/** The write rate of a manager is watched, not ruled. A name that is not configured could be anything: it gets no label. */
function writingManager({ subject, response, path }: Decision, policy: () => Policy): string | undefined {
  if (path !== 'validate' || !response.allowed || subject === undefined || subject.dryRun) return undefined;
  if (subject.dialect.concept !== 'inventory' || subject.subresource !== 'status') return undefined;
  const manager = textAt(subject.object, ['spec', 'clusterManager', 'name']);
  return manager !== undefined && policy().settings.inventory.managers?.has(manager) ? manager : undefined;
}

function counter<const L extends string>(
  registry: OpenRegistry,
  name: string,
  help: string,
  labelNames: readonly L[],
): Counter<L> {
  return new Counter<L>({ name, help, labelNames, registers: [registry] });
}
