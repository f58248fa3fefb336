/**
 * The states that were seen, by 64 bits of a hash: ten million states share one with a probability of less than one
 * in a hundred thousand.
 * Each has the state before it on a shortest way.
 */
import { hash } from 'node:crypto';

export class StateTable {
  size = 0;
  private slots = new Int32Array(1 << 16).fill(-1);
  private low = new Int32Array(1 << 15);
  private high = new Int32Array(1 << 15);
  private parents = new Int32Array(1 << 15);

  /** Returns the number of the state, and whether it is new. */
  add(key: string, parent: number): readonly [number, boolean] {
    const digest = hash('sha256', key, 'buffer');
    const low = digest.readInt32LE(0);
    const high = digest.readInt32LE(4);
    let slot = this.find(low, high);
    const known = this.slots[slot] ?? -1;
    if (known >= 0) return [known, false];
    if (this.size === this.low.length) {
      this.grow();
      slot = this.find(low, high);
    }
    const index = this.size;
    this.size += 1;
    this.slots[slot] = index;
    this.low[index] = low;
    this.high[index] = high;
    this.parents[index] = parent;
    return [index, true];
  }

  /** Returns the numbers of the states from an initial one to this. */
  way(index: number): number[] {
    const result: number[] = [];
    for (let here = index; here >= 0; here = this.parents[here] ?? -1) result.unshift(here);
    return result;
  }

  /** Returns whether the key is that of the state. */
  is(index: number, key: string): boolean {
    const digest = hash('sha256', key, 'buffer');
    return this.low[index] === digest.readInt32LE(0) && this.high[index] === digest.readInt32LE(4);
  }

  private find(low: number, high: number): number {
    const mask = this.slots.length - 1;
    for (let slot = low & mask; ; slot = (slot + 1) & mask) {
      const index = this.slots[slot] ?? -1;
      if (index < 0 || (this.low[index] === low && this.high[index] === high)) return slot;
    }
  }

  private grow(): void {
    const twice = (old: Int32Array) => {
      const result = new Int32Array(old.length * 2);
      result.set(old);
      return result;
    };
    [this.low, this.high, this.parents] = [twice(this.low), twice(this.high), twice(this.parents)];
    this.slots = new Int32Array(this.slots.length * 2).fill(-1);
    for (let index = 0; index < this.size; index++)
      this.slots[this.find(this.low[index] ?? 0, this.high[index] ?? 0)] = index;
  }
}
