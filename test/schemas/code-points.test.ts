import { test } from '@jest/globals';
import fc from 'fast-check';
import { codePoints } from '../../src/engine/code-points.ts';

test('counts as the iterator of a text does, lone surrogates too', () => {
  const unit = fc.constantFrom('a', 'é', '\ud83d', '\ude00', '😀', '\uffff');
  fc.assert(fc.property(fc.array(unit), (units) => codePoints(units.join('')) === Array.from(units.join('')).length));
});
