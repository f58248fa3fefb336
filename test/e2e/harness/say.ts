/** Figures of a run, for whoever reads its output. */

/** One line on stderr: Jest holds back what a passing test logs by other ways. */
export function say(line: string): void {
  process.stderr.write(`  ${line}\n`);
}
