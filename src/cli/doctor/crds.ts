/** The kinds muster judges: ours have to be there as we publish them, others' may be. */

import { type Dialect, dialects } from '../../api/dialects.ts';
import { kinds } from '../../api/index.ts';
import type { ApiClient } from '../../cluster/live/client.ts';
import { definition } from '../../manifests/crds.ts';
import { at, isObject, listAt, textAt } from '../../rules/json.ts';
import type { Json, JsonObject } from '../../rules/rule.ts';
import { apply, type Examination } from './examination.ts';
import { look, type Sight } from './look.ts';
import { about, type Check, type Detail, type Verdicts } from './report.ts';

/** One check for each dialect, in the order of the catalogue. */
export function checkCrds(examination: Examination): Promise<readonly Check[]> {
  return Promise.all(dialects.map((dialect) => checkCrd(examination, dialect)));
}

async function checkCrd(examination: Examination, dialect: Dialect): Promise<Check> {
  const name = `${dialect.plural}.${dialect.group}`;
  const verdicts = about(`crd/${dialect.name}`, `CustomResourceDefinition ${name}`);
  const sight = await lookAtCrd(examination.client, name);
  const remedy = dialect.ours
    ? apply(examination, 'crds')
    : `install the CustomResourceDefinition ${name} of its project`;
  if (sight.kind === 'unknown') return verdicts.unknown(sight.reason, sight.remedy);
  if (sight.kind === 'missing') {
    if (!dialect.ours) return verdicts.ok('not installed: nothing to guard');
    return verdicts.fail(`is not there: no ${dialect.kind} can be stored`, remedy);
  }
  return judge(verdicts, dialect, sight.body, remedy);
}

function lookAtCrd(client: ApiClient, name: string): Promise<Sight> {
  const path = `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${name}`;
  return look(client, { path, right: `get customresourcedefinitions.apiextensions.k8s.io ${name}` });
}

function judge(verdicts: Verdicts, dialect: Dialect, crd: JsonObject, remedy: string): Check {
  const unready = listAt(crd, ['status', 'conditions']).find(
    (condition) => textAt(condition, ['type']) === 'Established' && textAt(condition, ['status']) !== 'True',
  );
  if (unready !== undefined || listAt(crd, ['status', 'conditions']).length === 0) {
    const why = textAt(unready, ['message']) ?? 'no condition says so yet';
    return verdicts.fail(
      `is not established: ${why}`,
      `look at it: kubectl describe crd ${dialect.plural}.${dialect.group}`,
    );
  }
  const served = listAt(crd, ['spec', 'versions'])
    .filter((version) => at(version, ['served']) === true)
    .map((version) => textAt(version, ['name']) ?? '');
  const unserved = dialect.versions.filter((version) => !served.includes(version));
  if (!dialect.ours) return judgeForeign(verdicts, dialect, served);
  if (unserved.length > 0) return verdicts.fail(`does not serve ${unserved.join(', ')}`, remedy);
  const details = schemaDifferences(dialect, crd);
  if (details.length === 0) return verdicts.ok('as it should be');
  return verdicts.fail(
    `differs from this muster's: ${details[0]?.path}${details.length > 1 ? ' and more' : ''}`,
    remedy,
    details.slice(0, MOST_DETAILS),
  );
}

/** muster judges every version by what it knows of the newest. */
function judgeForeign(verdicts: Verdicts, { versions }: Dialect, served: readonly string[]): Check {
  if (served.some((version) => versions.includes(version))) return verdicts.ok(`serves ${served.join(', ')}`);
  const message = `serves ${served.join(', ') || 'nothing'}, none of which this muster knows (${versions.join(', ')})`;
  return verdicts.warn(message, 'see whether a newer muster knows it');
}

const MOST_DETAILS = 20;

/** What differs in the parts of a definition that decide what can be stored. */
function schemaDifferences(dialect: Dialect, crd: JsonObject): readonly Detail[] {
  const details: Detail[] = [];
  if (textAt(crd, ['spec', 'scope']) !== dialect.scope) {
    const found = textAt(crd, ['spec', 'scope']);
    details.push({ path: 'spec.scope', message: `spec.scope: expected ${dialect.scope}, found ${found}`, found });
  }
  for (const kind of kinds.filter((each) => each.dialect === dialect)) {
    const expected = (definition(kind) as unknown as JsonObject)['spec'];
    const [wanted, live] = [versionOf(expected, kind.version), versionOf(at(crd, ['spec']), kind.version)];
    const path = `spec.versions[${kind.version}]`;
    for (const member of ['schema', 'subresources', 'storage']) {
      walk(`${path}.${member}`, at(wanted, [member]), at(live, [member]), details);
    }
  }
  return details;
}

function versionOf(spec: Json | undefined, name: string): Json | undefined {
  return listAt(spec, ['versions']).find((version) => textAt(version, ['name']) === name);
}

/** The first difference of each branch. A member that is false or empty is as good as none: so the API server stores it. */
function walk(path: string, wanted: Json | undefined, live: Json | undefined, into: Detail[]): void {
  if (isObject(wanted) && isObject(live)) {
    const keys = [...new Set([...Object.keys(wanted), ...Object.keys(live)])];
    for (const key of keys) walk(`${path}.${key}`, wanted[key], live[key], into);
  } else if (Array.isArray(wanted) && Array.isArray(live) && wanted.length === live.length) {
    for (const [index, item] of wanted.entries()) walk(`${path}[${index}]`, item, live[index], into);
  } else if (!sameLeaf(wanted, live)) {
    into.push({ path, message: `${path}: expected ${shown(wanted)}, found ${shown(live)}` });
  }
}

function sameLeaf(a: Json | undefined, b: Json | undefined): boolean {
  return (isEmpty(a) && isEmpty(b)) || JSON.stringify(a) === JSON.stringify(b);
}

function isEmpty(value: Json | undefined): boolean {
  if (value === undefined || value === null || value === false) return true;
  return isObject(value) && Object.keys(value).length === 0;
}

function shown(value: Json | undefined): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 120 ? `${text.slice(0, 119)}…` : text;
}
