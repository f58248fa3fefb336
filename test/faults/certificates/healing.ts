/** Watched files go bad, one state after the other, and each is healed by good ones before the next. */
import { until } from '../../e2e/harness/index.ts';
import { callerCa } from '../../tls/callers.ts';
import { issuePair } from './pair.ts';
import { codeOf } from './probe.ts';
import { configuration } from './reserved.ts';
import { type Files, WRITE } from './spoil.ts';
import { type BadState, badCertificates, badClientCas, badConfigurations } from './states.ts';
import { ask, isLetIn, refusals, type Watched } from './watched.ts';

export interface Found {
  /** Bad states that there were. */
  states: number;
  /** What was otherwise in one than before it. */
  readonly wrong: string[];
  /** Milliseconds from good files until these were in use, for each that healed. */
  readonly healed: number[];
}

/** Writes good files, so that it shows when they are in use. */
type Write = (good: Files) => Promise<void>;

/** How good files of a kind are written, and whether they are in use. */
type Mend = (write: Write) => Promise<() => Promise<boolean>>;

export async function spoilCertificates(watched: Watched, found: Found): Promise<void> {
  const good = await issuePair();
  watched.trusted += good.ca;
  const bad = await badCertificates(watched.folder, good.files);
  await spoilAndHeal(watched, 'certificate', bad, found, async (write) => {
    const next = await issuePair();
    watched.trusted += next.ca;
    const { shown } = await ask(watched, watched.me);
    await write(next.files);
    return async () => (await ask(watched, watched.me)).shown !== shown;
  });
}

export async function spoilClientCas(watched: Watched, found: Found): Promise<void> {
  await spoilAndHeal(watched, 'client CA', badClientCas(watched), found, async (write) => {
    const more = callerCa();
    const another = more.issue('another');
    await write({ 'callers.crt': `${watched.callers.pem}${more.pem}` });
    return () => isLetIn(watched, another);
  });
}

export async function spoilConfigurations(watched: Watched, found: Found): Promise<void> {
  await spoilAndHeal(watched, 'configuration', badConfigurations(watched), found, async (write) => {
    watched.expected = watched.expected === 403 ? 200 : 403;
    await write({ 'muster.yaml': configuration(watched.expected === 403 ? 'deny' : 'warn') });
    return async () => codeOf((await ask(watched, watched.me)).response) === watched.expected;
  });
}

async function spoilAndHeal(watched: Watched, kind: string, bad: readonly BadState[], found: Found, mend: Mend) {
  const ways = Object.values(WRITE);
  for (const [index, [what, harm]] of bad.entries()) {
    await spoil(watched, `${kind} ${what}`, harm, found);
    const isHealed = await mend(async (good) => ways[index % ways.length]?.(watched.folder, good));
    found.healed.push(await until(`healed of: ${kind} ${what}`, isHealed));
  }
}

/** Does harm, waits until muster has told, and sees to it that all is as it was. */
async function spoil(watched: Watched, what: string, harm: () => void, found: Found): Promise<void> {
  found.states += 1;
  const [before, { shown }] = [await refusals(watched), await ask(watched, watched.me)];
  harm();
  await until(`told of: ${what}`, async () => (await refusals(watched)) > before);
  const after = await ask(watched, watched.me);
  if (after.shown !== shown) found.wrong.push(`${what}: another certificate`);
  if (codeOf(after.response) !== watched.expected) found.wrong.push(`${what}: ${codeOf(after.response)}`);
  if (await isLetIn(watched)) found.wrong.push(`${what}: a stranger got in`);
}
