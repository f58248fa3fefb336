/** The program of test/e2e/tools/writers: a job goes in as JSON, what came of each write comes out. */
import assert from 'node:assert/strict';
import { type Json, runProgram } from '../harness/index.ts';
import type { FieldUser } from './users.ts';

export interface Job {
  readonly write:
    | 'create'
    | 'create-or-update'
    | 'create-or-patch'
    | 'update'
    | 'replace'
    | 'patch'
    | 'update-status'
    | 'patch-status'
    | 'delete'
    | 'finish'
    | 'flux-apply'
    | 'flux-prune'
    | 'kapp-deploy'
    | 'kubefleet'
    | 'migrate'
    | 'velero-restore';
  readonly objects: readonly Json[];
  /** Merged into what is written. */
  readonly change?: Json;
  readonly force?: boolean;
  readonly strategy?: 'fallback-on-replace' | 'always-replace' | 'update';
  readonly restoreStatus?: boolean;
  /** Repeats until a file of that name exists. */
  readonly until?: string;
}

export interface Step {
  readonly step: string;
  readonly ok: boolean;
  /** Of the API server's status, where it is refused. */
  readonly code?: number;
  readonly reason?: string;
  readonly message?: string;
}

export interface Written {
  readonly steps: readonly Step[];
  readonly warnings: readonly string[];
}

export function writerOf(program: string, kubeconfigOf: (user: FieldUser) => string) {
  const kubeconfigs = new Map<FieldUser, string>();
  return async (user: FieldUser, job: Job): Promise<Written> => {
    const kubeconfig = kubeconfigs.get(user) ?? kubeconfigOf(user);
    kubeconfigs.set(user, kubeconfig);
    const { code, stdout, stderr } = await runProgram(program, [], { ...job, kubeconfig }, {});
    assert.equal(code, 0, stderr);
    return JSON.parse(stdout);
  };
}
