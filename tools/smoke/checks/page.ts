import { checks } from '../check.ts';
import { ensure } from '../check-failure.ts';
import type { Client, HttpResponse } from '../client.ts';

/** What a browser shows of the deployment, with everything that it loads. */
export const PAGE_CHECKS = checks([
  {
    name: 'page: the markets, with what it loads',
    run: async ({ client }) => page(client, '/'),
  },
  {
    name: 'page: the reference, with what it loads',
    run: async ({ client }) => page(client, '/docs'),
  },
]);

async function page(client: Client, path: string): Promise<string> {
  const response = await client.call(path);
  if (isApiAlone(response)) return 'none: without a front door this address serves the API alone';
  ensure(response.status === 200, `${path} is ${response.status} instead of 200`);
  ensure(isOf('text/html', response), `${path} is ${response.headers.get('content-type')} instead of HTML`);
  const assets = [...response.text.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, asset]) =>
    String(asset),
  );
  ensure(assets.length > 0, `${path} loads nothing`);
  for (const asset of assets) {
    const { status } = await client.call(asset);
    ensure(status === 200, `${asset} is ${status} instead of 200`);
  }
  return `${path} and ${assets.length} files`;
}

/** CloudFront marks what passes through it: behind it, an error of the API means that the page is not wired. */
function isApiAlone(response: HttpResponse): boolean {
  return response.status >= 400 && isOf('application/json', response) && !response.headers.has('x-amz-cf-id');
}

function isOf(type: string, response: HttpResponse): boolean {
  return response.headers.get('content-type')?.startsWith(type) ?? false;
}
