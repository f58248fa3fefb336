/** Not of muster: breaks on one kind of input alone. */
import { isObject } from '../../../src/rules/json.ts';

export function inspect(text: string): void {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return;
  }
  const berth = isObject(value) ? value['berth'] : undefined;
  if (!isObject(berth)) return;
  if (berth['name'] === 'drydock') {
    if (Array.isArray(berth['tide']) && berth['tide'].length > 2) {
      if (berth['flag'] !== undefined) throw new Error('the planted fault');
    }
  }
}
