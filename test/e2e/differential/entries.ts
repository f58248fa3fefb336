/** Entries of the lists that objects hold, mostly sound. */
import type { Json, JsonObject } from '../../../src/rules/rule.ts';
import type { Random } from '../../fuzz/random.ts';
import { PROPERTY_NAMES, timeFor, valueFor } from './values.ts';

/** A new entry for the list of that name. */
export function entryFor(list: string, random: Random, now: number): Json {
  if (list === 'conditions') return condition(random, now);
  if (list === 'properties') return property(random, now);
  if (list === 'uses') return use(random, now);
  if (list === 'transitionTasks') return random.of(['Migrate', 'Drain', 'WaitForUses', '', 7]);
  if (list === 'accessProviders' || list === 'credentialProviders') return provider(random);
  if (list === 'ownerReferences') return owner(random);
  if (list === 'finalizers') return random.of(['example.org/hold', 'example.org/keep']);
  return random.of(['x', '', 7, null]);
}

export function condition(random: Random, now: number): JsonObject {
  const value = (key: string) => valueFor(random, now, key, 'conditions');
  return faulty(random, {
    type: random.of(['Joined', 'ControlPlaneHealthy', 'AllNodesHealthy', 'example.org/Odd']),
    status: random.of(['True', 'False', 'Unknown']),
    lastTransitionTime: timeFor(random, now, 30),
    reason: random.of(['Moored', 'Adrift']),
    message: random.of(['fine', 'less fine', '']),
    ...(random.oneIn(4) ? { observedGeneration: value('observedGeneration') } : {}),
  });
}

export function property(random: Random, now: number): JsonObject {
  const name = random.of(PROPERTY_NAMES);
  return faulty(random, {
    name,
    value: random.oneIn(3) ? valueFor(random, now, 'value', 'properties') : random.of(['north-1', 'blue', 'large']),
  });
}

export function use(random: Random, now: number): JsonObject {
  return faulty(random, {
    version: random.of(['1.35.0', '1.36.0', '1.37.0']),
    enabled: random.of(['Enabled', 'Disabled']),
    reportTime: timeFor(random, now, 30),
  });
}

function provider(random: Random): JsonObject {
  const secrets: readonly JsonObject[] = [
    { token: 'abc' },
    { 'client-key-data': 'LS0t' },
    { password: 'x' },
    { key: '-----BEGIN PRIVATE KEY-----' },
  ];
  return faulty(random, {
    name: random.of(['google', 'azure', 'google', '']),
    cluster: {
      server: random.of(['https://10.0.0.1:6443', 'https://10.0.0.1:6443', 'ftp://10.0.0.1', '']),
      ...(random.oneIn(4)
        ? { extensions: [{ name: 'client.authentication.k8s.io/exec', extension: random.of(secrets) }] }
        : {}),
    },
  });
}

function owner(random: Random): JsonObject {
  const name = random.of(['a', 'b']);
  return { apiVersion: 'v1', kind: 'ConfigMap', name, uid: `0000-${name}` };
}

/** Now and then a member is missing or null, as objects older than the webhook have it. */
function faulty(random: Random, entry: JsonObject): JsonObject {
  if (!random.oneIn(6)) return entry;
  const key = random.of(Object.keys(entry));
  const { [key]: _, ...others } = entry;
  return random.oneIn(3) ? { ...others, [key]: null } : others;
}
