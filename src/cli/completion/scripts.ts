/** Writes the scripts for the shells from the program's commands and flags: a new flag needs no change here. */
import { type Command, Option } from 'commander';
import { ruleIds } from '../../rules/index.ts';
import { REPORT_FORMATS } from '../output/formats.ts';

/** `output`: one of the words, or WORD=FILE; without words, any. `nothing`: a value that can't be completed. */
interface Value {
  readonly kind: 'files' | 'folders' | 'nothing' | 'words' | 'output';
  readonly words: readonly string[];
}

interface Flag {
  readonly names: readonly string[];
  readonly summary: string;
  /** Undefined: a switch. */
  readonly value: Value | undefined;
  readonly repeatable: boolean;
}

/** A command, or the program itself. */
interface Completable {
  readonly name: string;
  readonly summary: string;
  readonly flags: readonly Flag[];
  readonly argument: Value | undefined;
}

/** Returns the script of a shell. */
export function completionFor(shell: 'bash' | 'zsh' | 'fish', program: Command): string {
  const commands = program.commands.map(completableOf);
  const argument: Value = { kind: 'words', words: commands.map(({ name }) => name) };
  const help: Completable = { name: 'help', summary: 'show the help of a command', flags: [], argument };
  return { bash, zsh, fish }[shell](completableOf(program).flags, [...commands, help]);
}

/** Returns a command with its flags. An argument `id` is the id of a rule. Without an argument it takes none. */
function completableOf(command: Command): Completable {
  const [argument] = command.registeredArguments;
  const choices = argument?.name() === 'id' ? [...ruleIds] : argument?.argChoices;
  const shown = command.options.filter(({ hidden }) => !hidden);
  return {
    name: command.name(),
    summary: command.summary(),
    flags: [...shown, new Option('-h, --help', 'show the help')].map(flagOf),
    argument: argument && valueNamed(argument.name(), choices),
  };
}

function flagOf(option: Option): Flag {
  const { short, long, description, flags, argChoices } = option;
  // The formats of --output are only in the description, since it also takes FORMAT=FILE.
  const formats = REPORT_FORMATS.filter((format) => description.includes(format));
  const value = long === '--output' && !argChoices ? ({ kind: 'output', words: formats } as const) : undefined;
  return {
    names: [short, long].filter((name) => name !== undefined),
    summary: description.replace(/ \(repeatable\)$/, ''),
    value:
      option.isBoolean() || option.optional
        ? undefined
        : (value ?? valueNamed(/<([^>.]+)/.exec(flags)?.[1], argChoices)),
    repeatable: description.endsWith('(repeatable)'),
  };
}

/** Returns the kind of value by its choices, or by its name in the help. */
function valueNamed(name = '', choices?: readonly string[]): Value {
  if (choices) return { kind: 'words', words: choices };
  // A path follows the name, as a file follows the format of an output.
  if (name === 'name=path') return { kind: 'output', words: [] };
  const kind = /^(folder|glob)$/.test(name) ? 'folders' : /^(file|path|suite)s?$/.test(name) ? 'files' : 'nothing';
  return { kind, words: [] };
}

/** Values of flags by the previous word, then flags, then arguments. For bash 3.2 (which macOS has) and later. */
function bash(flags: readonly Flag[], commands: readonly Completable[]): string {
  const values = commands.flatMap(({ name, flags: own }) => own.flatMap((flag) => bashValue(name, flag)));
  const others = commands.map(
    ({ name, flags: own, argument }) => `    ${name})
      case "$current" in
        -*) _muster_words "$current" ${namesOf(own).join(' ')} ;;
        *) ${bashAction(argument)} ;;
      esac ;;`,
  );
  return `# muster's completion for bash. In ~/.bashrc: source <(muster completion bash)
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
    _muster_words "$current" ${[...commands.map(({ name }) => name), ...namesOf(flags)].join(' ')}
    return
  fi
  case "$command $before" in
${values.join('\n')}
  esac
  case "$command" in
${others.join('\n')}
  esac
}

# An empty reply leaves the completion of files to the shell.
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
}

function bashValue(command: string, { names, value }: Flag): string[] {
  const pattern = (words: readonly string[]) => words.map((word) => `"${command} ${word}"`).join(' | ');
  if (value === undefined) return [];
  const own = `    ${pattern(names)}) ${bashAction(value)}; return ;;`;
  // In `-o json=report.json` the word before "=" is the format.
  return value.kind === 'output' && value.words.length > 0
    ? [own, `    ${pattern(value.words)}) _muster_files; return ;;`]
    : [own];
}

function bashAction({ kind, words }: Value = { kind: 'nothing', words: [] }): string {
  if (kind === 'files' || kind === 'folders') return `_muster_${kind} "$current"`;
  return ['_muster_words "$current"', ...words].join(' ');
}

function namesOf(flags: readonly Flag[]): string[] {
  return flags.flatMap(({ names }) => names);
}

/** For zsh, by its own `_arguments`. Works as a file of `fpath` and by `source`. */
function zsh(flags: readonly Flag[], commands: readonly Completable[]): string {
  const others = commands.map(({ name, flags: own, argument }) => {
    const specs = [...own.map(zshFlag), ...(argument ? [zshQuoted(`*:${name}:${zshAction(argument)}`)] : [])];
    return `        ${name})
          _arguments \\
            ${specs.join(' \\\n            ')}
          ;;`;
  });
  return `#compdef muster
# muster's completion for zsh. Once: muster completion zsh > "\${fpath[1]}/_muster"
_muster() {
  local context state state_descr line
  typeset -A opt_args
  local -a commands
  commands=(
${commands.map(({ name, summary }) => `    ${zshQuoted(`${name}:${summary}`)}`).join('\n')}
  )
  _arguments -C \\
${flags.map((flag) => `    ${zshFlag(flag)} \\`).join('\n')}
    '1:command:->command' \\
    '*::argument:->argument'
  case $state in
    command) _describe -t commands 'muster command' commands ;;
    argument)
      case $words[1] in
${others.join('\n')}
      esac ;;
  esac
}

_muster_output() {
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
}

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
  const output = ` _muster_output ${list}`;
  return { files: '_files', folders: '_files -/', words: `(${list})`, output, nothing: ' ' }[kind];
}

function zshQuoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** For fish: one `complete` a command, a flag or an argument. */
function fish(flags: readonly Flag[], commands: readonly Completable[]): string {
  const lineOf = (where: string) => (flag: Flag) => fishLine(where, fishFlag(flag), flag.summary);
  const lines = [
    ...commands.map(({ name, summary }) => fishLine('__fish_use_subcommand', `-a ${name}`, summary)),
    ...flags.map(lineOf('__fish_use_subcommand')),
    ...commands.flatMap(({ name, flags: own, argument }) => {
      const where = `__fish_seen_subcommand_from ${name}`;
      const completes = argument !== undefined && argument.kind !== 'nothing';
      return [...own.map(lineOf(where)), ...(completes ? [fishLine(where, fishAction(argument))] : [])];
    }),
  ];
  return `# muster's completion for fish. Once: muster completion fish > ~/.config/fish/completions/muster.fish
complete -c muster -f
${lines.join('\n')}
`;
}

function fishLine(where: string, what: string, summary?: string): string {
  const described = summary === undefined ? '' : ` -d ${fishQuoted(summary)}`;
  return `complete -c muster -n ${fishQuoted(where)} ${what}${described}`;
}

function fishFlag({ names, value }: Flag): string {
  const spelled = names.map((name) => (name.startsWith('--') ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`));
  if (value === undefined) return spelled.join(' ');
  // Without -f, values of the argument would be offered beside those of the flag.
  const alone = value.kind === 'words' || value.kind === 'folders' ? '-f ' : '';
  return `${spelled.join(' ')} -r ${alone}${fishAction(value)}`;
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
