/** Standard input, for the commands that read manifests from it. */
import { Pieces } from '../cluster/files/index.ts';

/** All bytes of standard input. Rejects where it does not end within what can be read, and reads no further. */
export async function readStdin(): Promise<Uint8Array> {
  const pieces = new Pieces();
  // Leaving the loop closes the stream, so that whoever writes without end is told.
  for await (const chunk of process.stdin) pieces.add(chunk as Uint8Array);
  return pieces.whole();
}
