/** What is stored while nobody judges, and taken away again. */
import type { ControlPlane, Json } from '../../e2e/harness/index.ts';
import { SLIPPED } from '../../e2e/scan/objects.ts';

/** Those that break a rule, as a scan tells of them: `GROUP KIND/[NAMESPACE/]NAME` with its rules. */
export const FORBIDDEN: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  SLIPPED.filter(({ rules }) => rules.length > 0).map(({ object, rules }) => [keyOf(object), rules]),
);

/** All of them, as jane: how many were stored, status and all. */
export async function slipIn(controlPlane: ControlPlane): Promise<number> {
  const api = controlPlane.api('jane');
  let stored = 0;
  for (const { object } of SLIPPED) {
    const path = await controlPlane.pathOf(object);
    const made = await api.call('POST', path.slice(0, path.lastIndexOf('/')), object);
    if (made.status !== 201) continue;
    const { status } = object as Json;
    const told = status === undefined ? made : await api.call('PATCH', `${path}/status`, { status });
    if (told.status < 300) stored += 1;
  }
  return stored;
}

export async function takeOut(controlPlane: ControlPlane): Promise<void> {
  for (const { object } of SLIPPED) await controlPlane.api('admin').call('DELETE', await controlPlane.pathOf(object));
}

function keyOf({ metadata: { namespace, name }, ...object }: Json): string {
  const parts = [`${object.apiVersion.split('/')[0]} ${object.kind}`, namespace, name];
  return parts.filter((part) => part !== undefined).join('/');
}
