/** Where something is in the input of a run, and what could not be read or evaluated there. */
import { escapeControls } from '../base/text.ts';
import type { Location } from '../documents/index.ts';
import { type InputObject, type InvalidInput, placeIn } from './objects.ts';

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

/** Returns the error of an object that can't be written. */
export function invalidInput(input: InputObject, { problem, at }: InvalidInput): PlacedMessage {
  const { line, column } = input.locate(at);
  return { ...placeIn(input), line, column, message: problem };
}

/** Returns `location: note: message`, safe to print. */
export function noteLine(location: string, message: string): string {
  return escapeControls(`${location}: note: ${message}`);
}

/** Returns the line of a note on an object. */
export function noteAt({ file, start }: Pick<InputObject, 'file' | 'start'>, message: string): string {
  return noteLine(`${file}:${start.line}:${start.column}`, message);
}
