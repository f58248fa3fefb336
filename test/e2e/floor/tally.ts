/** Rule by rule: what the policies say, as warnings, beside what the engine finds. */
import type { Verdict } from '../../../src/engine/index.ts';
import type { Write } from '../../rules/example.ts';
import type { ApiAnswer, ControlPlane } from '../harness/index.ts';
import { ruleOf, rules } from './world.ts';
import { ask, judge } from './write.ts';

export interface Count {
  agreed: number;
  silent: number;
  /** The policy alone: it is stricter than its rule. */
  heard: number;
  /** The rule alone: it says what the policy lacks. */
  found: number;
}

/** The rules that CEL can say. */
export const said = rules.filter(({ cel }) => cel !== undefined && 'byDialect' in cel);

export class Tally {
  readonly counts: ReadonlyMap<string, Count> = new Map(
    said.map(({ id }) => [id, { agreed: 0, silent: 0, heard: 0, found: 0 }]),
  );
  /** Writes on which the two differ where they should not, a few; and evaluations that failed. */
  readonly faults: string[] = [];
  judged = 0;
  /** What the policies said, whole. */
  readonly texts = new Set<string>();
  private readonly controlPlane: ControlPlane;

  constructor(controlPlane: ControlPlane) {
    this.controlPlane = controlPlane;
  }

  /** `isHuge`: larger than any CRD of ours lets in; the floor may leave such a write to the rule. */
  async compare(write: Write, stored?: unknown, isHuge = false): Promise<void> {
    const [answer, verdict] = await Promise.all([ask(this.controlPlane, write, stored), judge(write)]);
    if (answer.status > 299) return this.fault(write, `${answer.status} ${answer.body?.message}`);
    for (const text of answer.warnings.filter(failed)) this.fault(write, text);
    for (const text of answer.warnings) this.texts.add(text);
    this.judged += 1;
    this.count(write, heardOf(answer), foundOf(verdict), isHuge);
  }

  private count(write: Write, heard: ReadonlySet<string>, found: ReadonlySet<string>, isHuge: boolean): void {
    for (const rule of said) {
      const count = this.counts.get(rule.id) as Count;
      if (heard.has(rule.id) && found.has(rule.id)) count.agreed += 1;
      else if (heard.has(rule.id)) {
        count.heard += 1;
        this.fault(write, `the policy of ${rule.id} speaks, and the rule does not`);
      } else if (found.has(rule.id)) {
        if (isHuge) continue;
        count.found += 1;
        if (lacksOf(rule) === undefined) this.fault(write, `${rule.id} speaks, and its policy does not`);
      } else count.silent += 1;
    }
  }

  private fault(write: Write, what: string): void {
    if (this.faults.length < 10) this.faults.push(`${what}\n${JSON.stringify(write).slice(0, 3000)}`);
  }
}

/** The rules whose policies warned. */
export function heardOf({ warnings }: ApiAnswer): ReadonlySet<string> {
  const names = warnings.flatMap((text) => /ValidatingAdmissionPolicy '(muster-[a-z0-9-]+)'/.exec(text)?.[1] ?? []);
  return new Set(names.map((name) => ruleOf(name).id));
}

function foundOf({ findings }: Verdict): ReadonlySet<string> {
  return new Set(findings.map(({ ruleId }) => ruleId));
}

function lacksOf({ cel }: (typeof rules)[number]): string | undefined {
  return cel !== undefined && 'byDialect' in cel ? cel.lacks : undefined;
}

/** An expression that can't be evaluated refuses, whatever it was about. */
function failed(warning: string): boolean {
  return /resulted in error|failed to|exceed/i.test(warning);
}
