/** Collects the problems of a file that a user wrote. */

import type { Path } from '../base/json.ts';
import { quoted } from '../base/text.ts';

/** A problem or a warning, and where it is. The message names neither file nor field. */
export interface ConfigProblem {
  readonly path: Path;
  readonly message: string;
  /** Set if the last key of the path is wrong, not its value. */
  readonly ofKey?: true;
}

/** Collects problems and warnings, each with the path of its value. */
export class Reporter {
  readonly path: Path;
  readonly problems: ConfigProblem[];
  readonly warnings: ConfigProblem[];

  constructor(path: Path = [], parent?: Reporter) {
    this.path = path;
    this.problems = parent?.problems ?? [];
    this.warnings = parent?.warnings ?? [];
  }

  below(...keys: Path): Reporter {
    return new Reporter([...this.path, ...keys], this);
  }

  /** Adds problems and warnings that were found in this part, with paths relative to it. */
  include({ problems, warnings }: Pick<Reporter, 'problems' | 'warnings'>): void {
    const here = (one: ConfigProblem) => ({ ...one, path: [...this.path, ...one.path] });
    for (const one of problems) this.problems.push(here(one));
    for (const one of warnings) this.warnings.push(here(one));
  }

  refuse(message: string): undefined {
    this.problems.push({ path: this.path, message });
  }

  /** Refuses the last key of the path. */
  refuseKey(message: string): void {
    this.problems.push({ path: this.path, message, ofKey: true });
  }

  warn(message: string): void {
    this.warnings.push({ path: this.path, message });
  }
}

/** Returns words as a sentence lists them: `deny, warn or audit`. */
export function oneOf(words: readonly (string | number)[]): string {
  return [words.slice(0, -1).join(', '), words.at(-1)].filter(Boolean).join(' or ');
}

/** Returns a value as the messages on files show it after "found". */
export function found(value: unknown): string {
  if (value === undefined || value === null) return 'nothing';
  if (typeof value === 'string') return `"${quoted(value)}"`;
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'a map' : quoted(value);
}
