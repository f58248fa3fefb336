/**
 * Splits documents into single Kubernetes objects, the items of lists too, each with its location in the source. Finds
 * their names and namespaces, and whether their version exists. Reads no files, since the playground uses this module
 * in a browser.
 */
import { type Dialect, dialectOf, type Resource } from '../api/dialects.ts';
import { type SupportingKind, supportingKindOf } from '../api/supporting-kinds.ts';
import { at, isObject, isUnquoted, type Json, type JsonObject, type Path, textAt } from '../base/json.ts';
import { nearest } from '../base/suggest.ts';
import { safeText, typeInWords } from '../base/text.ts';
import {
  type LineReader,
  linesWithin,
  type Position,
  REVIEW_GROUP,
  type SourceDocument,
  type SourceError,
} from '../documents/index.ts';
import { referenceOfObject } from '../engine/review.ts';
import { mayHoldSecret } from '../rules/inventory/access-providers.ts';
import type { Reference } from '../rules/rule.ts';

/** An object with its start, and the location of its paths. */
export interface InputObject extends Omit<SourceDocument, 'value'> {
  readonly object: JsonObject;
  readonly apiVersion: string;
  readonly kind: string;
  /** The cluster that it belongs to, in a run of several. */
  readonly cluster?: string;
  /** Returns where the file is in the working tree, for an object of a git revision. */
  readonly pathNow?: () => string;
}

export interface Objects {
  readonly objects: InputObject[];
  readonly errors: SourceError[];
  /** How many documents are no Kubernetes objects: mappings without apiVersion and kind, and lists of no objects. */
  foreign: number;
}

/** The deepest lists within lists that are split; deeper ones are an error. */
const LIST_DEPTH = 8;

/**
 * Returns the objects of a document, in order. As for kubectl, an object with an `items` array is a list, whatever its
 * kind (k8s.io/apimachinery, UnstructuredJSONScheme).
 * @param namespace that of objects that name none, in a Helm release
 */
export function objectsIn(document: SourceDocument, namespace?: string): Objects {
  const found: Objects = { objects: [], errors: [], foreign: 0 };
  collect({ document, path: [], value: document.value, depth: 0, namespace }, found);
  return found;
}

interface Node {
  readonly document: SourceDocument;
  readonly path: Path;
  readonly value: Json;
  readonly depth: number;
  readonly namespace: string | undefined;
  /** The type of items that have neither `apiVersion` nor `kind`, as the API server leaves them out in a typed list. */
  readonly presumed?: { readonly apiVersion: string; readonly kind: string } | undefined;
  /** Returns where the next item of a list begins. */
  readonly next?: (() => Position) | undefined;
}

function collect(node: Node, found: Objects): void {
  const { value, presumed } = node;
  const problem = problemOf(node);
  const { apiVersion, kind } = isObject(value) && !hasType(value) && presumed ? presumed : typeOf(value);
  if (problem !== undefined) fail(node, found, problem);
  else if (!isObject(value) || apiVersion === undefined || kind === undefined) found.foreign++;
  else if (isList(value, kind)) collectItems(node, value, { apiVersion, kind }, found);
  else {
    const { document, path, namespace, next } = node;
    const start = startOf(node);
    const own = path.length === 0 ? document.sourceLine : linesWithin(document.sourceLine, start, () => next?.());
    found.objects.push({
      file: document.file,
      object: withNamespace(namespace, { ...value, apiVersion, kind }),
      apiVersion,
      kind,
      start,
      locate: (inner) => document.locate([...path, ...inner]),
      sourceLine: withoutSecrets(own, value),
    });
  }
}

/** Returns the lines of an object; none of one that may hold a secret, which may be on the line of any finding. */
function withoutSecrets(lines: LineReader, object: JsonObject): LineReader {
  let isSecret: boolean | undefined;
  // Those of an AdmissionReview, too.
  const objects = () => [object, ...['object', 'oldObject'].map((name) => at(object, ['request', name]))];
  return (...part) => {
    isSecret ??= objects().some((one) => isObject(one) && mayHoldSecret(one));
    return isSecret ? '' : lines(...part);
  };
}

/** Returns whether a value is a list. kubectl refuses arrays of texts or numbers. */
function isList(value: JsonObject, kind: string): boolean {
  if (kind.endsWith('List') && Object.hasOwn(value, 'items')) return true;
  const items = at(value, ['items']);
  return Array.isArray(items) && (items.length === 0 || items.some(isObject));
}

function typeOf(value: Json) {
  return { apiVersion: textAt(value, ['apiVersion']), kind: textAt(value, ['kind']) };
}

/** Returns whether an object has `apiVersion` or `kind`. Then kubectl adds nothing from the list around it. */
function hasType(value: JsonObject): boolean {
  return ['apiVersion', 'kind'].some((key) => (at(value, [key]) ?? '') !== '');
}

/**
 * Returns why a value is no object; undefined if it is one, or foreign. A mapping without `apiVersion` and `kind` is a
 * file of another program (Helm values, package.json), and so is a list of these (a JSON patch). One with only one of
 * the two keys is an error.
 */
function problemOf({ path, presumed, value }: Node): string | undefined {
  const has = (of: Json, key: string) => at(of, [key]) !== undefined;
  const isForeign = (of: Json) => !has(of, 'apiVersion') && !has(of, 'kind');
  if (path.length === 0 && Array.isArray(value) && value.every(isForeign)) return undefined;
  if (!isObject(value)) return 'expected a Kubernetes object: a mapping with apiVersion and kind';
  if (isForeign(value) || (presumed !== undefined && !hasType(value))) return undefined;
  for (const key of ['apiVersion', 'kind'])
    if (!textAt(value, [key]))
      return has(value, key) ? `${key} must be a non-empty string` : `the object has no ${key}`;
  return undefined;
}

function collectItems(node: Node, list: JsonObject, type: { apiVersion: string; kind: string }, found: Objects): void {
  const items = at(list, ['items']) ?? [];
  if (!Array.isArray(items) || node.depth >= LIST_DEPTH) {
    const deep = `lists within lists, more than ${LIST_DEPTH} deep`;
    fail(node, found, Array.isArray(items) ? deep : `items of a ${type.kind} must be a list`);
    return;
  }
  const kind = type.kind.replace(/List$/, '');
  const presumed = kind === '' ? undefined : { apiVersion: type.apiVersion, kind };
  for (const [index, value] of items.entries()) {
    const path = [...node.path, 'items', index];
    const isLast = index + 1 === items.length;
    const next = isLast ? node.next : () => node.document.locate([...node.path, 'items', index + 1]);
    collect({ ...node, path, value, depth: node.depth + 1, presumed, next }, found);
  }
}

function fail(node: Node, found: Objects, message: string): void {
  found.errors.push({ file: node.document.file, ...startOf(node), message });
}

function startOf({ document, path }: Node): Position {
  return path.length === 0 ? begin(document.start) : begin(document.locate(path));
}

/** Returns where a location begins, without its end. */
function begin({ line, column }: Position): Position {
  return { line, column };
}

/** Returns the object with the namespace of the reference; without one for cluster-scoped kinds. */
export function inNamespace({ namespace }: Pick<Reference, 'namespace'>, object: JsonObject): JsonObject {
  const metadata = at(object, ['metadata']);
  if (!isObject(metadata) || textAt(metadata, ['namespace']) === namespace) return object;
  const { namespace: _, ...rest } = metadata;
  return { ...object, metadata: namespace === undefined ? rest : { ...rest, namespace } };
}

/** Returns an object with this namespace, of a release or of kubectl, if its kind has one and it names none. */
export function withNamespace(namespace: string | undefined, object: JsonObject): JsonObject {
  if (namespace === undefined || comparedKindOf(object)?.scope !== 'Namespaced') return object;
  // One that is no text stays, to be reported.
  return (at(object, ['metadata', 'namespace']) ?? '') === '' ? inNamespace({ namespace }, object) : object;
}

/**
 * Returns an object, or a place or message about one, as one of a cluster, unless it has a cluster already.
 * @param cluster undefined: the only cluster of a run
 */
export function withCluster<Of extends object>(cluster: string | undefined, one: Of): Of {
  return cluster === undefined ? one : { cluster, ...one };
}

/** Returns the place of an object in a file, or in a file at a git revision. */
export function placeIn({ file, start, pathNow }: InputObject) {
  return { file, ...start, pathNow };
}

/** Returns a key for a map. All versions of a group share one; none of the parts may contain a newline. */
export function keyOf({ dialect, namespace, name }: Reference): string {
  return [dialect.name, dialect.scope === 'Cluster' ? '' : (namespace ?? ''), name].join('\n');
}

/** Returns the key of an object with a name; undefined for one without, or of a kind that muster does not evaluate. */
export function keyOfObject(object: JsonObject): string | undefined {
  const reference = referenceOf(object);
  return reference?.name ? keyOf(reference) : undefined;
}

/** Returns the reference to an object; undefined: muster does not evaluate it. */
export function referenceOf(object: JsonObject): Reference | undefined {
  const dialect = dialectOfObject(object);
  return dialect && referenceOfObject(dialect, object);
}

/** Returns the dialect of an object; undefined: muster does not evaluate it. */
export function dialectOfObject(object: JsonObject): Dialect | undefined {
  const [group, version, ...rest] = (textAt(object, ['apiVersion']) ?? '').split('/');
  return version === undefined || rest.length > 0 ? undefined : dialectOf(group ?? '', textAt(object, ['kind']) ?? '');
}

/** Returns the kind of an object that is evaluated, or that rules read to evaluate others; else undefined. */
export function comparedKindOf(object: JsonObject): Dialect | SupportingKind | undefined {
  const apiVersion = textAt(object, ['apiVersion']) ?? '';
  const kind = textAt(object, ['kind']) ?? '';
  return supportingKindOf(apiVersion, kind) ?? dialectOfObject(object);
}

/** Why an object can't be written. */
export interface InvalidInput {
  readonly problem: string;
  readonly at: Path;
}

/**
 * Returns the reference to an object, or why it has none; undefined for a kind that no rule applies to.
 * @param generate makes the name of an object that has only a `generateName`
 */
export function referenceOfInput(
  { object }: { readonly object: JsonObject },
  generate?: (object: JsonObject) => string | undefined,
): Reference | InvalidInput | undefined {
  const reference = referenceOf(object);
  if (reference === undefined) return undefined;
  const unquoted = unquotedName(reference.dialect, object);
  if (unquoted) return unquoted;
  const name = reference.name || generate?.(object);
  if (name) return { ...reference, name };
  return { problem: `the object has no metadata.name${generate ? ', nor generateName' : ''}`, at: ['metadata'] };
}

/** Returns the problem of a name or namespace that is no text; undefined if both are texts. */
export function unquotedName(dialect: Resource, object: JsonObject): InvalidInput | undefined {
  for (const key of dialect.scope === 'Cluster' ? ['name'] : ['name', 'namespace']) {
    const value = at(object, ['metadata', key]) ?? '';
    if (typeof value === 'string') continue;
    const fix = isUnquoted(value) ? ': quote it' : '';
    return { problem: `metadata.${key} must be a string, got ${typeInWords(value)}${fix}`, at: ['metadata', key] };
  }
  return undefined;
}

/** The annotation of an object that kustomize leaves out. */
export const LOCAL_CONFIG = 'config.kubernetes.io/local-config';

/** Returns a warning for an object that kubectl applies, but kustomize (and so Flux) leaves out of its output. */
export function leftOutByKustomize(input: InputObject): SourceError | undefined {
  const path = ['metadata', 'annotations', LOCAL_CONFIG];
  const value = at(input.object, path);
  if (typeof value !== 'string' || value === 'false') return undefined;
  const message = 'kubectl applies the object, and kustomize leaves it out: remove the annotation';
  return { file: input.file, ...begin(input.locate(path)), message };
}

/**
 * Returns a warning for the labels, and one for the annotations, where a value is no text, as `true` and `1` without
 * quotes are: an API server refuses the object. (It takes null for an empty text.)
 */
export function unquotedTexts({ file, object, locate }: InputObject): readonly SourceError[] {
  if (dialectOfObject(object) === undefined) return [];
  return ['labels', 'annotations'].flatMap((map) => {
    const value = at(object, ['metadata', map]) ?? {};
    const warn = (path: Path, message: string) => ({ file, ...begin(locate(path)), message });
    if (!isObject(value)) return [warn(['metadata', map], `metadata.${map} must be a map of texts`)];
    const wrong = Object.entries(value).filter(([, text]) => typeof text !== 'string' && text !== null);
    const [first] = wrong;
    if (first === undefined) return [];
    const [key, found] = first;
    const fix = isUnquoted(found) ? ': quote it' : '';
    const others = wrong.length === 1 ? '' : ` (and ${wrong.length - 1} more)`;
    const problem = `must be a string, got ${typeInWords(found)}${fix}${others}`;
    return [warn(['metadata', map, key], `metadata.${map}[${safeText(key, 128)}] ${problem}`)];
  });
}

/** Returns a warning for an object of an unknown version, which is evaluated as one of the latest version. */
export function unknownVersion({ file, start, apiVersion, kind }: InputObject): SourceError | undefined {
  const [group = '', version = ''] = apiVersion.split('/');
  const versions = dialectOf(group, kind)?.versions;
  if (versions === undefined || versions.includes(version)) return undefined;
  const near = nearest(version, versions) ?? versions.at(-1);
  const written = safeText(apiVersion, 64);
  const message = `muster does not know ${kind} in ${written}; did you mean "${group}/${near}"?`;
  return { file, ...start, message };
}

/** Returns the objects of a document that are evaluated. */
export function evaluatedIn(document: SourceDocument): readonly InputObject[] {
  return objectsIn(document).objects.filter(isEvaluated);
}

/** Returns whether muster evaluates the kind, or the object is an AdmissionReview. */
export function isEvaluated(input: InputObject): boolean {
  return isReview(input) || dialectOfObject(input.object) !== undefined;
}

/** Returns whether the object is an AdmissionReview. */
export function isReview({ apiVersion, kind }: InputObject): boolean {
  return kind === 'AdmissionReview' && apiVersion.startsWith(`${REVIEW_GROUP}/`);
}
