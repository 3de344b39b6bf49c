import { cacheControl } from '../http/cache-control.ts';
import { type HttpResponse, ok } from '../http/response.ts';

/** By browsers: the document changes with a deployment only. The edge must ask, since no throttle bounds what it sends by itself. */
const KEPT_SECONDS = 300;

/** `GET /openapi.json`. */
export function getOpenApi(document: string) {
  const response = ok(document, { 'Cache-Control': cacheControl(KEPT_SECONDS, false) });
  return (): HttpResponse => response;
}
