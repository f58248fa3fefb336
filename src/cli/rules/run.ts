/** Runs `muster rules` and `muster explain`. */
import { didYouMean } from '../../base/suggest.ts';
import { UsageError } from '../../base/usage-error.ts';
import { emit, parseOutputs } from '../../report/emit.ts';
import { jsonPieces } from '../../report/json.ts';
import { factsOf } from '../../report/rule-facts.ts';
import { ruleProse, rulesTable } from '../../report/rule-text.ts';
import { ruleUrl } from '../../rules/documentation.ts';
import { examples } from '../../rules/examples.generated.ts';
import { ruleIds, rules } from '../../rules/index.ts';

/** Writes the catalogue. Throws UsageError. */
export function listRules(output: readonly string[] | undefined): void {
  const all = rules.map(factsOf);
  emit(parseOutputs(output), { text: (paint) => rulesTable(all, paint), json: () => jsonPieces(all) });
}

/** Writes one rule with its examples. @param name its id, or the address of its page. Throws UsageError. */
export function explainRule(name: string, output: readonly string[] | undefined): void {
  const rule = rules.find(({ id }) => id === name || ruleUrl(id) === name);
  if (rule === undefined) {
    throw new UsageError(`there is no rule "${name}"${suggestion(name)}`);
  }
  const facts = factsOf(rule);
  const example = examples[rule.id];
  emit(parseOutputs(output), {
    text: (paint) => ruleProse(facts, example, paint),
    json: () => jsonPieces({ ...facts, examples: example }),
  });
}

/** Returns the end of a sentence that names the rules that begin with what was written, else the nearest one. */
function suggestion(id: string): string {
  const starting = id === '' ? [] : [...ruleIds].filter((known) => known.startsWith(id));
  if (starting.length === 1) return `; did you mean "${starting[0]}"?`;
  if (starting.length > 1) return `; these begin with it: ${starting.join(', ')}`;
  return didYouMean(id, ruleIds) || '; muster rules lists them';
}
