/** Every flag can be an environment variable: `--ops-port` is `MUSTER_OPS_PORT`. A flag beats its variable. */
import { delimiter } from 'node:path';
import { Command, Option } from 'commander';
import { plain } from '../engine/text.ts';

/** What parts the values in the variables of repeatable flags. */
const separators = new WeakMap<Option, string>();

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

/** The program itself: its commands read their flags from the environment too, `--version` does not. */
export class Program extends Command {
  constructor(name: string) {
    super(name);
    this.hook('preAction', (_, command) => {
      refuseUnclearSwitches(command);
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
    if (unset.test(process.env[variable] ?? '')) delete process.env[variable];
    return super.addOption(option.env(variable));
  }
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
