/** Reads a log back, and holds it against the published schema of SARIF 2.1.0. */
import { readFileSync } from 'node:fs';
import { expect } from '@jest/globals';
import { Ajv } from 'ajv';
import type { CheckReport, ReportContext } from '../../../src/cli/output/report.ts';
import { renderSarif } from '../../../src/cli/output/sarif.ts';
import { reporting } from './world.ts';

// The schema is of draft 4, of which draft 7 reads all that it uses but the keyword of its own id.
const published = readFileSync('node_modules/@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json', 'utf8');
const { $schema: _, id: __, ...schema } = JSON.parse(published);
const ajv = new Ajv({
  strict: false,
  allErrors: true,
  // One of its patterns is no expression in Unicode mode.
  unicodeRegExp: false,
  formats: {
    uri: (text: string) => URL.canParse(text),
    'uri-reference': (text: string) => /^[\w\-.~:/?#[\]@!$&'()*+,;=%]*$/.test(text) && !/%(?![0-9A-F]{2})/i.test(text),
    'date-time': (text: string) => !Number.isNaN(Date.parse(text)),
  },
});
/** Whether a value is a SARIF log. */
export const validate = ajv.compile(schema);

/** The run of a report's log, written and parsed again. Fails where the log is not valid. */
// biome-ignore lint/suspicious/noExplicitAny: the log is what a stranger reads: parsed text, proved by the schema above
export function read(given: CheckReport, more: Partial<ReportContext> = {}): any {
  const log = JSON.parse([...renderSarif(given, reporting(more))].join(''));
  validate(log);
  expect(validate.errors).toBeNull();
  expect(log.runs).toHaveLength(1);
  return log.runs[0];
}
