/** Chance that can be repeated: the same seed, the same walk. */
export interface Random {
  /** An integer from 0 up to, and without, `below`. */
  below(below: number): number;
  /** One of a list that is not empty. */
  of<T>(list: readonly T[]): T;
  /** True once in so many times, on average. */
  oneIn(times: number): boolean;
}

/** xorshift128, seeded by one number. */
export function randomOf(seed: number): Random {
  let a = seed | 0 || 1;
  let b = 0x9e3779b9;
  let c = 0x243f6a88;
  let d = 0xb7e15162;
  const next = (): number => {
    const t = d ^ (d << 11);
    [d, c, b] = [c, b, a];
    a = a ^ (a >>> 19) ^ t ^ (t >>> 8);
    return a >>> 0;
  };
  for (let turn = 0; turn < 16; turn++) next();
  const below = (limit: number) => next() % Math.max(1, limit);
  return { below, of: (list) => list[below(list.length)] as never, oneIn: (times) => below(times) === 0 };
}
