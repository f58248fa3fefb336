/** The rules' own examples against the policies alone: what is refused, by which rule, and what passes. */
import type { Rule } from '../../../src/rules/rule.ts';
import { examplesOf, readExample, withState } from '../../e2e/floor/examples.ts';
import { said } from '../../e2e/floor/tally.ts';
import { ask, judge } from '../../e2e/floor/write.ts';
import type { ControlPlane } from '../../e2e/harness/index.ts';

export interface FloorTally {
  /** `rule refused/forbidden`, in the order of the catalogue. */
  readonly byRule: readonly string[];
  readonly refused: number;
  readonly forbidden: number;
  /** Allowed, and let through. */
  readonly passed: number;
  /** Forbidden and let through, as the rule's page says. */
  readonly lacking: number;
  /** Anything else, one line each. */
  readonly wrong: readonly string[];
}

const rules: readonly Rule[] = said;

/** @param most examples of a rule on either side */
export async function tallyFloor(controlPlane: ControlPlane, most: number): Promise<FloorTally> {
  const counts = new Map<string, { refused: number; of: number }>();
  const wrong: string[] = [];
  let passed = 0;
  let lacking = 0;
  for (const file of rules.flatMap(({ id }) => sampleOf(id, most))) {
    const { because, refusedBy, said: text, isStored } = await outcomeOf(controlPlane, file);
    const [first] = because;
    if (first === undefined && isStored) passed += 1;
    else if (first !== undefined && isStored && because.every(lacks)) lacking += 1;
    else if (first === undefined) wrong.push(`${file} is allowed, and was refused: ${text}`);
    else {
      const isRight = refusedBy !== undefined && because.includes(refusedBy);
      const one = counts.get(isRight ? refusedBy : first) ?? { refused: 0, of: 0 };
      counts.set(isRight ? refusedBy : first, { refused: one.refused + (isRight ? 1 : 0), of: one.of + 1 });
      if (!isRight) wrong.push(`${file} is forbidden by ${because.join(', ')}: ${text || 'it was let through'}`);
    }
  }
  const all = [...counts.values()];
  return {
    byRule: [...counts].map(([id, { refused, of }]) => `${id} ${refused}/${of}`),
    refused: all.reduce((sum, { refused }) => sum + refused, 0),
    forbidden: all.reduce((sum, { of }) => sum + of, 0),
    passed,
    lacking,
    wrong,
  };
}

async function outcomeOf(controlPlane: ControlPlane, file: string) {
  const write = readExample(file);
  const { findings } = await judge(write);
  const denying = findings.filter(({ action, ruleId }) => action === 'deny' && rules.some(({ id }) => id === ruleId));
  const { status, body } = await withState(controlPlane, write, (stored) => ask(controlPlane, write, stored));
  const message = String(body.message ?? '');
  return {
    because: denying.map(({ ruleId }) => ruleId as string),
    refusedBy: /denied request: \[([a-z/-]+)\]/.exec(message)?.[1],
    said: message,
    isStored: status < 300,
  };
}

/** Part of what the rule says can't be said in CEL. */
function lacks(id: string): boolean {
  const cel = rules.find((rule) => rule.id === id)?.cel;
  return cel !== undefined && 'byDialect' in cel && cel.lacks !== undefined;
}

function sampleOf(id: string, most: number): string[] {
  const files = examplesOf(id);
  return ['/allow/', '/deny/'].flatMap((side) => files.filter((file) => file.includes(side)).slice(0, most));
}
