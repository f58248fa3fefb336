/** Completes a command line from the program's commands and flags: a new flag needs no change here. */
import { type Command, Option } from 'commander';
import { ruleIds } from '../../rules/index.ts';
import { Flag } from '../flags.ts';

/** What a word can be: a path, which the shell completes, or one of the candidates. */
interface Completion {
  /** `formats`: a candidate may go on with `=FILE`. */
  readonly kind: 'files' | 'folders' | 'words' | 'formats';
  readonly candidates: readonly Candidate[];
}

export interface Candidate {
  readonly word: string;
  readonly summary: string;
}

/** Returns what the last of these words can be. They follow `muster` in a line. */
export function complete(program: Command, words: readonly string[]): Completion {
  const current = words.at(-1) ?? '';
  const before = words.slice(0, -1);
  const [name] = before;
  const command = program.commands.find((one) => one.name() === name) ?? program;
  // What follows `--` is an argument.
  const flags = before.includes('--') ? [] : flagsOf(command);
  // `--flag=value`, else `--flag value`
  const [, assigned, value] = /^(--[^=]+)=(.*)$/.exec(current) ?? [];
  const flag = assigned ?? before.at(-1);
  const option = flags.find((one) => takesValue(one) && (one.short === flag || one.long === flag));
  if (option !== undefined) return completeValue(option, value ?? current);
  if (current.startsWith('-') && flags.length > 0)
    return startingWith(current, flags.filter((one) => !isDone(one, before)).flatMap(namesOf));
  if (command !== program) return completeArgument(command, before, current);
  const isFirst = name === undefined || (name === 'help' && before.length === 1);
  return startingWith(current, isFirst ? commandsOf(program) : []);
}

function startingWith(current: string, all: readonly Candidate[], kind: Completion['kind'] = 'words'): Completion {
  return { kind, candidates: all.filter(({ word }) => word.startsWith(current)) };
}

function commandsOf({ commands }: Command): readonly Candidate[] {
  const own = commands.map((command) => ({ word: command.name(), summary: command.summary() }));
  return [...own, { word: 'help', summary: 'show the help of a command' }];
}

function flagsOf({ options }: Command): readonly Option[] {
  return [...options.filter(({ hidden }) => !hidden), new Option('-h, --help', 'show the help')];
}

function namesOf({ short, long, description }: Option): readonly Candidate[] {
  const summary = description.replace(/ \(repeatable\)$/, '');
  return [short, long].flatMap((word) => (word === undefined ? [] : { word, summary }));
}

/** Returns whether a flag that can be given only once is there already. */
function isDone(option: Option, before: readonly string[]): boolean {
  const isThis = (word: string) => word === option.short || word.split('=')[0] === option.long;
  return !isRepeatable(option) && before.some(isThis);
}

function isRepeatable(option: Option): boolean {
  return option instanceof Flag && option.separator !== undefined;
}

function takesValue(option: Option): boolean {
  return !option.isBoolean() && !option.optional;
}

function completeValue(option: Option, current: string): Completion {
  const { flags, argChoices } = option;
  // A repeatable flag also takes its choices with commas between.
  const [before = ''] = (isRepeatable(option) && /^.*,/.exec(current)) || [];
  if (argChoices) return startingWith(current, wordsOf(argChoices.map((choice) => before + choice)));
  const formats = option instanceof Flag ? option.formats : undefined;
  if (formats === undefined) return completePath(/<([^>.]+)/.exec(flags)?.[1], current);
  return current.includes('=') ? { kind: 'files', candidates: [] } : startingWith(current, wordsOf(formats), 'formats');
}

function completeArgument(command: Command, before: readonly string[], current: string): Completion {
  const [argument] = command.registeredArguments;
  const choices = argument?.name() === 'id' ? [...ruleIds] : argument?.argChoices;
  if (choices === undefined) return completePath(argument?.name(), current);
  // Only a first argument has choices.
  return startingWith(current, wordsOf(choices.some((choice) => before.includes(choice)) ? [] : choices));
}

function wordsOf(words: readonly string[]): readonly Candidate[] {
  return words.map((word) => ({ word, summary: '' }));
}

/** Returns whether a value is a file or a folder, by its name in the help. Other values can't be completed. */
function completePath(name = '', current: string): Completion {
  const isFile = /^(file|path|suite)s?$/.test(name) || (name === 'name=path' && current.includes('='));
  const kind = /^(folder|glob)$/.test(name) ? 'folders' : isFile ? 'files' : 'words';
  return { kind, candidates: [] };
}
