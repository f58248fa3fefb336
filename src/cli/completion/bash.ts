/** For bash 3.2 (which macOS has) and later: no `mapfile`, no associative arrays. */
import type { Completable, CompletableCommand, Flag, Value } from './model.ts';

const HEAD = `# muster's completion for bash. In ~/.bashrc: source <(muster completion bash)
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

const MIDDLE = `    return
  fi
  case "$command $before" in`;

const TAIL = `# An empty reply leaves the completion of files to the shell.
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

/** Returns the script: values of flags by the previous word, then flags, then arguments. */
export function bashScript({ commands, flags }: Completable): string {
  const names = [...commands.map(({ name }) => name), ...namesOf(flags)];
  return [
    `${HEAD} ${names.join(' ')}`,
    MIDDLE,
    ...commands.flatMap(valueCases),
    '  esac',
    '  case "$command" in',
    ...commands.flatMap(wordCase),
    '  esac',
    '}',
    '',
    TAIL,
  ].join('\n');
}

function valueCases({ name, flags }: CompletableCommand): string[] {
  return flags.flatMap(({ names, value }) => {
    if (value === undefined) return [];
    const pattern = names.map((flag) => `"${name} ${flag}"`).join(' | ');
    return [`    ${pattern}) ${action(value)}; return ;;`, ...fileOfOutput(name, value)];
  });
}

/** In `-o json=report.json` the word before "=" is the format. */
function fileOfOutput(command: string, value: Value): string[] {
  if (value.kind !== 'output') return [];
  return [`    ${value.words.map((word) => `"${command} ${word}"`).join(' | ')}) _muster_files; return ;;`];
}

function wordCase({ name, flags, argument }: CompletableCommand): string[] {
  return [
    `    ${name})`,
    '      case "$current" in',
    `        -*) _muster_words "$current" ${namesOf(flags).join(' ')} ;;`,
    `        *) ${action(argument ?? { kind: 'nothing' })} ;;`,
    '      esac ;;',
  ];
}

function action(value: Value): string {
  if (value.kind === 'words' || value.kind === 'output') return `_muster_words "$current" ${value.words.join(' ')}`;
  if (value.kind === 'nothing') return '_muster_words "$current"';
  return `_muster_${value.kind} "$current"`;
}

function namesOf(flags: readonly Flag[]): string[] {
  return flags.flatMap(({ names }) => names);
}
