/** Which writes a webhook is called for, and which it should be. */
import { listAt, textAt } from '../../rules/json.ts';
import type { Json } from '../../rules/rule.ts';
import type { Difference } from './compare.ts';

/** One kind of write; each member may be a `*` of the registration. */
interface Write {
  readonly operation: string;
  readonly group: string;
  readonly version: string;
  /** `features`, `features/status`, and the wildcards. */
  readonly resource: string;
  readonly scope: string;
}

/** Writes that are not judged (fail), and writes that are asked about for nothing (warn). */
export function compareRules(expected: readonly Json[], found: readonly Json[]): readonly Difference[] {
  const [wanted, live] = [expected.flatMap(writesOf), found.flatMap(writesOf)];
  const missing = wanted.filter((write) => !live.some((rule) => covers(rule, write)));
  const extra = live.filter((rule) => !wanted.some((write) => covers(write, rule)));
  const differences: Difference[] = [];
  if (missing.length > 0) {
    const message = `rules: these writes pass unjudged: ${named(missing)}`;
    differences.push({ status: 'fail', path: 'rules', message, expected: missing.map(nameOf) });
  }
  if (extra.length > 0) {
    const message = `rules: muster is asked about writes it does not judge: ${named(extra)}`;
    differences.push({ status: 'warn', path: 'rules', message, found: extra.map(nameOf) });
  }
  return differences;
}

function writesOf(rule: Json): readonly Write[] {
  const texts = (member: string) => listAt(rule, [member]).map(String);
  const scope = textAt(rule, ['scope']) ?? '*';
  return texts('apiGroups').flatMap((group) =>
    texts('apiVersions').flatMap((version) =>
      texts('resources').flatMap((resource) =>
        texts('operations').map((operation) => ({ operation, group, version, resource, scope })),
      ),
    ),
  );
}

/** As the API server matches: `x/*` is x and all below it, `*` is every resource but nothing below one. */
function covers(rule: Write, write: Write): boolean {
  const [resource, below = ''] = rule.resource.split('/');
  const [wantedResource, wantedBelow = ''] = write.resource.split('/');
  return (
    matches(rule.operation, write.operation) &&
    matches(rule.group, write.group) &&
    matches(rule.version, write.version) &&
    matches(rule.scope, write.scope) &&
    matches(resource ?? '', wantedResource ?? '') &&
    matches(below, wantedBelow)
  );
}

function matches(pattern: string, text: string): boolean {
  return pattern === '*' || pattern === text;
}

function named(writes: readonly Write[]): string {
  return writes.map(nameOf).join(', ');
}

function nameOf({ operation, group, version, resource, scope }: Write): string {
  return `${operation} ${group}/${version} ${resource}${scope === '*' ? '' : ` (${scope})`}`;
}
