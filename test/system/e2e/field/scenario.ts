/** One write of a well-known tool, and its result. The tables of docs/integrations are made of these. */
import type { Step } from './steps.ts';

/**
 * `restarting`: one replica is replaced by the next, as in a rolling update. `away`: no replica behind the
 * registration.
 */
export type MusterState = 'up' | 'restarting' | 'away';

export interface Scenario {
  readonly muster: MusterState;
  /** Whether the configuration names managers. */
  readonly managers: boolean;
  /** The write, as a user of the tool makes it. */
  readonly pattern: string;
  /** Begins with `passes` or `refused`. */
  readonly result: string;
  readonly steps: readonly Step[];
}

export type ScenarioIn = (pattern: string, result: string, ...steps: readonly Step[]) => Scenario;

const inState =
  (muster: MusterState, managers = false): ScenarioIn =>
  (pattern, result, ...steps) => ({ muster, managers, pattern, result, steps });

export const up = inState('up');
export const restarting = inState('restarting');
export const away = inState('away');
export const upWithManagers = inState('up', true);
export const awayWithManagers = inState('away', true);
