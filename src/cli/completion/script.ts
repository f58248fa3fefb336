/** The script of a shell. */
import { programOf } from '../program.ts';
import { bashScript } from './bash.ts';
import { fishScript } from './fish.ts';
import { type Completable, completableOf } from './model.ts';
import { zshScript } from './zsh.ts';

const SCRIPTS: Readonly<Record<'bash' | 'zsh' | 'fish', (program: Completable) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};

/** All of the program, as it registers itself: a new flag is completed without a word here. */
export async function completionFor(shell: keyof typeof SCRIPTS): Promise<string> {
  const { ruleIds } = await import('../../rules/index.ts');
  return SCRIPTS[shell](completableOf(await programOf(), [...ruleIds]));
}
