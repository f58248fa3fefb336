/** Checks what a test expects: a result that is impossible under any configuration is refused, not run. */
import type { Reporter } from '../../config/schema-reader.ts';
import type { Subject } from '../../engine/index.ts';
import { appliesTo } from '../../engine/plan.ts';
import { rules } from '../../rules/index.ts';
import type { Rule } from '../../rules/rule.ts';
import type { Expectation, ExpectedRules } from './schema.ts';

/** The write of a test. `live`: rules that compare many objects are left to scan. */
export type Write = Pick<Subject, 'dialect' | 'operation' | 'subresource'> & { readonly live: boolean };

/** Reports what can't happen, whatever the configuration is. */
export function checkExpectation(expect: Expectation, write: Write, at: Reporter): void {
  for (const key of ['rules', 'warnings', 'audits'] as const) checkRules(expect[key], write, at.below(key));
  const { verdict, code } = expect;
  const someRule = includedIn(expect.rules).length > 0;
  if (verdict === 'allowed' && someRule)
    at.below('rules').refuse(
      'no rule denies what is allowed; write rules that warn into warnings, the others into audits',
    );
  if (verdict !== 'allowed' && isEmptyList(expect.rules))
    at.below('rules').refuse(`nothing is ${verdict} without a rule; name it, or leave the key out`);
  if (code !== undefined && verdict === 'allowed') at.below('code').refuse('what is allowed has no status code');
  else if (code !== undefined && (verdict === 'indeterminate') !== (code === 503))
    at.below('code').refuse(
      verdict === 'denied' ? '503 is the code of indeterminate' : 'indeterminate has the code 503',
    );
  if (expect.message !== undefined && verdict === 'allowed' && isEmptyList(expect.warnings))
    at.below('message').refuse('the answer has no message where the write is allowed and no rule warns');
}

/** The rules that must be among those with findings. */
export function includedIn(expected: ExpectedRules | undefined): readonly string[] {
  return expected === undefined || isList(expected) ? (expected ?? []) : (expected.include ?? []);
}

export function isList(expected: ExpectedRules): expected is readonly string[] {
  return Array.isArray(expected);
}

function isEmptyList(expected: ExpectedRules | undefined): boolean {
  return expected !== undefined && isList(expected) && expected.length === 0;
}

function checkRules(expected: ExpectedRules | undefined, write: Write, at: Reporter): void {
  if (expected === undefined) return;
  const below = isList(expected) ? at : at.below('include');
  for (const [index, id] of includedIn(expected).entries()) checkApplies(id, write, below.below(index));
  // An excluded rule may be one that never applies.
  if (isList(expected)) return;
  const { include, exclude } = expected;
  const both = exclude?.find((id) => include?.includes(id));
  if (both !== undefined) at.below('exclude').refuse(`${both} is in include too`);
  if (!include && !exclude) at.refuse('has no effect; name a rule in include or exclude');
}

function checkApplies(id: string, write: Write, at: Reporter): void {
  const { dialect, operation, subresource } = write;
  const rule: Rule | undefined = rules.find((one) => one.id === id);
  if (!rule) return;
  if (!appliesTo(rule, dialect, operation, subresource)) {
    const what = `${subresource === '' ? '' : 'the status of '}${dialect.kind} objects (${dialect.group})`;
    at.refuse(`${id} never evaluates the ${operation} of ${what}`);
  } else if (write.live && rule.unique)
    at.refuse(
      `${id} compares many objects, which the webhook of a cluster leaves to scan: set point: scan, or view: files`,
    );
}
