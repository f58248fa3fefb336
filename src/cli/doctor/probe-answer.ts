/** What a dry run came to: who refused it, or that nobody did. Read off the API server's own words. */
import type { ApiResponse } from '../../cluster/live/client.ts';
import type { ClusterError } from '../../cluster/live/errors.ts';
import type { JsonObject } from '../../rules/rule.ts';

export type ProbeAnswer =
  | { readonly kind: 'admitted'; readonly body: JsonObject; readonly warnings: readonly string[] }
  /** By a webhook. `rules`: those of muster that it names; none: it is another's. */
  | {
      readonly kind: 'refused';
      readonly webhook: string;
      readonly message: string;
      readonly rules: readonly string[];
      readonly status: number | undefined;
    }
  /** By a ValidatingAdmissionPolicy, before any webhook was asked. */
  | { readonly kind: 'floor'; readonly policy: string }
  /** The webhook could not be asked, and fails closed. */
  | { readonly kind: 'broken'; readonly webhook: string; readonly reason: string }
  /** The one who probes may not write such objects. */
  | { readonly kind: 'not-permitted'; readonly message: string }
  /** The CRD's own schema, a quota, an API server that is busy … */
  | { readonly kind: 'other'; readonly message: string };

export function admitted({ body, warnings = [] }: ApiResponse): ProbeAnswer {
  return { kind: 'admitted', body, warnings };
}

export function answerOf({ message, status }: ClusterError): ProbeAnswer {
  const denied = /admission webhook "([^"]+)" denied the request(?:: (.*))?/s.exec(message);
  if (denied) {
    const [, webhook = '', said = ''] = denied;
    return { kind: 'refused', webhook, message: said, rules: rulesIn(said), status };
  }
  const broken = /failed calling webhook "([^"]+)": (.*)/s.exec(message);
  if (broken) return { kind: 'broken', webhook: broken[1] ?? '', reason: broken[2] ?? '' };
  const policy = /ValidatingAdmissionPolicy '([^']+)'/.exec(message)?.[1];
  if (policy !== undefined) return { kind: 'floor', policy };
  if (status === 403 && / is forbidden: User /.test(message)) return { kind: 'not-permitted', message };
  return { kind: 'other', message };
}

/** The ids of muster's rules that a text names: `[claim/id-syntax]`. */
export function rulesIn(text: string): readonly string[] {
  return [...text.matchAll(/\[((?:claim|inventory|feature)\/[a-z-]+)\]/g)].map(([, id = '']) => id);
}

/** Warnings of muster's own; those of a ValidatingAdmissionPolicy begin with other words. */
export function rulesWarned(warnings: readonly string[]): readonly string[] {
  return warnings.filter((warning) => warning.startsWith('[')).flatMap(rulesIn);
}
