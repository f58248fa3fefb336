/** What a tag has to agree with before anything is published, and the notes of a release. */
import { describe, expect, test } from '@jest/globals';
// @ts-expect-error A tool in plain JavaScript, without types.
import { notesOf, releaseFiles, releaseProblems } from '../../../tools/release/version.js';

const CHANGELOG = `# Changelog

## Unreleased

### Added

- A line to come.

## 1.2.0 - 2026-12-24

### Added

- A line.

## [1.1.0] - 2026-11-24

### Fixed

- An older line.

## 1.0.0 - 2026-11-01
`;
const agreed = {
  package: { version: '1.2.0' },
  lockfile: { version: '1.2.0' },
  chart: { version: '1.2.0', appVersion: '1.2.0' },
  changelog: CHANGELOG,
  pages: { 'README.md': 'docker build -t kube-muster:1.2.0 .' },
};

describe('a tag', () => {
  test('that agrees with every file has no problem', () => expect(releaseProblems('v1.2.0', agreed)).toEqual([]));

  test.each([
    ['is not that of a version', '1.2.0', {}, ['"1.2.0" is not a tag of a version']],
    ['has text behind the version', 'v1.2.0\nv2', {}, ['is not a tag of a version']],
    ['is another than package.json', 'v1.2.0', { package: { version: '1.1.0' } }, ['package.json is 1.1.0']],
    ['is another than the lockfile', 'v1.2.0', { lockfile: { version: '1.1.0' } }, ['package-lock.json is 1.1.0']],
    [
      'is another than the chart',
      'v1.2.0',
      { chart: { version: '1.1.0', appVersion: '1.0.0' } },
      ['version of the chart is 1.1.0', 'appVersion of the chart is 1.0.0'],
    ],
    [
      'is another than in examples',
      'v1.2.0',
      { pages: { 'a.md': 'kube-muster@v1.1.0 kube-muster:1.2.0', 'b.yaml': 'newTag: 1.0.0', 'c.md': 'from 1.1.0 on' } },
      ['a.md names 1.1.0 in an example', 'b.yaml names 1.0.0 in an example'],
    ],
    [
      'has no notes',
      'v1.2.0',
      { changelog: '## [Unreleased]\n\n- A.\n' },
      ['CHANGELOG.md has no text under "## [1.2.0]'],
    ],
    ['has an empty section', 'v1.2.0', { changelog: '## 1.2.0 - 2026-12-24\n\n' }, ['CHANGELOG.md has no text']],
    ['has a section without a date', 'v1.2.0', { changelog: '## 1.2.0\n\n- A.\n' }, ['CHANGELOG.md has no text']],
  ])('is refused where it %s', (_, tag, files, problems) => {
    expect(releaseProblems(tag, { ...agreed, ...files })).toEqual(
      problems.map((text) => expect.stringContaining(text)),
    );
  });

  test('of a prerelease leaves the examples alone', () => {
    const versions = { version: '1.3.0-rc.1', appVersion: '1.3.0-rc.1' };
    const changelog = '## 1.3.0-rc.1 - 2027-01-02\n\n- A line.\n';
    const files = { ...agreed, package: versions, lockfile: versions, chart: versions, changelog };
    expect(releaseProblems('v1.3.0-rc.1', files)).toEqual([]);
  });

  test('of the version in this checkout agrees with its files; only the changelog may still say "Unreleased"', () => {
    const files = releaseFiles();
    const problems: string[] = releaseProblems(`v${files.package.version}`, files);
    expect(problems.filter((problem) => !problem.startsWith('CHANGELOG.md'))).toEqual([]);
  });
});

test.each([
  ['1.2.0', '### Added\n\n- A line.'],
  ['1.1.0', '### Fixed\n\n- An older line.'],
  ['1.0.0', undefined],
  ['1.2', undefined],
])('the notes of %s', (version, notes) => expect(notesOf(version, CHANGELOG)).toBe(notes));
