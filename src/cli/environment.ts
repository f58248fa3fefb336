/**
 * Every flag can be an environment variable: `--ops-port` is `MUSTER_OPS_PORT`. A flag beats its variable. A variable is there
 * for all commands, so one that is meant for another command must not break this one.
 */
import { delimiter } from 'node:path';
import { Command, Option } from 'commander';
import { plain } from '../engine/text.ts';
import { ALL_FORMATS } from './output/formats.ts';

/** What parts the values in the variables of repeatable flags. */
const separators = new WeakMap<Option, string>();

/** What a command can write, of the flag that says it. */
const formatsOf = new WeakMap<Option, readonly string[]>();
/** Flags that go without one another. */
const exclusions = new WeakMap<Option, Exclusion>();

interface Exclusion {
  /** Long names, as in `--state`. */
  readonly others: readonly string[];
  /** What to say where both are given; without it, the command says it. */
  readonly reason: string | undefined;
}

/** A flag that can be given several times; in its variable, commas part the values. */
export function listed(flags: string, description: string, separator = ','): Option {
  const collect = (value: string, before: readonly string[] | undefined) => [...(before ?? []), value];
  const option = new Option(flags, `${description} (repeatable)`).argParser(collect);
  separators.set(option, separator);
  return option;
}

/** The same for paths, which its variable parts as PATH does. */
export function listedPaths(flags: string, description: string): Option {
  return listed(flags, description, delimiter);
}

/**
 * Marks a flag by which a command says what to write. Of its variable, formats that only other commands have are left out: so
 * `MUSTER_OUTPUT=junit`, meant for `check`, leaves `rules` and `manifests` with what they write by default.
 */
export function formatted(option: Option, formats: readonly string[]): Option {
  formatsOf.set(option, formats);
  return option;
}

/** Marks a flag that goes without some others. On the command line, each of them beats the variable of another. */
export function exclusive(option: Option, others: readonly string[], reason?: string): Option {
  exclusions.set(option, { others, reason });
  return option;
}

/** The program itself: its commands read their flags from the environment too, `--version` does not. */
export class Program extends Command {
  constructor(name: string) {
    super(name);
    this.hook('preAction', (_, command) => {
      refuseUnclearSwitches(command);
      resolveExclusions(command);
      spreadLists(command);
    });
  }

  override createCommand(name?: string): Command {
    return new EnvironmentCommand(name);
  }
}

/** A command each of whose options has a variable. commander looks for it when the option is added. */
class EnvironmentCommand extends Command {
  override addOption(option: Option): this {
    const variable = option.envVar ?? variableOf(option);
    // commander takes an empty value for a value, and a switch for set whenever its variable exists.
    const unset = option.isBoolean() ? /^(|0|false|no|off)$/i : /^$/;
    const value = meantFor(option, process.env[variable] ?? '');
    if (unset.test(value)) delete process.env[variable];
    else process.env[variable] = value;
    super.addOption(option.env(variable));
    if (!option.isBoolean() && !separators.has(option)) this.#refuseTwice(option);
    return this;
  }

  /** The last would win in silence. */
  #refuseTwice(option: Option): void {
    let isGiven = false;
    this.on(`option:${option.name()}`, () => {
      if (isGiven) this.error(`error: option '${option.flags}' is given twice: give it once`);
      isGiven = true;
    });
  }
}

/** The value of a variable without what only other commands can write. */
function meantFor(option: Option, value: string): string {
  const formats = formatsOf.get(option);
  if (formats === undefined) return value;
  const parts = value.split(',').filter((part) => {
    const format = part.trim().split('=')[0] ?? '';
    return formats.includes(format) || !ALL_FORMATS.includes(format);
  });
  // Of several, a flag that takes one takes the first.
  return separators.has(option) ? parts.join(',') : (parts[0] ?? '').trim();
}

function variableOf(option: Option): string {
  return `MUSTER_${option.name().replaceAll('-', '_').toUpperCase()}`;
}

/** A switch whose variable says neither yes nor no: to guess would be to ignore what was meant. */
function refuseUnclearSwitches(command: Command): void {
  for (const option of command.options) {
    if (!option.isBoolean() || command.getOptionValueSource(option.attributeName()) !== 'env') continue;
    const value = process.env[option.envVar ?? ''] ?? '';
    if (/^(1|true|yes|on)$/i.test(value)) continue;
    command.error(
      `error: option '${option.flags}' value '${plain(value)}' from env '${option.envVar}' is invalid. Allowed choices are true, false.`,
    );
  }
}

/** A variable yields to a flag that excludes it; two of the same kind contradict each other. */
function resolveExclusions(command: Command): void {
  for (const option of command.options) {
    const { others = [], reason } = exclusions.get(option) ?? {};
    for (const other of command.options.filter(({ long }) => others.includes(long ?? ''))) {
      const [source, otherSource] = [option, other].map((one) => givenBy(command, one));
      if (source === undefined || otherSource === undefined) continue;
      if (source !== otherSource) unset(command, source === 'env' ? option : other);
      else if (reason !== undefined) {
        command.error(`error: option '${option.flags}' cannot be used with option '${other.flags}': ${reason}`);
      }
    }
  }
}

function givenBy(command: Command, option: Option): 'cli' | 'env' | undefined {
  const source = command.getOptionValueSource(option.attributeName());
  if (source === 'cli') return 'cli';
  return source === 'env' ? 'env' : undefined;
}

function unset(command: Command, option: Option): void {
  command.setOptionValueWithSource(option.attributeName(), option.defaultValue, 'default');
}

/** commander hands over a variable's whole text as one value. */
function spreadLists(command: Command): void {
  for (const option of command.options) {
    const key = option.attributeName();
    const separator = separators.get(option);
    if (separator === undefined || command.getOptionValueSource(key) !== 'env') continue;
    const values = command.getOptionValue(key) as readonly string[];
    const parts = values.flatMap((text) => text.split(separator).map((part) => part.trim()));
    const given = parts.filter((part) => part !== '');
    command.setOptionValueWithSource(key, given, 'env');
  }
}
