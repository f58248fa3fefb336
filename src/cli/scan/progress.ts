/** How far a scan is, on one line of a terminal that is written over. */
import { plain } from '../../engine/text.ts';

export interface Progress {
  /** `count` objects of a kind are judged, `remaining` are still to come as far as is known. */
  tell(kind: string, count: number, remaining: number | undefined): void;
  /** Takes the line away. */
  end(): void;
}

const EVERY_MS = 100;
const ERASE_LINE = '\r\u001b[2K';

export interface Surroundings {
  /** Milliseconds since any moment. */
  readonly clock: () => number;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Undefined where nobody looks: the stream is no terminal, or one that can't write over a line. */
export function progressOn(
  stream: { readonly isTTY?: boolean | undefined; write(text: string): unknown },
  { clock, environment }: Surroundings = { clock: Date.now, environment: process.env },
): Progress | undefined {
  if (stream.isTTY !== true || environment['TERM'] === 'dumb') return undefined;
  const kinds = new Map<string, { readonly count: number; readonly remaining: number | undefined }>();
  let told = Number.NEGATIVE_INFINITY;
  return {
    tell(kind, count, remaining) {
      kinds.set(kind, { count, remaining });
      if (clock() - told < EVERY_MS) return;
      told = clock();
      const all = [...kinds.values()];
      const sum = all.reduce((total, { count: one }) => total + one, 0);
      const rest = all.reduce((total, { remaining: one = 0 }) => total + one, 0);
      const ahead = rest > 0 ? ` of at least ${sum + rest}` : '';
      stream.write(`${ERASE_LINE}scanning ${plain(kind)}: ${sum}${ahead} objects`);
    },
    end: () => void stream.write(ERASE_LINE),
  };
}
