/**
 * Ends what a test has started when the test's own process is gone, however it went: a small shell reads the list of
 * processes from a pipe, and the pipe ends with us. An exit handler would miss a SIGKILL, and Jest hides it from tests.
 */
import { spawn } from 'node:child_process';
import type { Writable } from 'node:stream';

const SCRIPT = `
pids=""
while read -r word pid; do
  case $word in
    + ) pids="$pids $pid" ;;
    - ) kept=""; for each in $pids; do [ "$each" = "$pid" ] || kept="$kept $each"; done; pids=$kept ;;
  esac
done
for pid in $pids; do kill -9 "$pid" 2>/dev/null; done
`;

let pipe: Writable | undefined;

/** Has a process ended with ours. Call what it returns when it has ended by itself: its number may go to another. */
export function guard(pid: number | undefined): () => void {
  if (pid === undefined) return () => {};
  pipe ??= open();
  const to = pipe;
  to.write(`+ ${pid}\n`);
  return () => to.write(`- ${pid}\n`);
}

/** In a session of its own, so that Ctrl-C does not end it before its work. */
function open(): Writable {
  const child = spawn('sh', ['-c', SCRIPT], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
  child.unref();
  child.stdin.on('error', () => {});
  (child.stdin as Writable & { unref(): void }).unref();
  return child.stdin;
}
