/** The ids of the rules that only `muster scan` evaluates, read when the site is built. */
import { rules } from '../../../src/rules/index.ts';
import { isScanOnly } from './scan-only.ts';

declare const data: readonly string[];

export { data };

export default {
  load: (): readonly string[] => rules.filter(isScanOnly).map(({ id }) => id),
};
