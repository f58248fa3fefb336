/** From a MusterConfiguration, as read from anywhere, to the Policy the engine judges by. No I/O: it runs in a browser too. */
import { defaultPolicy, type Exemptions, type Policy } from '../engine/policy.ts';
import { freeze } from '../engine/review.ts';
import { fieldOf } from '../engine/text.ts';
import { serviceAccountUser } from '../rules/principal.ts';
import { readActions } from './actions.ts';
import { API_VERSION, KIND, MODES } from './configuration.ts';
import { readExceptions } from './exceptions.ts';
import {
  type ConfigProblem,
  list,
  type Members,
  members,
  missing,
  type Place,
  type Report,
  refuseFound,
  word,
} from './place.ts';
import { literal, namespace, serviceAccount } from './principals.ts';
import { configurationSchema, exemptionsSchema } from './schema.ts';
import { readClaims, readFeatures, readInventory } from './settings.ts';

export type { ConfigProblem } from './place.ts';

/** What it means to exempt everybody. */
const EXEMPT = 'no rule applies to them';

export interface PolicyReading {
  /** Deep-frozen; absent where there are problems. */
  readonly policy?: Policy;
  readonly problems: readonly ConfigProblem[];
  /** Sentences, each beginning with its field: what is allowed, but probably not meant. */
  readonly warnings: readonly string[];
}

/**
 * The policy a configuration stands for, or all that is wrong with it. Never throws on any JSON value.
 * `ruleIds` is the catalogue's; `now` is in milliseconds since the epoch, and tells expired exceptions.
 */
export function policyOf(configuration: unknown, ruleIds: ReadonlySet<string>, now: number): PolicyReading {
  const { warnings, ...reading } = readConfiguration(configuration, ruleIds, now);
  return { ...reading, warnings: warnings.map(({ path, message }) => `${fieldOf(path)}: ${message}`) };
}

/** A reading whose warnings say where they stand, for those who know the lines of the text. */
export type LocatedReading = Omit<PolicyReading, 'warnings'> & { readonly warnings: readonly ConfigProblem[] };

/** As `policyOf`, with warnings by path. */
export function readConfiguration(configuration: unknown, ruleIds: ReadonlySet<string>, now: number): LocatedReading {
  const report: Report = { problems: [], warnings: [] };
  const root: Place = { value: configuration ?? undefined, path: [], report };
  const keys = members(root, configurationSchema, `a ${KIND} (a map)`);
  if (root.value === undefined) missing(root, `a ${KIND}`);
  const policy = keys && readPolicy(keys, ruleIds, now);
  const { problems, warnings } = report;
  if (!policy || problems.length > 0) return { problems, warnings };
  return { policy: freezePolicy(policy), problems, warnings };
}

function readPolicy(keys: Members<typeof configurationSchema>, ruleIds: ReadonlySet<string>, now: number): Policy {
  exactly(keys.apiVersion, API_VERSION);
  exactly(keys.kind, KIND);
  return {
    mode: word(keys.mode, MODES) ?? defaultPolicy.mode,
    actions: readActions(keys.rules, ruleIds),
    settings: {
      claims: readClaims(keys.claims),
      inventory: readInventory(keys.inventory),
      features: readFeatures(keys.features),
    },
    exemptions: readExemptions(keys.exemptions),
    exceptions: readExceptions(keys.exceptions, ruleIds, now),
  };
}

function exactly(place: Place, expected: string): void {
  if (place.value === undefined) missing(place, `"${expected}"`);
  else if (place.value !== expected) refuseFound(place, `"${expected}"`);
}

function readExemptions(place: Place): Exemptions {
  const keys = members(place, exemptionsSchema);
  if (!keys) return defaultPolicy.exemptions;
  const accounts = list(keys.serviceAccounts, 'a list of NAMESPACE/NAME', serviceAccount) ?? [];
  return {
    users: new Set(list(keys.users, 'a list of user names', (entry) => literal(entry, 'user', EXEMPT))),
    groups: new Set(list(keys.groups, 'a list of group names', (entry) => literal(entry, 'group', EXEMPT))),
    serviceAccounts: new Set(accounts.map(serviceAccountUser)),
    namespaces: new Set(list(keys.namespaces, 'a list of namespaces', namespace)),
  };
}

/** Object.freeze does not reach into maps and sets: their values are frozen here, the rest is for the types to guard. */
function freezePolicy(policy: Policy): Policy {
  for (const points of policy.actions.values()) freeze(points);
  for (const principals of policy.settings.inventory.managers?.values() ?? []) freeze(principals);
  return freeze(policy);
}
