/** Every flag can be an environment variable: `--ops-port` is `MUSTER_OPS_PORT`. A flag beats its variable. */
import { Command, Option } from 'commander';

/** A flag that can be given several times; in its variable, commas part the values. */
export function listed(flags: string, description: string): Option {
  const collect = (value: string, before: readonly string[] | undefined) => [...(before ?? []), value];
  return new Option(flags, `${description} (repeatable)`).argParser(collect);
}

/** The program itself: its commands read their flags from the environment too, `--version` does not. */
export class Program extends Command {
  constructor(name: string) {
    super(name);
    this.hook('preAction', (_, command) => spreadLists(command));
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

function spreadLists(command: Command): void {
  for (const option of command.options) {
    const key = option.attributeName();
    const value: unknown = command.getOptionValue(key);
    if (!Array.isArray(value) || command.getOptionValueSource(key) !== 'env') continue;
    const parts = value.flatMap((text: string) => text.split(',').map((part) => part.trim()));
    const given = parts.filter((part) => part !== '');
    command.setOptionValueWithSource(key, given, 'env');
  }
}
