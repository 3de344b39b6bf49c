/** The part of dynalite 4 that is used here; it comes without types. */
declare module 'dynalite' {
  import type { Server } from 'node:http';

  export interface DynaliteOptions {
    /** Milliseconds a table stays in CREATING. @default 500 */
    createTableMs?: number;
  }

  export default function dynalite(options?: DynaliteOptions): Server;
}
