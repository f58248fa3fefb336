/**
 * The Services that the exports of a cluster name, before the run and after it. Nothing else of a cluster's Services is
 * kept, and none is read where nothing is exported.
 */
import { service } from '../../api/context.ts';
import { type Resource, serviceExport } from '../../api/dialects.ts';
import { type JsonObject, textAt } from '../../base/json.ts';
import { isBlank } from '../../base/syntax.ts';
import {
  type ContextDocuments,
  dialectOfObject,
  type InputObject,
  inNamespace,
  NO_CONTEXT,
  referenceTo,
  UNREADABLE,
} from '../../cluster/files/index.ts';
import type { Reference } from '../../rules/rule.ts';
import { type KnownObject, knownInCluster, knownInFile } from '../output/results.ts';
import type { Live } from './live.ts';
import { lastApplied, merged } from './writes.ts';

/** Where the Services of a cluster are. */
export interface ServiceSources {
  readonly documents: ContextDocuments;
  readonly deletions: ContextDocuments;
  readonly before: ContextDocuments;
  /** Whether what a file held before is still there, unless the run changes or deletes it. */
  readonly stays: (source: string) => boolean;
  /** Why not all Services of the run, and of the state before it, can be among them. */
  readonly unread: string | undefined;
  readonly unreadBefore: string | undefined;
}

/** A Service, and where it is. */
export interface FoundService {
  readonly object: JsonObject;
  readonly handle: KnownObject;
}

/** The Services of a cluster at one time. */
export interface FoundServices {
  readonly services: readonly FoundService[];
  /** What is said of the kind when the cluster's part of a comparison is committed. */
  readonly unread: ReadonlyMap<Resource, string | undefined>;
}

/** What has no Services. */
export const NO_SERVICES: FoundServices = { services: [], unread: new Map() };

/** Returns the names of exports, to find Services by. */
export function exportedNames(references: Iterable<Reference>): ReadonlySet<string> {
  const exports = [...references].filter(({ dialect }) => dialect.name === serviceExport.name);
  return new Set(exports.map(({ namespace = '', name }) => nameKey(namespace, name)));
}

/** Returns the references to the exports among documents. */
export function exportsIn(documents: Iterable<InputObject>): readonly Reference[] {
  return [...documents].flatMap(({ object }) => {
    const dialect = dialectOfObject(object);
    return dialect?.name === serviceExport.name ? referenceTo(dialect, object) : [];
  });
}

/** What a run could not know of what its clusters export. */
export interface ExportCounts {
  /** The number of clusters that export something. */
  exporting: number;
  /** Whether a claim says of which ClusterSet a cluster is. */
  hasClusterSet: boolean;
  /** The number of exports whose Services are not known. */
  unknown: number;
}

/** Returns notes on what the comparison of exports assumed, and on what it left out. */
export function exportNotes({ exporting, hasClusterSet, unknown }: ExportCounts): readonly string[] {
  const notes: string[] = [];
  if (exporting > 1 && !hasClusterSet)
    notes.push('note: no claim says of which ClusterSet a cluster is, so all clusters of the run are taken for one');
  const exports = unknown === 1 ? '1 ServiceExport is' : `${unknown} ServiceExports are`;
  const services = unknown === 1 ? 'its Service is' : 'their Services are';
  if (unknown > 0) notes.push(`note: ${exports} not compared, since ${services} not known in this run`);
  return notes;
}

/** Counts what is not known of the exports of a cluster. */
export function countExports(
  counts: ExportCounts,
  stored: readonly { readonly reference: Reference; readonly object: JsonObject }[],
  { services, unread }: FoundServices,
): void {
  for (const { reference, object } of stored) {
    const isMembership = reference.dialect.claim?.membershipName === reference.name;
    counts.hasClusterSet ||= isMembership && !isBlank(textAt(object, ['spec', 'value']) ?? '');
  }
  const exported = exportedNames(stored.map(({ reference }) => reference));
  if (exported.size > 0) counts.exporting++;
  const isKnown = unread.has(service) && unread.get(service) === undefined;
  if (!isKnown) counts.unknown += exported.size - services.length;
}

/** Finds the Services of these names, before the run and after it. */
export async function findServices(
  names: ReadonlySet<string>,
  { documents, deletions, before, stays, unread, unreadBefore }: ServiceSources,
  { cluster, live }: { readonly cluster: string | undefined; readonly live: Live | undefined },
): Promise<{ readonly now: FoundServices; readonly before: FoundServices }> {
  const namespace = live?.namespace ?? 'default';
  const [given, gone] = [documents, deletions].map((of) => readByName(of, namespace, cluster)) as [Read, Read];
  const stored = live ? await readLive(live, names, cluster) : readByName(before, namespace, cluster);
  const services = new Map([...stored.services].filter(([, { source }]) => live !== undefined || stays(source)));
  for (const key of gone.services.keys()) services.delete(key);
  for (const [key, one] of given.services) services.set(key, applied(one, services.get(key), live !== undefined));
  const isPartial = given.isIncomplete || (services.size > given.services.size && stored.isIncomplete);
  const isLive = live !== undefined;
  const reason = unread ?? stored.unread ?? (isPartial ? UNREADABLE : undefined);
  const reasonBefore = unreadBefore ?? stored.unread ?? (stored.isIncomplete ? UNREADABLE : undefined);
  return {
    now: found(services, names, reason, isLive),
    before: found(stored.services, names, reasonBefore, isLive),
  };
}

interface NamedService extends FoundService {
  /** The file; empty for one of an API server. */
  readonly source: string;
}

interface Read {
  readonly services: ReadonlyMap<string, NamedService>;
  readonly isIncomplete: boolean;
  /** Why an API server could not be asked. */
  readonly unread?: string | undefined;
}

/** Of a Service that several documents hold, the last counts. */
function readByName(documents: ContextDocuments, namespace: string, cluster: string | undefined): Read {
  if (documents === NO_CONTEXT) return { services: new Map(), isIncomplete: false };
  const { objects, isIncomplete } = documents.read(service);
  const services = new Map<string, NamedService>();
  for (const input of objects) {
    const at = textAt(input.object, ['metadata', 'namespace']) || namespace;
    const object = inNamespace({ namespace: at }, input.object);
    const key = nameKey(at, textAt(input.object, ['metadata', 'name']) ?? '');
    services.set(key, { object, handle: knownInFile(input, cluster), source: input.source });
  }
  return { services, isIncomplete };
}

async function readLive(live: Live, names: ReadonlySet<string>, cluster: string | undefined): Promise<Read> {
  const services = new Map<string, NamedService>();
  let unread: string | undefined;
  const references = [...names].map((key) => {
    const [namespace = '', name = ''] = key.split('\n');
    return { dialect: service, namespace, name };
  });
  for (const [index, answer] of (await live.get(references)).entries()) {
    const reference = references[index] as Reference<typeof service>;
    if (!answer.known) unread = answer.reason;
    else if (answer.value !== undefined) {
      const key = nameKey(reference.namespace ?? '', reference.name);
      services.set(key, { object: answer.value, handle: knownInCluster(reference, cluster), source: '' });
    }
  }
  return { services, isIncomplete: false, unread };
}

/** An update keeps what the API server chose, as far as it is known what was applied before. */
function applied(file: NamedService, stored: NamedService | undefined, isLive: boolean): NamedService {
  if (stored === undefined) return file;
  const last = lastApplied(stored.object) ?? (isLive ? {} : stored.object);
  return { ...file, object: merged(stored.object, file.object, last) };
}

function found(
  all: ReadonlyMap<string, NamedService>,
  names: ReadonlySet<string>,
  unread: string | undefined,
  isLive: boolean,
): FoundServices {
  const services = [...all].flatMap(([key, one]) => (names.has(key) ? one : []));
  // Where there is not one Service, the cluster's are elsewhere.
  const isSaid = unread !== undefined || isLive || all.size > 0;
  return { services, unread: isSaid ? new Map([[service, unread]]) : new Map() };
}

function nameKey(namespace: string, name: string): string {
  return `${namespace}\n${name}`;
}
