/** A rule's example, as a file of test/fixtures has it. */
import type { JsonObject, Operation, Subresource } from '../../src/rules/rule.ts';

/** One write, and what is stored before it. */
export interface Write {
  readonly operation: Operation;
  readonly subresource?: Subresource;
  readonly user?: { readonly username: string; readonly groups?: readonly string[] };
  readonly dryRun?: boolean;
  readonly now?: string;
  readonly state?: readonly JsonObject[];
  readonly old?: JsonObject;
  readonly object?: JsonObject;
}

export interface Example extends Write {
  readonly config?: JsonObject;
  readonly expect?: 'deny' | 'warn';
}
