/** The figures of the last full run, and the tables of docs/race-safety.md that are made of them. */

export interface FormFigures {
  readonly name: string;
  readonly states: number;
  readonly transitions: number;
  readonly depth: number;
  /** On the machine of that run. */
  readonly seconds: number;
}

export interface Figures {
  readonly forms: readonly FormFigures[];
  readonly faults: readonly {
    readonly name: string;
    readonly breaks: string;
    readonly steps: number;
    readonly states: number;
  }[];
}

/** Returns the page with the tables of a model made anew. @param of how the names of its tables begin */
export function pageWith(page: string, { forms, faults }: Figures, of: '' | 'registrar-' = ''): string {
  const explored = forms.map(({ name, states, transitions, depth, seconds }) =>
    [name, count(states), count(transitions), depth, `${count(seconds)} s`].join(' | '),
  );
  const found = faults.map(({ name, breaks, steps }) => [name, `*${breaks}*`, steps].join(' | '));
  const withForms = between(page, `${of}states`, ['explored | states | transitions | longest way | time', ...explored]);
  return between(withForms, `${of}faults`, ['fault | breaks | steps', ...found]);
}

function between(page: string, name: string, [head = '', ...rows]: readonly string[]): string {
  const begin = `<!-- ${name} -->\n`;
  const end = `<!-- end of ${name} -->`;
  const [before, rest = ''] = page.split(begin);
  const after = rest.slice(rest.indexOf(end));
  const rule = head.split(' | ').fill('---').join(' | ');
  return `${before}${begin}\n${[head, rule, ...rows].map((row) => `| ${row} |\n`).join('')}\n${after}`;
}

function count(value: number): string {
  return value.toLocaleString('en-US');
}
