import { cacheControl } from '../http/cache-control.ts';
import { type HttpResponse, ok } from '../http/response.ts';

/** The document changes with a deployment only. */
const KEPT_SECONDS = 300;

/** `GET /openapi.json`. */
export function getOpenApi(document: string) {
  const response = ok(document, { 'Cache-Control': cacheControl(KEPT_SECONDS, true) });
  return (): HttpResponse => response;
}
