import type { Parameter } from '../../lambda/contract/parameters.ts';
import { ROUTES, type Route } from '../../lambda/contract/routes.ts';
import type { LocalService } from '../local-service.ts';

/** What requests name that only a snapshot knows. */
export interface Listed {
  readonly market: string;
  readonly event: string;
  readonly token: string;
  readonly snapshot: string;
}

const UNKNOWN: Listed = {
  market: '<slug of a market>',
  event: '<slug of an event>',
  token: '<clobTokenId of a market>',
  snapshot: '<id of a snapshot>',
};

/** Of the newest snapshot and one of its markets; what they do not tell, in words. */
export async function anyListed({
  url,
  publicKey,
}: Pick<LocalService, 'url' | 'publicKey'>): Promise<Listed> {
  const response = await fetch(
    `${url}${ROUTES['list-markets'].path}?limit=20&fields=slug,eventSlug,clobTokenId`,
    {
      headers: publicKey === undefined ? {} : { 'x-api-key': publicKey },
    },
  );
  if (!response.ok) return UNKNOWN;
  const markets = (await response.json()) as readonly ListedMarket[];
  const market = markets.find(({ slug, eventSlug }) => slug && eventSlug) ?? markets[0];
  const [, snapshot] = /[?&]snapshot=([\w-]+)/.exec(response.headers.get('link') ?? '') ?? [];
  return {
    market: market?.slug ?? UNKNOWN.market,
    event: market?.eventSlug ?? UNKNOWN.event,
    token: market?.clobTokenId ?? UNKNOWN.token,
    snapshot: snapshot ?? UNKNOWN.snapshot,
  };
}

/** Commands to try, for the endpoints that the API has. */
export function examples(
  { url, api, publicKey }: Pick<LocalService, 'url' | 'api' | 'publicKey'>,
  listed = UNKNOWN,
): string[] {
  const key = publicKey === undefined ? '' : `-H 'x-api-key: ${publicKey}' `;
  const served = new Set(api.methods.map(({ resource }) => resource.path));
  return Object.values<Route>(ROUTES)
    .filter(({ path, method }) => served.has(path) && method !== 'POST')
    .map((route) => `  curl ${key}'${url}${requestTo(route, listed)}'`);
}

/** Path and query, with the parameters that a request needs; else with the first one there is. */
function requestTo({ path, parameters }: Route, listed: Listed): string {
  const query = Object.entries<Parameter>(parameters).filter(([, parameter]) => parameter.in !== 'path');
  const required = query.filter(([, parameter]) => 'required' in parameter && parameter.required);
  const isComplete = required.length > 0 || path.includes('{');
  const pairs = (isComplete ? required : query.slice(0, 1)).map(
    ([name, parameter]) => `${name}=${exampleOf(parameter, listed)}`,
  );
  const filled = path.replace('{id}', listed.market).replace('{slug}', listed.event);
  return pairs.length === 0 ? filled : `${filled}?${pairs.join('&')}`;
}

function exampleOf(parameter: Parameter, { token, snapshot }: Listed): string {
  if (parameter.kind === 'token-id' || (parameter.kind === 'list' && parameter.tokens)) return token;
  return parameter.kind === 'snapshot-id' ? snapshot : parameter.example;
}

interface ListedMarket {
  readonly slug?: string;
  readonly eventSlug?: string;
  readonly clobTokenId: string;
}
