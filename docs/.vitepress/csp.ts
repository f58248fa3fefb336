/**
 * The Content-Security-Policy of every page of the site: scripts, styles and data come from the site itself, and
 * nothing else is loaded.
 */
import { createHash } from 'node:crypto';

/** Fixed by the policy of every page. `script-src` is added for each page, with the hashes of its inline scripts. */
const DIRECTIVES: readonly string[] = [
  "default-src 'none'",
  // The hash is that of the one style element of VitePress: it stops transitions while the theme changes.
  "style-src 'self' 'sha256-skqujXORqzxt1aE0NNXxujEanPTX6raoqSscTV/Ww/Y='",
  // VitePress colors code by `style` attributes.
  "style-src-attr 'unsafe-inline'",
  // Icons are data in the style sheet.
  "img-src 'self' data:",
  // The list of pages, for links between them.
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
];

/** Returns the HTML of a page with its policy as the first element that can be one, before any script. */
export function withContentSecurityPolicy(html: string): string {
  const inline = html.matchAll(/<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/g);
  const hashes = [...inline].map(([, code = '']) => `'sha256-${createHash('sha256').update(code).digest('base64')}'`);
  const policy = [...DIRECTIVES, `script-src 'self' ${[...new Set(hashes)].join(' ')}`].join('; ');
  const meta = `<meta http-equiv="Content-Security-Policy" content="${policy}">`;
  const page = html.replace(/<meta charset="[^"]*">/, (charset) => `${charset}\n    ${meta}`);
  if (page === html) throw new Error('a page has no <meta charset>, after which its Content-Security-Policy belongs');
  return page;
}
