/** Whether there is time left, and anybody who waits. */
import type { Patience } from './view.ts';

export function isOver({ deadline, signal }: Patience): boolean {
  return signal.aborted || Date.now() >= deadline;
}
