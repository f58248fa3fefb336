/** Breadth-first search through all states, so that the way to the first violation is a shortest one. */
import { StateTable } from './state-table.ts';

export interface Exploration<V> {
  readonly states: number;
  readonly transitions: number;
  /** The most steps from an initial state. */
  readonly depth: number;
  readonly violation?: V & { readonly index: number };
  /** The states, for traces. */
  readonly table: StateTable;
  /** The states that are farthest from the start, up to five. */
  readonly farthest: readonly number[];
}

interface Options<W, S extends { readonly system: W }, V> {
  readonly initial: readonly W[];
  /** Equal for states that are the same; parsed, it is such a state. */
  readonly keyOf: (system: W) => string;
  readonly next: (system: W) => Promise<readonly S[]>;
  /** What is wrong with a state that was reached. */
  readonly check: (system: W) => Promise<V | undefined> | V | undefined;
  /** What is wrong with a step. */
  readonly brokenBy: (before: W, step: S) => V | undefined;
  /** Called now and then with the number of states. */
  readonly onProgress?: ((states: number, open: number) => void) | undefined;
}

export async function explore<W, S extends { readonly system: W }, V>(
  options: Options<W, S, V>,
): Promise<Exploration<V>> {
  const { initial, keyOf, next: stepsOf, check, brokenBy, onProgress = () => {} } = options;
  const table = new StateTable();
  let transitions = 0;
  let depth = 0;
  let farthest: number[] = [];
  let level: [string, number][] = [];
  let next: [string, number][] = [];
  const add = (system: W, parent: number): number => {
    const key = keyOf(system);
    const [index, isNew] = table.add(key, parent);
    if (isNew) next.push([key, index]);
    return index;
  };
  const result = (violation?: V & { index: number }): Exploration<V> => ({
    states: table.size,
    transitions,
    depth,
    farthest,
    ...(violation && { violation }),
    table,
  });
  for (const system of initial) add(system, -1);
  while (next.length > 0) {
    [level, next] = [next, []];
    farthest = level.slice(0, 5).map(([, index]) => index);
    for (const [key, index] of level) {
      const system: W = JSON.parse(key);
      const wrong = await check(system);
      if (wrong !== undefined) return result({ ...wrong, index });
      for (const step of await stepsOf(system)) {
        transitions += 1;
        const to = add(step.system, index);
        const broken = brokenBy(system, step);
        if (broken !== undefined) return result({ ...broken, index: to });
      }
    }
    if (next.length > 0) depth += 1;
    onProgress(table.size, next.length);
  }
  return result();
}
