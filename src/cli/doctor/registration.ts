/** Checks the two webhook configurations: each webhook has to be as the server's configuration needs it. */
import { concepts } from '../../api/dialects.ts';
import { isObject, type Json, type JsonObject, listAt, same, textAt } from '../../base/json.ts';
import { DELETION_CONCEPTS, type Enforcement } from '../../engine/plan.ts';
import { installation } from '../../manifests/installation.ts';
import type { Manifest } from '../../manifests/manifest.ts';
import { VERSION } from './causes.ts';
import { type Difference, difference } from './differences.ts';
import { RELEASE, type Side, webhooksIn, webhooksOf } from './installed.ts';
import { type Compared, compare } from './read.ts';
import { type DoctorContext, type ItemPlace, removal, restore } from './remedies.ts';
import { type Finding, resultsOf } from './report.ts';

/** Returns one check for each configuration, and one for each webhook that should exist. */
export async function checkRegistration(context: DoctorContext): Promise<readonly Finding[]> {
  const expected = expectedOf(context);
  const checks = context.sides.map((side) =>
    checkSide(context, side, expected.find(({ kind }) => kind === side.kind) as Registration),
  );
  return (await Promise.all(checks)).flat();
}

type Registration = Manifest & { readonly webhooks: readonly JsonObject[] };

/** Who is called, and by which CA, is what the registration itself says of most webhooks. */
function expectedOf(context: DoctorContext): readonly Registration[] {
  const { namespace, names, service, way, sides } = context;
  const enforcement = context.enforcement ?? enforcementFound(webhooksOf(sides));
  const url = way.kind === 'url' ? (way.url ?? 'https://unknown') : undefined;
  return installation({ namespace, name: names.base, enforcement }, ['webhooks']).map((configuration) => ({
    ...configuration,
    metadata: { ...configuration.metadata, ...ownedBy(context, configuration) },
    webhooks: webhooksIn(configuration as unknown as JsonObject).map((webhook) => {
      const path = textAt(webhook, ['clientConfig', 'service', 'path']) ?? '';
      return { ...webhook, clientConfig: url === undefined ? { service: { ...service, path } } : { url: url + path } };
    }),
  }));
}

/** What Helm needs to know its objects again: an uninstall leaves others behind. */
function ownedBy({ way, namespace }: DoctorContext, { metadata }: Manifest): Partial<Manifest['metadata']> {
  if (way.kind !== 'helm') return {};
  const labels = { ...metadata.labels, 'app.kubernetes.io/managed-by': 'Helm' };
  return { labels, annotations: { [RELEASE]: way.release, 'meta.helm.sh/release-namespace': namespace } };
}

async function checkSide(context: DoctorContext, side: Side, expected: Registration): Promise<readonly Finding[]> {
  const { name, kind, stored } = side;
  const results = resultsOf(`registration/${name}`, `${kind} ${context.names.base}`);
  const result = await compare(context.client, expected, stored);
  if (result.kind === 'unknown') return [results.unknown(result.reason, result.remedy)];
  if (result.kind === 'missing') {
    const lost = name === 'validating' ? 'no write is evaluated' : 'no label of a cluster manager is added';
    return [results.fail(`is missing: ${lost}`, restore(context, 'webhooks'))];
  }
  const found = webhooksIn(result.stored);
  const extra = extraItems(expected.webhooks, found);
  const names = found.map(nameOf);
  const isRestored = result.differences.length > 0 || expected.webhooks.some((each) => !names.includes(nameOf(each)));
  const commands = [
    ...(extra.length === 0 ? [] : [removal(kind, context.names.base, extra)]),
    ...(isRestored ? [restore(context, 'webhooks')] : []),
  ];
  const configured: Configured = { context, kind, found, extra, result, remedy: commands.join(' && ') };
  return [checkWhole(configured, name), ...expected.webhooks.map((webhook) => checkWebhook(configured, webhook))];
}

interface Configured {
  readonly context: DoctorContext;
  readonly kind: Side['kind'];
  readonly found: readonly JsonObject[];
  /** What should not be there. */
  readonly extra: readonly ItemPlace[];
  readonly result: Compared;
  /** What puts all of the configuration into order. */
  readonly remedy: string;
}

/** Finds webhooks that should not be there, those of others or of another configuration, and a lost owner. */
function checkWhole({ context, kind, found, extra, result, remedy }: Configured, name: Side['name']): Finding {
  const results = resultsOf(`registration/${name}`, `${kind} ${context.names.base}`);
  const lost = result.differences.filter(({ path }) => path.startsWith('metadata.annotations'));
  if (context.way.kind === 'helm' && lost.length > 0) {
    const message = `does not belong to the Helm release ${context.way.release} any more: an uninstall would leave it`;
    return results.fail(message, remedy, { details: lost });
  }
  const names = extra.flatMap(({ webhook: [, each], condition }) => (condition ? [] : each));
  const foreign = names.filter((each) => !/\.(validate|mutate)\.muster$/.test(each));
  if (names.length > 0) {
    const message =
      foreign.length > 0
        ? `has webhooks that are not muster's: ${foreign.join(', ')}`
        : `has webhooks that the configuration does not need: ${names.join(', ')}`;
    return results.warn(message, remedy, { after: [VERSION] });
  }
  const there = `there, with ${found.length} ${found.length === 1 ? 'webhook' : 'webhooks'}`;
  const byReading = result.byReading === undefined ? {} : { byReading: [result.byReading] };
  if (name === 'mutating' || context.enforcement !== undefined) return { ...results.ok(there), ...byReading };
  const unknown = `${there}; the server's configuration, on which deletions depend, is unknown (--config FILE)`;
  return { ...results.ok(unknown), ...byReading };
}

function checkWebhook({ context, found, extra, result, remedy }: Configured, expected: JsonObject): Finding {
  const name = nameOf(expected);
  const results = resultsOf(`registration/${name}`, `webhook ${name}`);
  const stored = found.find((webhook) => nameOf(webhook) === name);
  if (stored === undefined)
    return results.fail('is missing: its writes are not evaluated', remedy, { after: [VERSION] });
  const prefix = `webhooks[${name}].`;
  const differing = result.differences
    .filter(({ path }) => path.startsWith(prefix))
    .map((each) => difference(each.path.slice(prefix.length), each.expected as Json, each.found as Json));
  // An apply leaves the match conditions of others, which may exclude writes that have to be evaluated.
  const conditions = extra.flatMap(({ webhook, condition }) => (webhook[1] === name && condition ? condition[1] : []));
  const added = conditions.map((each) =>
    difference(
      `matchConditions[${each}]`,
      undefined,
      listAt(stored, ['matchConditions']).find((one) => nameOf(one) === each),
    ),
  );
  const details = [...differing, ...added];
  if (details.length === 0) return results.ok('as it should be');
  const rendered = renderedWebhook(context, name);
  const isChosen = ({ path }: Difference) => {
    const [member = ''] = path.split(/[.[]/);
    return VALUES.includes(member) && rendered !== undefined && same(rendered[member], stored[member]);
  };
  const report = details.every((each) => isDeliberate(each) || isChosen(each)) ? results.warn : results.fail;
  return report(`differs in ${details.map(({ path }) => path).join(', ')}`, remedy, {
    details,
    // Another version has no conditions of its own that are left over: somebody added them.
    after: added.length === 0 ? [VERSION] : [],
  });
}

/** Finds webhooks and match conditions that are not expected. */
function extraItems(expected: readonly JsonObject[], found: readonly JsonObject[]): readonly ItemPlace[] {
  return found.flatMap((webhook, index): ItemPlace[] => {
    const place = [index, nameOf(webhook)] as const;
    const wanted = expected.find((each) => nameOf(each) === nameOf(webhook));
    if (wanted === undefined) return [{ webhook: place }];
    const names = listAt(wanted, ['matchConditions']).map(nameOf);
    return listAt(webhook, ['matchConditions']).flatMap((condition, number) => {
      const name = nameOf(condition);
      return names.includes(name) ? [] : [{ webhook: place, condition: [number, name] as const }];
    });
  });
}

/** Settings that an operator may choose, or that cost calls: they exclude no write while the server runs. */
function isDeliberate({ path, found }: Difference): boolean {
  if (path.startsWith('matchConditions[')) return found === undefined;
  return ['failurePolicy', 'timeoutSeconds', 'sideEffects', 'reinvocationPolicy'].includes(path);
}

/** What the chart's values may say of a webhook, besides what every operator may choose. */
const VALUES: readonly string[] = ['namespaceSelector', 'objectSelector'];

/** Returns a webhook as the Helm release has rendered it. */
function renderedWebhook({ released }: DoctorContext, name: string): JsonObject | undefined {
  const objects = released === undefined || 'kind' in released ? [] : released;
  const webhooks = objects.flatMap((object) => webhooksIn(object as unknown as JsonObject));
  return webhooks.find((webhook) => nameOf(webhook) === name);
}

/** Returns the enforcement that the registration fits, for a configuration that is unknown: each choice counts as intended. */
function enforcementFound(webhooks: readonly JsonObject[]): Enforcement {
  const find = (prefix: string) => webhooks.find((webhook) => nameOf(webhook) === `${prefix}.validate.muster`);
  const failsClosed = (webhook: JsonObject | undefined) => textAt(webhook, ['failurePolicy']) === 'Fail';
  const owners = concepts.flatMap((concept) => {
    const webhook = find(`${concept}-owners`);
    return webhook === undefined ? [] : [[concept, failsClosed(webhook) ? 'deny' : 'warn'] as const];
  });
  const deletions = DELETION_CONCEPTS.map((concept) => [concept, failsClosed(find(`${concept}-deletions`))] as const);
  const conditions = listAt(find('inventory'), ['matchConditions']).map(nameOf);
  const profileLabel = !conditions.includes('does-more-than-lose-the-label');
  const placementIndex = failsClosed(find('placement-index'));
  return { deletions: Object.fromEntries(deletions), owners: Object.fromEntries(owners), profileLabel, placementIndex };
}

function nameOf(named: unknown): string {
  return isObject(named) ? (textAt(named, ['name']) ?? '') : '';
}
