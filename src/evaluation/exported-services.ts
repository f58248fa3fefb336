/**
 * Finds the Services of a cluster's exports, before and after the run. Of all other Services only the namespaces are
 * kept. If nothing is exported, no Service is read.
 */
import { type Resource, serviceExport } from '../api/dialects.ts';
import { namespace as namespaceKind, service } from '../api/supporting-kinds.ts';
import { type JsonObject, textAt } from '../base/json.ts';
import { type ComparisonPart, type Unread, unreadIn } from '../engine/index.ts';
import type { Live } from '../input/live.ts';
import { inNamespace } from '../input/objects.ts';
import { readSupporting, type Supporting } from '../input/supporting.ts';
import { lastApplied, merged } from '../input/writes.ts';
import type { Reference } from '../rules/rule.ts';
import { type KnownObject, knownInCluster, knownInFile, NOWHERE } from './results.ts';

/** The documents with the Services of a cluster. */
export interface ServiceSources {
  readonly documents: readonly Supporting[];
  readonly deletions: readonly Supporting[];
  readonly before: readonly Supporting[];
  /** Whether the objects that a file had before still exist, unless the run changes or deletes them. Default: yes. */
  readonly stays?: (file: string) => boolean;
  /** Why the Services of the run, and of the state before it, may be incomplete; undefined if they are not. */
  readonly unread: string | undefined;
  readonly unreadBefore?: string | undefined;
  /** Whether the documents have all Services, even if there is none. By default, only if there is at least one. */
  readonly isWhole?: boolean;
}

/** A Service with its location. */
interface FoundService {
  readonly object: JsonObject;
  readonly handle: KnownObject;
}

/** The Services of a cluster at one time. */
export interface FoundServices {
  /** The Services with the names that were asked for, by the keys of their names. */
  readonly services: ReadonlyMap<string, FoundService>;
  /** Namespaces of other Services, which are thus known to exist. */
  readonly namespaces: Iterable<string>;
  /** The kinds that were read, or why not all of one was; for `commit` of a comparison. Empty: nothing is known. */
  readonly unread: ReadonlyMap<Resource, Unread>;
}

const NONE: FoundServices = { services: new Map(), namespaces: [], unread: new Map() };

/** Returns the names of the exports among references, to find Services by. */
export function exportedNames(references: Iterable<Reference>): ReadonlySet<string> {
  const exports = [...references].filter(({ dialect }) => dialect.name === serviceExport.name);
  return new Set(exports.map(({ namespace = '', name }) => nameKey(namespace, name)));
}

interface ServiceName {
  readonly namespace: string;
  readonly name: string;
}

/** Returns a key of a name, to compare the names of exports and Services. */
export function nameKey(namespace: string, name: string): string {
  return `${namespace}\n${name}`;
}

function nameIn(key: string): ServiceName {
  const [namespace = '', name = ''] = key.split('\n');
  return { namespace, name };
}

/** Returns the names of the Services that were not found, and that may exist. */
export function unknownAmong(names: ReadonlySet<string>, { services, unread }: FoundServices): readonly ServiceName[] {
  const isKnown = ({ namespace }: ServiceName) =>
    unread.has(service) && unreadIn(unread.get(service), namespace) === undefined;
  const missing = [...names].filter((key) => !services.has(key)).map(nameIn);
  return missing.filter((name) => !isKnown(name));
}

/** Adds the Services to a cluster's part of a comparison, and commits the part. */
export function commitServices(part: ComparisonPart<KnownObject>, found: FoundServices): void {
  for (const { object, handle } of found.services.values()) part.add(service, object, handle);
  for (const name of found.namespaces) addNamespace(part, name);
  part.commit(found.unread);
}

/** Adds a namespace to a cluster's part of a comparison. No finding is about it. */
export function addNamespace(part: ComparisonPart<KnownObject>, name: string): void {
  part.add(namespaceKind, { metadata: { name } }, NAMESPACE);
}

const NAMESPACE: KnownObject = { place: {}, ...NOWHERE };

/**
 * Returns the Services of these names among stored objects.
 * @param unread why not all documents could be read
 */
export function storedServices(
  names: ReadonlySet<string>,
  documents: readonly Supporting[],
  cluster: string | undefined,
  unread: string | undefined,
): FoundServices {
  const { services, namespaces, ...read } = readByName(documents, 'default', cluster);
  const among = found(services, names, unread ?? read.unread, services.size > 0);
  return { ...among, namespaces: [...among.namespaces, ...namespaces] };
}

/** Finds the Services of these names, before the run and after it. */
export async function findServices(
  names: ReadonlySet<string>,
  { documents, deletions, before, stays, unread, unreadBefore, isWhole = false }: ServiceSources,
  { cluster, live }: { readonly cluster: string | undefined; readonly live: Live | undefined },
): Promise<{ readonly now: FoundServices; readonly before: FoundServices }> {
  if (names.size === 0) return { now: NONE, before: NONE };
  const namespace = live?.namespace ?? 'default';
  const given = readByName(documents, namespace, cluster);
  const gone = readByName(deletions, namespace, cluster);
  const stored = live ? await readLive(live, names, cluster) : readByName(before, namespace, cluster);
  const isLeft = ({ handle }: FoundService) => stays?.(handle.place.file ?? '') !== false;
  const services = new Map([...stored.services].filter(([, one]) => isLeft(one)));
  for (const key of gone.services.keys()) services.delete(key);
  for (const [key, one] of given.services) services.set(key, applied(one, services.get(key), live !== undefined));
  const isStoredLeft = live !== undefined || services.size > given.services.size;
  // If there is no Service before or after the run, the Services of the cluster are not in these documents.
  const areThere = isWhole || live !== undefined || services.size + stored.services.size + gone.services.size > 0;
  const reason = unread ?? given.unread ?? (isStoredLeft ? stored.unread : undefined);
  return {
    now: found(services, names, reason, areThere),
    before: found(stored.services, names, unreadBefore ?? stored.unread, areThere),
  };
}

/**
 * Reads Services by name, and the names of Namespaces. If several documents have a Service, the last one counts.
 * @param namespace that of Services that name none
 */
function readByName(documents: readonly Supporting[], namespace: string, cluster: string | undefined) {
  const { objects, unread } = readSupporting(documents);
  const services = new Map<string, FoundService>();
  const namespaces: string[] = [];
  for (const input of objects) {
    if (input.kind === namespaceKind.kind) {
      namespaces.push(textAt(input.object, ['metadata', 'name']) ?? '');
      continue;
    }
    const at = textAt(input.object, ['metadata', 'namespace']) || namespace;
    const object = inNamespace({ namespace: at }, input.object);
    const key = nameKey(at, textAt(object, ['metadata', 'name']) ?? '');
    services.set(key, { object, handle: knownInFile(input, cluster) });
  }
  return { services, namespaces, unread };
}

async function readLive(live: Live, names: ReadonlySet<string>, cluster: string | undefined) {
  const services = new Map<string, FoundService>();
  const unread = new Map<string, string>();
  const keys = [...names];
  const references = keys.map((key) => ({ dialect: service, ...nameIn(key) }));
  for (const [index, answer] of (await live.get(references)).entries()) {
    const key = keys[index] as string;
    const reference = references[index] as (typeof references)[number];
    if (!answer.known) unread.set(reference.namespace, answer.reason);
    else if (answer.value !== undefined)
      services.set(key, { object: answer.value, handle: knownInCluster(reference, cluster) });
  }
  return { services, unread };
}

/**
 * Returns the Service after an apply. It keeps fields that the API server chose, if the last applied manifest is known.
 */
function applied(file: FoundService, stored: FoundService | undefined, isLive: boolean): FoundService {
  if (stored === undefined) return file;
  const last = lastApplied(stored.object) ?? (isLive ? {} : stored.object);
  return { ...file, object: merged(stored.object, file.object, last) };
}

/** @param areThere whether the cluster's Services are among `all`, so that one that is not found does not exist */
function found(
  all: ReadonlyMap<string, FoundService>,
  names: ReadonlySet<string>,
  unread: Unread,
  areThere: boolean,
): FoundServices {
  const services = new Map([...all].filter(([key]) => names.has(key)));
  const others = [...all.keys()].filter((key) => !names.has(key));
  const namespaces = new Set(others.map((key) => nameIn(key).namespace));
  return { services, namespaces, unread: unread !== undefined || areThere ? new Map([[service, unread]]) : new Map() };
}
