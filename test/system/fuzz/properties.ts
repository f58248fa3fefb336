/** What holds for every input, as properties: decoder, every rule, engine and response, configuration, YAML. */
import fc from 'fast-check';
import type { Json } from '../../../src/base/json.ts';
import { stateFromView } from '../../../src/engine/evaluate.ts';
import { createEngine } from '../../../src/engine/index.ts';
import { freeze } from '../../../src/engine/review.ts';
import { isCollecting } from '../../../src/engine/verdict.ts';
import { rules } from '../../../src/rules/index.ts';
import type { ClusterView, Rule } from '../../../src/rules/rule.ts';
import { decodeReview } from '../../../src/server/admission/decode.ts';
import { damagedConfiguration } from '../../support/arbitrary-config.ts';
import { examples } from '../../support/examples.ts';
import { decideBytes } from '../../support/reviews.ts';
import { reviewOf } from '../../support/writes.ts';
import { ensure } from './target.ts';
import { configuration } from './targets/configuration.ts';
import { soundAnswer, strictest } from './targets/review.ts';
import { yaml } from './targets/yaml.ts';

export interface Property {
  readonly name: string;
  check(numRuns: number): Promise<void>;
}

const NOW = Date.UTC(2026, 5, 1);
/** Milliseconds of processor time that no input of this size comes near. */
const MOST_MS = 1000;
/** The most findings of a rule; `engine/evaluate` stops there. */
const MOST_FINDINGS = 32;

const json = fc.jsonValue({ maxDepth: 4 }) as fc.Arbitrary<Json>;
const WORDS = [
  ...'{ } [ ] " : , \\ *a |\n ? !! "request" "uid" "u-1" # &a <<: - \n ---\n'.split(' '),
  '- ',
  ': ',
  '&a ',
  '# ',
  '? ',
];
/** Pieces that JSON, YAML and reviews are made of, in any order. */
const pieces = fc
  .array(fc.oneof(fc.constantFrom(...WORDS), fc.string({ unit: 'binary', maxLength: 8 })), { maxLength: 60 })
  .map((parts) => parts.join(''));

/** A review of an example, in which up to four values, wherever they stand, became others. */
const damagedReview = (rule?: Rule) => {
  const bases = examples.filter(({ ruleId }) => ruleId.startsWith(rule?.id.replace(/\/.*/, '') ?? '')).map(reviewOf);
  const damage = fc.tuple(
    fc.nat(),
    fc.oneof(json, fc.constantFrom('', null, [], {}, 'On', 'id.k8s.io', '2026-06-01T00:00:00Z')),
  );
  return fc.tuple(fc.nat(), fc.array(damage, { maxLength: 4 })).map(([index, damages]) => {
    const review = structuredClone(bases[index % bases.length]) as Json;
    for (const [place, value] of damages) replace(review, place, value);
    return review;
  });
};

const views: Readonly<Record<'empty' | 'unknown' | 'throws', ClusterView>> = {
  empty: { get: async () => ({ known: true, value: undefined }), list: async () => ({ known: true, value: [] }) },
  unknown: { get: async () => ({ known: false, reason: 'r' }), list: async () => ({ known: false, reason: 'r' }) },
  throws: { get: () => Promise.reject(new Error('broken')), list: () => Promise.reject(new Error('broken')) },
};
const viewName = fc.constantFrom(...(Object.keys(views) as (keyof typeof views)[]));

export const properties: readonly Property[] = [
  property('decoder: any bytes give a review', fc.uint8Array({ maxLength: 2048 }), async (bytes) =>
    read(Buffer.from(bytes)),
  ),
  property('decoder: any text gives a review', pieces, async (text) => read(Buffer.from(text))),
  property('engine and response: any review gives a sound answer', fc.tuple(damagedReview(), viewName), answered),
  ...rules.map((rule) =>
    property(`${rule.id}: any review gives a verdict`, fc.tuple(damagedReview(rule), viewName), (input) =>
      evaluated(rule, ...input),
    ),
  ),
  property(
    'configuration: any text gives a policy or problems',
    fc.oneof(
      pieces,
      damagedConfiguration.map((value) => JSON.stringify(value)),
    ),
    async (text) => configuration.run(Buffer.from(text)),
  ),
  property('YAML: any text gives documents or errors', pieces, async (text) => yaml.run(Buffer.from(text))),
];

function property<T>(name: string, input: fc.Arbitrary<T>, holds: (value: T) => Promise<unknown>): Property {
  const bounded = async (value: T) => {
    const before = process.cpuUsage();
    await holds(value);
    const { user, system } = process.cpuUsage(before);
    ensure((user + system) / 1000 < MOST_MS, `took ${(user + system) / 1000} ms of processor time`);
  };
  return { name, check: (numRuns) => fc.assert(fc.asyncProperty(input, bounded), { numRuns }) };
}

function read(bytes: Buffer): void {
  const { review } = decodeReview({ bytes, tooLarge: false });
  ensure(review.kind !== 'refuse' || review.problem !== '', 'a refusal has a reason');
}

/** One rule by itself, asked for the strongest action, over a frozen subject. */
async function evaluated(rule: Rule, review: Json, view: keyof typeof views): Promise<void> {
  const decoded = decodeReview({ bytes: Buffer.from(JSON.stringify(review)), tooLarge: false }).review;
  if (decoded.kind !== 'evaluate') return;
  // A rule that changes what it sees is a crash here; the server saves the time.
  freeze([decoded.subject.object, decoded.subject.oldObject ?? null]);
  const engine = createEngine({ policy: strictest, point: 'webhook', catalogue: [rule], clock: () => NOW });
  const { outcome, findings, crashes } = await engine.evaluate(decoded.subject, views[view]);
  ensure(findings.length <= MOST_FINDINGS, `a rule has ${findings.length} findings`);
  if (view !== 'throws') for (const { error } of crashes) throw error;
  const refused = outcome === 'crashed' || outcome === 'denied';
  // Who a rule may not refuse, as `/status` to some and whatever collects, is not refused for what breaks in it either.
  const exempt = rule.capAction !== undefined || isCollecting(decoded.subject);
  ensure(crashes.length === 0 || refused || exempt, 'what broke lets nothing in');
  ensure(refused || !crashes.some(({ denies }) => denies), 'what broke and would have refused lets nothing in');
}

async function answered([review, view]: readonly [Json, keyof typeof views]): Promise<void> {
  const engine = createEngine({ policy: strictest, point: 'webhook', clock: () => NOW });
  const options = { current: { engine }, clusterState: stateFromView(views[view]) };
  const decision = await decideBytes(options, Buffer.from(JSON.stringify(review)));
  soundAnswer(decision, 'validate', view === 'throws');
}

/** Puts a value in one of all places of another. */
function replace(root: Json, place: number, value: Json): void {
  const places: [Record<string, Json>, string][] = [];
  const walk = (holder: Json): void => {
    if (typeof holder !== 'object' || holder === null) return;
    for (const key of Object.keys(holder)) {
      places.push([holder as Record<string, Json>, key]);
      walk((holder as Record<string, Json>)[key] ?? null);
    }
  };
  walk(root);
  const [holder, key] = places[place % Math.max(1, places.length)] ?? [];
  if (holder !== undefined && key !== undefined) holder[key] = value;
}
