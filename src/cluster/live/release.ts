/** Memory outside of V8's heap, given back at once: V8 counts little of it, and would let 50 MB pile up before it looks. */

/** Of ES2024; every Node that muster runs on has it. */
type Transferable = ArrayBuffer & { transfer(length: number): ArrayBuffer };

/** Frees the bytes, which nobody may read any more; those that share their memory with others stay. */
export function release({ buffer, byteLength }: Buffer): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) (buffer as Transferable).transfer(0);
}
