/**
 * The documentation site: VitePress over docs/ as it is, with a search index that is part of the site. `npm run
 * docs:build` writes it to docs/.vitepress/dist, `npm run docs:dev` serves it while pages are edited.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitepress';
import { withContentSecurityPolicy } from './csp.ts';
import { emptyHeadings, fragmentOf, repositoryLinks, withoutInterpolation } from './markdown.ts';
import { descriptionOf, headOf } from './page-head.ts';
import { sidebar } from './sidebar.ts';

const { homepage, repository, version } = JSON.parse(readFileSync('package.json', 'utf8'));
const base = new URL(homepage).pathname;
const source: string = repository.url.replace(/^git\+/, '').replace(/\.git$/, '');

export default defineConfig({
  title: 'muster',
  description: 'Admission webhook and manifest checker for multi-cluster Kubernetes',
  base,
  head: [['link', { rel: 'icon', type: 'image/svg+xml', href: `${base}favicon.svg` }]],
  cleanUrls: true,
  lastUpdated: false,
  // README.md is the index of its folder on the site as well.
  rewrites: (page) => page.replace(/(^|\/)README\.md$/, '$1index.md'),
  transformPageData: (page) => {
    const text = readFileSync(join('docs', page.filePath), 'utf8');
    page.description = page.frontmatter['description'] ?? descriptionOf(text) ?? page.description;
  },
  transformHead: ({ pageData }) => headOf(pageData, homepage),
  transformHtml: withContentSecurityPolicy,
  sitemap: { hostname: homepage },
  markdown: {
    anchor: { slugify: fragmentOf },
    // Queries of Prometheus, which the highlighter does not know.
    languageAlias: { promql: 'sql' },
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    config: (md) => {
      withoutInterpolation(md);
      emptyHeadings(md);
      repositoryLinks(md, `${source}/blob/main/`);
    },
  },
  themeConfig: {
    search: { provider: 'local' },
    nav: [
      { text: 'Start', link: '/tutorials/two-minutes' },
      { text: 'Install', link: '/tutorials/first-rollout' },
      { text: 'Rules', link: '/rules/' },
      { text: 'Playground', link: '/playground' },
      {
        text: 'Reference',
        items: [
          { text: 'Configuration', link: '/configuration' },
          { text: 'Command line', link: '/reference/cli' },
          { text: 'Metrics', link: '/reference/metrics' },
          { text: `Changelog (v${version})`, link: `${source}/blob/main/CHANGELOG.md` },
        ],
      },
    ],
    sidebar,
    outline: [2, 3],
    externalLinkIcon: true,
    socialLinks: [{ icon: 'github', link: source, ariaLabel: 'Source code' }],
    footer: { message: 'Apache-2.0 license' },
  },
});
