/** Finds out from the API server's messages who answered a probe. */
import { type ClusterError, lacksRight } from '../../cluster/live/errors.ts';
import { rulePrefixes } from '../../rules/rule.ts';

export interface ProbeAnswer {
  /**
   * `denied`: by a webhook; `undecided`: by one, with HTTP 500 or 503; `policy`: by a ValidatingAdmissionPolicy, before
   * any webhook is called; `broken`: the call of a webhook that fails closed failed; `not-permitted`: the user lacks
   * the right; `other`: the CRD's schema, a quota, an API server that is busy …
   */
  readonly kind: 'admitted' | 'denied' | 'undecided' | 'policy' | 'broken' | 'not-permitted' | 'other';
  /** The webhook or the policy. */
  readonly by: string;
  /** The webhook's message, if a webhook answered; else the API server's. */
  readonly message: string;
  /** muster's rules that a denial or a warning names. */
  readonly rules: readonly string[];
}

/** Returns the answer for a write that was refused: who refused it, and why. */
export function answerOf(error: ClusterError): ProbeAnswer {
  const { message, status } = error;
  const answer = (kind: ProbeAnswer['kind'], by = '', text = message) => {
    return { kind, by, message: text, rules: rulesIn(text) };
  };
  const [, webhook, text = ''] = /admission webhook "([^"]+)" denied the request(?:: (.*))?/s.exec(message) ?? [];
  if (webhook !== undefined) return answer(status === 500 || status === 503 ? 'undecided' : 'denied', webhook, text);
  const [, called, reason] = /failed calling webhook "([^"]+)": (.*)/s.exec(message) ?? [];
  if (called !== undefined) return answer('broken', called, reason);
  const [, policy] = /ValidatingAdmissionPolicy '([^']+)'/.exec(message) ?? [];
  if (policy !== undefined) return answer('policy', policy);
  return answer(lacksRight(error) ? 'not-permitted' : 'other');
}

/** Returns the answer for a write that passed. Warnings of a ValidatingAdmissionPolicy do not begin with a rule. */
export function admitted(warnings: readonly string[]): ProbeAnswer {
  const rules = warnings.filter((warning) => warning.startsWith('[')).flatMap(rulesIn);
  return { kind: 'admitted', by: '', message: '', rules };
}

function rulesIn(text: string): readonly string[] {
  return [...text.matchAll(RULE_IDS)].map(([, id = '']) => id);
}

const RULE_IDS = new RegExp(`\\[((?:${rulePrefixes.join('|')})/[a-z-]+)\\]`, 'g');
