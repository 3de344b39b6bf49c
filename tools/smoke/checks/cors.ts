import { ALLOWED_METHODS, EXPOSED_HEADERS } from '../../../lambda/contract/headers.ts';
import { examplePath, GET_ROUTES } from '../../../lambda/contract/routes.ts';
import { checks } from '../check.ts';
import { ensure } from '../check-failure.ts';
import type { HttpResponse } from '../client.ts';
import { pathOf } from '../deployment.ts';

const ORIGIN = { origin: 'https://example.org' };

/** What a browser needs to let a page of another origin read the responses. */
export const CORS_CHECKS = checks([
  {
    name: 'CORS: preflight of every endpoint',
    run: async (deployment) => {
      const routes = GET_ROUTES;
      for (const path of routes.map(examplePath)) {
        const response = await deployment.client.call(path, {
          method: 'OPTIONS',
          headers: { ...ORIGIN, 'access-control-request-method': 'GET' },
        });
        ensure(response.status === 200 || response.status === 204, `${response.status} for ${path}`);
        ensureOrigin(response, path);
        const methods = names(response, 'access-control-allow-methods');
        const missing = ALLOWED_METHODS.filter((method) => !methods.includes(method.toLowerCase()));
        ensure(missing.length === 0, `${path} does not allow ${missing.join(', ')}`);
      }
      return `${routes.length} endpoints`;
    },
  },
  {
    name: 'CORS: every response can be read by any page',
    run: async (deployment) => {
      const paths = [pathOf('get-status'), pathOf('list-markets', { limit: '0' }), '/no-such-path'];
      for (const path of paths) {
        const response = await deployment.client.call(path, { headers: ORIGIN });
        ensureOrigin(response, path);
        const exposed = names(response, 'access-control-expose-headers');
        const hidden = EXPOSED_HEADERS.filter((header) => !exposed.includes(header.toLowerCase()));
        ensure(hidden.length === 0, `${path} hides ${hidden.join(', ')}`);
      }
      return `${paths.length} responses, errors among them`;
    },
  },
]);

function ensureOrigin(response: HttpResponse, path: string): void {
  const allowed = response.headers.get('access-control-allow-origin');
  ensure(allowed === '*', `${path} allows the origin ${allowed}`);
}

function names(response: HttpResponse, header: string): string[] {
  return (response.headers.get(header) ?? '').toLowerCase().split(/\s*,\s*/);
}
