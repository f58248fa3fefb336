/** A suite as text that is read back as it was: YAML, or JSON where YAML has no sure way to say it. */
import { readDocuments } from '../../documents/index.ts';
import { print } from '../../manifests/manifest.ts';
import type { JsonObject } from '../../rules/rule.ts';

const HEAD = '# Written by muster test --record: what was decided then. Change it as you like; muster test runs it.\n';

/** Line breaks that only YAML 1.1 knows, for example, can't stand in YAML as they are. */
export function printed(suite: JsonObject): string {
  const yaml = HEAD + print(suite);
  const { documents, errors } = readDocuments(yaml, '');
  const isFaithful = errors.length === 0 && JSON.stringify(documents[0]?.value) === JSON.stringify(suite);
  return isFaithful ? yaml : `${visible(JSON.stringify(suite, null, 2))}\n`;
}

/** Whatever can't be seen stands in texts only, where JSON has an escape for it. */
function visible(json: string): string {
  return json.replace(/(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (char) => {
    const units = Array.from({ length: char.length }, (_, at) => char.charCodeAt(at));
    return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
  });
}
