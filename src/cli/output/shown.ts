/** Text of users on a terminal or in the log of a CI run, where lines can be commands. */
import { plain } from '../../engine/text.ts';

/**
 * Escapes what could forge a line or move a cursor, and the `##` of `##[…]`, `##vso[…]` and `##teamcity[…]`: CI systems look
 * for such commands anywhere in a line, and a manifest may come from a stranger.
 */
export function shown(text: string): string {
  return plain(text).replace(/(?<=#)#(?=\w{0,16}\[)/g, '\\u0023');
}

/** A file's name at the beginning of a line, where `::` would begin a command on GitHub. */
export function shownFile(file: string): string {
  return shown(file).replace(/^\s*(?=::)/, './');
}
