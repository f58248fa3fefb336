/** The rules' own examples, with the stored objects they start from, sent to a cluster that the policies guard. */
import type { JsonObject } from '../../../src/rules/rule.ts';
import type { Example } from '../../rules/examples.ts';
import type { ControlPlane } from '../harness/index.ts';
import { expressed, refusingRule, untilSeen, warningRules } from './cluster.ts';
import { evaluate, remove, send, store } from './write.ts';

/** Examples that the policies let through, as `cel.lacks` of their rules explains. */
const LACKING: readonly string[] = [
  'test/fixtures/claim/id-immutable-in-clusterset/deny/second-name.yaml',
  'test/fixtures/feature/evaluation-time/deny/1-too-early.yaml',
  'test/fixtures/feature/evaluation-time/deny/past.yaml',
  'test/fixtures/feature/evaluation-wait/deny/left-over.yaml',
];

export interface Tried {
  /** What the engine finds with the rules that CEL can express, by action. */
  readonly denying: readonly string[];
  readonly warning: readonly string[];
  /** What the policies did. */
  readonly stored: boolean;
  readonly refusedBy: string | undefined;
  readonly warned: ReadonlySet<string>;
  /** Known to pass although a rule denies it. */
  readonly lacking: boolean;
  readonly message: string;
}

/** Tries one example against the policies and the engine. */
export async function tryExample(controlPlane: ControlPlane, example: Example): Promise<Tried> {
  const { findings } = await evaluate(example);
  const by = (wanted: string) =>
    findings.flatMap(({ ruleId, action }) =>
      action === wanted && expressed.some(({ id }) => id === ruleId) ? [ruleId] : [],
    );
  const answer = await sendExample(controlPlane, example);
  const message = String(answer.body.message ?? '');
  return {
    denying: by('deny'),
    warning: by('warn'),
    stored: answer.status < 300,
    refusedBy: refusingRule(message),
    warned: warningRules(answer),
    lacking: LACKING.includes(example.file),
    message,
  };
}

/** Says what is wrong with the outcome; undefined if it is right. */
export function mistakeOf({
  denying,
  warning,
  stored,
  refusedBy,
  warned,
  lacking,
  message,
}: Tried): string | undefined {
  if (lacking) return stored ? undefined : `known to pass, and got ${message}`;
  if (denying.length === 0) {
    const same = [...warned].sort().join() === [...new Set(warning)].sort().join();
    return stored && same ? undefined : `allowed with ${warning}, and got ${message} ${[...warned]}`;
  }
  return refusedBy !== undefined && denying.includes(refusedBy)
    ? undefined
    : `denied by ${denying}, and got ${message}`;
}

async function sendExample(controlPlane: ControlPlane, write: Example) {
  const { state = [], old, operation } = write;
  const others = state.filter((object) => keyOf(object) !== keyOf(old));
  try {
    for (const object of others) await store(controlPlane, object);
    const stored = old && operation !== 'CREATE' ? await store(controlPlane, old) : undefined;
    await untilSeen(controlPlane);
    return await send(controlPlane, write, stored);
  } finally {
    await remove(controlPlane, [...others, ...(old ? [old] : [])]);
  }
}

/** Versions of a kind share one key. */
function keyOf(object: JsonObject | undefined): string {
  const { name, namespace } = (object?.['metadata'] ?? {}) as { name?: string; namespace?: string };
  return [String(object?.['apiVersion']).split('/')[0], object?.['kind'], namespace, name].join(' ');
}
