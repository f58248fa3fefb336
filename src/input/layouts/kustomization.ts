/** Reads a kustomization: which files and folders it refers to, by the fields of kustomize's `types.Kustomization`. */
import { basename, join } from 'node:path';
import { dialects } from '../../api/dialects.ts';
import { MANAGER_LABEL } from '../../api/labels.ts';
import { at, isObject, type Json, type JsonObject, listAt, textAt, textOf } from '../../base/json.ts';
import { errorAbout } from '../../documents/files.ts';
import { LOCAL_CONFIG } from '../objects.ts';
import { descriptionAt, fieldName, withLowerKeys } from './description.ts';
import type { Tree } from './tree.ts';

/** The names that kustomize looks for in a folder. */
export const KUSTOMIZATION_NAMES = ['kustomization.yaml', 'kustomization.yml', 'Kustomization'];

/** A reference to a file, or to a folder with a kustomization. */
export interface KustomizeReference {
  readonly field: string;
  /** As it is written. */
  readonly path: string;
}

export interface Kustomization {
  /** The path of the file. */
  readonly file: string;
  /** Its content, with the keys as they are written. */
  readonly value: JsonObject;
  /** A Component is applied only as a part of kustomizations that list it. */
  readonly isComponent: boolean;
  /** All references. The content of those in other fields than `resources` is not applied as it is, such as patches. */
  readonly references: readonly KustomizeReference[];
  /** The texts of generators and transformers that are written inline. */
  readonly inline: readonly string[];
  /** Whether it may change objects of muster's kinds without naming one. */
  readonly mayChangeOurs: boolean;
  /** The namespace that it gives to all objects, if any. */
  readonly namespace: string | undefined;
  /** Whether it inflates Helm charts, which kustomize does only with `--enable-helm`. */
  readonly usesHelm: boolean;
}

/**
 * Returns the kustomization in a folder, if there is one that can be read. A file of another API group, such as Flux's
 * Kustomization, is an object. So is one with `items`: no kustomization has such a field, and kubectl reads it as a
 * list.
 */
export function kustomizationAt(folder: string, tree: Tree): Kustomization | undefined {
  const files = KUSTOMIZATION_NAMES.map((name) => join(folder, name));
  const [file, ...others] = files.filter((one) => tree.typeOf(one) === 'file');
  const written = file === undefined ? undefined : descriptionAt(file, tree, isKustomization);
  for (const other of others.filter((one) => descriptionAt(one, tree, isKustomization) !== undefined)) {
    const message = `kustomize refuses this folder, which has ${basename(file ?? '')} too: remove one`;
    tree.broken.set(other, [errorAbout(tree.nameOf(other), message)]);
  }
  if (file === undefined || !isObject(written)) return undefined;
  const renamed = withRenamedFields(written);
  const value = withLowerKeys(renamed) as JsonObject;
  return {
    file,
    value: renamed,
    isComponent: textAt(value, ['kind']) === 'Component',
    references: REFERRING.flatMap(([field, read, key = field.toLowerCase()]) =>
      read(value, key).map((path) => ({ field, path })),
    ),
    inline: CONFIGURING.flatMap((field) => textsAt(value, field).filter(isInline)),
    mayChangeOurs: mayChangeOurs(value),
    namespace: textAt(value, ['namespace']) || undefined,
    usesHelm: ['helmcharts', 'helmchartinflationgenerator'].some((field) => listAt(value, [field]).length > 0),
  };
}

function isKustomization(lower: Json, written: Json): boolean {
  if (!isObject(written) || at(lower, ['items']) !== undefined) return false;
  const apiVersions = Object.entries(written).filter(([key]) => fieldName(key) === 'apiversion');
  return apiVersions.length === 0 || apiVersions.some(([, apiVersion]) => isOwn(apiVersion));
}

/** Fields that give all objects another name. */
const RENAMING = ['nameprefix', 'namesuffix'];
/** Fields whose files say which other fields of objects labels, annotations, images and the like are written to. */
const SPECIFYING = ['configurations', 'crds'];

/**
 * Returns whether it may change objects of muster's kinds. Patches without a target name the objects that they change,
 * and labels that rules read their API group.
 */
function mayChangeOurs(value: JsonObject): boolean {
  const labels = [at(value, ['commonlabels']), ...listAt(value, ['labels']).map((one) => at(one, ['pairs']))];
  if (RENAMING.some((field) => textAt(value, [field]))) return true;
  if (SPECIFYING.some((field) => listAt(value, [field]).length > 0)) return true;
  if (at(value, ['commonannotations', LOCAL_CONFIG]) !== undefined) return true;
  if (labels.some((pairs) => at(pairs, [MANAGER_LABEL]) !== undefined)) return true;
  const replacements = listAt(value, ['replacements']);
  const targets = [
    ...['patches', 'patchesjson6902'].flatMap((field) => listAt(value, [field])).map((one) => at(one, ['target'])),
    ...replacements.flatMap((one) => listAt(one, ['targets'])).map((one) => at(one, ['select'])),
    // A label may be written to any field.
    ...listAt(value, ['labels']).flatMap((one) => listAt(one, ['fields'])),
  ];
  const isUnknown = listAt(value, ['transformers']).length > 0 || replacements.some((one) => textAt(one, ['path']));
  return isUnknown || targets.some((target) => target !== undefined && maySelectOurs(target));
}

/** Returns whether a target may select objects of muster's kinds. Its kind is a regular expression. */
function maySelectOurs(target: Json): boolean {
  const kind = textAt(target, ['kind']) ?? '';
  return !/^\w+$/.test(kind) || dialects.some((dialect) => dialect.kind === kind);
}

/** Returns whether an `apiVersion` is that of a kustomization, which may also have an empty one or none. */
function isOwn(apiVersion: Json): boolean {
  const text = textOf(apiVersion) ?? '';
  return text === '' || text.startsWith('kustomize.config.k8s.io/');
}

/** Renames fields as kustomize itself does, by replacing text in the file (`FixKustomizationPreUnmarshalling`). */
function withRenamedFields(value: JsonObject): JsonObject {
  const hasTexts = listAt(value, ['patches']).some((one) => typeof one === 'string');
  const isLegacyPatch = hasTexts && !Object.hasOwn(value, 'patchesStrategicMerge');
  const names = new Map([['imageTags', 'images']]);
  if (isLegacyPatch) names.set('patches', 'patchesStrategicMerge');
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [names.get(key) ?? key, inner]));
}

/** Fields whose entries are files or folders with the configuration of plugins, or such a configuration itself. */
export const CONFIGURING = ['transformers', 'generators', 'validators'];

/** Fields whose files hold objects of the result, or changes of them. Files of other fields are data. */
export const APPLIED = ['resources', 'patches', 'patchesStrategicMerge'];

/**
 * Returns whether an entry is the content of a file instead of a path: it has several lines (YAML has five line
 * breaks), or a mapping in braces anywhere. kustomize tries to read any entry as YAML first.
 */
function isInline(entry: string): boolean {
  return /[\n\r\u0085\u2028\u2029{]/.test(entry);
}

type Reader = (value: JsonObject, field: string) => readonly string[];

const textsAt: Reader = (value, field) => listAt(value, [field]).filter((one) => typeof one === 'string');

const filesAt: Reader = (value, field) => textsAt(value, field).filter((one) => !isInline(one));

const pathAt: Reader = (value, field) => [textAt(value, [field, 'path']) ?? []].flat();

const pathsAt: Reader = (value, field) => listAt(value, [field]).flatMap((one) => textAt(one, ['path']) ?? []);

/** Returns the files of a generator. Only those of `files` may be written as `KEY=FILE`. */
const generatedAt: Reader = (value, field) =>
  listAt(value, [field]).flatMap((one) => {
    const files = listAt(one, ['files']).map((text) => textOf(text)?.replace(/^[^=]*=/, ''));
    const envs = [at(one, ['env']), ...listAt(one, ['envs'])].map(textOf);
    return [...files, ...envs].filter((path) => path !== undefined);
  });

const valuesAt: Reader = (value, field) =>
  listAt(value, [field]).flatMap((one) => {
    const texts = [at(one, ['valuesfile']), at(one, ['values']), ...listAt(one, ['additionalvaluesfiles'])];
    return texts.flatMap((text) => textOf(text) ?? []);
  });

/** The fields with references; `key` is another name of a field. */
const REFERRING: readonly (readonly [field: string, read: Reader, key?: string])[] = [
  ['resources', textsAt],
  ['resources', textsAt, 'bases'],
  ['patches', pathsAt],
  ['patchesStrategicMerge', filesAt],
  ['patchesJson6902', pathsAt],
  ['replacements', pathsAt],
  ['components', textsAt],
  ['transformers', filesAt],
  ['generators', filesAt],
  ['validators', filesAt],
  ['configurations', textsAt],
  ['crds', textsAt],
  ['configMapGenerator', generatedAt],
  ['secretGenerator', generatedAt],
  ['helmCharts', valuesAt],
  ['helmChartInflationGenerator', valuesAt],
  ['openapi', pathAt],
];
