import { dataError } from '../../data/errors.ts';
import { tooMany } from '../../http/edge.ts';
import { html, json, type SimulatedResponse, text } from '../../http/response.ts';
import type { Route } from '../../route.ts';
import type { FaultKind } from '../kind.ts';

const TITLES: Readonly<Record<number, string>> = {
  403: '403 Forbidden',
  429: '429 Too Many Requests',
  451: '451 Unavailable For Legal Reasons',
};

/** Faults that respond in the route's place. */
export const RESPONSE_FAULTS = {
  status: {
    summary:
      'responds with "status" (default 500), "body" (JSON, or a text for other "type"s), "type" json|html|text and "headers"',
    effect(options) {
      const status = options.whole('status', 200, 599) ?? 500;
      const type = options.choice('type', ['json', 'html', 'text']) ?? 'json';
      const fallback =
        type === 'json' ? { type: 'internal error', error: 'cannot get the information' } : 'error';
      const body = options.value('body') ?? fallback;
      const headers = options.texts('headers');
      return { instead: () => ({ status, type, body, headers }) };
    },
  },
  html: {
    summary: 'an HTML page with "status" (default 403)',
    effect(options) {
      const status = options.whole('status', 200, 599) ?? 403;
      return { instead: () => html(status, TITLES[status] ?? 'Just a moment...') };
    },
  },
  'error-200': {
    summary: 'status 200 with {"error": "message"} (default "Too Many Requests")',
    effect(options) {
      const error = options.value('message') ?? 'Too Many Requests';
      return { instead: () => json(200, { error }) };
    },
  },
  gone: {
    summary: 'the route is no more: "status" 404 (default), 405 or 410, in the words of its host',
    effect(options) {
      const status = options.oneOf('status', [404, 405, 410]) ?? 404;
      return { instead: (route) => goneResponse(route, status) };
    },
  },
  blocked: {
    summary: 'this address may not read: "status" 403 (default) or 451, "form" html (default) or text',
    effect(options) {
      const status = options.oneOf('status', [403, 451]) ?? 403;
      const form = options.choice('form', ['html', 'text']) ?? 'html';
      const code = status === 403 ? 'error code: 1020' : 'error code: 1009';
      return { instead: () => (form === 'html' ? html(status, TITLES[status] ?? '') : text(status, code)) };
    },
  },
  throttled: {
    summary: '429 with Retry-After of "seconds" (default 5), in the form of its host',
    effect(options) {
      const seconds = options.whole('seconds', 0, 3_600) ?? 5;
      return {
        instead(route) {
          const refused = tooMany(route);
          return { ...refused, headers: { ...refused.headers, 'retry-after': String(seconds) } };
        },
      };
    },
  },
} as const satisfies Readonly<Record<string, FaultKind>>;

function goneResponse(route: Route, status: 404 | 405 | 410): SimulatedResponse {
  if (route.upstream === 'data') {
    const code = { 404: 'not_found', 405: 'method_not_allowed', 410: 'gone' } as const;
    return dataError(code[status], status === 405 ? 'method not allowed' : 'not found');
  }
  if (status === 405) return text(405, 'Method Not Allowed');
  return json(status, { type: 'not found error', error: status === 410 ? 'gone' : 'not found' });
}
