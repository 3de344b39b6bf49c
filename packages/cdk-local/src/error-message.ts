import { types } from 'node:util';

/** Text of anything thrown, also by another thread or realm. */
export function messageOf(thrown: unknown): string {
  return types.isNativeError(thrown) ? thrown.message : String(thrown);
}

/** Node's code of an error (`EADDRINUSE`), `undefined` when it has none. */
export function codeOf(thrown: unknown): string | undefined {
  const code = types.isNativeError(thrown) && 'code' in thrown ? thrown.code : undefined;
  return typeof code === 'string' ? code : undefined;
}
