/** What search engines and chat programs show of a page: its description, its title and a picture. */
import type { HeadConfig, PageData } from 'vitepress';

/** Characters of a description; search engines cut longer ones. */
const LONGEST = 160;

/** Returns the first sentences of a page's first paragraph as plain text; undefined for a page without one. */
export function descriptionOf(markdown: string): string | undefined {
  const [, body = markdown] = /^---\n[\s\S]*?\n---\n([\s\S]*)$/.exec(markdown) ?? [];
  const blocks = body.replace(/<script[\s\S]*?<\/script>/g, '').split(/\n{2,}/);
  const paragraph = blocks
    .map((block) => block.trim())
    .find((block) => /^[`*["\p{L}]/u.test(block) && !block.startsWith('```'));
  return paragraph && shortened(plainText(paragraph));
}

/** Returns the elements of a page's head that other sites read (Open Graph). `homepage` ends in a slash. */
export function headOf({ title, description, relativePath }: PageData, homepage: string): HeadConfig[] {
  const path = relativePath.replace(/(^|\/)index\.md$/, '$1').replace(/\.md$/, '');
  const properties = {
    'og:type': 'website',
    'og:site_name': 'muster',
    'og:title': title || 'muster',
    'og:description': description,
    'og:url': `${homepage}${path}`,
    'og:image': `${homepage}images/card.png`,
  };
  return Object.entries(properties).map(([property, content]) => ['meta', { property, content }]);
}

function plainText(markdown: string): string {
  return markdown
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/<[^>]+>/g, '')
    .replace(/[`*]/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}

/** Ends after the last sentence that fits, else after the last word. */
function shortened(text: string): string {
  if (text.length <= LONGEST) return text;
  const start = text.slice(0, LONGEST);
  const sentence = start.slice(0, start.lastIndexOf('. ') + 1);
  return sentence.length > LONGEST / 3 ? sentence : `${start.slice(0, start.lastIndexOf(' '))} …`;
}
