/** How a rule may break. An object called so (and then a dot) is the cause. */
export const WAYS = ['throws', 'rejects', 'says-nonsense', 'answers-nothing', 'overflows'] as const;
export type Way = (typeof WAYS)[number];
export const STALL_MS = 2000;
