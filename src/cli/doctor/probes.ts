/** Writes objects in dry runs through the API server: muster has to deny the forbidden ones and allow the good ones. */
import { type Dialect, dialects } from '../../api/dialects.ts';
import { ClusterError } from '../../cluster/live/errors.ts';
import { MANAGER_LABEL } from '../../rules/inventory/reading.ts';
import { listAt, textAt } from '../../rules/json.ts';
import type { JsonObject } from '../../rules/rule.ts';
import type { DoctorContext } from './context.ts';
import { acceptedCheck, answerOf, type ProbeAnswer, readCheck, refusedCheck } from './probe-results.ts';
import { read } from './read.ts';
import type { Check } from './report.ts';

/** A part of every name, so that an audit log shows who wrote it. */
const PROBER = 'muster-doctor';
/** Exists everywhere, and is not exempt by default. */
const NAMESPACE = 'default';

/** Probes every dialect that the API server serves. */
export async function checkProbes(context: DoctorContext): Promise<readonly Check[]> {
  const checks = await Promise.all(dialects.map((dialect) => probeDialect(context, dialect)));
  return checks.flat();
}

async function probeDialect(context: DoctorContext, dialect: Dialect): Promise<readonly Check[]> {
  const version = await servedVersion(context, dialect);
  if (version === undefined) return [];
  const path = collectionOf(dialect, version);
  const create = (body: JsonObject) => dryRun(context, { method: 'POST', path, body });
  const forbidden = forbiddenObject(dialect, version);
  const [refused, accepted, changed] = await Promise.all([
    forbidden ? create(forbidden.object) : forbiddenStatus(context, dialect, version),
    create(goodObject(dialect, version)),
    changeId(context, dialect, version),
  ]);
  const probed = { context, dialect };
  return [
    ...(refused ? [refusedCheck(probed, forbidden?.rule ?? 'feature/completion', refused)] : []),
    acceptedCheck(probed, accepted),
    ...(changed ? [readCheck(probed, changed)] : []),
  ];
}

/** Returns the newest version that muster knows and the API server serves. */
async function servedVersion({ client }: DoctorContext, dialect: Dialect): Promise<string | undefined> {
  for (const version of [...dialect.versions].reverse()) {
    const found = await read(client, `/apis/${dialect.group}/${version}`, 'discover APIs');
    if (found.kind !== 'found') continue;
    const names = listAt(found.body, ['resources']).map((resource) => textAt(resource, ['name']));
    if (names.includes(dialect.plural)) return version;
  }
  return undefined;
}

function collectionOf({ group, plural, scope }: Dialect, version: string): string {
  const where = scope === 'Namespaced' ? `namespaces/${NAMESPACE}/` : '';
  return `/apis/${group}/${version}/${where}${plural}`;
}

/** Returns an object that a rule denies and no CRD's schema does. Undefined for features: no rule denies a new one. */
function forbiddenObject(dialect: Dialect, version: string): { object: JsonObject; rule: string } | undefined {
  if (dialect.concept === 'feature') return undefined;
  if (dialect.concept === 'inventory') {
    const labels = { [MANAGER_LABEL]: `${PROBER}-other` };
    const object = objectOf(dialect, version, PROBER, { clusterManager: { name: PROBER } }, labels);
    return { object, rule: 'inventory/cluster-manager-label' };
  }
  // Reserved names pass with a warning in OCM's dialect: there it is the syntax of the id, which OCM's CRD does not restrict.
  if (dialect.name === 'ocm-cluster-claim') {
    const name = dialect.claim?.idNames[0] ?? '';
    return { object: objectOf(dialect, version, name, { value: `${PROBER}_is_no_label` }), rule: 'claim/id-syntax' };
  }
  return { object: objectOf(dialect, version, `${PROBER}.k8s.io`, { value: PROBER }), rule: 'claim/reserved-name' };
}

/** Returns an object that no rule denies without a configuration. */
function goodObject(dialect: Dialect, version: string): JsonObject {
  if (dialect.claim) return objectOf(dialect, version, `${PROBER}.example.com`, { value: PROBER });
  const spec = dialect.concept === 'inventory' ? { clusterManager: { name: PROBER } } : {};
  return objectOf(dialect, version, PROBER, spec);
}

function objectOf(dialect: Dialect, version: string, name: string, spec: JsonObject, labels?: JsonObject): JsonObject {
  const namespace = dialect.scope === 'Namespaced' ? { namespace: NAMESPACE } : {};
  const metadata = { name, ...namespace, ...(labels === undefined ? {} : { labels }) };
  return { apiVersion: `${dialect.group}/${version}`, kind: dialect.kind, metadata, spec };
}

/** Reports a task that was never assigned, for a feature that exists. Undefined if there is none to be seen. */
async function forbiddenStatus(
  context: DoctorContext,
  { group, plural }: Dialect,
  version: string,
): Promise<ProbeAnswer | undefined> {
  const root = `/apis/${group}/${version}`;
  const list = await read(context.client, `${root}/${plural}?limit=100`, `list ${plural}`);
  const features = list.kind === 'found' ? listAt(list.body, ['items']) : [];
  const namespaceOf = (feature: (typeof features)[number]) => textAt(feature, ['metadata', 'namespace']) ?? '';
  const feature = features.find((each) => !['kube-system', context.namespace].includes(namespaceOf(each)));
  if (feature === undefined) return undefined;
  const path = `${root}/namespaces/${namespaceOf(feature)}/${plural}/${textAt(feature, ['metadata', 'name'])}/status`;
  const state = textAt(feature, ['status', 'state']) ?? 'Off';
  return patch(context, path, { status: { state, transitionTasks: [PROBER] } });
}

/** Changes an id, for which muster has to read another object. Undefined if there is no id to be seen. */
async function changeId(context: DoctorContext, dialect: Dialect, version: string): Promise<ProbeAnswer | undefined> {
  for (const name of dialect.claim?.idNames ?? []) {
    const path = `${collectionOf(dialect, version)}/${name}`;
    const id = await read(context.client, path, `get ${dialect.plural}.${dialect.group}`);
    if (id.kind !== 'found') continue;
    const value = textAt(id.body, ['spec', 'value']) === PROBER ? `${PROBER}-2` : PROBER;
    return patch(context, path, { spec: { value } });
  }
  return undefined;
}

function patch(context: DoctorContext, path: string, body: JsonObject): Promise<ProbeAnswer> {
  return dryRun(context, { method: 'PATCH', path, body, contentType: 'application/merge-patch+json' });
}

type Write = Parameters<DoctorContext['client']['call']>[0];

async function dryRun({ client }: DoctorContext, write: Write): Promise<ProbeAnswer> {
  try {
    // Longer than all webhooks together may take.
    const { warnings = [] } = await client.call({ ...write, path: `${write.path}?dryRun=All`, timeoutMs: 30_000 });
    return { kind: 'admitted', warnings };
  } catch (error) {
    if (!(error instanceof ClusterError)) throw error;
    return answerOf(error);
  }
}
