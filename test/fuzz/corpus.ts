/** The inputs that are kept from one run to the next, one a line: a JSON string of which each character is a byte. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** What is kept of a target; nothing where nothing is. */
export function keptInputs(target: string): Buffer[] {
  const file = fileOf(target);
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '');
  return lines.map((line) => Buffer.from(JSON.parse(line), 'latin1'));
}

/** Keeps these of a target, and no others. */
export function keepInputs(target: string, inputs: readonly Buffer[]): void {
  const lines = inputs.map((input) => JSON.stringify(input.toString('latin1')).replace(/[\u007f-\uffff]/g, escaped));
  writeFileSync(fileOf(target), lines.map((line) => `${line}\n`).join(''));
}

function escaped(char: string): string {
  return `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

function fileOf(target: string): string {
  return fileURLToPath(new URL(`corpus/${target}.jsonl`, import.meta.url));
}
