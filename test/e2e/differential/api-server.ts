/** The same policies in a real API server, for a sample: that the evaluator says what the API server says. */
import { isDeepStrictEqual } from 'node:util';
import type { JsonObject } from '../../../src/rules/rule.ts';
import type { Write } from '../../rules/example.ts';
import { sees } from '../floor/world.ts';
import { ask, remove, store } from '../floor/write.ts';
import type { ControlPlane, Json } from '../harness/index.ts';
import { eachOf, groupedBy } from './each.ts';
import { isWellKnown } from './generate.ts';
import type { Answer } from './policies.ts';
import type { Update } from './update.ts';
import { objectsOf, othersOf } from './worlds.ts';

/** What the API server answered; undefined where it does not store the old object as it is. */
export type Asked =
  | { readonly code: number; readonly message: string; readonly warnings: readonly string[] }
  | undefined;

/** Makes the updates on dry run, world by world: their policies read the world's membership claims. */
export async function askApiServer(controlPlane: ControlPlane, updates: readonly Update[]): Promise<Asked[]> {
  const answers = new Array<Asked>(updates.length);
  for (const [, all] of groupedBy(updates, ({ world }) => world)) {
    const others = objectsOf(all[0]?.one.world ?? 'alone');
    const [alone, shared] = [all.filter(({ one }) => !isWellKnown(one)), all.filter(({ one }) => isWellKnown(one))];
    for (const object of others) await store(controlPlane, object);
    await sees(controlPlane);
    await eachOf(alone, 12, async ({ one, index }) => {
      answers[index] = await asked(controlPlane, one);
    });
    // Well-known claims have one name; the membership itself stands in the way of another world's.
    for (const { one, index } of shared)
      if (othersOf(one).length === others.length) answers[index] = await asked(controlPlane, one);
    await remove(controlPlane, others);
  }
  return answers;
}

async function asked(controlPlane: ControlPlane, update: Update): Promise<Asked> {
  const { subresource, old, object, username, groups } = update;
  const write: Write = { operation: 'UPDATE', subresource, old, object, user: { username, groups: [...groups] } };
  try {
    const stored = await store(controlPlane, old);
    if (!isAsGiven(stored, old)) return undefined;
    const { status, body, warnings } = await ask(controlPlane, write, stored);
    return { code: status, message: status < 300 ? '' : String(body.message), warnings };
  } finally {
    await remove(controlPlane, [old]);
  }
}

function isAsGiven(stored: Json, old: JsonObject): boolean {
  return ['spec', 'status'].every((part) => isDeepStrictEqual(stored[part], old[part]));
}

/** What differs between the API server and the evaluator; undefined: nothing. The API server answers with one denial. */
export function differs(asked: NonNullable<Asked>, answer: Answer): string | undefined {
  const refused = answer.denied.some(({ message, code }) => message === asked.message && code === asked.code);
  const isSame = asked.code < 300 ? answer.denied.length === 0 : refused;
  const sameWarnings = sorted(asked.warnings) === sorted(answer.warnings);
  return isSame && sameWarnings
    ? undefined
    : `API server: ${JSON.stringify(asked)}\n  evaluator: ${JSON.stringify(answer)}`;
}

function sorted(texts: readonly string[]): string {
  return JSON.stringify([...texts].sort());
}
