/** The names of the outputs, for helps and flags alike. */

/** What every command can write; the first is the default. */
export const FORMATS: readonly string[] = ['text', 'json'];

/** What a command can write that judges objects. */
export const REPORT_FORMATS: readonly string[] = ['text', 'json', 'junit', 'sarif', 'github'];

/** What `muster test` can write: a report of its own form. */
export const TEST_FORMATS: readonly string[] = ['text', 'json', 'junit'];

/** What `muster manifests` can write. */
export const MANIFEST_FORMATS: readonly string[] = ['yaml', 'json'];

/** What any command can write. */
export const ALL_FORMATS: readonly string[] = [...REPORT_FORMATS, 'yaml'];
