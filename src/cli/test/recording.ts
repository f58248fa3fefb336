/** What is judged now: the writes that manifests lead to, each with the world it came into. */

import { dialects } from '../../api/dialects.ts';
import {
  createFilesView,
  type FilesView,
  type GivenObject,
  readObjects,
  readState,
} from '../../cluster/files/index.ts';
import { createEngine, type Policy, type Subject } from '../../engine/index.ts';
import { lostManagerLabel, missingManagerLabel } from '../../engine/manager-label.ts';
import type { Identity, JsonObject } from '../../rules/rule.ts';
import { createSession, type Evaluation } from '../check/operations.ts';
import { type CheckError, errorOf } from '../output/report.ts';

export interface Recording {
  /** Manifests, or AdmissionReviews. */
  readonly paths: readonly string[];
  readonly deleted: readonly string[];
  /** What exists before; nothing else does. */
  readonly state: readonly string[];
  readonly policy: Policy | undefined;
  readonly identity: Identity | undefined;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly stdin: () => Promise<Uint8Array>;
}

/** A write, as the validating webhook would see it. */
export interface Recorded {
  readonly subject: Subject;
  /** The objects of its dialect that are there; no rule looks further. */
  readonly world: readonly JsonObject[];
  /** Whether the mutating webhook had no part in it, and would have. */
  readonly unlabelled: boolean;
}

export interface Writes {
  readonly recorded: readonly Recorded[];
  readonly errors: readonly CheckError[];
  /** Objects of kinds that muster does not judge. */
  readonly skipped: number;
}

/** Deletions first, then documents; each sees those before it as stored, unless they were denied. */
export async function recordWrites(recording: Recording): Promise<Writes> {
  const { policy, identity, now, stdin } = recording;
  const state = await readState(recording.state, { stdin });
  const documents = await given(recording.paths, stdin);
  const deletions = await given(recording.deleted, stdin);
  const view = createFilesView({ state: state.objects, known: dialects });
  const engine = createEngine({ point: 'webhook', live: true, clock: () => now, ...(policy && { policy }) });
  const session = createSession({ engine, view, identity, subresource: undefined, clock: () => now });
  const gathered: Gathering = { recorded: [], errors: [], skipped: documents.foreign + deletions.foreign };
  for (const [deed, { objects }] of [
    ['remove', deletions],
    ['apply', documents],
  ] as const) {
    for (const one of objects) {
      const world = await worldOf(view);
      gather(one, await session[deed](one), world, gathered);
    }
  }
  const errors = [...state.errors.map(errorOf), ...documents.errors, ...deletions.errors, ...gathered.errors];
  return { ...gathered, errors };
}

interface Gathering {
  readonly recorded: Recorded[];
  readonly errors: CheckError[];
  skipped: number;
}

type World = ReadonlyMap<string, readonly JsonObject[]>;

async function given(paths: readonly string[], stdin: () => Promise<Uint8Array>) {
  const { objects, errors, skipped } = await readObjects(paths, { stdin });
  return { objects, errors: errors.map(errorOf), foreign: skipped };
}

/** All that is there, by the names of the dialects. */
async function worldOf(view: FilesView): Promise<World> {
  const world = new Map<string, readonly JsonObject[]>();
  for (const dialect of dialects) {
    const listed = await view.list(dialect);
    world.set(dialect.name, listed.known ? listed.value : []);
  }
  return world;
}

function gather(one: GivenObject, told: Evaluation, world: World, into: Gathering): void {
  if ('problem' in told) {
    const { line, column } = one.locate(told.at);
    into.errors.push({ file: one.source, line, column, message: told.problem });
  } else {
    if (told.length === 0) into.skipped++;
    for (const { subject } of told) {
      const { dialect } = subject;
      into.recorded.push({ subject, world: world.get(dialect.name) ?? [], unlabelled: isUnlabelled(subject) });
    }
  }
}

/** Whether the mutating webhook would have added the manager's label: then it did not come first. */
function isUnlabelled({ dialect, operation, subresource, object, oldObject }: Subject): boolean {
  if (operation === 'CREATE') return missingManagerLabel(dialect, object) !== undefined;
  if (operation !== 'UPDATE' || subresource !== '' || oldObject === undefined) return false;
  return lostManagerLabel(dialect, object, oldObject) !== undefined;
}
