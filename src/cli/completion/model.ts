/** What there is to complete, read off the program's own commands and their flags. */
import type { Argument, Command, Option } from 'commander';
import { REPORT_FORMATS } from '../output/formats.ts';

/** `output`: a format, or FORMAT=FILE. `nothing`: a value that nobody can guess. */
export type Value =
  | { readonly kind: 'files' | 'folders' | 'nothing' }
  | { readonly kind: 'words' | 'output'; readonly words: readonly string[] };

export interface Flag {
  /** `--output`, and perhaps before it `-o`. */
  readonly names: readonly string[];
  readonly summary: string;
  /** Undefined: a switch. */
  readonly value: Value | undefined;
  /** Whether it can be given again. */
  readonly repeatable: boolean;
}

export interface CompletableCommand {
  readonly name: string;
  readonly summary: string;
  readonly flags: readonly Flag[];
  /** What its arguments are; undefined: it takes none. */
  readonly argument: Value | undefined;
}

export interface Completable {
  readonly commands: readonly CompletableCommand[];
  readonly flags: readonly Flag[];
}

const HELP: Flag = { names: ['-h', '--help'], summary: 'how to call it', value: undefined, repeatable: false };

/** `ruleIds` is what an argument called `id` can be. */
export function completableOf(program: Command, ruleIds: readonly string[]): Completable {
  const commands = program.commands.map((command) => commandOf(command, ruleIds));
  const help = { name: 'help', summary: 'how to call a command', flags: [] };
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

/** By its choices, or by what the help calls the value. */
function flagValue({ argChoices, flags, description, long }: Option): Value {
  if (argChoices) return { kind: 'words', words: argChoices };
  // Its choices are in its sentence alone, since it takes FORMAT=FILE too.
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
