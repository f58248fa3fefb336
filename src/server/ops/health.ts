/** Readiness: checks with names, each of which can say why it fails. */

export interface Check {
  readonly name: string;
  /** A failure is shown, and the server stays ready: it serves on without what failed. */
  readonly advisory?: boolean;
  /** Returns undefined when all is well, else why not, in a few words. */
  run(): string | undefined | Promise<string | undefined>;
}

export interface CheckResult {
  readonly name: string;
  readonly advisory: boolean;
  readonly problem: string | undefined;
}

/** Runs all checks; returns their results in order. Never rejects. */
export function runChecks(checks: readonly Check[]): Promise<readonly CheckResult[]> {
  return Promise.all(checks.map(runCheck));
}

/** Whether the server is ready: every check that counts is well. */
export function isReady(results: readonly CheckResult[]): boolean {
  return results.every(({ problem, advisory }) => problem === undefined || advisory);
}

/** Returns the results as Kubernetes components write them, one line a check. */
export function report(results: readonly CheckResult[]): string {
  const lines = results.map(({ name, problem, advisory }) => {
    if (problem === undefined) return `[+]${name} ok`;
    return advisory ? `[!]${name} advisory: ${problem}` : `[-]${name} failed: ${problem}`;
  });
  return `${[...lines, isReady(results) ? 'readyz check passed' : 'readyz check failed'].join('\n')}\n`;
}

/** A configuration on disk that is refused: the one before stays in force, so the server stays ready. */
export function configurationCheck(refused: () => string | undefined): Check {
  const run = () => {
    const problem = refused();
    return problem && `the configuration on disk is refused, the one before stays in force: ${problem}`;
  };
  return { name: 'configuration', advisory: true, run };
}

/** The cluster behind the server: only identity writes of claims need it, so the server stays ready. */
export function clusterCheck(problems: () => readonly string[]): Check {
  return { name: 'cluster', advisory: true, run: () => problems().join('; ') || undefined };
}

/** Internal errors that repeat: another replica has the same bug, so the server stays ready. */
export function internalErrorsCheck(problem: () => string | undefined): Check {
  return { name: 'internal-errors', advisory: true, run: problem };
}

/** Whether the certificate in use is in date. */
export function certificateCheck(
  validity: () => { readonly notBefore: Date; readonly notAfter: Date },
  clock: () => number = Date.now,
): Check {
  const run = () => {
    const { notBefore, notAfter } = validity();
    if (clock() < notBefore.getTime()) return `the certificate is not valid before ${notBefore.toISOString()}`;
    return clock() > notAfter.getTime() ? `the certificate expired on ${notAfter.toISOString()}` : undefined;
  };
  return { name: 'certificate', run };
}

export function drainCheck(draining: () => boolean): Check {
  return { name: 'not-draining', run: () => (draining() ? 'the server is shutting down' : undefined) };
}

async function runCheck({ name, advisory = false, run }: Check): Promise<CheckResult> {
  try {
    return { name, advisory, problem: await run() };
  } catch (error) {
    return { name, advisory, problem: error instanceof Error ? error.message : String(error) };
  }
}
