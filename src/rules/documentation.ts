/** Addresses of pages of the documentation site. The address of the site itself is `homepage` of package.json. */
import { HOMEPAGE } from './homepage.generated.ts';

export { HOMEPAGE };

/** Returns the address of the page of a rule, or of any id of that form. */
export function ruleUrl(id: string): string {
  return pageUrl(`rules/${pageName(id)}`);
}

/** Returns the page that explains these rules: that of the rule, or of all rules if there are several. */
export function urlOfRules(ids: Iterable<string>): string {
  const [first, ...others] = new Set(ids);
  return first === undefined || others.length > 0 ? pageUrl('rules/') : ruleUrl(first);
}

/** Returns the name of a rule's page in `docs/rules`, without its suffix. */
export function pageName(id: string): string {
  return encodeURIComponent(id.replace('/', '-'));
}

/** Returns the address of a page by its path on the site. */
export function pageUrl(path: string): string {
  return `${HOMEPAGE}${path}`;
}
