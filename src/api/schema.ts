import type { Dialect } from './dialects.ts';

/**
 * The part of JSON Schema that a CRD (apiextensions.k8s.io/v1) can hold: "structural", with the list markers of
 * Kubernetes.
 */
export interface FieldSchema {
  readonly type: 'object' | 'array' | 'string' | 'integer' | 'boolean' | 'number';
  readonly description?: string;
  /** Go writes unset pointers and lists as null; wherever a member may be absent it may be null. */
  readonly nullable?: boolean;
  readonly properties?: Readonly<Record<string, FieldSchema>>;
  readonly required?: readonly string[];
  /** Refuses unknown fields. Only for the shapes of rules: a CRD must not have it, as the API server prunes them. */
  readonly additionalProperties?: false;
  readonly items?: FieldSchema;
  readonly maxItems?: number;
  readonly enum?: readonly string[];
  readonly pattern?: string;
  readonly format?: 'date-time' | 'int64';
  /** Lengths count code points. */
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly 'x-kubernetes-list-type'?: 'atomic' | 'map' | 'set';
  readonly 'x-kubernetes-list-map-keys'?: readonly string[];
  readonly 'x-kubernetes-validations'?: readonly Validation[];
}

/** Returns the schema of a text that may be absent or null. */
export function optionalText<M extends Partial<FieldSchema>>(description: string, more: M) {
  return { type: 'string', description, ...more, nullable: true } as const;
}

/** One CEL rule of a CRD. */
export interface Validation {
  readonly rule: string;
  readonly message: string;
  readonly reason?: 'FieldValueInvalid' | 'FieldValueForbidden' | 'FieldValueRequired';
  /** Relative to where the rule is. */
  readonly fieldPath?: string;
}

/** One of our kinds in one version, for its CustomResourceDefinition. */
export interface KindSchema {
  readonly dialect: Dialect;
  /** One of the dialect's versions. */
  readonly version: string;
  /** The shape of its objects below apiVersion, kind and metadata. */
  readonly schema: FieldSchema;
}

/** The keys by which the API server merges the entries of a list (`x-kubernetes-list-map-keys`), by the list's name. */
export const LIST_KEYS: Readonly<Record<string, readonly string[]>> = {
  conditions: ['type'],
  properties: ['name'],
  accessProviders: ['name'],
  credentialProviders: ['name'],
  extensions: ['name'],
  uses: ['version', 'enabled'],
};
