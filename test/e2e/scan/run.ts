/** `muster scan` as a process, and what its report says. */
import type { CheckReport } from '../../../src/cli/output/report.ts';
import { type ControlPlane, type Json, type Outcome, runMuster } from '../harness/index.ts';
import { STORED } from './objects.ts';

export const scan = (...args: readonly string[]): Promise<Outcome> => runMuster(['scan', ...args]);

/** Scans with `-o json`, and reads the report. */
export async function scanned(...args: readonly string[]): Promise<Outcome & { readonly report: CheckReport }> {
  const outcome = await scan(...args, '-o', 'json');
  if (!outcome.stdout.startsWith('{')) throw new Error(`no report: ${outcome.stderr}`);
  return { ...outcome, report: JSON.parse(outcome.stdout) as CheckReport };
}

/** Returns the rules of each object that has findings, by `GROUP KIND/[NAMESPACE/]NAME`. */
export function rulesByObject({ results }: CheckReport): Record<string, readonly string[]> {
  const found = results.filter(({ findings }) => findings.length > 0);
  return Object.fromEntries(
    found.map(({ findings, namespace, name, ...object }) => [
      keyOf({ ...object, metadata: { name, ...(namespace === '' ? {} : { namespace }) } }),
      findings.map(({ ruleId }) => ruleId),
    ]),
  );
}

/** What a scan has to find in `STORED`. */
export const EXPECTED: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  STORED.filter(({ rules }) => rules.length > 0).map(({ object, rules }) => [keyOf(object), rules]),
);

function keyOf({ apiVersion, kind, metadata: { namespace, name } }: Json): string {
  return [`${apiVersion.split('/')[0]} ${kind}`, namespace, name].filter((part) => part !== undefined).join('/');
}

/** Stores `STORED` as a user, with its status; returns how many were accepted. */
export async function storeAll(controlPlane: ControlPlane, user: string): Promise<number> {
  const api = controlPlane.api(user);
  const accepted = await Promise.all(
    STORED.map(async ({ object }: { object: Json }) => {
      const path = await controlPlane.pathOf(object);
      const { status } = await api.call('POST', path.slice(0, path.lastIndexOf('/')), object);
      if (status !== 201 || object.status === undefined) return status === 201;
      return (await api.call('PATCH', `${path}/status`, { status: object.status })).status === 200;
    }),
  );
  return accepted.filter(Boolean).length;
}

export async function removeAll(
  controlPlane: ControlPlane,
  holds: (object: Json) => boolean = () => true,
): Promise<void> {
  for (const { object } of STORED.filter((one) => holds(one.object)))
    await controlPlane.api('admin').call('DELETE', await controlPlane.pathOf(object));
}
