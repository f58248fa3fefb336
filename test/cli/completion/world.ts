/** Shells, asked what they would complete. */
import { spawnSync } from 'node:child_process';

/** What bash offers at the end of a line whose words are parted as bash parts them; sorted. Nothing: it is left to files. */
export function completedByBash(script: string, folder: string, words: readonly string[]): string[] {
  const asked = `
    eval "$MUSTER_SCRIPT"
    COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
    _muster
    printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout, stderr, status } = spawnSync('bash', ['--norc', '-c', asked, 'bash', ...words], {
    cwd: folder,
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], MUSTER_SCRIPT: script },
  });
  if (status !== 0 || stderr !== '') throw new Error(`bash: ${status}: ${stderr}`);
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .sort();
}

/** What a shell says of the syntax of a script's file: nothing where it is well; undefined where there is no such shell. */
export function syntaxProblems(shell: string, file: string): string | undefined {
  const { error, stdout, stderr, status } = spawnSync(shell, ['-n', file], { encoding: 'utf8' });
  if (error) return undefined;
  return status === 0 ? stdout + stderr : `exit ${status}: ${stdout}${stderr}`;
}
