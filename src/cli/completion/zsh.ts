/** For zsh, by its own `_arguments`. Works as a file of `fpath` and by `source`. */
import type { Completable, CompletableCommand, Flag, Value } from './model.ts';

const HEAD = `#compdef muster
# muster's completion for zsh. Once: muster completion zsh > "\${fpath[1]}/_muster"
_muster() {
  local context state state_descr line
  typeset -A opt_args
  local -a commands`;

const TAIL = `_muster_output() {
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

/** Returns the script. */
export function zshScript({ commands, flags }: Completable): string {
  return [
    HEAD,
    '  commands=(',
    ...commands.map(({ name, summary }) => `    ${quoted(`${name}:${summary}`)}`),
    '  )',
    `  _arguments -C \\`,
    ...flags.map((flag) => `    ${spec(flag)} \\`),
    `    '1:command:->command' \\`,
    `    '*::argument:->argument'`,
    '  case $state in',
    `    command) _describe -t commands 'muster command' commands ;;`,
    '    argument)',
    '      case $words[1] in',
    ...commands.flatMap(commandCase),
    '      esac ;;',
    '  esac',
    '}',
    '',
    TAIL,
  ].join('\n');
}

function commandCase({ name, flags, argument }: CompletableCommand): string[] {
  const specs = [...flags.map(spec), ...(argument ? [quoted(`*:${name}:${action(argument)}`)] : [])];
  return [`        ${name})`, '          _arguments \\', ...specs.map(continued), '          ;;'];
}

function continued(text: string, index: number, all: readonly string[]): string {
  return `            ${text}${index + 1 < all.length ? ' \\' : ''}`;
}

/** Returns `'(-o --output)'{-o,--output=}'[summary]:value:action'`, with `*` first if the flag is repeatable. */
function spec({ names, summary, value, repeatable }: Flag): string {
  const says = `[${summary.replace(/[[\]:\\]/g, '\\$&')}]`;
  const takes = value === undefined ? '' : `:value:${action(value)}`;
  const spelled = names.map((name) => `${name}${value === undefined ? '' : name.startsWith('--') ? '=' : '+'}`);
  const first = quoted(repeatable ? '*' : `(${names.join(' ')})`);
  return `${first}${spelled.length > 1 ? `{${spelled.join(',')}}` : spelled[0]}${quoted(says + takes)}`;
}

function action(value: Value): string {
  switch (value.kind) {
    case 'files':
      return '_files';
    case 'folders':
      return '_files -/';
    case 'words':
      return `(${value.words.join(' ')})`;
    case 'output':
      // The space keeps `_arguments` from adding words of its own.
      return ` _muster_output ${value.words.join(' ')}`;
    case 'nothing':
      return ' ';
  }
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
