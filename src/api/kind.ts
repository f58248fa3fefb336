/** A kind in one version: whose it is, and the shape of its objects below apiVersion, kind and metadata. */
import type { Dialect } from './dialects.ts';
import type { Schema } from './schema.ts';

export interface KindSchema {
  readonly dialect: Dialect;
  /** One of the dialect's versions. */
  readonly version: string;
  /** The name of the TypeScript type. */
  readonly typeName: string;
  readonly schema: Schema;
}
