/** Every flag can be an environment variable: `--ops-port` is `MUSTER_OPS_PORT`. A flag beats its variable. */
import { type Command, Option } from 'commander';

type Environment = Record<string, string | undefined>;

/** A flag that can be given several times; in its variable, commas part the values. */
export function listed(flags: string, description: string): Option {
  const collect = (value: string, before: readonly string[] | undefined) => [...(before ?? []), value];
  return new Option(flags, `${description} (repeatable)`).argParser(collect);
}

/** Gives each option of each command its variable. An empty one counts as unset, as does a switch's `false`. */
export function readEnvironment(program: Command, environment: Environment): void {
  for (const command of program.commands) {
    for (const option of command.options) {
      if (option.envVar === undefined) option.env(variableOf(option));
      const value = environment[option.envVar ?? ''];
      // commander takes a switch for set whenever its variable exists.
      const off = option.isBoolean() ? /^(|0|false|no|off)$/i : /^$/;
      if (value !== undefined && off.test(value)) delete environment[option.envVar ?? ''];
    }
  }
  program.hook('preAction', (_, command) => spreadLists(command));
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
    command.setOptionValueWithSource(
      key,
      parts.filter((part) => part !== ''),
      'env',
    );
  }
}
