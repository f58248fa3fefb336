/** Writes the scripts of the shells from the program's own commands and flags: a new flag is completed without a change here. */
import type { Command } from 'commander';
import { type Completable, completableOf, type Flag, type Value } from './model.ts';

type Script = (program: Completable, commands: readonly Completable[]) => readonly string[];

/** Returns the script of a shell. */
export function completionFor(shell: 'bash' | 'zsh' | 'fish', program: Command): string {
  const commands = program.commands.map(completableOf);
  const words = commands.map(({ name }) => name);
  const help = {
    name: 'help',
    summary: 'show the help of a command',
    flags: [],
    argument: { kind: 'words', words },
  } as const;
  return SCRIPTS[shell](completableOf(program), [...commands, help]).join('\n');
}

/** For bash 3.2 (which macOS has) and later: no `mapfile`, no associative arrays. */
const BASH_HEAD = `# muster's completion for bash. In ~/.bashrc: source <(muster completion bash)
_muster() {
  local current="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" command="\${COMP_WORDS[1]}"
  COMPREPLY=()
  # bash also splits words at an equals sign.
  if [ "$current" = "=" ]; then
    current=""
  elif [ "$before" = "=" ]; then
    before="\${COMP_WORDS[COMP_CWORD-2]}"
  fi
  if [ "$COMP_CWORD" -eq 1 ]; then
    _muster_words "$current"`;

const BASH_MIDDLE = `    return
  fi
  case "$command $before" in`;

const BASH_TAIL = `# An empty reply leaves the completion of files to the shell.
_muster_files() { COMPREPLY=(); }

_muster_folders() {
  compopt -o filenames 2>/dev/null
  local IFS=$'\\n'
  COMPREPLY=($(compgen -d -- "$1"))
}

_muster_words() {
  local word="$1"
  shift
  compopt +o default 2>/dev/null
  COMPREPLY=($(compgen -W "$*" -- "$word"))
}

complete -o default -F _muster muster
`;

/** Values of flags by the previous word, then flags, then arguments. */
const bash: Script = ({ flags }, commands) => [
  `${BASH_HEAD} ${[...commands.map(({ name }) => name), ...namesOf(flags)].join(' ')}`,
  BASH_MIDDLE,
  ...commands.flatMap(({ name, flags: own }) => own.flatMap((flag) => bashValue(name, flag))),
  '  esac',
  '  case "$command" in',
  ...commands.flatMap(({ name, flags: own, argument }) => [
    `    ${name})`,
    '      case "$current" in',
    `        -*) _muster_words "$current" ${namesOf(own).join(' ')} ;;`,
    `        *) ${bashAction(argument)} ;;`,
    '      esac ;;',
  ]),
  '  esac',
  '}',
  '',
  BASH_TAIL,
];

function bashValue(command: string, { names, value }: Flag): string[] {
  const pattern = (words: readonly string[]) => words.map((word) => `"${command} ${word}"`).join(' | ');
  if (value === undefined) return [];
  const own = `    ${pattern(names)}) ${bashAction(value)}; return ;;`;
  // In `-o json=report.json` the word before "=" is the format.
  return value.kind === 'output' ? [own, `    ${pattern(value.words)}) _muster_files; return ;;`] : [own];
}

function bashAction({ kind, words }: Value = { kind: 'nothing', words: [] }): string {
  if (kind === 'files' || kind === 'folders') return `_muster_${kind} "$current"`;
  return ['_muster_words "$current"', ...words].join(' ');
}

function namesOf(flags: readonly Flag[]): string[] {
  return flags.flatMap(({ names }) => names);
}

/** For zsh, by its own `_arguments`. Works as a file of `fpath` and by `source`. */
const ZSH_HEAD = `#compdef muster
# muster's completion for zsh. Once: muster completion zsh > "\${fpath[1]}/_muster"
_muster() {
  local context state state_descr line
  typeset -A opt_args
  local -a commands`;

const ZSH_TAIL = `_muster_output() {
  if compset -P '*='; then
    _files
  else
    compadd -S '' -- "$@"
  fi
}

if [ "$funcstack[1]" = "_muster" ]; then
  _muster "$@"
elif (( $+functions[compdef] )); then
  compdef _muster muster
else
  print -u2 'muster: completion needs compinit first: autoload -Uz compinit && compinit'
fi
`;

const zsh: Script = ({ flags }, commands) => [
  ZSH_HEAD,
  '  commands=(',
  ...commands.map(({ name, summary }) => `    ${zshQuoted(`${name}:${summary}`)}`),
  '  )',
  `  _arguments -C \\`,
  ...flags.map((flag) => `    ${zshFlag(flag)} \\`),
  `    '1:command:->command' \\`,
  `    '*::argument:->argument'`,
  '  case $state in',
  `    command) _describe -t commands 'muster command' commands ;;`,
  '    argument)',
  '      case $words[1] in',
  ...commands.flatMap(({ name, flags: own, argument }) => {
    const specs = [...own.map(zshFlag), ...(argument ? [zshQuoted(`*:${name}:${zshAction(argument)}`)] : [])];
    return [
      `        ${name})`,
      '          _arguments \\',
      `            ${specs.join(' \\\n            ')}`,
      '          ;;',
    ];
  }),
  '      esac ;;',
  '  esac',
  '}',
  '',
  ZSH_TAIL,
];

/** Returns `'(-o --output)'{-o,--output=}'[summary]:value:action'`, with `*` first if the flag is repeatable. */
function zshFlag({ names, summary, value, repeatable }: Flag): string {
  const text = `[${summary.replace(/[[\]:\\]/g, '\\$&')}]${value ? `:value:${zshAction(value)}` : ''}`;
  const spelled = names.map((name) => `${name}${value === undefined ? '' : name.startsWith('--') ? '=' : '+'}`);
  const first = zshQuoted(repeatable ? '*' : `(${names.join(' ')})`);
  return `${first}${spelled.length > 1 ? `{${spelled.join(',')}}` : spelled[0]}${zshQuoted(text)}`;
}

function zshAction({ kind, words }: Value): string {
  const list = words.join(' ');
  // The space before a function keeps `_arguments` from adding words of its own.
  const actions = { files: '_files', folders: '_files -/', words: `(${list})`, output: ` _muster_output ${list}` };
  return kind === 'nothing' ? ' ' : actions[kind];
}

function zshQuoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** For fish: one `complete` a command, a flag or an argument. */
const FISH_HEAD = `# muster's completion for fish. Once: muster completion fish > ~/.config/fish/completions/muster.fish
complete -c muster -f`;

const fish: Script = ({ flags }, commands) => [
  FISH_HEAD,
  ...commands.map(({ name, summary }) => fishLine('__fish_use_subcommand', `-a ${name}`, summary)),
  ...flags.map((flag) => fishLine('__fish_use_subcommand', fishFlag(flag), flag.summary)),
  ...commands.flatMap(({ name, flags: own, argument }) => {
    const where = `__fish_seen_subcommand_from ${name}`;
    const lines = own.map((flag) => fishLine(where, fishFlag(flag), flag.summary));
    return argument && argument.kind !== 'nothing' ? [...lines, fishLine(where, fishAction(argument))] : lines;
  }),
  '',
];

function fishLine(where: string, what: string, summary?: string): string {
  return `complete -c muster -n ${fishQuoted(where)} ${what}${summary === undefined ? '' : ` -d ${fishQuoted(summary)}`}`;
}

function fishFlag({ names, value }: Flag): string {
  const spelled = names
    .map((name) => (name.startsWith('--') ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`))
    .join(' ');
  if (value === undefined) return spelled;
  // Without -f, values of the argument would be offered beside those of the flag.
  const alone = value.kind === 'words' || value.kind === 'folders' ? '-f ' : '';
  return `${spelled} -r ${alone}${fishAction(value)}`;
}

function fishAction({ kind, words }: Value): string {
  const list = `-a ${fishQuoted(words.join(' '))}`;
  const folders = `-a ${fishQuoted('(__fish_complete_directories)')}`;
  // After -o files follow a "=", at which fish splits.
  return { files: '-F', folders, words: list, output: `-F ${list}`, nothing: '-f' }[kind];
}

function fishQuoted(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&')}'`;
}

const SCRIPTS = { bash, zsh, fish };
