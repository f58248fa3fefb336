/** Renders a verdict as text: messages, causes, warnings, audit annotations. All of it is bounded and escaped. */
import { safeText, shorten } from '../../base/text.ts';
import { type Crash, type Finding, type Verdict, WOULD_BE_DENIED } from '../../engine/index.ts';
import { STRENGTH } from '../../engine/plan.ts';
import { ruleUrl, urlOfRules } from '../../rules/documentation.ts';

export interface Cause {
  readonly reason: string;
  readonly message: string;
  readonly field: string;
}

/** One line of a message: the rule, the field, the text. */
export interface Statement {
  readonly ruleId: string;
  readonly field: string;
  readonly message: string;
  /** Set if only `mode: warn` keeps it from denying. */
  readonly wouldDeny?: true;
  /** Set for a bug of muster, which the page of the rule does not explain. */
  readonly isInternal?: true;
}

/** The most findings that a message shows: a thousand bad entries of a list would add nothing. */
const MOST_LINES = 32;
/** The most code points of a line. kubectl prints them all. */
const LONGEST_LINE = 1024;
/** The API server cuts a warning to 256 runes once all warnings together exceed 4,096 bytes. */
const LONGEST_WARNING = 256;
const WARNING_BYTES = 4096;
/** Not a Buffer: the playground of the documentation runs this in a browser. */
const UTF8 = new TextEncoder();

/**
 * Returns the message of a refusal, with a line `[rule/id] field: message` for each finding, and one cause for each
 * line that names a rule.
 * @param isLinked whether the last line and the last cause name the page of the rule, or of all rules if there are
 * several. kubectl prints the message or, on 422, the causes: so both do.
 */
export function renderDenial(
  statements: readonly Statement[],
  reason: string,
  isLinked: boolean,
): { message: string; causes: readonly Cause[] } {
  const shown = choose(statements, MOST_LINES);
  const lines = shown.map((statement) => line(statement, LONGEST_LINE));
  const more = statements.length - shown.length;
  const causes = shown.map(({ ruleId, field, message }) => ({
    reason,
    message: line({ ruleId, field: '', message }, LONGEST_LINE),
    field: safeText(field, LONGEST_WARNING),
  }));
  if (more > 0) lines.push(`… and ${more} more`);
  if (!isLinked) return { message: lines.join('\n'), causes };
  const url = urlOfRules(statements.map(({ ruleId }) => ruleId));
  const linked = causes.map((cause, index) => {
    return index === causes.length - 1 ? { ...cause, message: `${cause.message} (more: ${url})` } : cause;
  });
  return { message: [...lines, `More: ${url}`].join('\n'), causes: linked };
}

/**
 * Returns the findings and internal errors that do not deny as warnings, within the API server's bounds; undefined if
 * there are none. A finding ends with the page of its rule if that fits: the message matters more.
 */
export function renderWarnings(verdict: Verdict): readonly string[] | undefined {
  if (verdict.findings.length === 0 && verdict.crashes.length === 0) return undefined;
  const all: Statement[] = verdict.findings.filter((finding) => finding.action === 'warn');
  if (verdict.outcome !== 'crashed') all.push(...verdict.crashes.map(crashStatement));
  if (all.length === 0) return undefined;
  for (let most = WARNING_BYTES / LONGEST_WARNING; most > 1; most--) {
    const warnings = warningsOf(all, most);
    if (UTF8.encode(warnings.join('')).length <= WARNING_BYTES) return warnings;
  }
  return warningsOf(all, 1);
}

/** Returns `rule/id:action` for each rule with a finding, once, in the order of the catalogue. */
export function renderRules(verdict: Verdict): readonly string[] {
  const { findings, indeterminate, crashes } = verdict;
  if (findings.length < 2 && indeterminate.length === 0 && crashes.length === 0) return findings.map(ruleAndAction);
  const rules = new Set<string>();
  for (const finding of strongest(findings)) rules.add(ruleAndAction(finding));
  for (const { ruleId } of indeterminate) rules.add(`${ruleId}:indeterminate`);
  for (const { ruleId } of crashes) rules.add(`${ruleId}:crash`);
  return [...rules];
}

/** Returns the text of a crash for the user: without details, but with the reference under which the log has them. */
export function crashStatement(crash: Pick<Crash, 'ruleId' | 'reference'>): Statement {
  return { ruleId: crash.ruleId, field: '', message: ownFault('this', crash.reference), isInternal: true };
}

/** Returns the sentence on a bug of muster. */
export function ownFault(what: 'this' | 'this request', reference: string): string {
  const fault = `muster failed while evaluating ${what} (its own fault, not the object's)`;
  return `${fault}; its log says more under reference ${reference}`;
}

function warningsOf(all: readonly Statement[], most: number): string[] {
  const shown = choose(all, all.length > most ? most - 1 || 1 : most);
  const warnings = shown.map(warningOf);
  const dropped = all.filter((statement) => !shown.includes(statement));
  const [first] = dropped;
  if (first !== undefined)
    warnings.push(line({ ...first, field: '', message: `… and ${dropped.length} more` }, LONGEST_WARNING));
  return warnings;
}

function warningOf(statement: Statement): string {
  const text = line(statement, LONGEST_WARNING);
  if (statement.isInternal) return text;
  const linked = [ruleUrl(statement.ruleId), `muster explain ${statement.ruleId}`].map(
    (page) => `${text} (more: ${page})`,
  );
  return linked.find(({ length }) => length <= LONGEST_WARNING) ?? text;
}

/** Returns at most `most` statements, in their order: one of each rule before a second one of any. */
function choose<T extends Statement>(all: readonly T[], most: number): readonly T[] {
  if (all.length <= most) return all;
  const named = new Set<string>();
  const firsts = all.filter(({ ruleId }) => !named.has(ruleId) && named.add(ruleId));
  const others = all.filter((statement) => !firsts.includes(statement));
  const kept = new Set([...firsts, ...others].slice(0, most));
  return all.filter((statement) => kept.has(statement));
}

function line({ ruleId, field, message, wouldDeny }: Statement, limit: number): string {
  const prefix = wouldDeny ? `[${ruleId}] ${WOULD_BE_DENIED}` : `[${ruleId}]`;
  const text = field === '' ? `${prefix} ${message}` : `${prefix} ${field}: ${message}`;
  // Shortened again, since an escape is longer than what it stands for.
  return shorten(safeText(text, limit), limit);
}

function ruleAndAction({ ruleId, action }: Finding): string {
  return `${ruleId}:${action}`;
}

function strongest(findings: readonly Finding[]): readonly Finding[] {
  const best = new Map<string, Finding>();
  for (const finding of findings) {
    const known = best.get(finding.ruleId);
    if (known === undefined || STRENGTH[finding.action] > STRENGTH[known.action]) {
      best.set(finding.ruleId, finding);
    }
  }
  return [...best.values()];
}
