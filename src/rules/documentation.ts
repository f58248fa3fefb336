/** Addresses of pages of the documentation site. The address of the site itself is `homepage` of package.json. */
import { HOMEPAGE } from './homepage.generated.ts';

export { HOMEPAGE };

/** Returns the address of a rule's page. The id need not be that of a known rule. */
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

const ENHANCEMENTS = 'https://github.com/kubernetes/enhancements';
const MULTICLUSTER = 'keps/sig-multicluster';

/**
 * The addresses of documents, by a pattern of `meta.source`. After a final `#` comes the heading that the source names.
 * A proposal with two versions has two rows: first the later commit, which the source names, then the default.
 */
const SOURCES: readonly (readonly [name: RegExp, url: string])[] = [
  [/^KEP-2149 /, `${ENHANCEMENTS}/blob/1ae6c45f8/${MULTICLUSTER}/2149-clusterid/README.md#`],
  [/KEP-4322 .*commit 3a8eb262/, `${ENHANCEMENTS}/blob/3a8eb262/${MULTICLUSTER}/4322-cluster-inventory/README.md#`],
  [/^KEP-4322 /, `${ENHANCEMENTS}/blob/424dac498/${MULTICLUSTER}/4322-cluster-inventory/README.md#`],
  [/^KEP-3920 .*commit cc13a7dde/, `${ENHANCEMENTS}/commit/cc13a7dde`],
  [/^KEP-3920 /, `${ENHANCEMENTS}/pull/3920`],
  [
    /^multi-cluster services of KEP-1645 /,
    `${ENHANCEMENTS}/blob/master/${MULTICLUSTER}/1645-multi-cluster-services-api/README.md#`,
  ],
  [/^KEP-5313\b/, `${ENHANCEMENTS}/blob/master/${MULTICLUSTER}/5313-placement-decision-api/README.md#`],
  [
    /^multi-cluster DNS /,
    `${ENHANCEMENTS}/blob/master/${MULTICLUSTER}/1645-multi-cluster-services-api/specification.md`,
  ],
  [/^about\.k8s\.io /, 'https://github.com/kubernetes-sigs/about-api'],
  [/^mcs-api /, 'https://github.com/kubernetes-sigs/mcs-api/tree/v0.5.2/pkg/apis/v1beta1'],
  [/^cluster-inventory-api\b/, 'https://github.com/kubernetes-sigs/cluster-inventory-api'],
  [/^metav1\.Condition /, 'https://pkg.go.dev/k8s.io/apimachinery/pkg/apis/meta/v1#Condition'],
];

/** Returns the address of the norm that a rule's `meta.source` names; undefined for a rule of this project. */
export function sourceUrl(source: string): string | undefined {
  const url = SOURCES.find(([name]) => name.test(source))?.[1];
  if (url?.endsWith('#')) return `${url}${/#(\S+)/.exec(source)?.[1] ?? ''}`.replace(/#$/, '');
  const number = /KEP-(\d+)/.exec(source)?.[1];
  return url ?? (number && `https://kep.k8s.io/${number}`);
}
