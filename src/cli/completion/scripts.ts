/** The scripts for the shells. They ask `muster completion SHELL -- WORDS` at each tab, so they never become stale. */
import type { Command } from 'commander';
import { type Candidate, complete } from './complete.ts';

export type Shell = 'bash' | 'zsh' | 'fish';

/**
 * Works in bash 3.2, which macOS has, and later: 3.2 reads nothing by `source <(…)`, and joins a part of an array
 * (`${a[@]:1}`) where IFS has no space. An empty reply leaves the completion of files to the shell.
 */
const bash = `# muster's completion for bash. In ~/.bashrc: eval "$(muster completion bash)"
_muster() {
  local current="\${COMP_WORDS[COMP_CWORD]}" words lines
  words=("\${COMP_WORDS[@]:1:COMP_CWORD}")
  local IFS=$'\\n'
  lines=($("$1" completion bash -- "\${words[@]}" 2>/dev/null))
  COMPREPLY=()
  case "\${lines[0]}" in
    files) ;;
    folders)
      compopt -o filenames 2>/dev/null
      COMPREPLY=($(compgen -d -- "\${current#=}")) ;;
    *)
      compopt +o default 2>/dev/null
      unset "lines[0]"
      COMPREPLY=("\${lines[@]}") ;;
  esac
}

complete -o default -F _muster muster
`;

/** Works as a file of `fpath` and by `source`. */
const zsh = `#compdef muster
# muster's completion for zsh. Once: muster completion zsh > "\${fpath[1]}/_muster"
_muster() {
  local -a lines
  lines=("\${(@f)$("$words[1]" completion zsh -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  local kind=$lines[1]
  shift lines
  compset -P '*='
  case $kind in
    files) _files ;;
    folders) _files -/ ;;
    formats) _describe value lines -S '' ;;
    *) _describe value lines ;;
  esac
}

if [ "$funcstack[1]" = "_muster" ]; then
  _muster "$@"
elif (( $+functions[compdef] )); then
  compdef _muster muster
else
  print -u2 'muster: completion needs compinit first: autoload -Uz compinit && compinit'
fi
`;

const fish = `# muster's completion for fish. Once: muster completion fish > ~/.config/fish/completions/muster.fish
function _muster
  set -l words (commandline -opc)
  set -l current (commandline -ct)
  set -l lines ($words[1] completion fish -- $words[2..] "$current" 2>/dev/null)
  switch "$lines[1]"
    case files
      set -l start (string match -r '^.*=' -- "$current")
      complete -C "'' "(string replace -r '^.*=' '' -- "$current") | while read -l path
        echo "$start$path"
      end
    case folders
      __fish_complete_directories "$current" ''
    case '*'
      printf '%s\\n' $lines[2..]
  end
end

complete -c muster -f -a '(_muster)'
`;

/** Returns the script of a shell; with words, the answer to the script: the kind, then a candidate a line. */
export function answer(shell: Shell, words: readonly string[], program: Command): string {
  if (words.length === 0) return { bash, zsh, fish }[shell];
  // bash splits words at an equals sign, too.
  const line =
    shell === 'bash'
      ? words
          .join('\n')
          .replace(/\n=(?:\n|$)/g, '=')
          .split('\n')
      : words;
  const { kind, candidates } = complete(program, line);
  // fish replaces the whole word, the others what follows its "=".
  const start = shell === 'fish' ? (/^.*=/.exec(line.at(-1) ?? '')?.[0] ?? '') : '';
  const candidateLine = ({ word, summary }: Candidate) => {
    if (shell === 'bash' || summary === '') return start + word;
    return shell === 'fish' ? `${start}${word}\t${summary}` : `${word}:${summary}`;
  };
  return `${[kind, ...candidates.map(candidateLine)].join('\n')}\n`;
}
