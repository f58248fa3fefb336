/** Where something is in the input of a run, and what could not be read or evaluated there. */
import type { Location, SourceError } from '../documents/index.ts';
import type { InputObject } from './objects.ts';

/** Members that may be missing or undefined. */
export type Optional<Of> = { readonly [Key in keyof Of]?: Of[Key] | undefined };

/** Where something is, in all outputs. The JSON leaves out members that are undefined. */
export interface Place extends Optional<Location> {
  /** Set if the run has several clusters. */
  readonly cluster?: string | undefined;
  /** As the user named it, `<stdin>`, or `REF:PATH` at a git revision. Always with line and column. */
  readonly file?: string | undefined;
  /** Set if there is no file: the object of a cluster, the kind or the flag that a message is about. */
  readonly about?: string | undefined;
  /** Returns where the file of a revision is in the working tree. The JSON leaves functions out. */
  readonly pathNow?: (() => string) | undefined;
}

/** What could not be read or evaluated, or a warning about it. */
export interface PlacedMessage extends Place {
  readonly message: string;
}

/** Converts an error of reading to one of the report. */
export function errorOf({ source, line, column, message }: SourceError): PlacedMessage {
  return { file: source, line, column, message };
}

/** Returns the place of what was read from a file, or from a file at a git revision. */
export function placeIn({ source, pathNow }: Pick<InputObject, 'source' | 'pathNow'>, at: Location): Place {
  return { file: source, ...at, pathNow };
}
