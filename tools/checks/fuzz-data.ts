import { openApiDocument } from '../../lambda/contract/openapi.ts';
import { PATH_PATTERN } from '../../lambda/contract/routes/market-routes.ts';
import { ROUTES, type Route } from '../../lambda/contract/routes.ts';
import { VERSION } from '../../lambda/contract/version.ts';

/** Markets whose names the fuzz run knows. */
const MARKETS = 40;

interface Listed {
  readonly id: string;
  readonly slug?: string;
  readonly eventSlug?: string;
  readonly clobTokenId: string;
}

/** What fuzz_hooks.py puts in place of values that are valid in form only: all of it is there when the run begins. */
export async function fuzzData(url: string) {
  const fields = 'id,slug,eventSlug,clobTokenId';
  const response = await fetch(`${url}${ROUTES['list-markets'].path}?limit=${MARKETS}&fields=${fields}`);
  const [, snapshot] = /[?&]snapshot=([^&>]+)/.exec(response.headers.get('link') ?? '') ?? [];
  if (snapshot === undefined) throw new Error('The list of markets has no links to page by');
  const markets = (await response.json()) as readonly Listed[];
  const [market] = markets;
  if (!market) throw new Error('There are no markets');
  const call = (name: string, sent: Readonly<Record<string, unknown>> = {}) => ({ name, arguments: sent });
  return {
    // Many cases have these, and nothing there is called so.
    examples: Object.values<Route>(ROUTES).flatMap(({ parameters }) =>
      Object.values(parameters).map(({ example }) => example),
    ),
    asOf: Date.parse(response.headers.get('last-modified') ?? '') / 1_000,
    snapshot,
    tokens: markets.map(({ clobTokenId }) => clobTokenId),
    ids: markets.flatMap(({ id, slug, clobTokenId }) => [id, slug ?? id, clobTokenId]),
    events: [...new Set(markets.flatMap(({ eventSlug }) => eventSlug ?? []))],
    tools: [
      call('search_markets', { q: 'bitcoin' }),
      call('list_markets'),
      call('get_market', { id: market.id }),
      call('get_event', { slug: market.eventSlug }),
      call('order_book', { token_id: market.clobTokenId }),
      call('price_history', { token_id: market.clobTokenId }),
      call('market_status'),
    ],
    patterns: { snapshot: patternOf('snapshot'), token: tokenPattern(), segment: PATH_PATTERN },
  };
}

/** The operations of the document by their ids. */
export function fuzzOperations(): string[] {
  return Object.values(paths).flatMap((path) =>
    Object.values(path ?? {}).map(({ operationId }) => operationId),
  );
}

const { paths, components } = openApiDocument(VERSION) as unknown as ApiDocument;

function patternOf(name: string): string {
  const parameters = paths[ROUTES['list-markets'].path]?.get?.parameters ?? [];
  const pattern = parameters.find((parameter) => parameter.name === name)?.schema?.pattern;
  if (pattern === undefined) throw new Error(`The document has no pattern of ${name}`);
  return pattern;
}

function tokenPattern(): string {
  return components.schemas.TokenId.pattern;
}

/** As far as it is read here. */
interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, ApiOperation>> | undefined>>;
  readonly components: { readonly schemas: { readonly TokenId: { readonly pattern: string } } };
}

interface ApiOperation {
  readonly operationId: string;
  readonly parameters?: readonly ApiParameter[];
}

interface ApiParameter {
  readonly name: string;
  readonly schema?: { readonly pattern?: string };
}
