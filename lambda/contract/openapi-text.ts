import { openApiDocument } from './openapi.ts';
import { VERSION } from './version.ts';

/** The bundler's (lib/bundled-code.ts), so that no container has to put the document together. */
declare const OPENAPI_TEXT: string | undefined;

/** The API document as it is served. */
export function openApiText(): string {
  return typeof OPENAPI_TEXT === 'string' ? OPENAPI_TEXT : JSON.stringify(openApiDocument(VERSION));
}
