/** Objects as YAML that kubectl reads back as they were. */
import { stringify } from 'yaml';

/** Quotes what kubectl, a reader of YAML 1.1, would take for a boolean: On, Off. */
export function print(value: unknown): string {
  return stringify(value, { lineWidth: 0, aliasDuplicateObjects: false, compat: 'yaml-1.1' });
}
