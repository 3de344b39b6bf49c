import { ALLOWED_METHODS, EXPOSED_HEADERS } from '../../../lambda/contract/headers.ts';
import { examplePath, ROUTES, type RouteName } from '../../../lambda/contract/routes.ts';
import { checks, ensure } from '../check.ts';
import type { Answer } from '../client.ts';
import { pathOf } from '../deployment.ts';

const ORIGIN = { origin: 'https://example.org' };

/** What a browser needs to let a page of another origin read the answers. */
export const CORS_CHECKS = checks([
  {
    name: 'CORS: preflight of every endpoint',
    run: async (deployment) => {
      const routes = Object.keys(ROUTES) as RouteName[];
      for (const path of routes.map(examplePath)) {
        const answer = await deployment.client.call(path, {
          method: 'OPTIONS',
          headers: { ...ORIGIN, 'access-control-request-method': 'GET' },
        });
        ensure(answer.status === 200 || answer.status === 204, `${answer.status} for ${path}`);
        ensureOrigin(answer, path);
        const methods = names(answer, 'access-control-allow-methods');
        const missing = ALLOWED_METHODS.filter((method) => !methods.includes(method.toLowerCase()));
        ensure(missing.length === 0, `${path} does not allow ${missing.join(', ')}`);
      }
      return `${routes.length} endpoints`;
    },
  },
  {
    name: 'CORS: every answer can be read by any page',
    run: async (deployment) => {
      const paths = [pathOf('get-status'), pathOf('list-markets', { limit: '0' }), '/no-such-path'];
      for (const path of paths) {
        const answer = await deployment.client.call(path, { headers: ORIGIN });
        ensureOrigin(answer, path);
        const exposed = names(answer, 'access-control-expose-headers');
        const hidden = EXPOSED_HEADERS.filter((header) => !exposed.includes(header.toLowerCase()));
        ensure(hidden.length === 0, `${path} hides ${hidden.join(', ')}`);
      }
      return `${paths.length} answers, errors among them`;
    },
  },
]);

function ensureOrigin(answer: Answer, path: string): void {
  const allowed = answer.headers.get('access-control-allow-origin');
  ensure(allowed === '*', `${path} allows the origin ${allowed}`);
}

function names(answer: Answer, header: string): string[] {
  return (answer.headers.get(header) ?? '').toLowerCase().split(/\s*,\s*/);
}
