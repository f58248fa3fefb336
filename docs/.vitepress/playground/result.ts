/** The result of an evaluation that follows what is typed. */
import { onBeforeUnmount, type Ref, shallowRef, watch } from 'vue';
import type { Shared } from './scenario.ts';

/** UTF-16 units of text that are evaluated faster than somebody types. Longer text waits for a pause in typing. */
const FAST = 20_000;
const PAUSE_MILLISECONDS = 300;

/** Returns the result of `evaluate` for the current value, or for the one before while it is evaluated. */
export function useResult<Value extends Shared['value'], Result>(
  current: Readonly<Ref<{ readonly value: Value }>>,
  evaluate: (value: Value) => Promise<Result>,
): Readonly<Ref<Result | undefined>> {
  const result = shallowRef<Result>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  watch(current, ({ value }) => {
    clearTimeout(timer);
    const length = Object.values(value).reduce((sum, text: string) => sum + text.length, 0);
    if (length <= FAST) void run(value);
    else timer = setTimeout(run, PAUSE_MILLISECONDS, value);
  });
  onBeforeUnmount(() => clearTimeout(timer));
  return result;

  async function run(value: Value) {
    const next = await evaluate(value);
    if (current.value.value === value) result.value = next;
  }
}
