/** The part of dynalite 4 that is used here; it comes without types. */
declare module 'dynalite' {
  import type { Server } from 'node:http';

  export default function dynalite(options?: { createTableMs?: number; path?: string | undefined }): Server;
}
