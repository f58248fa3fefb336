/** The order in which the site offers its pages. Every page is in it, or the test of the site fails. */
import { readdirSync, readFileSync } from 'node:fs';
import type { DefaultTheme } from 'vitepress';

type Item = DefaultTheme.SidebarItem;

const page = (text: string, link: string): Item => ({ text, link });

/** The pages of a folder, in the order of their files, without its index. Each has its heading as text. */
const folder = (path: string): Item[] =>
  readdirSync(`docs/${path}`)
    .filter((file) => file.endsWith('.md') && file !== 'README.md')
    .map((file) => page(headingOf(`docs/${path}/${file}`), `/${path}/${file.slice(0, -'.md'.length)}`));

export const sidebar: Item[] = [
  {
    text: 'Tutorials',
    items: [
      page('Two minutes without a cluster', '/tutorials/two-minutes'),
      page('First rollout', '/tutorials/first-rollout'),
      page('A fleet repository in CI', '/tutorials/fleet-repository'),
      page('A service in two clusters', '/tutorials/service-in-two-clusters'),
      page('A hub and two members', '/tutorials/registrar'),
      page('Concepts', '/concepts'),
    ],
  },
  {
    text: 'Run muster',
    items: [
      page('Operations', '/operations'),
      page('Configuration', '/configuration'),
      page('Certificates', '/certificates'),
      page('Only known callers', '/callers'),
      page('Traces', '/tracing'),
      page('Live: other objects', '/live'),
      page('The registrar', '/registrar'),
      page('Policies while muster is away', '/fallback-policies'),
      page('muster doctor', '/doctor'),
      page('Upgrading', '/upgrading'),
      page('Troubleshooting', '/troubleshooting'),
      page('Production readiness', '/production-readiness'),
      { text: 'Runbooks', collapsed: true, link: '/runbooks/', items: folder('runbooks') },
    ],
  },
  {
    text: 'How to',
    items: folder('how-to'),
  },
  {
    text: 'Check files and clusters',
    items: [
      page('muster demo', '/demo'),
      page('muster check', '/check'),
      page('Output formats', '/outputs'),
      page('muster scan', '/scan'),
      page('Services across clusters', '/services'),
      page('Suites: muster test', '/testing'),
      page('Completion', '/completion'),
    ],
  },
  {
    text: 'Tools',
    items: [
      { text: 'CI and delivery', collapsed: true, link: '/integrations', items: folder('integrations') },
      page('Tools beside the webhook', '/tools'),
    ],
  },
  {
    text: 'Reference',
    items: [
      { text: 'Rules', collapsed: true, link: '/rules/', items: folder('rules') },
      page('Command line', '/reference/cli'),
      page('Metrics', '/reference/metrics'),
      page('HTTP', '/reference/http'),
      page('Library', '/library'),
      page('Library: all exports', '/reference/library'),
      page('Version policy', '/versioning'),
      page('Releases', '/releasing'),
      page('Versions of Kubernetes', '/kubernetes-versions'),
      page('Dependencies', '/dependencies'),
    ],
  },
  {
    text: 'How it works',
    items: [
      page('Architecture', '/architecture'),
      page('Races and locks', '/race-safety'),
      page('The proposals, sentence by sentence', '/norm'),
      page('What is not enforced', '/what-is-not-enforced'),
      page('Security', '/security'),
      page('Reliability', '/reliability'),
      page('Reliability: all figures', '/reliability-figures'),
      page('Performance', '/performance'),
      page('Scale', '/scale'),
      { text: 'Decisions', collapsed: true, link: '/decisions/', items: folder('decisions') },
    ],
  },
];

/** Returns the first heading of a page as plain text, without the number of a decision. */
function headingOf(file: string): string {
  const [, heading] = /^# (?:\d+: )?(.*)$/m.exec(readFileSync(file, 'utf8')) ?? [];
  if (heading === undefined) throw new Error(`${file} has no heading`);
  return heading.replaceAll('`', '');
}
