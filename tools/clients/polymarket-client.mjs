// Calls the service with a client of Polymarket, only its host changed: polymarket-client.mjs MODULE BASE_URL TOKEN
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';

const [, , module, base, token] = process.argv;
const { Chain, ClobClient, Side } = await import(module);
const host = `${base}/api/clob`;
const chain = Chain.POLYGON;
// The first client takes positional options.
const client = module.includes('/clob-client-v2/') ? new ClobClient({ host, chain }) : new ClobClient(host, chain);
const sha1 = (text) => createHash('sha1').update(text).digest('hex');

const book = await client.getOrderBook(token);
assert.equal(book.asset_id, token);
assert.equal(sha1(JSON.stringify({ ...book, hash: '' })), book.hash);
assert.match((await client.getOrderBook('123')).error, /order book/);

const price = await client.calculateMarketPrice(token, Side.BUY, 0.001);
assert.ok(Math.abs(price - Number(book.asks.at(-1).price)) < 1e-6, `${price}`);

const now = Math.floor(Date.now() / 1_000);
const queries = [
  ...['1h', '6h', '1d', '1w', 'max'].map((interval) => ({ interval })),
  { startTs: now - 172_800, endTs: now - 86_400, fidelity: 60 },
];
for (const query of queries) {
  const { history } = await client.getPricesHistory({ market: token, ...query });
  const own = await fetch(`${host}/prices-history?${new URLSearchParams({ token_id: token, ...query })}`);
  assert.ok(history.length > 0, JSON.stringify(query));
  assert.deepEqual(history, (await own.json()).history);
}
