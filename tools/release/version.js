/**
 * `npm run -s release:notes -- TAG`: prints the part of CHANGELOG.md that belongs to a release. Fails if the tag
 * and the files do not agree on the version, and names each place.
 */
import { globSync, readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { parse } from 'yaml';

/** The files that hold the version, as `releaseProblems` takes them. */
export function releaseFiles() {
  const read = (file) => readFileSync(file, 'utf8');
  return {
    package: JSON.parse(read('package.json')),
    lockfile: JSON.parse(read('package-lock.json')),
    chart: parse(read('charts/kube-muster/Chart.yaml')),
    changelog: read('CHANGELOG.md'),
    pages: Object.fromEntries(globSync(PAGES, { exclude: ['docs/.vitepress/**'] }).map((file) => [file, read(file)])),
  };
}

const PAGES = ['README.md', 'docs/**/*.md', 'examples/integrations/**/{*.{yaml,yml},Jenkinsfile}'];
/** How a command or a file that users copy names a version of ours. */
const NAMED =
  /(?:kube-muster(?:-npm|-chart)?[@:-]v?|release\.yml@refs\/tags\/v|(?:rev|tag|newTag|targetRevision): v?|VERSION=|current version is )(\d+\.\d+\.\d+)/g;

/** Returns one sentence for each place that has another version than the tag. */
export function releaseProblems(tag, files) {
  if (!/^v\d+\.\d+\.\d+(-[\w.]+)?$/.test(tag))
    return [`${JSON.stringify(tag)} is not a tag of a version, such as v1.2.3`];
  const version = tag.slice(1);
  const places = {
    'package.json': files.package.version,
    'package-lock.json': files.lockfile.version,
    'version of the chart': files.chart.version,
    'appVersion of the chart': files.chart.appVersion,
  };
  const others = Object.entries(places).filter(([, found]) => found !== version);
  return [
    ...others.map(([place, found]) => `${place} is ${found}, the tag says ${version}: ${SET}`),
    ...pagesWithAnother(version, files.pages),
    ...(notesOf(version, files.changelog)
      ? []
      : [`CHANGELOG.md has no text under "## [${version}] - YYYY-MM-DD": ${MOVE}`]),
  ];
}

/** Examples name the last release, and no prerelease. */
function pagesWithAnother(version, pages) {
  if (version.includes('-')) return [];
  return Object.entries(pages).flatMap(([page, text]) => {
    const others = [...text.matchAll(NAMED)].map(([, named]) => named).filter((named) => named !== version);
    return [...new Set(others)].map((named) => `${page} names ${named} in an example, the tag says ${version}`);
  });
}

const SET = 'run npm version --no-git-tag-version, then npm run generate';
const MOVE = 'give "Unreleased" that heading and begin a new one';

/** Returns the text under the heading of a version; undefined if there is none. */
export function notesOf(version, changelog) {
  const sections = changelog.split(/^## /m).slice(1);
  const [found] = sections.filter((section) => {
    const [, named] = /^\[?([^\]\s]+)\]? - \d{4}-\d{2}-\d{2}$/.exec(section.split('\n', 1)[0]) ?? [];
    return named === version;
  });
  return found?.slice(found.indexOf('\n') + 1).trim() || undefined;
}

function print(tag) {
  const files = releaseFiles();
  const problems = releaseProblems(tag, files);
  if (problems.length === 0) process.stdout.write(`${notesOf(tag.slice(1), files.changelog)}\n`);
  for (const problem of problems) process.stderr.write(`error: ${problem}\n`);
  process.exitCode = problems.length > 0 ? 1 : 0;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) print(process.argv[2] ?? '');
