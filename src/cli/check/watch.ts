/** `check --watch`: again whenever a file that was named changes, until somebody ends it. */
import { reportFailure, UsageError } from '../shared.ts';
import type { CheckOptions } from './options.ts';
import { watchFiles } from './watch-files.ts';

/** The screen and what scrolled off it, so that an old finding is not taken for a new one. */
const CLEAR = '\u001b[2J\u001b[3J\u001b[H';

/** Watches until SIGINT or SIGTERM. Throws UsageError where there is nothing to watch. */
export async function watchCheck(options: CheckOptions, check: () => Promise<void>): Promise<void> {
  const { paths, deleted, state = [], config, outputs } = options;
  const named = [...paths, ...deleted, ...state, ...(config === undefined ? [] : [config])];
  if (named.includes('-')) throw new UsageError("standard input can't be watched: name files or folders with --watch");
  const written = outputs.flatMap(({ file }) => (file === undefined ? [] : [file]));
  // Ended before anything was judged: nothing can be said of it.
  process.exitCode = 2;
  const watch = watchFiles({ named, written }, async (count) => {
    if (process.stdout.isTTY) process.stdout.write(CLEAR);
    await outlive(check);
    process.stderr.write(
      `watching ${count} ${count === 1 ? 'file' : 'files'}; Ctrl-C ends, with exit code ${process.exitCode}\n`,
    );
  });
  await ended();
  watch.close();
}

/** A configuration half written, a cluster away for a moment: it is told, and the next change tries again. */
async function outlive(check: () => Promise<void>): Promise<void> {
  try {
    await check();
  } catch (error) {
    reportFailure(error);
  }
}

/** Resolves when the user has seen enough; until then the process stays alive. A second signal ends it at once. */
function ended(): Promise<void> {
  return new Promise((resolve) => {
    const alive = setInterval(() => {}, 2 ** 30);
    const end = () => {
      clearInterval(alive);
      resolve();
    };
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, end);
  });
}
