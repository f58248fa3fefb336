/** Writes objects in dry runs through the API server: muster has to deny the forbidden ones and allow the good ones. */
import { type Dialect, dialects } from '../../api/dialects.ts';
import { MANAGER_LABEL } from '../../api/labels.ts';
import { type Json, type JsonObject, textAt } from '../../base/json.ts';
import { addressPath, collectionPath } from '../../cluster/live/api-paths.ts';
import { servedVersions } from '../../cluster/live/discovery.ts';
import { onlyClusterErrors } from '../../cluster/live/errors.ts';
import { admitted, answerOf, type ProbeAnswer } from './answers.ts';
import type { DoctorContext } from './remedies.ts';
import { itemsOf, read } from './stored-objects.ts';

/** A part of every name, so that an audit log shows who wrote it. */
const PROBER = 'muster-doctor';
/** A namespace that exists in every cluster and is not exempt by default. */
const PROBED_NAMESPACE = 'default';
const PROBED = dialects.filter(({ concept }) => concept !== 'service');

/** A dry run, and the answer to it. */
export interface Probe {
  readonly dialect: Dialect;
  /** What muster has to do with it: `refused`: deny it; `accepted`: allow it; `read`: read another object first. */
  readonly expected: 'refused' | 'accepted' | 'read';
  /** The rule that forbids it, of one that has to be refused. */
  readonly rule?: string;
  readonly answer: ProbeAnswer;
}

/**
 * Probes every dialect that the API server serves, except services: without a configuration no rule denies one, and a
 * configuration may deny any.
 */
export async function probe(context: DoctorContext): Promise<readonly Probe[]> {
  return (await Promise.all(PROBED.map((dialect) => probeDialect(context, dialect)))).flat();
}

async function probeDialect(context: DoctorContext, dialect: Dialect): Promise<readonly Probe[]> {
  const [version] = await servedVersions(context.client, dialect).catch((error) => {
    onlyClusterErrors(error);
    return [];
  });
  if (version === undefined) return [];
  const namespace = dialect.scope === 'Namespaced' ? PROBED_NAMESPACE : undefined;
  const path = collectionPath(dialect, version, namespace);
  const create = ({ name, content, labels }: Sample) => {
    const metadata = { name, ...(namespace && { namespace }), ...(labels && { labels }) };
    const body = { apiVersion: `${dialect.group}/${version}`, kind: dialect.kind, metadata, ...content };
    return dryRun(context, { method: 'POST', path, body });
  };
  const forbidden = forbiddenSample(dialect);
  const [refused, accepted, changed] = await Promise.all([
    forbidden ? create(forbidden) : forbiddenStatus(context, dialect, version),
    create(goodSample(dialect)),
    changeId(context, dialect, version),
  ]);
  const rule = forbidden?.rule ?? 'feature/completion';
  return [
    ...(refused ? [{ dialect, expected: 'refused', rule, answer: refused } as const] : []),
    { dialect, expected: 'accepted', answer: accepted },
    ...(changed ? [{ dialect, expected: 'read', answer: changed } as const] : []),
  ];
}

interface Sample {
  readonly name: string;
  readonly content: JsonObject;
  readonly labels?: JsonObject;
}

const MANAGED = { clusterManager: { name: PROBER } };

/** Returns an object that a rule denies and no CRD's schema does. Undefined for features: no rule denies a new one. */
function forbiddenSample({ concept, name, claim }: Dialect): (Sample & { readonly rule: string }) | undefined {
  if (concept === 'feature') return undefined;
  if (concept === 'inventory') {
    const labels = { [MANAGER_LABEL]: `${PROBER}-other` };
    return { name: PROBER, content: { spec: MANAGED }, labels, rule: 'inventory/cluster-manager-label' };
  }
  if (concept === 'placement') {
    const decision = { clusterProfileRef: { name: PROBER } };
    return { name: PROBER, content: { decisions: [decision, decision] }, rule: 'placement/one-to-one' };
  }
  // Reserved names pass with a warning in OCM's dialect: there it is the syntax of the id, which OCM's CRD leaves free.
  if (name === 'ocm-cluster-claim')
    return { name: claim?.idNames[0] ?? '', ...valued(`${PROBER}_is_no_label`), rule: 'claim/id-syntax' };
  return { name: `${PROBER}.k8s.io`, ...valued(PROBER), rule: 'claim/reserved-name' };
}

/** Returns an object that no rule denies without a configuration. */
function goodSample({ concept }: Dialect): Sample {
  // Without a domain in its name: only then the API server calls muster.
  if (concept === 'claim') return { name: PROBER, ...valued(PROBER) };
  if (concept === 'placement') return { name: PROBER, content: { decisions: [] } };
  return { name: PROBER, content: { spec: concept === 'inventory' ? MANAGED : {} } };
}

function valued(value: string): Pick<Sample, 'content'> {
  return { content: { spec: { value } } };
}

/** Reports a task that was never assigned, for an existing feature. Undefined if no feature can be read. */
async function forbiddenStatus(
  context: DoctorContext,
  { group, plural }: Dialect,
  version: string,
): Promise<ProbeAnswer | undefined> {
  const apiVersion = `${group}/${version}`;
  const list = await read(context.client, { apiVersion, plural }, '?limit=100');
  const namespaceIn = (feature: Json) => textAt(feature, ['metadata', 'namespace']) ?? '';
  const feature = itemsOf(list).find((each) => !['kube-system', context.namespace].includes(namespaceIn(each)));
  if (feature === undefined) return undefined;
  const name = textAt(feature, ['metadata', 'name']) ?? '';
  const path = `${addressPath({ apiVersion, plural, namespace: namespaceIn(feature), name })}/status`;
  const state = textAt(feature, ['status', 'state']) ?? 'Off';
  return patch(context, path, { status: { state, transitionTasks: [PROBER] } });
}

/** Changes an id, for which muster has to read another object. Undefined if no id can be read. */
async function changeId(context: DoctorContext, dialect: Dialect, version: string): Promise<ProbeAnswer | undefined> {
  for (const name of dialect.claim?.idNames ?? []) {
    const resource = { apiVersion: `${dialect.group}/${version}`, plural: dialect.plural, name };
    const id = await read(context.client, resource);
    if (id.kind !== 'found') continue;
    const value = textAt(id.body, ['spec', 'value']) === PROBER ? `${PROBER}-2` : PROBER;
    return patch(context, addressPath(resource), { spec: { value } });
  }
  return undefined;
}

function patch(context: DoctorContext, path: string, body: JsonObject): Promise<ProbeAnswer> {
  return dryRun(context, { method: 'PATCH', path, body, contentType: 'application/merge-patch+json' });
}

type ProbeCall = Parameters<DoctorContext['client']['call']>[0];

async function dryRun({ client }: DoctorContext, write: ProbeCall): Promise<ProbeAnswer> {
  try {
    // Milliseconds that are more than all webhooks together may take.
    const { warnings = [] } = await client.call({ ...write, path: `${write.path}?dryRun=All`, timeoutMs: 30_000 });
    return admitted(warnings);
  } catch (error) {
    return answerOf(onlyClusterErrors(error));
  }
}
