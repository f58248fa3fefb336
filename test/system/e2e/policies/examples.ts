/** The rules' own examples, with the stored objects they start from, sent to a cluster that the policies guard. */
import { dialectOf } from '../../../../src/api/dialects.ts';
import type { JsonObject } from '../../../../src/base/json.ts';
import type { Example } from '../../../support/examples.ts';
import type { ControlPlane } from '../harness/index.ts';
import { expressed, refusingRule, untilSeen, warningRules } from './cluster.ts';
import { evaluate, remove, send, store } from './write.ts';

/** Examples that the policies let through, as `cel.omits` of their rules explains. */
const LACKING: readonly string[] = [
  'test/fixtures/claim/id-immutable-in-clusterset/deny/second-name.yaml',
  'test/fixtures/feature/evaluation-time/deny/1-too-early.yaml',
  'test/fixtures/feature/evaluation-time/deny/past.yaml',
  'test/fixtures/feature/evaluation-wait/deny/left-over.yaml',
];

interface Tried {
  /** What the engine finds with the rules that CEL can express, by action. */
  readonly denying: readonly string[];
  readonly warning: readonly string[];
  readonly stored: boolean;
  /** Known to pass although a rule denies it. */
  readonly lacking: boolean;
  /** Where the policies differ from the engine. */
  readonly mistake: string | undefined;
}

/** Tries one example against the policies and the engine. */
export async function tryExample(controlPlane: ControlPlane, example: Example): Promise<Tried> {
  const { findings } = await evaluate(example);
  const by = (wanted: string) =>
    findings.flatMap(({ ruleId, action }) =>
      action === wanted && expressed.some(({ id }) => id === ruleId) ? [ruleId] : [],
    );
  const denying = by('deny');
  const warning = by('warn');
  const lacking = LACKING.includes(example.file);
  const answer = await sendExample(controlPlane, example);
  const stored = answer.status < 300;
  const warned = [...warningRules(answer)].sort().join();
  const isRight =
    lacking || denying.length === 0
      ? stored && (lacking || warned === [...new Set(warning)].sort().join())
      : denying.includes(refusingRule(answer.body.message) ?? '');
  const mistake = `denied by ${denying}, warned by ${warning}; got ${answer.status} ${answer.body.message} ${warned}`;
  return { denying, warning, stored, lacking, mistake: isRight ? undefined : mistake };
}

async function sendExample(controlPlane: ControlPlane, write: Example) {
  const { state = [], old, operation } = write;
  const others = state.filter((object) => keyOf(object) !== keyOf(old));
  try {
    for (const object of others) await store(controlPlane, object);
    const stored = old && operation !== 'CREATE' ? await store(controlPlane, old) : undefined;
    // The policies of claims alone have parameters.
    if (isClaim(write)) await untilSeen(controlPlane);
    return await send(controlPlane, write, stored);
  } finally {
    await remove(controlPlane, [...others, ...(old ? [old] : [])]);
  }
}

function isClaim({ object, old }: Example): boolean {
  const { apiVersion = '', kind = '' } = (object ?? old ?? {}) as { apiVersion?: string; kind?: string };
  return dialectOf(apiVersion.split('/')[0] ?? '', kind)?.concept === 'claim';
}

/** Versions of a kind share one key. */
function keyOf(object: JsonObject | undefined): string {
  const { name, namespace } = (object?.['metadata'] ?? {}) as { name?: string; namespace?: string };
  return [String(object?.['apiVersion']).split('/')[0], object?.['kind'], namespace, name].join(' ');
}
