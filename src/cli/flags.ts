/**
 * Defines flags. Every flag can be an environment variable: `--ops-port` is `MUSTER_OPS_PORT`. A flag has precedence
 * over its variable. All commands see all variables, so one that is meant for another command must not be an error.
 */
import { delimiter } from 'node:path';
import { Command, type ErrorOptions, InvalidArgumentError, Option } from 'commander';
import { isDnsLabel } from '../base/syntax.ts';
import { quoted } from '../base/text.ts';
import { UsageError } from '../base/usage-error.ts';
import { ALL_FORMATS } from '../report/formats.ts';
import { FAIL_ON } from '../report/report.ts';
import { COLOR_CHOICES, chooseColor } from '../report/terminal.ts';

/** A flag, with what commander's Option lacks. */
export class Flag extends Option {
  /** Separates the values in the variable of a repeatable flag. */
  separator?: string;
  /** Whether a switch also takes values, each with a `=` in it. Without one, its value is the empty text. */
  takesValues = false;
  /** The formats that the command can write. */
  formats?: readonly string[];
  /** Long names of flags that this one excludes. */
  excludes: readonly string[] = [];
  /** The error message if both are given; without it the command reports the conflict itself. */
  reason?: string | undefined;

  /** Excludes other flags. Each of them, on the command line, has precedence over the variable of another. */
  excluding(names: readonly string[], reason?: string): this {
    this.excludes = names;
    this.reason = reason;
    return this;
  }

  /**
   * Names the formats among which the flag chooses. In its variable, formats of other commands are ignored: with
   * `MUSTER_OUTPUT=junit`, meant for `check`, `rules` still writes text.
   */
  writing(formats: readonly string[]): this {
    this.formats = formats;
    return this;
  }
}

/**
 * Returns a repeatable flag; in its variable, commas separate the values.
 * @param choices what help and completion offer; the command refuses others
 */
export function listed(
  flags: string,
  description: string,
  { separator = ',', choices = [] }: { readonly separator?: string; readonly choices?: readonly string[] } = {},
): Flag {
  const collect = (value: string, values: readonly string[] | undefined) => [...(values ?? []), value];
  const flag = new Flag(flags, `${description} (repeatable)`);
  flag.separator = separator;
  if (choices.length > 0) flag.choices(choices);
  // Set after `choices`, whose own parser would refuse several values separated by commas.
  return flag.argParser(collect);
}

/**
 * Returns a repeatable switch that also takes values with `=`; commas separate values in its variable. Without a value:
 * an empty list.
 */
export function switchOrListed(flags: string, description: string): Flag {
  const collect = (value: string, values: readonly string[] = []) => (value === '' ? values : [...values, value]);
  const flag = new Flag(flags, `${description} (repeatable)`).argParser(collect);
  flag.separator = ',';
  flag.takesValues = true;
  return flag;
}

/** Returns a repeatable flag for paths, which its variable separates as PATH does. */
export function listedPaths(flags: string, description: string): Flag {
  return listed(flags, description, { separator: delimiter });
}

/** Returns `--fail-on`. */
export function failOnFlag(): Flag {
  return new Flag('--fail-on <what>', 'exit 1 on this and on the values before it').choices(FAIL_ON).default('denied');
}

/** Returns `--fail-on-no-match`. */
export function failOnNoMatchFlag(): Flag {
  return new Flag('--fail-on-no-match', 'an error if nothing of a kind that muster evaluates is found');
}

/** Returns `--baseline`. */
export function baselineFlag(): Flag {
  return new Flag('--baseline <file>', 'report only findings that this JSON report does not have');
}

/** Returns `-o` for a command that can write several outputs. The first format is the default. */
export function outputFlag(formats: readonly string[]): Flag {
  const description = `${formats.join(', ')}; to a file with FORMAT=FILE (default: ${formats[0]})`;
  return listed('-o, --output <format>', description).writing(formats);
}

/** Returns `--color`, for commands that color their text. The program applies it before the command runs. */
export function colorFlag(): Flag {
  const description = 'when text on standard output has color (auto: on a terminal; see NO_COLOR, FORCE_COLOR)';
  return new Flag('--color <when>', description).choices(COLOR_CHOICES).default('auto');
}

/**
 * Refuses flags that have no effect beside the others of this call. Their variables, which may be set for another
 * command, are left out.
 * @param flags long names, such as `--filter`
 * @param reason is written behind the flag
 * @throws UsageError
 */
export function refuseIdle(command: Command, flags: readonly string[], reason: string): void {
  for (const option of command.options.filter(({ long }) => flags.includes(long ?? ''))) {
    const source = command.getOptionValueSource(option.attributeName());
    if (source === 'cli') throw new UsageError(`${option.long} ${reason}`);
    if (source === 'env') unset(command, option);
  }
}

/** Returns `--kubeconfig`. @param what it names */
export function kubeconfigFlag(what = 'the cluster and the user'): Flag {
  const order = "KUBECONFIG, the pod's service account, the default file";
  return new Flag('--kubeconfig <file>', `${what} (default: ${order})`);
}

/** Returns `--context`. */
export function contextFlag(): Flag {
  return new Flag('--context <name>', 'a context of it (default: its current one)');
}

/** Returns a parser of whole numbers in these bounds. */
export function numberIn(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^\d{1,5}$/.test(text) && value >= least && value <= most) return value;
    throw new InvalidArgumentError(`It takes a number from ${least} to ${most}.`);
  };
}

/** Returns a parser of times such as 90s, 30m or 1h30m, from a second to a number of hours. It returns milliseconds. */
export function timeUpTo(mostHours: number): (text: string) => number {
  return (text) => {
    const [, hours = '0', minutes = '0', seconds = '0'] =
      /^(?=\d)(?:(\d{1,4})h)?(?:(\d{1,5})m)?(?:(\d{1,7})s)?$/.exec(text) ?? [];
    const time = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000;
    if (time >= 1000 && time <= mostHours * 3_600_000) return time;
    throw new InvalidArgumentError(`It takes a time from 1s to ${mostHours}h, such as 30s, 10m or 1h.`);
  };
}

/** Parses the name of a namespace. It becomes a part of request paths, so only a DNS label is accepted. */
export function namespaceName(text: string): string {
  if (isDnsLabel(text)) return text;
  throw new InvalidArgumentError(
    'It takes the name of a namespace: 1 to 63 of a-z, 0-9 and "-", such as muster-system.',
  );
}

/** A command whose errors say how to fix the call. */
class GuidingCommand extends Command {
  override error(message: string, options?: ErrorOptions): never {
    const isFixed = !FIXED_BY_HELP.includes(options?.code ?? '') || message.includes('Did you mean');
    const name = [this.parent?.name() ?? [], this.name()].flat().join(' ');
    return super.error(isFixed ? message : `${message}: see ${name} --help`, options);
  }
}

/** Errors of commander that do not say how to fix the call. */
const FIXED_BY_HELP = ['commander.missingArgument', 'commander.unknownCommand', 'commander.unknownOption'];

/** The program itself. Its commands read their flags from the environment too; `--version` does not. */
export class Program extends GuidingCommand {
  constructor(name: string) {
    super(name);
    // Its commands inherit this; `refuseExcess` says what to do about such an argument.
    this.allowExcessArguments();
    this.hook('preAction', (_, command) => {
      refuseExcess(command);
      refuseEmptyValues(command);
      refuseUnclearSwitches(command);
      resolveExclusions(command);
      splitLists(command);
      chooseColor(command.opts()['color'] ?? 'auto');
    });
  }

  override createCommand(name?: string): Command {
    return new EnvironmentCommand(name);
  }
}

/** A command each of whose options has a variable, which commander reads when the option is added. */
class EnvironmentCommand extends GuidingCommand {
  override createOption(flags: string, description?: string): Flag {
    return new Flag(flags, description);
  }

  override addOption(option: Flag): this {
    const variable = option.envVar ?? `MUSTER_${option.name().replaceAll('-', '_').toUpperCase()}`;
    // commander would accept an empty value, and treat a switch as set whenever its variable exists.
    const isSwitch = option.isBoolean() || option.takesValues;
    const unset = isSwitch ? /^(|0|false|no|off)$/i : /^$/;
    const value = meantFor(option, process.env[variable] ?? '');
    if (unset.test(value)) delete process.env[variable];
    else process.env[variable] = isSwitch && !option.isBoolean() && SET.test(value) ? '' : value;
    super.addOption(option.env(variable));
    if (!option.isBoolean() && option.separator === undefined) this.#refuseTwice(option);
    return this;
  }

  /** Prevents a switch that also takes values from taking the argument after it, such as a path. */
  override parseOptions(args: string[]): ReturnType<Command['parseOptions']> {
    const end = args.includes('--') ? args.indexOf('--') : args.length;
    const isAlone = (arg: string, index: number) => {
      const flag = flagsOf(this).find(({ long }) => long === arg);
      return index < end && flag?.takesValues && !args[index + 1]?.includes('=');
    };
    return super.parseOptions(args.map((arg, index) => (isAlone(arg, index) ? `${arg}=` : arg)));
  }

  /** commander would silently use the last value. */
  #refuseTwice(option: Option): void {
    let isGiven = false;
    this.on(`option:${option.name()}`, () => {
      if (isGiven) this.error(`error: option '${option.flags}' is given twice: give it once`);
      isGiven = true;
    });
  }
}

function flagsOf({ options }: Command): readonly Flag[] {
  return options.filter((option) => option instanceof Flag);
}

/** A variable that sets a switch. */
const SET = /^(1|true|yes|on)$/i;

/** Returns the value of a variable without formats that only other commands have. */
function meantFor(option: Flag, value: string): string {
  const { formats, separator } = option;
  if (formats === undefined) return value;
  const parts = value.split(',').filter((part) => {
    const format = part.trim().split('=')[0] ?? '';
    return formats.includes(format) || !ALL_FORMATS.includes(format);
  });
  // A flag with one value takes the first.
  return separator === undefined ? (parts[0] ?? '').trim() : parts.join(',');
}

/** Refuses arguments that the command does not take. */
function refuseExcess(command: Command): void {
  const { args, registeredArguments: known } = command;
  const extra = args[known.length];
  if (extra === undefined || known.at(-1)?.variadic) return;
  const takes = known.length === 0 ? 'no arguments' : `${known.map((one) => one.name()).join(' and ')} only`;
  const hasState = command.options.some(({ long }) => long === '--state');
  const fix = hasState ? 'name files and folders with --state PATH' : `see muster ${command.name()} --help`;
  command.error(`error: muster ${command.name()} takes ${takes}, not "${quoted(extra)}": ${fix}`);
}

/** Refuses `--config ""`, as a script with an unset variable writes. An empty variable of muster counts as unset. */
function refuseEmptyValues(command: Command): void {
  for (const option of flagsOf(command)) {
    if (option.isBoolean() || option.takesValues) continue;
    if (command.getOptionValueSource(option.attributeName()) !== 'cli') continue;
    const values: unknown[] = [command.getOptionValue(option.attributeName())].flat();
    if (!values.includes('')) continue;
    command.error(`error: option '${option.flags}' is empty: give it a value, or leave it out`);
  }
}

/** Refuses a switch whose variable is neither true nor false. */
function refuseUnclearSwitches(command: Command): void {
  for (const option of command.options) {
    if (!option.isBoolean() || command.getOptionValueSource(option.attributeName()) !== 'env') continue;
    const value = process.env[option.envVar ?? ''] ?? '';
    if (SET.test(value)) continue;
    const where = `option '${option.flags}' value '${value}' from env '${option.envVar}'`;
    command.error(`error: ${where} is invalid. Allowed choices are true, false.`);
  }
}

/** Drops a variable that a flag excludes; refuses two flags, or two variables, that exclude each other. */
function resolveExclusions(command: Command): void {
  for (const option of flagsOf(command)) {
    const { excludes, reason } = option;
    for (const other of command.options.filter(({ long }) => excludes.includes(long ?? ''))) {
      const [source, otherSource] = [option, other].map((one) => command.getOptionValueSource(one.attributeName()));
      if (!isInput(source) || !isInput(otherSource)) continue;
      if (source !== otherSource) unset(command, source === 'env' ? option : other);
      else if (reason !== undefined) {
        throw new UsageError(`option '${option.flags}' cannot be used with option '${other.flags}': ${reason}`);
      }
    }
  }
}

/**
 * Returns which flags were set by variables, to be written behind an error message: those that it names, and the one
 * whose value, such as a file, it begins with.
 */
export function variablesIn(message: string, commands: readonly Command[] = []): string {
  const named: readonly string[] = message.match(/--[a-z-]+/g) ?? [];
  const set = commands.flatMap((command) =>
    command.options.filter((option) => {
      const key = option.attributeName();
      const isNamed = named.includes(option.long ?? '') || message.startsWith(`${command.getOptionValue(key)}: `);
      return isNamed && command.getOptionValueSource(key) === 'env';
    }),
  );
  return set.length === 0 ? '' : ` (${set.map(({ long, envVar }) => `${long} is from env '${envVar}'`).join(', ')})`;
}

function isInput(source: string | undefined): boolean {
  return source === 'cli' || source === 'env';
}

function unset(command: Command, option: Option): void {
  command.setOptionValueWithSource(option.attributeName(), option.defaultValue, 'default');
}

/** Splits the variable of a repeatable flag, which commander passes on as one value. */
function splitLists(command: Command): void {
  for (const option of flagsOf(command)) {
    const key = option.attributeName();
    const { separator } = option;
    if (separator === undefined || command.getOptionValueSource(key) !== 'env') continue;
    const values = command.getOptionValue(key) as readonly string[];
    const parts = values.flatMap((text) => text.split(separator)).map((part) => part.trim());
    command.setOptionValueWithSource(key, parts.filter(Boolean), 'env');
  }
}
