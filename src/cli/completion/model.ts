/** Reads what can be completed from the program's commands and flags. */
import type { Argument, Command, Option } from 'commander';
import { REPORT_FORMATS } from '../output/formats.ts';

/** `output`: a format, or FORMAT=FILE. `nothing`: a value that can't be completed. */
export type Value =
  | { readonly kind: 'files' | 'folders' | 'nothing' }
  | { readonly kind: 'words' | 'output'; readonly words: readonly string[] };

export interface Flag {
  /** `--output`, and perhaps before it `-o`. */
  readonly names: readonly string[];
  readonly summary: string;
  /** Undefined: a switch. */
  readonly value: Value | undefined;
  readonly repeatable: boolean;
}

export interface CompletableCommand {
  readonly name: string;
  readonly summary: string;
  readonly flags: readonly Flag[];
  /** Undefined if it takes no arguments. */
  readonly argument: Value | undefined;
}

export interface Completable {
  readonly commands: readonly CompletableCommand[];
  readonly flags: readonly Flag[];
}

const HELP: Flag = { names: ['-h', '--help'], summary: 'show the help', value: undefined, repeatable: false };

/** Returns the commands and flags. `ruleIds` are the values of an argument `id`. */
export function completableOf(program: Command, ruleIds: readonly string[]): Completable {
  const commands = program.commands.map((command) => commandOf(command, ruleIds));
  const help = { name: 'help', summary: 'show the help of a command', flags: [] };
  const names = { kind: 'words', words: commands.map(({ name }) => name) } as const;
  return { commands: [...commands, { ...help, argument: names }], flags: [...flagsOf(program), HELP] };
}

function commandOf(command: Command, ruleIds: readonly string[]): CompletableCommand {
  const [argument] = command.registeredArguments;
  return {
    name: command.name(),
    summary: command.summary(),
    flags: [...flagsOf(command), HELP],
    argument: argument && argumentValue(argument, ruleIds),
  };
}

function flagsOf(command: Command): Flag[] {
  return command.options.filter(({ hidden }) => !hidden).map(flagOf);
}

function flagOf(option: Option): Flag {
  return {
    names: [option.short, option.long].filter((name) => name !== undefined),
    summary: option.description.replace(/ \(repeatable\)$/, ''),
    value: option.isBoolean() ? undefined : flagValue(option),
    repeatable: option.description.endsWith('(repeatable)'),
  };
}

/** Returns the kind of value by the choices of the flag, or by the name of the value in the help. */
function flagValue({ argChoices, flags, description, long }: Option): Value {
  if (argChoices) return { kind: 'words', words: argChoices };
  // Its formats are only in the description, since it also takes FORMAT=FILE.
  if (long === '--output')
    return { kind: 'output', words: REPORT_FORMATS.filter((format) => description.includes(format)) };
  return placeValue(/<([^>.]+)/.exec(flags)?.[1]);
}

function argumentValue(argument: Argument, ruleIds: readonly string[]): Value {
  if (argument.argChoices) return { kind: 'words', words: argument.argChoices };
  if (argument.name() === 'id') return { kind: 'words', words: ruleIds };
  return placeValue(argument.name());
}

function placeValue(called: string | undefined): Value {
  if (called === 'folder') return { kind: 'folders' };
  return { kind: called !== undefined && /^(file|path|paths|suite|suites)$/.test(called) ? 'files' : 'nothing' };
}
