/** The reference of the command line, docs/reference/cli.md, from the definitions of the commands. */
import type { Argument, Command, Option } from 'commander';
import type { Artifact } from './artifact.ts';
import { cell, code, page } from './markdown.ts';

const INTRODUCTION = `Every flag can be an environment variable: \`--ops-port\` is \`MUSTER_OPS_PORT\`. A flag has
precedence over its variable. A switch is set by \`true\`, \`1\`, \`yes\` or \`on\`. A flag that is *repeatable* can be
given several times. In its variable, commas separate the values; paths are separated as in \`PATH\`.

\`npx kube-muster COMMAND\`, \`muster COMMAND\` and \`kubectl muster COMMAND\` are the same.`;

/**
 * Returns the page of a program with its commands.
 * @throws Error that names each flag, argument and command without a description, and each command without examples or
 * exit codes
 */
export function cliReference(program: Command): Artifact {
  const commands = program.commands.filter(({ parent }) => parent === program);
  const missing = [program, ...commands].flatMap(missingIn);
  if (missing.length > 0) throw new Error(`the command line lacks what its reference shows: ${missing.join('; ')}`);
  const rows = commands.map((command) => {
    return `| [\`muster ${command.name()}\`](#muster-${command.name()}) | ${cell(command.summary())} |`;
  });
  return page('docs/reference/cli.md', 'the definitions of the commands in src/cli', [
    '# Command line',
    INTRODUCTION,
    ['| command | |', '|---|---|', ...rows].join('\n'),
    '## muster',
    flagTable(program),
    ...commands.flatMap(section),
  ]);
}

function section(command: Command): readonly string[] {
  const args = command.registeredArguments;
  return [
    `## muster ${command.name()}`,
    cell(command.description()),
    `Usage: ${code(`muster ${command.name()} ${command.usage()}`)}`,
    `\`\`\`sh\n${examplesOf(command).join('\n')}\n\`\`\``,
    ...(args.length === 0 ? [] : [argumentTable(args)]),
    flagTable(command),
    ...notesOf(command),
  ];
}

function argumentTable(args: readonly Argument[]): string {
  const rows = args.map((argument) => {
    const name = argument.variadic ? `${argument.name()}…` : argument.name();
    const need = argument.required ? 'required' : 'optional';
    return `| ${code(name)} | ${meaning(argument)} (${need}) |`;
  });
  return ['| argument | meaning |', '|---|---|', ...rows].join('\n');
}

function flagTable(command: Command): string {
  const rows = optionsOf(command).map((option) => {
    const variable = option.envVar === undefined ? '' : code(option.envVar);
    return `| ${code(option.flags)} | ${meaning(option)} | ${defaultOf(option)} | ${variable} |`;
  });
  const help = '| `-h, --help` | print the help | | |';
  return ['| flag | meaning | default | variable |', '|---|---|---|---|', ...rows, help].join('\n');
}

function optionsOf(command: Command): readonly Option[] {
  return command.options.filter(({ hidden }) => !hidden);
}

/** Returns the description with the choices, and without the default, which has a column of its own. */
function meaning({ description, argChoices }: Option | Argument): string {
  const text = cell(description.replace(DEFAULT, ''));
  return argChoices === undefined ? text : `${text}: ${argChoices.map(code).join(', ')}`;
}

/** A default in a description, for values that are determined at run time. */
const DEFAULT = / ?\(default: ([^()]*)\)/;

function defaultOf(option: Option): string {
  const { description, defaultValue, defaultValueDescription } = option;
  const described = DEFAULT.exec(description)?.[1] ?? defaultValueDescription;
  if (described !== undefined) return cell(described.replace(/^"([^"]*)"$/, '$1'));
  return defaultValue === undefined || option.isBoolean() ? '' : code(String(defaultValue));
}

/** Returns the paragraphs that a command adds to its help. An indented one belongs to the one before. */
function paragraphs(command: Command): readonly string[] {
  const before = command.helpInformation().length;
  const { writeOut = () => {} } = command.configureOutput();
  let text = '';
  command.configureOutput({
    writeOut: (part) => {
      text += part;
    },
  });
  command.outputHelp();
  command.configureOutput({ writeOut });
  return text
    .slice(before)
    .trim()
    .split(/\n\n+(?=\S)/);
}

const isExample = (paragraph: string) => /^Examples?:/.test(paragraph);

function examplesOf(command: Command): readonly string[] {
  const lines = paragraphs(command)
    .filter(isExample)
    .flatMap((part) => part.split('\n').slice(1));
  return lines.map((line) => line.trim()).filter(Boolean);
}

/** Returns the help of a command without its examples. Indented lines become a list. */
function notesOf(command: Command): readonly string[] {
  return (
    paragraphs(command)
      // This page itself is the documentation that the help links to.
      .filter((part) => !isExample(part) && !part.trim().startsWith('Documentation: '))
      .map((part) => cell(part).replace(/^ +/gm, '- ').replace('\n- ', '\n\n- '))
  );
}

function missingIn(command: Command): readonly string[] {
  const name = command.parent === null ? 'muster' : `muster ${command.name()}`;
  const undescribed = [...optionsOf(command), ...command.registeredArguments].filter((each) => each.description === '');
  return [
    ...undescribed.map((each) => `${name}: a description of ${'flags' in each ? each.flags : each.name()}`),
    ...(command.description() === '' ? [`${name}: a description`] : []),
    ...(examplesOf(command).length === 0 ? [`${name}: examples`] : []),
    ...(command.parent === null || notesOf(command).some((note) => note.startsWith('Exit codes:'))
      ? []
      : [`${name}: exit codes`]),
  ];
}
