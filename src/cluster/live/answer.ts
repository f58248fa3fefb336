/** Whether an answer is what was asked for: a proxy, a load balancer or a bug may answer 200 with anything. */
import { plain, shorten } from '../../engine/text.ts';
import { textAt } from '../../rules/json.ts';
import type { JsonObject } from '../../rules/rule.ts';
import { ClusterError } from './errors.ts';

export interface Asked {
  readonly group: string;
  readonly kind: string;
  readonly name: string;
}

/**
 * An object as it is stored, or nothing is known: taken for what it is not, it could let a write pass.
 * @throws ClusterError `unreadable`
 */
export function expectObject(answer: JsonObject, { group, kind, name }: Asked): JsonObject {
  const found = [textAt(answer, ['apiVersion'])?.split('/')[0], answer['kind'], textAt(answer, ['metadata', 'name'])];
  const asked = [group, kind, name];
  const stored = (textAt(answer, ['metadata', 'resourceVersion']) ?? '') !== '';
  if (stored && asked.every((part, index) => part === found[index])) return answer;
  const shown = plain(shorten(JSON.stringify(found), 256));
  throw new ClusterError(
    'unreadable',
    `the API server answered with ${shown} for ${JSON.stringify(asked)}; is something in between?`,
  );
}
