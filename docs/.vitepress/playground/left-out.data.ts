/** The ids of the rules that the playground leaves out, read when the site is built. */
import { rules } from '../../../src/rules/index.ts';
import { isLeftOut } from './left-out.ts';

declare const data: readonly string[];

export { data };

export default {
  load: (): readonly string[] => rules.filter(isLeftOut).map(({ id }) => id),
};
