/** A target with a fault planted in it, behind conditions of which each is met by itself: to see whether the fuzzer finds it. */
import type { Target } from '../target.ts';
import { inspect } from './planted-fault.ts';

export const planted: Target = {
  name: 'planted',
  prefix: 0,
  longest: 256,
  seeds: () => [Buffer.from('{"berth":{"name":"north","tide":3}}')],
  run: (input) => inspect(input.toString('utf8')),
};
