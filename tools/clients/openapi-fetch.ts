/**
 * Ordinary lines of a caller with openapi-fetch, beside the types that openapi-typescript makes of
 * the API document: `openapi-fetch.ts <address of the service>`. `npm run test:clients` compiles
 * and runs them in a folder that has both.
 */
import createClient from 'openapi-fetch';
import type { paths } from './market-data.d.ts';

const client = createClient<paths, 'application/json'>({ baseUrl: process.argv[2] ?? '' });

const movers = await client.GET('/api/markets', {
  params: { query: { limit: 5, sort: 'move1d', fields: ['question', 'bestBid'] } },
});
const questions: (string | undefined)[] = movers.data?.map(({ question }) => question) ?? [];
// `bestBid` is not a default field, so only some of the types of a market have it.
const bids = movers.data?.map((one) => ('bestBid' in one ? one.bestBid : undefined)) ?? [];

const listed = await client.GET('/api/markets', { params: { query: { limit: 1 } } });
const [first] = listed.data ?? [];
const id: string = first?.id ?? '';
const tokenId: string = first?.clobTokenId ?? '';

const found = await client.GET('/api/markets/{id}', { params: { path: { id } } });
const market = found.data;
const midpoint = market?.status === 'active' ? market.midpoint : undefined;
const payouts = market?.status === 'resolved' ? market.resolution.payouts : [];

const book = await client.GET('/api/clob/order-book', {
  params: { query: { token_id: tokenId, depth: 2 } },
});
const levels: { price: string; size: string }[] = book.data?.bids ?? [];
const books = await client.GET('/api/clob/order-books', {
  params: { query: { token_id: [tokenId] } },
});
const sides = Object.values(books.data ?? {}).map((one) => one?.asks.length);
const past = await client.GET('/api/clob/prices-history', {
  params: { query: { token_id: tokenId, interval: '1d' } },
});
const price: number | undefined = past.data?.history[0]?.p;

const missing = await client.GET('/api/clob/order-book', { params: { query: { token_id: '1' } } });
const code: string | undefined = missing.error?.code;
const event = await client.GET('/api/events/{slug}', { params: { path: { slug: 'none' } } });
const sentence: string | undefined = event.error?.error;
const csv = await client.GET('/api/markets', {
  params: { query: { limit: 1, format: 'csv' } },
  parseAs: 'text',
});
const [head] = String(csv.data).split('\n');

console.log(
  questions.length + bids.length,
  id !== '',
  midpoint !== undefined,
  payouts.length,
  levels.length > 0,
);
console.log(sides.length, price !== undefined, code, sentence !== undefined, head?.slice(0, 11));
