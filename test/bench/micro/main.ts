/**
 * `npm run bench:micro`: what each part of a verdict takes, one by one: bytes to request, each rule, each concept, verdict to bytes,
 * the line of log, the metrics. The serve benchmark tells what all of it costs; this tells where to look.
 *
 *     npm run bench:micro -- [--filter decode] [--json]
 */
import { isUtf8 } from 'node:buffer';
import { bench, do_not_optimize, group, run } from 'mitata';
import { readAdmissionReview } from '../../../src/engine/review.ts';
import { decodeReview } from '../../../src/server/admission/decode.ts';
import { encode, evaluated } from '../../../src/server/admission/respond.ts';
import { createLog } from '../../../src/server/log/log.ts';
import { createMetrics } from '../../../src/server/ops/metrics.ts';
import { flagsOf } from '../flags.ts';
import { bodies, decide, decisions, engine, inTurn, policy, rulesWithQuestions, subjects, view } from './samples.ts';

const values = flagsOf({ filter: { type: 'string' }, json: { type: 'boolean', default: false } });

group('decode', () => {
  const body = inTurn(bodies);
  const parsed = inTurn(bodies.map((bytes) => JSON.parse(bytes.toString())));
  one('decode: is it UTF-8', () => isUtf8(body()));
  one('decode: parse', () => JSON.parse(body().toString('utf8')));
  one('decode: read the review, no freezing', () => readAdmissionReview(parsed(), (value) => value));
  one('decode: all of it', () => decodeReview({ bytes: body(), tooLarge: false }));
});

group('rules', () => {
  for (const [rule, questions] of rulesWithQuestions()) {
    const question = inTurn(questions);
    const name = `rule: ${rule.id}${rule.shapes ? ' (schema)' : ''}`;
    one(name, () => question()());
  }
});

group('engine', () => {
  for (const concept of ['claim', 'inventory', 'feature']) {
    const subject = inTurn(subjects.filter(({ dialect }) => dialect.concept === concept));
    one(`engine: ${concept}`, () => engine.evaluate(subject(), view));
  }
});

group('answer', () => {
  const decision = inTurn(decisions);
  const metrics = createMetrics({
    version: '0',
    policy: () => policy,
    certificateEnd: () => undefined,
    process: false,
  });
  const log = createLog('info', { write: (line) => do_not_optimize(line) });
  one('answer: respond', () => {
    const { request, verdict } = decision();
    return request && verdict && evaluated(request, verdict);
  });
  one('answer: encode', () => encode(decision().response));
  one('answer: line of log', () => log.decision(decision(), 0.25));
  one('answer: metrics', () => metrics.decided(decision(), 0.25));
});

group('whole', () => {
  const body = inTurn(bodies);
  one('whole: body to decision', () => decide(body()));
});

await run({
  throw: true,
  ...(values.json && { format: 'json' as const }),
  ...(values.filter !== undefined && { filter: new RegExp(values.filter) }),
});

/** A part that is done when it returns, or else when its promise settles: awaiting the first kind would cost more than most parts. */
function one(name: string, part: () => unknown): void {
  const waits = part() instanceof Promise;
  bench(name, waits ? async () => do_not_optimize(await part()) : () => do_not_optimize(part()));
}
