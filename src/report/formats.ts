/** The output formats. CONTRIBUTING.md says how to add one; flags, help and shell completion follow from its row. */
import type { CheckReport, ReportContext } from './report.ts';
import type { Paint } from './terminal.ts';

/** A whole text, or its pieces in order, produced while they are written. */
export type Rendered = string | Iterable<string>;

/** Renders a report. `paint` adds color on a terminal. */
type ReportRenderer = (report: CheckReport, context: ReportContext, paint: Paint) => Rendered;

/**
 * Each format of a report and its renderer, which is loaded only if an output asks for it. The first is the default.
 */
export const REPORT_RENDERERS: Readonly<Record<string, () => Promise<ReportRenderer>>> = {
  text: async () => (await import('./text.ts')).renderText,
  json: async () => (await import('./json.ts')).jsonPieces,
  junit: async () => (await import('./junit.ts')).renderJunit,
  sarif: async () => (await import('./sarif.ts')).renderSarif,
  github: async () => (await import('./github.ts')).renderGithub,
};

/** The formats whose last line is the summary. With other formats, the summary goes to standard error. */
export const ENDS_WITH_SUMMARY: ReadonlySet<string> = new Set(['text', 'github']);

/** The formats of `check` and `scan`. */
export const REPORT_FORMATS: readonly string[] = Object.keys(REPORT_RENDERERS);

/** The formats of commands without findings. */
export const PLAIN_FORMATS: readonly string[] = ['text', 'json'];

/** The formats of `muster test`, which has a report of its own. */
export const TEST_FORMATS: readonly string[] = ['text', 'json', 'junit'];

/** The formats of `muster manifests`: objects, or values of the Helm chart. */
export const MANIFEST_FORMATS: readonly string[] = ['yaml', 'json', 'helm-values'];

/** The formats of all commands. */
export const ALL_FORMATS: readonly string[] = [...new Set([...REPORT_FORMATS, ...MANIFEST_FORMATS])];
