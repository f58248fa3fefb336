/**
 * `muster rules --exceptions`: the exceptions of a configuration, with those that end soon, and those without effect.
 */

import { dialectOf } from '../../api/dialects.ts';
import { counted, escapeControls } from '../../base/text.ts';
import { UsageError } from '../../base/usage-error.ts';
import { evaluates } from '../../config/checks.ts';
import type { Exception } from '../../engine/index.ts';
import { emit, parseOutputs } from '../../report/emit.ts';
import { PLAIN_FORMATS } from '../../report/formats.ts';
import { jsonPieces } from '../../report/json.ts';
import { noColor, type Paint, table } from '../../report/terminal.ts';
import { loadSettings } from '../shared.ts';

const DAY = 24 * 60 * 60 * 1000;

/** An exception in the JSON. */
interface ExceptionFacts extends Omit<Exception, 'rules' | 'expires'> {
  /** `no effect`: its rules never evaluate the kind. */
  readonly state: 'ended' | 'no effect' | 'ends soon' | 'applies';
  /** The moment from which it has no effect. */
  readonly ends: string;
  readonly rules: readonly string[];
}

/**
 * Writes the exceptions of a configuration file. Sets exit code 1 unless all apply, and none ends soon.
 * @param days an exception that ends within so many days ends soon
 * @throws UsageError without a file, ConfigError
 */
export async function listExceptions(
  config: string | undefined,
  days: number,
  output: readonly string[] | undefined,
): Promise<void> {
  if (config === undefined) throw new UsageError('--exceptions needs the configuration that has them: --config FILE');
  const outputs = parseOutputs(output, PLAIN_FORMATS, [config]);
  const settings = await loadSettings(config);
  const all = exceptionsBy(settings?.policy.exceptions ?? [], days, Date.now());
  process.exitCode = all.some(({ state }) => state !== 'applies') ? 1 : 0;
  emit(outputs, { text: (paint) => exceptionsTable(all, days, paint), json: () => jsonPieces(all) });
}

/** Returns the exceptions, those that end first at the top. `now` is in milliseconds since the epoch. */
export function exceptionsBy(exceptions: readonly Exception[], days: number, now: number): readonly ExceptionFacts[] {
  return exceptions.toSorted((a, b) => a.expires - b.expires).map((exception) => exceptionFacts(exception, days, now));
}

function exceptionFacts(exception: Exception, days: number, now: number): ExceptionFacts {
  const { rules, expires, apiGroup, kind, namespace, name, reason } = exception;
  const dialect = dialectOf(apiGroup, kind);
  const isEvaluated = dialect !== undefined && [...rules].some((id) => evaluates(id, dialect));
  const whileValid = isEvaluated ? (expires <= now + days * DAY ? 'ends soon' : 'applies') : 'no effect';
  return {
    state: expires <= now ? 'ended' : whileValid,
    ends: new Date(expires).toISOString(),
    rules: [...rules],
    apiGroup,
    kind,
    ...(namespace !== undefined && { namespace }),
    name,
    reason,
  };
}

/** Returns a line for each exception and a line with the counts, or a sentence if there are no exceptions. */
export function exceptionsTable(all: readonly ExceptionFacts[], days: number, paint: Paint = noColor): string {
  if (all.length === 0) return 'The configuration has no exceptions.\n';
  const rows = all.map((one) => {
    const { state, ends, rules, kind, apiGroup, namespace, name, reason } = one;
    const object = `${kind}.${apiGroup} ${namespace === undefined ? name : `${namespace}/${name}`}`;
    return [state, lastOf(ends), object, rules.join(', '), reason].map(escapeControls);
  });
  const colorOf = ([state]: readonly string[]) =>
    state === 'ended' ? 'red' : state === 'applies' ? undefined : 'yellow';
  const count = (state: string) => all.filter((one) => one.state === state).length;
  const active = `${count('applies')} applicable, ${count('ends soon')} ending within ${days} days`;
  const idle = count('no effect') > 0 ? `, ${count('no effect')} without effect` : '';
  const counts = `${active}, ${count('ended')} ended${idle}`;
  return `${table(COLUMNS, rows, paint, colorOf)}${counted(all.length, 'exception')}: ${counts}\n`;
}

const COLUMNS = ['STATE', 'EXPIRES', 'OBJECT', 'RULES', 'REASON'];

/** Returns the end as `expires` writes it: the last day if it is midnight in UTC, else date and time. */
function lastOf(ends: string): string {
  if (!ends.endsWith('T00:00:00.000Z')) return ends.replace('.000Z', 'Z');
  return new Date(Date.parse(ends) - 1).toISOString().slice(0, 10);
}
