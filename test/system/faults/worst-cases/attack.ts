/** The worst text for a regular expression: beginnings, pieces that are repeated, and endings that do not match. */
import { cpuMs } from './baseline.ts';
import type { Expression } from './expressions.ts';

interface Worst {
  readonly expression: Expression;
  /** Milliseconds of processor time over the longest text that can reach it, the worst of those tried. */
  readonly ms: number;
  readonly length: number;
  readonly text: string;
}

const BEGINNINGS = ' a 0 v1.1 1.1- 2026-01-01T00:00:00. " "uid":" & ! 0x { [ {{ ,'.split(' ');
BEGINNINGS.push('299 a "', '-----BEGIN ', '|\n');
const PIECES = 'a A 0 - . _ / " \\ \\" { {{ {{a a- a. -a 1. -- ._ = : x: "uid" "uid":" + * T 😀'.split(' ');
PIECES.push(' ', '\n', '\t', '\r', ', ', '\\\n', ' \n', '\ud800', '\u0001', 'Proc-Type: ');
PIECES.push('-----BEGIN ', '-----BEGIN CERTIFICATE-----');
const ENDINGS = ['', '!', '"', '-', '\n', '/'];
/**
 * Lengths at which all are tried, the first so short that even what doubles with each character ends; what takes
 * longest at the last is tried at full length.
 */
const STEPS = [12, 18, 22, 26, 64, 512, 4096];
/** At a few thousand characters nothing linear comes near: no need to go on. */
const HOPELESS_MS = 100;
const BEST = 3;

/** Tries all, and measures the worst few at the length that can reach the expression. */
export function attack(expression: Expression, reach: number): Worst {
  let left = BEGINNINGS.flatMap((begin) =>
    PIECES.flatMap((piece) => ENDINGS.map((end) => ({ begin, piece, end, ms: 0 }))),
  );
  for (const step of STEPS.filter((length) => length < reach)) {
    for (const one of left) {
      one.ms = searchMs(expression, textOf(one, step));
      if (one.ms > HOPELESS_MS) return { expression, ms: one.ms, length: step, text: textOf(one, 40) };
    }
    // Over shorter texts, what grows with the square of the length takes no longer than the clock's noise.
    if (step >= 512) left = left.sort((a, b) => b.ms - a.ms).slice(0, Math.max(BEST, Math.ceil(left.length / 8)));
  }
  const measured = left.slice(0, BEST).map((one) => ({ one, ms: quickestOf3(expression, textOf(one, reach)) }));
  const worst = measured.sort((a, b) => b.ms - a.ms)[0];
  return { expression, ms: worst?.ms ?? 0, length: reach, text: worst ? textOf(worst.one, 40) : '' };
}

function textOf({ begin, piece, end }: { begin: string; piece: string; end: string }, length: number): string {
  return `${begin}${piece.repeat(Math.ceil(length / piece.length))}`.slice(0, Math.max(0, length - end.length)) + end;
}

/** A collection of garbage or a cold cache falls into one search; what the expression takes, all of them take. */
function quickestOf3(expression: Expression, text: string): number {
  return Math.min(...Array.from({ length: 3 }, () => searchMs(expression, text)));
}

/** Returns the milliseconds of processor time of one search. */
function searchMs({ pattern, flags }: Expression, text: string): number {
  const before = cpuMs();
  const compiled = new RegExp(pattern, flags);
  if (flags.includes('g')) text.replace(compiled, '');
  else compiled.test(text);
  return cpuMs() - before;
}
