/** How far the scan of a cluster is: the sum over its kinds, on the line of a terminal. */
import type { ProgressLine } from '../progress.ts';

export interface Progress {
  /** `count` objects of a kind are judged, `remaining` are still to come as far as is known. */
  tell(kind: string, count: number, remaining: number | undefined): void;
}

/** Undefined where there is no line to show it on. */
export function progressOn(line: ProgressLine | undefined): Progress | undefined {
  const kinds = new Map<string, { readonly count: number; readonly remaining: number | undefined }>();
  const textOf = (kind: string) => {
    const all = [...kinds.values()];
    const sum = all.reduce((total, { count: one }) => total + one, 0);
    const rest = all.reduce((total, { remaining: one = 0 }) => total + one, 0);
    return `scanning ${kind}: ${sum}${rest > 0 ? ` of at least ${sum + rest}` : ''} objects`;
  };
  return (
    line && {
      tell(kind, count, remaining) {
        kinds.set(kind, { count, remaining });
        line.show(() => textOf(kind));
      },
    }
  );
}
