/** Reads a kustomization: which files and folders it refers to, by the fields of kustomize's `types.Kustomization`. */
import { readDocuments } from '../../../documents/index.ts';
import { at, isObject, listAt, textAt, textOf } from '../../../rules/json.ts';
import type { Json, JsonObject } from '../../../rules/rule.ts';

/** The names that kustomize looks for in a folder. */
export const KUSTOMIZATION_NAMES = ['kustomization.yaml', 'kustomization.yml', 'Kustomization'];

/** A reference as it is written, and the field that has it. */
export interface KustomizeReference {
  readonly field: string;
  readonly path: string;
}

export interface Kustomization {
  /** A Component is applied only as a part of kustomizations that list it. */
  readonly isComponent: boolean;
  /** Files with objects, or folders with kustomizations. */
  readonly resources: readonly KustomizeReference[];
  /** Files, or folders with kustomizations, of which nothing is applied as it is. */
  readonly parts: readonly KustomizeReference[];
  /** Generators and transformers that are written in it. */
  readonly inline: readonly string[];
  /** Whether Helm charts are inflated, which kustomize does with `--enable-helm` only. */
  readonly usesHelm: boolean;
}

/** Reads the text of such a file; undefined if it is none (of another group, as Flux's Kustomization) or can't be read. */
export function readKustomization(text: string): Kustomization | undefined {
  const { documents, errors } = readDocuments(text, '');
  const [document] = documents;
  if (errors.length > 0) return undefined;
  const value = document === undefined ? {} : withLowerKeys(document.value);
  if (!isObject(value)) return undefined;
  const apiVersion = textAt(value, ['apiversion']) ?? '';
  if (apiVersion !== '' && !apiVersion.startsWith('kustomize.config.k8s.io/')) return undefined;
  const helm = ['helmcharts', 'helmchartinflationgenerator'].flatMap((field) => listAt(value, [field]));
  return {
    isComponent: textAt(value, ['kind']) === 'Component',
    resources: [...textsAt(value, 'resources'), ...textsAt(value, 'bases')].map(referenceIn('resources')),
    parts: PARTS.flatMap(([field, read]) => read(value, field.toLowerCase()).map(referenceIn(field))),
    inline: ['transformers', 'generators', 'validators'].flatMap((field) =>
      listAt(value, [field]).flatMap((one) => (textOf(one)?.includes('\n') ? [one as string] : [])),
    ),
    usesHelm: helm.length > 0,
  };
}

type Reader = (value: JsonObject, field: string) => readonly string[];

/** Inline patches and transformers have several lines. */
const textsAt: Reader = (value, field) =>
  listAt(value, [field]).flatMap((one) => (typeof one === 'string' && !one.includes('\n') ? one : []));

const pathsAt: Reader = (value, field) => listAt(value, [field]).flatMap((one) => textAt(one, ['path']) ?? []);

/** `FILE`, or `KEY=FILE`. */
const generatedAt: Reader = (value, field) =>
  listAt(value, [field]).flatMap((one) => {
    const texts = [at(one, ['env']), ...listAt(one, ['files']), ...listAt(one, ['envs'])];
    return texts.flatMap((text) => textOf(text)?.replace(/^[^=]*=/, '') ?? []);
  });

const valuesAt: Reader = (value, field) =>
  listAt(value, [field]).flatMap((one) => {
    const texts = [at(one, ['valuesfile']), at(one, ['values']), ...listAt(one, ['additionalvaluesfiles'])];
    return texts.flatMap((text) => textOf(text) ?? []);
  });

const openApiAt: Reader = (value, field) => [textAt(value, [field, 'path'])].flatMap((text) => text ?? []);

const PARTS: readonly (readonly [field: string, read: Reader])[] = [
  ['patches', pathsAt],
  ['patchesStrategicMerge', textsAt],
  ['patchesJson6902', pathsAt],
  ['replacements', pathsAt],
  ['components', textsAt],
  ['transformers', textsAt],
  ['generators', textsAt],
  ['validators', textsAt],
  ['configurations', textsAt],
  ['crds', textsAt],
  ['configMapGenerator', generatedAt],
  ['secretGenerator', generatedAt],
  ['helmCharts', valuesAt],
  ['helmChartInflationGenerator', valuesAt],
  ['openapi', openApiAt],
];

function referenceIn(field: string): (path: string) => KustomizeReference {
  return (path) => ({ field, path });
}

/** kustomize decodes fields as Go does, in any case: `Resources` is `resources`, and so is `reſources`. */
function withLowerKeys(value: Json): Json {
  if (Array.isArray(value)) return value.map(withLowerKeys);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key.toUpperCase().toLowerCase(), withLowerKeys(inner)]),
  );
}
