/** The values of the Helm chart `kube-muster` for the settings of an installation. */
import { isObject, type JsonObject } from '../base/json.ts';
import type { InstallationOptions } from './installation.ts';

/**
 * Returns the values with which the chart renders the same objects as these options. The chart has the same defaults.
 * @param options `configuration` as the server reads it: a YAML library may read numbers such as 010 in another way
 */
export function chartValues(
  options: Omit<InstallationOptions, 'namespace' | 'url' | 'configuration'> & {
    readonly configuration?: JsonObject | undefined;
  },
): Readonly<Record<string, unknown>> {
  const { image, replicas, configuration, failurePolicy, events, certificates = 'muster', caBundle } = options;
  return {
    ...(image !== undefined && { image: imageValues(image) }),
    ...(replicas !== undefined && { replicas }),
    ...(configuration !== undefined && { configuration: configurationValues(configuration) }),
    ...(events && { events: { enabled: true } }),
    ...(failurePolicy && { webhooks: { failurePolicy } }),
    ...(certificates !== 'muster' && {
      certificates: {
        provider: certificates,
        ...(caBundle !== undefined && { caBundle: Buffer.from(caBundle, 'base64').toString() }),
      },
    }),
  };
}

/** Splits `REPOSITORY:TAG@DIGEST`. A colon before a slash is a registry's port. */
function imageValues(image: string) {
  const [named = '', digest = ''] = image.split('@');
  const [, repository, tag = ''] = /^(.*?)(?::([^/:]*))?$/.exec(named) ?? [];
  return { repository, tag, digest };
}

/** The chart adds `apiVersion` and `kind`. */
function configurationValues(configuration: JsonObject): JsonObject {
  const { apiVersion: _, kind: __, ...settings } = configuration;
  return withoutNulls(settings);
}

/** A key without a value counts as absent, which Helm's schema does not know. */
function withoutNulls(map: JsonObject): JsonObject {
  const entries = Object.entries(map).filter(([, value]) => value !== null);
  return Object.fromEntries(entries.map(([key, value]) => [key, isObject(value) ? withoutNulls(value) : value]));
}
