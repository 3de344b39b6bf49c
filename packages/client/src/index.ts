/** What the package exports. */
export type * from './api.ts';
export * from './create-client.ts';
export { ApiError } from './errors.ts';
export type { Wait } from './polite-fetch.ts';
export type { Result } from './result.ts';
export type { Selected } from './selected.ts';
