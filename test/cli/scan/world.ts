/** A scan of objects that stand in memory, for tests. */

import { type Dialect, dialectOf } from '../../../src/api/dialects.ts';
import { createCensus } from '../../../src/cli/scan/census.ts';
import { createLedger, type Ledger, NOWHERE, type Stored } from '../../../src/cli/scan/ledger.ts';
import type { Policy } from '../../../src/engine/index.ts';
import { textAt } from '../../../src/rules/json.ts';
import type { JsonObject } from '../../../src/rules/rule.ts';
import { NOW } from '../world.ts';

export interface Scanning {
  readonly policy?: Policy;
  /** Not all could be read. */
  readonly unknown?: string;
}

export function storedOf(object: JsonObject): Stored {
  const [group = '', version = ''] = (textAt(object, ['apiVersion']) ?? '').split('/');
  const dialect = dialectOf(group, textAt(object, ['kind']) ?? '');
  if (dialect === undefined) throw new Error('not of a kind muster judges');
  const source = `${dialect.plural}/${textAt(object, ['metadata', 'name'])}`;
  return { dialect, version, object, source, start: { line: 1, column: 1 }, locate: NOWHERE };
}

/** Judges them all, as one world. */
export async function scanAll(objects: readonly JsonObject[], scanning: Scanning = {}): Promise<Ledger> {
  const ledger = createLedger();
  const censuses = new Map<Dialect, ReturnType<typeof createCensus>>();
  for (const object of objects) {
    const stored = storedOf(object);
    const { dialect } = stored;
    const census = censuses.get(dialect) ?? createCensus({ ...scanning, dialect, ledger, clock: () => NOW });
    censuses.set(dialect, census);
    await census.take(stored);
  }
  for (const census of censuses.values()) await census.finish(scanning.unknown);
  return ledger;
}

/** `NAME: ACTION RULE` of every finding, an unknown one with `unknown` as its action. */
export function told({ results }: Ledger): readonly string[] {
  return results.flatMap(({ name, findings }) =>
    findings.map(({ ruleId, action, outcome }) => `${name}: ${outcome ? 'unknown' : action} ${ruleId}`),
  );
}
