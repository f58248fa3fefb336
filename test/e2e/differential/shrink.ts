/** Makes the update of a disagreement smaller, as long as it stays the same disagreement. */
import type { Json, JsonObject } from '../../../src/rules/rule.ts';
import { compare, type Disagreement } from './compare.ts';
import type { Evaluators } from './evaluate.ts';
import type { Update } from './update.ts';

type Path = readonly (string | number)[];

/** More rounds than this make nobody wiser. */
const ROUNDS = 60;
const KEPT = new Set(['apiVersion', 'kind', 'metadata', 'metadata/name', 'metadata/namespace']);

/** A smaller one, or the same. */
export async function shrunk(first: Disagreement, evaluators: Evaluators): Promise<Disagreement> {
  let smallest = first;
  for (let round = 0; round < ROUNDS; round++) {
    const candidates = smaller(smallest.update);
    const verdicts = await evaluators.judge(candidates);
    const found = candidates.flatMap((update, index) => compare(update, verdicts[index] as never, new Map()));
    const like = found.find(({ side, about, by }) => side === first.side && about === first.about && by === first.by);
    if (like === undefined) return smallest;
    smallest = like;
  }
  return smallest;
}

/** One value less: in both objects, in the old one alone, or in the new one alone, larger values first. */
function smaller(update: Update): Update[] {
  const { old, object, subresource } = update;
  const paths = [...new Map([...pathsOf(old), ...pathsOf(object)].map((path) => [path.join('/'), path])).values()];
  const free = paths.filter((path) => !KEPT.has(path.join('/'))).sort((a, b) => a.length - b.length);
  return free.flatMap((path) => {
    const isWritten = (path[0] === 'status') === (subresource === 'status');
    const [less, lessNew] = [without(old, path), without(object, path)] as JsonObject[];
    const both = { ...update, old: less, object: lessNew } as Update;
    if (!isWritten) return [both];
    return [both, { ...update, object: lessNew } as Update, { ...update, old: less } as Update];
  });
}

function pathsOf(value: Json, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return path.length > 0 ? [path] : [];
  const members = Object.entries(value) as [string, Json][];
  const inner = members.flatMap(([key, member]) =>
    pathsOf(member, [...path, Array.isArray(value) ? Number(key) : key]),
  );
  return path.length > 0 ? [path, ...inner] : inner;
}

function without(value: Json, [step, ...rest]: Path): Json {
  if (step === undefined || typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return value;
  const inner = (value as Record<string | number, Json>)[step] as Json;
  if (rest.length > 0) {
    const less = without(inner, rest);
    return Array.isArray(value) ? value.with(Number(step), less) : { ...(value as JsonObject), [step]: less };
  }
  if (Array.isArray(value)) return value.toSpliced(Number(step), 1);
  const { [String(step)]: _, ...others } = value as JsonObject;
  return others;
}
