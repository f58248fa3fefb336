// Generated from package.json by `npm run generate`. Do not edit.
/** The address of the documentation site. */
export const HOMEPAGE = 'https://kube-muster.github.io/kube-muster/';
