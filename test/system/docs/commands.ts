/** The command lines of muster in a shell script, against the definitions of its commands. */
import type { Command } from 'commander';

/**
 * Returns what is wrong with the calls of muster in a script: commands and flags that don't exist, and `npx muster`.
 */
export function wrongCalls(script: string, program: Command): readonly string[] {
  const text = script.replace(/\\\n\s*/g, ' ').replace(/(^|\s)#.*$/gm, '');
  const foreign = /\bnpx (?:-\S+ )*muster\b/.test(text) ? ['npx muster is another package: npx kube-muster'] : [];
  return [...foreign, ...[...text.matchAll(CALL)].flatMap(([, rest = '']) => wrongIn(wordsOf(rest), program))];
}

/** A call at the start of a command: of a line, or behind `|`, `&`, `;` or an opening parenthesis. */
const CALL =
  /(?:^|[|&;(]|\$\()[ \t]*(?:\$ )?(?:\w+=\S* )*(?:(?:npx )?kube-muster|muster|kubectl[- ]muster)(?= |$)(?=([^\n]*))/gm;

/** The words of one command; what is in quotes is one word. */
function wordsOf(text: string): readonly string[] {
  const words: string[] = [];
  for (const [token] of text.matchAll(/(?:'[^']*'|"[^"]*"|[^\s'"|&;()<>])+|[|&;()<>]/g)) {
    if (/^[|&;()<>]$/.test(token)) break;
    words.push(token);
  }
  return words;
}

function wrongIn(words: readonly string[], program: Command): readonly string[] {
  const [name = '', ...args] = words;
  if (name === '' || name.startsWith('-')) return flagsMissing(words, program, 'muster');
  const command = program.commands.find((each) => each.name() === name);
  if (command === undefined) return /^[A-Z…]/.test(name) ? [] : [`muster has no command ${name}`];
  return flagsMissing(args, command, `muster ${name}`);
}

function flagsMissing(args: readonly string[], command: Command, name: string): readonly string[] {
  const known = command.options.flatMap(({ long, short }) => [long, short]);
  const flags = args.filter((arg) => /^-{1,2}[a-z]/i.test(arg)).map((arg) => arg.replace(/=.*$/s, ''));
  return flags
    .filter((flag) => ![...known, '--help', '-h'].includes(flag))
    .map((flag) => `${name} has no flag ${flag}`);
}
