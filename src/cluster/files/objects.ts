/** From documents to single Kubernetes objects: lists taken apart, each object with its place in the source. */
import type { Location, Position, SourceDocument } from '../../documents/index.ts';
import { at, isObject, textAt } from '../../rules/json.ts';
import type { Json, JsonObject, Path } from '../../rules/rule.ts';

export interface GivenObject {
  readonly source: string;
  readonly object: JsonObject;
  readonly apiVersion: string;
  readonly kind: string;
  /** Where the object begins. */
  readonly start: Position;
  /** Where a path of the object stands, or what comes nearest to it. */
  locate(path: Path): Location;
  /** One line of its source. */
  readonly sourceLine: (line: number) => string;
}

export interface ObjectError extends Position {
  readonly source: string;
  readonly message: string;
}

export interface Objects {
  readonly objects: readonly GivenObject[];
  readonly errors: readonly ObjectError[];
  /** Documents that are no Kubernetes objects at all: mappings without apiVersion and kind, and lists of no objects. */
  readonly foreign: number;
}

/** Lists within lists are taken apart too, so deep; what lies deeper is an error. */
const LIST_DEPTH = 8;

/**
 * The objects of a document, in order. As for kubectl, whatever has an `items` array is a list, whatever its kind: its items
 * count, and it does not (k8s.io/apimachinery, UnstructuredJSONScheme).
 */
export function objectsIn(document: SourceDocument): Objects {
  const found: Found = { objects: [], errors: [], foreign: 0 };
  collect({ document, path: [], value: document.value, depth: 0 }, found);
  return found;
}

interface Found {
  readonly objects: GivenObject[];
  readonly errors: ObjectError[];
  foreign: number;
}

interface Place {
  readonly document: SourceDocument;
  readonly path: Path;
  readonly value: Json;
  readonly depth: number;
  /** The type of items that have neither `apiVersion` nor `kind`, as the API server leaves them out in a typed list. */
  readonly presumed?: { readonly apiVersion: string; readonly kind: string };
}

function collect(place: Place, found: Found): void {
  const { value, presumed } = place;
  if (isForeignList(place)) {
    found.foreign++;
    return;
  }
  const problem = problemOf(place);
  if (problem !== undefined || !isObject(value)) {
    complain(place, found, problem ?? '');
    return;
  }
  const { apiVersion, kind } = saysWhatItIs(value) ? typeOf(value) : (presumed ?? typeOf(value));
  if (apiVersion === undefined || kind === undefined) found.foreign++;
  else if (isList(value, kind)) collectItems(place, value, { apiVersion, kind }, found);
  else found.objects.push(givenObject(place, { ...value, apiVersion, kind }, apiVersion, kind));
}

/** Somebody else's list, such as a JSON patch for kustomize; one with an object in it was meant for us and is a mistake. */
function isForeignList({ path, value }: Place): boolean {
  if (path.length > 0 || !Array.isArray(value)) return false;
  return !value.some((item) => at(item, ['apiVersion']) !== undefined || at(item, ['kind']) !== undefined);
}

/** kubectl refuses an array of texts or numbers; it makes no list of what is not called one. */
function isList(value: JsonObject, kind: string): boolean {
  if (kind.endsWith('List') && Object.hasOwn(value, 'items')) return true;
  const items = at(value, ['items']);
  return Array.isArray(items) && (items.length === 0 || items.some(isObject));
}

function typeOf(value: JsonObject) {
  return { apiVersion: textAt(value, ['apiVersion']), kind: textAt(value, ['kind']) };
}

/** Whether an object has one of the two. Then kubectl takes nothing from the list around it. */
function saysWhatItIs(value: JsonObject): boolean {
  return ['apiVersion', 'kind'].some((key) => (at(value, [key]) ?? '') !== '');
}

/** A mapping without both is somebody else's file (Helm values, package.json); with one of them it is a mistake. */
function problemOf({ presumed, value }: Place): string | undefined {
  if (!isObject(value)) return 'expected a Kubernetes object: a mapping with apiVersion and kind';
  if (presumed !== undefined && !saysWhatItIs(value)) return undefined;
  const says = (key: string) => at(value, [key]) !== undefined;
  if (!says('apiVersion') && !says('kind')) return undefined;
  for (const key of ['apiVersion', 'kind']) {
    if (!textAt(value, [key]))
      return says(key) ? `${key} must be a text that is not empty` : `the object has no ${key}`;
  }
  return undefined;
}

function collectItems(place: Place, list: JsonObject, type: { apiVersion: string; kind: string }, found: Found): void {
  const items = at(list, ['items']) ?? [];
  if (!Array.isArray(items) || place.depth >= LIST_DEPTH) {
    const deep = `lists within lists, more than ${LIST_DEPTH} deep`;
    complain(place, found, Array.isArray(items) ? deep : `items of a ${type.kind} must be a list`);
    return;
  }
  const presumed = { apiVersion: type.apiVersion, kind: type.kind.replace(/List$/, '') };
  for (const [index, value] of items.entries()) {
    const path = [...place.path, 'items', index];
    const item = { document: place.document, path, value, depth: place.depth + 1 };
    collect(presumed.kind === '' ? item : { ...item, presumed }, found);
  }
}

function givenObject({ document, path }: Place, object: JsonObject, apiVersion: string, kind: string): GivenObject {
  return {
    source: document.source,
    object,
    apiVersion,
    kind,
    start: path.length === 0 ? document.start : document.locate(path),
    locate: (inner) => document.locate([...path, ...inner]),
    sourceLine: document.sourceLine,
  };
}

function complain({ document, path }: Place, found: Found, message: string): void {
  const { line, column } = path.length === 0 ? document.start : document.locate(path);
  found.errors.push({ source: document.source, line, column, message });
}
