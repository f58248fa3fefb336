/** Reads what can be completed from the program's commands and flags. */
import type { Command, Option } from 'commander';
import { ruleIds } from '../../rules/index.ts';
import { REPORT_FORMATS } from '../output/formats.ts';

/** `output`: one of the words, or WORD=FILE. `nothing`: a value that can't be completed. */
export interface Value {
  readonly kind: 'files' | 'folders' | 'nothing' | 'words' | 'output';
  readonly words: readonly string[];
}

export interface Flag {
  /** `--output`, and perhaps before it `-o`. */
  readonly names: readonly string[];
  readonly summary: string;
  /** Undefined: a switch. */
  readonly value?: Value | undefined;
  readonly repeatable?: boolean;
}

/** A command, or the program itself. */
export interface Completable {
  readonly name: string;
  readonly summary: string;
  readonly flags: readonly Flag[];
  /** Undefined if it takes no arguments. */
  readonly argument?: Value | undefined;
}

const HELP: Flag = { names: ['-h', '--help'], summary: 'show the help' };

/** Returns a command with its flags. An argument `id` is the id of a rule. */
export function completableOf(command: Command): Completable {
  const [argument] = command.registeredArguments;
  const choices = argument?.name() === 'id' ? [...ruleIds] : argument?.argChoices;
  return {
    name: command.name(),
    summary: command.summary(),
    flags: [...command.options.filter(({ hidden }) => !hidden).map(flagOf), HELP],
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
    value: option.isBoolean() ? undefined : (value ?? valueNamed(/<([^>.]+)/.exec(flags)?.[1], argChoices)),
    repeatable: description.endsWith('(repeatable)'),
  };
}

/** Returns the kind of value by its choices, or by its name in the help. */
function valueNamed(name = '', choices?: readonly string[]): Value {
  if (choices) return { kind: 'words', words: choices };
  const kind = name === 'folder' ? 'folders' : /^(file|path|suite)s?$/.test(name) ? 'files' : 'nothing';
  return { kind, words: [] };
}
