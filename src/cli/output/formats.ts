/** The names of the outputs, for helps and flags alike. */

/** What every command can write; the first is the default. */
export const FORMATS: readonly string[] = ['text', 'json'];

/** What a command can write that judges objects. */
export const REPORT_FORMATS: readonly string[] = ['text', 'json', 'junit', 'sarif', 'github'];
