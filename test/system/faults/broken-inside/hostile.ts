/** Values that a schema may handle wrongly, as JSON text, and ajv as an independent oracle. */
import { Ajv, type ValidateFunction } from 'ajv';
import { isDateTime } from '../../../../src/base/syntax.ts';
import type { Shape } from '../../../../src/rules/rule.ts';

const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
const word = '"x"';

export const HOSTILE: readonly string[] = [
  ...'null true 0 -0 1.5 1e308 -1e308 1e400 5e-324 9007199254740993 -9223372036854775808 "" [] {} [[]] [null]'.split(
    ' ',
  ),
  ...String.raw`"\u0000" "\ud800" "\udc00\ud800" "\u202e" "__proto__" "constructor" "Enabled\u0000" "2026-13-01T00:00:00Z"`.split(
    ' ',
  ),
  '" "',
  `"${'x'.repeat(100_000)}"`,
  `"${'😀'.repeat(130_000)}"`,
  `"${'a-'.repeat(50_000)}!"`,
  ...[`[${word},${word}]`, deep(150), `[${Array(5000).fill(word).join()}]`],
  '{"__proto__":{"type":"A","status":"True"}}',
  '{"constructor":{"prototype":{}}}',
  '{"hasOwnProperty":1,"toString":1,"valueOf":1,"then":1,"toJSON":1}',
  '{"length":-1}',
  '{"length":4294967296,"0":"x"}',
  '{"desired":{"toString":1},"state":["On"],"version":{"length":3}}',
  '{"type":"A","status":"True","reason":"R","message":"m","lastTransitionTime":"2026-01-01T00:00:00Z","observedGeneration":-1}',
  '{"type":"A","status":"True","reason":"R","message":"m","lastTransitionTime":"2026-01-01T00:00:00Z","observedGeneration":1e300}',
  '{"type":1e400,"status":[],"reason":{},"message":null,"lastTransitionTime":0}',
  '{"version":"\\ud800","enabled":"Enabled","reportTime":"2026-01-01T00:00:00Z"}',
  `{${Array.from({ length: 20_000 }, (_, index) => `"m${index}":1`).join()}}`,
];

/** Returns whether ajv refuses a value when it interprets the schema itself. */
export function surelyWrong(shape: Shape): (value: unknown) => boolean {
  const ajv = new Ajv({
    strict: false,
    allErrors: true,
    ownProperties: true,
    formats: { 'date-time': isDateTime, int64: true },
  });
  const validate: ValidateFunction = ajv.compile({ ...shape.schema });
  return (value) => value !== null && !(validate(value) as boolean);
}
