/**
 * Reads `--provider-file`, in the format of cluster-inventory-api's `pkg/access`: the exec plugins that may run for the
 * clusters of a fleet, by the names of access providers.
 */
import { refuseRepeated } from '../../../config/checks.ts';
import { invalid, locatedIn, onlyDocument, readConfigurationText } from '../../../config/load.ts';
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
      // As in a kubeconfig. It has no effect: a plugin of a fleet never gets a terminal.
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
    // Of earlier versions, for both arguments and variables: 1 allows them.
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
  const text = await readConfigurationText(file);
  const { document, broken } = onlyDocument(text, file, 'a map with the key providers');
  const at = new Reporter();
  const read = document && readBySchema(providerFileSchema, validate, document.value, at);
  const repeated = () => 'a provider of this name is above; keep one';
  refuseRepeated(read?.providers ?? [], 'name', at.below('providers'), repeated);
  const problems = [...broken, ...locatedIn(document, at.problems)];
  if (problems.length > 0) throw invalid(file, problems);
  return (read as FromSchema<typeof providerFileSchema>).providers;
}
