/** Fields of ServiceImports that several rules read. */
import { type Json, type JsonObject, type Path, textAt } from '../../base/json.ts';

export const ADDRESSES: Path = ['spec', 'ips'];

/** Whether consumers reach the pods of an import directly, without an address of its own. */
export function isHeadless(object: JsonObject | undefined): boolean {
  return textAt(object, ['spec', 'type']) === 'Headless';
}

/** Returns a value; undefined for an empty text, which Go writes for a field that is not set. */
export function unlessEmpty(value: Json | undefined): Json | undefined {
  return value === '' ? undefined : value;
}
