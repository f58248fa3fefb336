/** The Dockerfile agrees with the checkout and with the manifests. The package's tests run what the image runs. */
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { partOf } from '../../../src/manifests/installation.ts';

const dockerfile = readFileSync('tools/image/Dockerfile', 'utf8');
const instructions = dockerfile.split('\n').filter((line) => /^[A-Z]+ /.test(line));
const of = (word: string) =>
  instructions.filter((line) => line.startsWith(`${word} `)).map((line) => line.slice(word.length + 1));
describe('what is copied', () => {
  const context = of('COPY').filter((line) => !line.startsWith('--from'));
  const sources = [...new Set(context.flatMap((line) => line.split(' ').slice(0, -1)))];

  test('is there, and is all that the build can read', () => {
    for (const source of sources) expect({ source, there: existsSync(source) }).toEqual({ source, there: true });
    const admitted = readFileSync('tools/image/Dockerfile.dockerignore', 'utf8').match(/(?<=^!).*$/gm);
    expect([...(admitted ?? [])].sort()).toEqual([...sources].sort());
  });
});

describe('what is built', () => {
  const about = JSON.parse(readFileSync('package.json', 'utf8'));

  test('on the platform of the builder alone, since the last stage runs nothing', () => {
    const [build = '', run = ''] = of('FROM');
    expect(build).toMatch(/^--platform=\$BUILDPLATFORM /);
    expect(run).not.toContain('--platform');
  });

  test('has labels that agree with package.json', () => {
    const labels = of('LABEL').map((line) => line.replace('org.opencontainers.image.', '').split('=', 2));
    const args = Object.fromEntries(of('ARG').map((line) => line.split('=', 2)));
    expect(Object.fromEntries(labels.map(([name, text]) => [name, JSON.parse(text ?? '')]))).toEqual({
      title: about.name,
      description: about.description,
      licenses: about.license,
      documentation: about.homepage,
      version: `\${VERSION}`,
      revision: `\${REVISION}`,
      source: `\${SOURCE}`,
    });
    expect(`git+${args['SOURCE']}.git`).toBe(about.repository.url);
  });
});

describe('the image and the manifests agree', () => {
  // biome-ignore lint/suspicious/noExplicitAny: a test reads the fields it is about, and fails where they are not.
  const workload: any = partOf('workload', { image: 'muster:1' }).find(({ kind }) => kind === 'Deployment');
  const { securityContext, containers } = workload.spec.template.spec;

  test('on the user', () => {
    expect(of('USER')).toEqual([`${securityContext.runAsUser}:${securityContext.runAsGroup}`]);
  });

  test('on the ports', () => {
    expect(of('EXPOSE')).toEqual([
      containers[0].ports.map((port: { containerPort: number }) => port.containerPort).join(' '),
    ]);
  });

  test('on what is run: the arguments follow the entry point', () => {
    expect(of('ENTRYPOINT')).toEqual(['["/nodejs/bin/node", "/muster/dist/cli/main.js"]']);
    expect(containers[0].command).toBeUndefined();
    const [command = ''] = of('CMD');
    for (const argument of JSON.parse(command)) expect(containers[0].args).toContain(argument);
  });

  test('the last stage has no shell to run anything in', () => {
    const last = dockerfile.slice(dockerfile.lastIndexOf('\nFROM '));
    expect(last).not.toMatch(/^RUN /m);
    expect(of('ARG').some((line) => /distroless\/nodejs24-\w+:nonroot$/.test(line))).toBe(true);
  });
});
