import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { rules } from '../../../src/rules/index.ts';
import type { Rule } from '../../../src/rules/rule.ts';
import { validators } from '../../../src/schema/shapes.generated.ts';
import { validatorsModule } from '../../../tools/generate/validators.ts';

const text = readFileSync(new URL('../../../src/schema/shapes.generated.ts', import.meta.url), 'utf8');

/** A rule of which nothing matters but the shape. */
function withShape(schema: Readonly<Record<string, unknown>>): Rule {
  const [first] = rules;
  if (!first) throw new Error('the catalogue is empty');
  return { ...first, shapes: [{ subresource: '', at: ['spec'], schema }] };
}

test('the compiled shapes load nothing and make no code at run time', () => {
  expect(text).not.toMatch(/\brequire\(|\beval\(|new Function|\bimport\(/);
  const sources = [...text.matchAll(/^import .* from '(.*)';$/gm)].map(([, source]) => source);
  expect(sources).toEqual(['../base/syntax.ts', './formats.ts', './validate.ts']);
});

test('descriptions and markers of Kubernetes are left out of the code', () => {
  expect(validatorsModule([withShape({ type: 'string', description: 'Purple prose.' })])).not.toContain('Purple');
  const list = { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' };
  expect(validatorsModule([withShape(list)])).not.toContain('x-kubernetes');
});

test('a member called description is kept', () => {
  const schema = { type: 'object', properties: { description: { type: 'string' } } };
  expect(validatorsModule([withShape(schema)])).toContain('data.description');
});

test('a shape that needs more than plain code is refused', () => {
  const schema = { type: 'array', uniqueItems: true, items: { type: 'object', properties: {} } };
  expect(() => validatorsModule([withShape(schema)])).toThrow('would load code at run time');
});

describe('evaluation', () => {
  const validator = (key: string) => {
    const found = validators[key];
    if (!found) throw new Error(`no validator ${key}; run npm run generate`);
    return found;
  };
  const errorsOf = (key: string, value: unknown): (string | undefined)[] => {
    const validate = validator(key);
    return validate(value)
      ? []
      : (validate.errors ?? []).map(({ keyword, instancePath }) => `${instancePath} ${keyword}`);
  };
  const condition = {
    type: 'Joined',
    status: 'True',
    lastTransitionTime: '2026-05-30T08:15:00Z',
    reason: 'Moored',
    message: '',
  };

  test.each(['Joined', 'a.b-c.example/X', 'x_y.z-1', `${'a'.repeat(252)}/B`])(
    'accepts the condition type %s',
    (type) => {
      expect(errorsOf('inventory/conditions#0', { ...condition, type })).toEqual([]);
    },
  );

  test.each(['', '-', 'a/', '/a', 'a/b/c', 'A.b/C', 'a..b/C', 'a-./C', 'Joined\n', 'Jöined'])(
    'refuses the condition type %j',
    (type) => {
      expect(errorsOf('inventory/conditions#0', { ...condition, type })).toContain('/type pattern');
    },
  );

  test('takes null for absent where the schema says so', () => {
    const nothing = { class: null, state: null, stability: null, default: null, source: null, useEvaluationTime: null };
    expect(errorsOf('feature/shape#1', nothing)).toEqual([]);
    expect(errorsOf('inventory/conditions#0', { ...condition, observedGeneration: null })).toEqual([]);
    expect(errorsOf('inventory/conditions#0', { ...condition, reason: null })).toEqual(['/reason type']);
  });

  test('takes no value from a prototype, and refuses shapes whose members every object inherits', () => {
    const inherited = JSON.parse(`{"__proto__":${JSON.stringify(condition)}}`);
    expect(errorsOf('inventory/conditions#0', inherited)).toHaveLength(5);
    for (const name of ['constructor', '__proto__']) {
      const properties = JSON.parse(`{"${name}":{"type":"string"}}`);
      for (const schema of [{ required: [name] }, { properties }])
        expect(() => validatorsModule([withShape({ type: 'object', ...schema })])).toThrow('every object inherits');
    }
  });
});
