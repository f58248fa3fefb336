/**
 * Reads `--provider-file`, in the format of cluster-inventory-api's `pkg/access`: the exec plugins that may run for the
 * clusters of a fleet, by the names of access providers.
 */
import { ConfigError, linesOf, locate, readConfigurationText } from '../../../config/load.ts';
import { readDocuments } from '../../../documents/index.ts';
import { validate } from '../../../schema/provider-file.generated.ts';
import { readBySchema } from '../../../schema/read.ts';
import { Reporter } from '../../../schema/reporter.ts';
import { closed, type FromSchema } from '../../../schema/schema.ts';

const text = { type: 'string' } as const;

const variable = closed({ name: { ...text, minLength: 1, expected: 'the name of a variable' }, value: text }, [
  'name',
  'value',
]);

const execConfig = {
  ...closed(
    {
      apiVersion: text,
      command: { ...text, minLength: 1, expected: 'the name or path of a program' },
      args: { type: 'array', items: text },
      env: { type: 'array', items: variable },
      provideClusterInfo: { type: 'boolean' },
      // Of a kubeconfig's plugin too; a plugin of a fleet never gets a terminal.
      interactiveMode: text,
      installHint: text,
    },
    ['command'],
  ),
  expected: 'an exec plugin with its command',
} as const;

const provider = closed(
  {
    name: { ...text, minLength: 1, expected: 'the name of an access provider' },
    execConfig,
    profileSourcedCLIArgsPolicy: { enum: ['Ignore', 'Append'] },
    profileSourcedEnvVarsPolicy: { enum: ['Ignore', 'AppendIfNotExists', 'Replace'] },
    // One for both, of earlier versions: 1 allows.
    additionalCLIArgEnvVarExtensionFlag: { enum: [0, 1] },
  },
  ['name', 'execConfig'],
);

export const providerFileSchema = {
  ...closed(
    { providers: { type: 'array', items: provider, minItems: 1, whenEmpty: '; name the plugins that may run' } },
    ['providers'],
  ),
  expected: 'a map with the key providers',
} as const;

/** An exec plugin that may run, and what of a profile's own data may be added to its command line. */
export type Provider = FromSchema<typeof provider>;

/** Reads the file, JSON or YAML. @throws ConfigError with all problems, each at its line */
export async function readProviderFile(file: string): Promise<readonly Provider[]> {
  const { documents, errors } = readDocuments(await readConfigurationText(file), file);
  const [document, second] = documents;
  const problems = linesOf(file, errors);
  if (problems.length > 0) throw new ConfigError('CONFIG_INVALID', problems);
  if (document === undefined || second !== undefined)
    throw new ConfigError('CONFIG_INVALID', [`${file}:1:1: expected one document, a map with the key providers`]);
  const at = new Reporter();
  const read = readBySchema(providerFileSchema, validate, document.value, at);
  const names = new Map<string, number>();
  for (const [index, name] of (read?.providers ?? []).map((one) => one?.name).entries()) {
    if (name === undefined) continue;
    if (names.has(name)) at.below('providers', index, 'name').refuse('a provider of this name is above; keep one');
    names.set(name, index);
  }
  if (at.problems.length > 0)
    throw new ConfigError(
      'CONFIG_INVALID',
      linesOf(
        file,
        at.problems.map((one) => locate(one, document)),
      ),
    );
  return (read as FromSchema<typeof providerFileSchema>).providers;
}
