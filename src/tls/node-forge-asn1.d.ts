/** Only the encoder is loaded (5 ms, where the whole of node-forge takes 40); the published types know the whole alone. */
declare module 'node-forge/lib/asn1.js' {
  import type { asn1 } from 'node-forge';

  const encoder: typeof asn1;
  export default encoder;
}
