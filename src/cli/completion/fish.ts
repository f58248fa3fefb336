/** For fish: one `complete` a command, a flag or an argument. */
import type { Completable, CompletableCommand, Flag, Value } from './model.ts';

const HEAD = `# muster's completion for fish. Once: muster completion fish > ~/.config/fish/completions/muster.fish
complete -c muster -f`;

/** Returns the script. */
export function fishScript({ commands, flags }: Completable): string {
  return [
    HEAD,
    ...commands.map(({ name, summary }) => line('__fish_use_subcommand', `-a ${name}`, summary)),
    ...flags.map((flag) => line('__fish_use_subcommand', spec(flag), flag.summary)),
    ...commands.flatMap(commandLines),
    '',
  ].join('\n');
}

function commandLines({ name, flags, argument }: CompletableCommand): string[] {
  const where = `__fish_seen_subcommand_from ${name}`;
  const lines = flags.map((flag) => line(where, spec(flag), flag.summary));
  return argument === undefined || argument.kind === 'nothing' ? lines : [...lines, line(where, takes(argument))];
}

function line(where: string, what: string, says?: string): string {
  return `complete -c muster -n ${quoted(where)} ${what}${says === undefined ? '' : ` -d ${quoted(says)}`}`;
}

function spec({ names, value }: Flag): string {
  const spelled = names.map((name) => (name.startsWith('--') ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`));
  return [...spelled, ...(value ? [`-r ${alone(value)}${takes(value)}`] : [])].join(' ');
}

/** Without -f, values of the argument would be offered beside those of the flag. */
function alone({ kind }: Value): string {
  return kind === 'words' || kind === 'folders' ? '-f ' : '';
}

function takes(value: Value): string {
  switch (value.kind) {
    case 'files':
      return '-F';
    case 'folders':
      return `-a ${quoted('(__fish_complete_directories)')}`;
    case 'words':
      return `-a ${quoted(value.words.join(' '))}`;
    case 'output':
      // Files follow a "=", at which fish splits.
      return `-F -a ${quoted(value.words.join(' '))}`;
    case 'nothing':
      return '-f';
  }
}

function quoted(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&')}'`;
}
