/** The part of dynalite 4 that is used here; it comes without types. */
declare module 'dynalite' {
  export default function dynalite(options?: {
    createTableMs?: number;
    path?: string | undefined;
  }): import('node:http').Server;
}
