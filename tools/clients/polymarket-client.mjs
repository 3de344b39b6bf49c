/**
 * Reads a book and histories with a Polymarket client whose host is changed; prints the histories: `… MODULE BASE_URL
 * TOKEN QUERIES`.
 */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';

const [module, base, token, queries] = process.argv.slice(2);
const { Chain, ClobClient, Side } = await import(module);
const host = `${base}/api/clob`;
const chain = Chain.POLYGON;
// The first client takes positional options.
const client = module.includes('/clob-client-v2/') ? new ClobClient({ host, chain }) : new ClobClient(host, chain);
const book = await client.getOrderBook(token);
const ask = Number(book.asks.at(-1).price);
assert.equal(book.asset_id, token);
assert.equal(
  createHash('sha1')
    .update(JSON.stringify({ ...book, hash: '' }))
    .digest('hex'),
  book.hash,
);
const near = (actual, expected) => assert.ok(Math.abs(actual - expected) < 1e-6, `${actual} ${expected}`);
near(await client.calculateMarketPrice(token, Side.BUY, 0.001), ask);
assert.match((await client.getOrderBook('123')).error, /order book/);
const histories = [];
for (const query of JSON.parse(queries))
  histories.push((await client.getPricesHistory({ market: token, ...query })).history);
console.log(JSON.stringify(histories));
