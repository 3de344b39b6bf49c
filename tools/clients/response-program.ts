import { DOCUMENTED_ROUTES, type Route } from '../../lambda/contract/routes.ts';

type Values = Readonly<Record<string, string>>;

/**
 * A TypeScript program that assigns the response of every GET operation to its generated type (`api.d.ts`), so that the
 * compiler compares the two.
 */
export async function responseProgram(baseUrl: string): Promise<string> {
  const values = await existingValues(baseUrl);
  const lines = ["import type { operations } from './api.d.ts';"];
  lines.push('type Body<R> = R extends { content: { "application/json": infer B } } ? B : never;');
  for (const [name, route] of Object.entries<Route>(DOCUMENTED_ROUTES)) {
    if (route.method === 'POST' || route.response.mediaType) continue;
    const path = pathOf(route, values);
    const response = await fetch(`${baseUrl}${path}`);
    const body = await response.text();
    if (!response.ok) throw new Error(`${path} responded with ${response.status}: ${body.slice(0, 300)}`);
    const operation = name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
    lines.push(`export const ${operation}: Body<operations['${operation}']['responses'][200]> = ${body};`);
  }
  return lines.join('\n');
}

/** A path with the required parameters of the route. */
export function pathOf({ path, parameters }: Route, values: Values): string {
  const value = (name: string) => encodeURIComponent(values[name] ?? parameters[name]?.example ?? '');
  const query = Object.entries(parameters)
    .filter(([, parameter]) => parameter.required && parameter.in !== 'path')
    .map(([name]) => `${name}=${value(name)}`);
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => value(name));
  return query.length > 0 ? `${filled}?${query.join('&')}` : filled;
}

/** Values of parameters that exist in the snapshot of the service. */
async function existingValues(baseUrl: string): Promise<Values> {
  const fields = 'id,clobTokenId,eventSlug';
  const response = await fetch(`${baseUrl}/api/markets?limit=1&maxSpread=0.1&fields=${fields}`);
  const [market] = (await response.json()) as readonly Values[];
  const since = response.headers.get('x-snapshot-id');
  if (!market || since === null) throw new Error('The service has no markets.');
  const { id = '', clobTokenId = '', eventSlug = '' } = market;
  return { id, token_id: clobTokenId, slug: eventSlug, since };
}
