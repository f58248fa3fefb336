/**
 * Which parts of the real code the model has run, by V8's own coverage: a part that it never runs is a step without a
 * counterpart.
 */
import { readFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { fileURLToPath } from 'node:url';

const LOCKS = new URL('../../../../src/cluster/locks/', import.meta.url).href;

/**
 * Parts that no interleaving reaches, each with the reason. A text is the beginning of the part; parts within it are
 * not listed.
 */
const UNREACHED: readonly { readonly begins: string; readonly why: string }[] = [
  { begins: 'return alone;', why: 'exempt users: no lock, and no protection (docs/live.md)' },
  { begins: 'return engine.evaluate(subject, newView(', why: 'what the object alone denies takes no lock' },
  { begins: '?? sleep', why: 'the model makes the pauses' },
  { begins: "return tryAgain(verdict, locked, 'another write has just", why: 'another message on server-side apply' },
  { begins: '(entry) => textAt(entry', why: 'the same' },
  { begins: 'return notNew(verdict', why: 'a CREATE with a resourceVersion is denied and takes no lock' },
  { begins: 'function notNew(', why: 'the same' },
  { begins: '? BigInt(text)', why: 'the same' },
  { begins: '&& version <= LARGEST_VERSION', why: 'the same' },
  { begins: '&& !isApplied(subject)', why: 'the same' },
  { begins: "throw new ClusterError('unreadable'", why: 'answers of what is no API server' },
  { begins: '? undefined', why: 'a Lease that muster did not write' },
  { begins: "return 'pending';", why: 'the same' },
  { begins: '() => performance.now()', why: 'the model has the clock' },
  { begins: '|| undefined', why: 'an object without a uid or a version' },
  { begins: '&& mayJoin(subject)', why: 'without a registrar; its own model runs it' },
  { begins: '? await engine.evaluate(subject, locked.withHub', why: 'the same' },
  { begins: 'return reserved;', why: 'the same' },
  { begins: 'return false;', why: 'a write of a status, or of another kind' },
  { begins: '?? null', why: 'a review without a user, or an id without a value' },
];

export interface Recorder {
  /**
   * Returns the beginnings of all parts of src/cluster/locks that did not run and are not listed, and what is listed
   * in vain.
   */
  mistakes(): Promise<string[]>;
}

/** Starts to record. Call it before the code is loaded. */
export async function recordCoverage(): Promise<Recorder> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  return {
    async mistakes() {
      const { result } = await session.post('Profiler.takePreciseCoverage');
      session.disconnect();
      const parts = result
        .filter(({ url }) => url.startsWith(LOCKS))
        .flatMap(({ url, functions }) => {
          const text = readFileSync(fileURLToPath(url), 'utf8');
          const missed = functions.flatMap(({ ranges }) => ranges.filter(({ count }) => count === 0));
          const outer = missed.filter(
            (one) =>
              !missed.some(
                (other) => other !== one && other.startOffset <= one.startOffset && one.endOffset <= other.endOffset,
              ),
          );
          return outer
            .map(({ startOffset, endOffset }) => text.slice(startOffset, endOffset).trim())
            .filter((part) => /\w/.test(part));
        });
      const isListed = (part: string) => UNREACHED.some(({ begins }) => part.startsWith(begins));
      const inVain = UNREACHED.filter(({ begins }) => !parts.some((part) => part.startsWith(begins)));
      return [
        ...parts
          .filter((part) => !isListed(part))
          .map((part) => `no step of the model runs this part of src/cluster/locks: ${part}`),
        ...inVain.map(({ begins }) => `coverage.ts lists a part that does run: ${begins}`),
      ];
    },
  };
}
